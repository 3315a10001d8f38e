// Remembers prepared queries between processes, and what texts say that nobody has saved, so that a repeated run loads neither the YAML parser nor the translator.
import { openJsonMemory } from '../cache/json-memory.ts';
import type { ReadText } from './one-off.ts';
import type { PreparedQuery } from './prepared-query.ts';

interface MemoryOptions {
  /** The cache's folder. */
  readonly folder: string;
  /** Names this very build of quern: prepared queries made by another translator must not be used. */
  readonly build: string;
  readonly now: () => number;
}

const MAX_BYTES = 8e6;

/** A folder that cannot be used costs the memory and nothing else. */
export function openPreparedQueryMemory({ folder, build, now }: MemoryOptions) {
  const memory = openJsonMemory<unknown>({ folder: `${folder}/plans`, suffix: '.plan', maxBytes: MAX_BYTES, now });
  const part = <T>(name: string) => ({
    read: async (key: string) => (await memory.read(`${build} ${name} ${key}`)) as T | undefined, // as it was written
    write: (key: string, value: T) => memory.write(`${build} ${name} ${key}`, value),
  });
  return { ...part<PreparedQuery>('query'), texts: part<ReadText>('text'), clear: memory.clear };
}
