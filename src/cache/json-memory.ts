// Remembers JSON values between processes, one checked file each. What cannot be read, written or trusted is as if it were not there.
import { createHash } from 'node:crypto';
import { FilePool } from '../files/file-pool.ts';
import type { SharedStore } from './shared-store.ts';

interface JsonMemory<T> {
  read(key: string): Promise<T | undefined>;
  write(key: string, value: T): Promise<void>;
  remove(key: string): Promise<void>;
  clear(): Promise<void>;
}

interface JsonMemoryOptions {
  readonly folder: string;
  /** Ending of the files, e.g. `.plan`. */
  readonly suffix: string;
  readonly maxBytes: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Other processes find the values there, whatever their folder. */
  readonly shared?: Pick<SharedStore, 'read' | 'write' | 'remove'> | undefined;
}

/** Values outlive results; how long, in a store that does not drop its oldest by itself. */
const SHARED_SECONDS = 7 * 24 * 3600;

/** The values must be what JSON.parse gives back: `T` is taken on trust from what was written under the same key. */
export function openJsonMemory<T>({ folder, suffix, maxBytes, now, shared }: JsonMemoryOptions): JsonMemory<T> {
  const pool = new FilePool({ folder, suffix, maxBytes, now, onTrouble: () => {} });
  return {
    async read(key) {
      const name = digest(key);
      const near = contentOf(await shared?.read('buckets', name));
      if (near !== undefined) return JSON.parse(near) as T;
      const text = await pool.read(name);
      const content = contentOf(text);
      if (content !== undefined) return JSON.parse(content) as T;
      if (text !== undefined) await pool.remove([name]);
      return undefined;
    },
    async write(key, value) {
      const content = JSON.stringify(value);
      const [name, text] = [digest(key), `${digest(content)}\n${content}`];
      await Promise.all([shared?.write('buckets', name, text, SHARED_SECONDS), pool.write(name, text)]);
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
