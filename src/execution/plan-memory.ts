// Remembers plans between processes, so that a repeated run loads neither the YAML parser nor the translator.
import { openJsonMemory } from '../cache/json-memory.ts';
import type { Plan, PlanMemory } from './plan.ts';

interface PlanMemoryOptions {
  /** The cache's folder. */
  readonly folder: string;
  /** Names this very build of quern: plans made by another translator must not be used. */
  readonly build: string;
  readonly now: () => number;
}

const MAX_BYTES = 8e6;

/** A folder that cannot be used costs the memory and nothing else. */
export function openPlanMemory({ folder, build, now }: PlanMemoryOptions): PlanMemory {
  const memory = openJsonMemory<Plan>({ folder: `${folder}/plans`, suffix: '.plan', maxBytes: MAX_BYTES, now });
  return {
    read: (key) => memory.read(`${build} ${key}`),
    async write(key, plan) {
      const { statement } = plan;
      if (statement === undefined || typeof statement === 'string') return memory.write(`${build} ${key}`, plan);
      const { statementText } = await import('../sql/for-arguments.ts');
      // Text in text: who reads the plan for its rows in the cache need not read the tree.
      return memory.write(`${build} ${key}`, { ...plan, statement: statementText(statement) });
    },
  };
}
