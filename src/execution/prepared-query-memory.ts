// Remembers prepared queries between processes, so that a repeated run loads neither the YAML parser nor the translator.
import { openJsonMemory } from '../cache/json-memory.ts';
import type { PreparedQuery, PreparedQueryMemory } from './prepared-query.ts';

interface MemoryOptions {
  /** The cache's folder. */
  readonly folder: string;
  /** Names this very build of quern: prepared queries made by another translator must not be used. */
  readonly build: string;
  readonly now: () => number;
}

const MAX_BYTES = 8e6;

/** A folder that cannot be used costs the memory and nothing else. */
export function openPreparedQueryMemory({ folder, build, now }: MemoryOptions): PreparedQueryMemory {
  const memory = openJsonMemory<PreparedQuery>({ folder: `${folder}/plans`, suffix: '.plan', maxBytes: MAX_BYTES, now });
  return {
    read: (key) => memory.read(`${build} ${key}`),
    write: (key, prepared) => memory.write(`${build} ${key}`, prepared),
  };
}
