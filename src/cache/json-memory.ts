// Remembers JSON values between processes, one checked file each. What cannot be read, written or trusted is as if it were not there.
import { createHash } from 'node:crypto';
import { openFilePool } from '../files/file-pool.ts';

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
}

/** The values must be what JSON.parse gives back: `T` is taken on trust from what was written under the same key. */
export function openJsonMemory<T>({ folder, suffix, maxBytes, now }: JsonMemoryOptions): JsonMemory<T> {
  const pool = openFilePool({ folder, suffix, maxBytes, now, onTrouble: () => {} });
  return {
    async read(key) {
      const text = await pool.read(digest(key));
      if (text === undefined) return undefined;
      const lineEnd = text.indexOf('\n');
      const content = text.slice(lineEnd + 1);
      if (text.slice(0, Math.max(lineEnd, 0)) === digest(content)) return JSON.parse(content) as T;
      await pool.remove([digest(key)]);
      return undefined;
    },
    async write(key, value) {
      const content = JSON.stringify(value);
      await pool.write(digest(key), `${digest(content)}\n${content}`);
    },
    remove: async (key) => void (await pool.remove([digest(key)])),
    async clear() {
      for await (const names of pool.names()) await pool.remove(names);
    },
  };
}

/** 64 hexadecimal digits. */
export function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
