// Remembers plans between processes, so that a repeated run loads neither the YAML parser nor the translator.
import { createHash } from 'node:crypto';
import { openFilePool } from '../cache/file-pool.ts';
import type { Plan } from './plan.ts';

export interface PlanMemory {
  read(key: string): Promise<Plan | undefined>;
  write(key: string, plan: Plan): Promise<void>;
}

export interface PlanMemoryOptions {
  /** The cache's folder. */
  readonly folder: string;
  /** Names this very build of quern: plans made by another translator must not be used. */
  readonly build: string;
  readonly now: () => number;
}

const MAX_BYTES = 8e6;

/** A folder that cannot be used costs the memory and nothing else. */
export function openPlanMemory({ folder, build, now }: PlanMemoryOptions): PlanMemory {
  const pool = openFilePool({ folder: `${folder}/plans`, suffix: '.plan', maxBytes: MAX_BYTES, now, onTrouble: () => {} });
  const nameOf = (key: string) => checksum(`${build} ${key}`);
  return {
    async read(key) {
      const text = await pool.read(nameOf(key));
      const lineEnd = text?.indexOf('\n') ?? -1;
      if (text === undefined) return undefined;
      const content = text.slice(lineEnd + 1);
      // With the right checksum it is what `write` wrote under the same build.
      if (text.slice(0, Math.max(lineEnd, 0)) === checksum(content)) return JSON.parse(content) as Plan;
      await pool.remove(nameOf(key));
      return undefined;
    },
    async write(key, plan) {
      const content = JSON.stringify(plan);
      await pool.write(nameOf(key), `${checksum(content)}\n${content}`);
    },
  };
}

function checksum(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
