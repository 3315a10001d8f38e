// What makes two calls want the same rows, as a text that costs little: it is made for every request.
import { createHash } from 'node:crypto';
import type { BoundValue } from '../../engine/engine.ts';
import type { Plan } from '../../execution/plan.ts';
import type { ArgumentValues } from '../../saved-query/parameters.ts';

interface PairKeys {
  /** Equal for plans that say the same, arguments that are the same, and the same engine with the same data. */
  keyOf(plan: Plan, values: ArgumentValues, engineId: string): string;
}

export function createPairKeys(): PairKeys {
  // Hashing some kilobytes of SQL for every request would cost more than the rest of an answer.
  const known = new WeakMap<Plan, { readonly engineId: string; readonly digest: string }>();
  // Requests of the same words have the same object of arguments.
  const keys = new WeakMap<ArgumentValues, { readonly digest: string; readonly key: string }>();
  return {
    keyOf(plan, values, engineId) {
      let found = known.get(plan);
      if (found?.engineId !== engineId) {
        found = { engineId, digest: digestOf(plan, engineId) };
        known.set(plan, found);
      }
      const { digest } = found;
      const made = keys.get(values);
      if (made?.digest === digest) return made.key;
      let key = digest;
      for (const name in values) key += textOf(values[name] ?? null);
      keys.set(values, { digest, key });
      return key;
    },
  };
}

/** The tree says what the SQL says, in another form when it comes from the memory of plans. */
function digestOf({ statement: _, ...plan }: Plan, engineId: string): string {
  return createHash('sha256')
    .update(JSON.stringify([plan, engineId]))
    .digest('base64url');
}

/** No two values have the same text, and no text is the beginning of another: JSON would not tell NaN from NULL. */
function textOf(value: BoundValue): string {
  switch (typeof value) {
    case 'string':
      return ` s${value.length}:${value}`;
    case 'number':
      return ` n${Object.is(value, -0) ? '-0' : value}`;
    case 'bigint':
      return ` i${value}`;
    case 'boolean':
      return value ? ' t' : ' f';
    default:
      return value === null ? ' 0' : ` [${value.length}${value.map(textOf).join('')}`;
  }
}
