// Remembers bytes and JSON values between processes, one checked file each. What cannot be read, written or trusted is as if it were not there.
import { createHash } from 'node:crypto';
import { FilePool } from '../files/file-pool.ts';
import type { SharedStore } from './shared-store.ts';

export interface Memory<T> {
  read(key: string): Promise<T | undefined>;
  write(key: string, value: T): Promise<void>;
  remove(key: string): Promise<void>;
  clear(): Promise<void>;
}

export type BytesMemory = Memory<Buffer>;

export interface MemoryOptions {
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

/** Longer than results, which are larger and sooner out of date. */
const SHARED_SECONDS = 7 * 24 * 3600;

/** Values must be such as JSON.parse returns. Nothing checks `T`: what was written under a key is trusted to be one. */
export function openJsonMemory<T>(options: MemoryOptions): Memory<T> {
  const bytes = openBytesMemory(options);
  return {
    ...bytes,
    async read(key) {
      const content = await bytes.read(key);
      return content === undefined ? undefined : (JSON.parse(content.toString()) as T);
    },
    write: (key, value) => bytes.write(key, Buffer.from(JSON.stringify(value))),
  };
}

/** The same for bytes, which are those of a text where they are shared. */
export function openBytesMemory({ folder, suffix, maxBytes, now, shared, sharedSeconds = SHARED_SECONDS }: MemoryOptions): BytesMemory {
  const pool = new FilePool({ folder, suffix, maxBytes, now, onTrouble: () => {} });
  return {
    async read(key) {
      const name = digest(key);
      const text = await shared?.read('buckets', name);
      const sharedContent = text === undefined ? undefined : contentOf(Buffer.from(text));
      if (sharedContent !== undefined) return sharedContent;
      const bytes = await pool.readBytes(name);
      const content = bytes === undefined ? undefined : contentOf(bytes);
      if (bytes !== undefined && content === undefined) await pool.remove([name]);
      return content;
    },
    async write(key, content) {
      const [name, bytes] = [digest(key), Buffer.concat([Buffer.from(`${digest(content)}\n`), content])];
      await Promise.all([shared?.write('buckets', name, bytes, sharedSeconds), pool.write(name, bytes)]);
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

const LINE_END = 10;

/** Returns the bytes after the checksum, or undefined if it is not theirs. */
function contentOf(bytes: Buffer): Buffer | undefined {
  const lineEnd = bytes.indexOf(LINE_END);
  const content = bytes.subarray(lineEnd + 1);
  return bytes.toString('latin1', 0, Math.max(lineEnd, 0)) === digest(content) ? content : undefined;
}

/** Returns the SHA-256 as 64 hexadecimal digits. */
export function digest(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
