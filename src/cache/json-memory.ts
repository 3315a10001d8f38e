// Remembers texts and JSON values between processes, one checked file each. What cannot be read, written or trusted is as if it were not there.
import { createHash } from 'node:crypto';
import { FilePool } from '../files/file-pool.ts';
import type { SharedStore } from './shared-store.ts';

interface Memory<T> {
  read(key: string): Promise<T | undefined>;
  write(key: string, value: T): Promise<void>;
  remove(key: string): Promise<void>;
  clear(): Promise<void>;
}

export type TextMemory = Memory<string>;

interface MemoryOptions {
  readonly folder: string;
  /** Ending of the files, e.g. `.plan`. */
  readonly suffix: string;
  readonly maxBytes: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Other processes find the values there, whatever their folder. */
  readonly shared?: Pick<SharedStore, 'read' | 'write' | 'remove'> | undefined;
  /** How long a shared value lives, in a store that does not drop its oldest by itself. Default: a week. */
  readonly sharedSeconds?: number;
}

/** Values outlive results. */
const SHARED_SECONDS = 7 * 24 * 3600;

/** The values must be what JSON.parse gives back: `T` is taken on trust from what was written under the same key. */
export function openJsonMemory<T>(options: MemoryOptions): Memory<T> {
  const texts = openTextMemory(options);
  return {
    ...texts,
    async read(key) {
      const content = await texts.read(key);
      return content === undefined ? undefined : (JSON.parse(content) as T);
    },
    write: (key, value) => texts.write(key, JSON.stringify(value)),
  };
}

/** The same for texts as they are. */
export function openTextMemory({ folder, suffix, maxBytes, now, shared, sharedSeconds = SHARED_SECONDS }: MemoryOptions): TextMemory {
  const pool = new FilePool({ folder, suffix, maxBytes, now, onTrouble: () => {} });
  return {
    async read(key) {
      const name = digest(key);
      const near = contentOf(await shared?.read('buckets', name));
      if (near !== undefined) return near;
      const text = await pool.read(name);
      const content = contentOf(text);
      if (text !== undefined && content === undefined) await pool.remove([name]);
      return content;
    },
    async write(key, content) {
      const [name, text] = [digest(key), `${digest(content)}\n${content}`];
      await Promise.all([shared?.write('buckets', name, text, sharedSeconds), pool.write(name, text)]);
    },
    async remove(key) {
      const name = digest(key);
      await Promise.all([shared?.remove('buckets', name), pool.remove([name])]);
    },
    async clear() {
      for await (const names of pool.names()) await pool.remove(names);
    },
  };
}

/** Returns the text behind the checksum, if that is right. */
function contentOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const lineEnd = text.indexOf('\n');
  const content = text.slice(lineEnd + 1);
  return text.slice(0, Math.max(lineEnd, 0)) === digest(content) ? content : undefined;
}

/** 64 hexadecimal digits. */
export function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
