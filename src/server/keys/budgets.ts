// What a key may still cost: rows read and time at the engine, in any 60 minutes. Answers from the cache cost nothing.
import { QuernError } from '../../base/errors.ts';
import { formatDuration } from '../../base/quantity.ts';
import type { Key } from './key.ts';
import { type Cost, MINUTES, type Spending, type SpentByMinute } from './spending.ts';

type Budgeted = Pick<Key, 'id' | 'maxScanPerHour' | 'maxTimePerHour'>;

interface BudgetLeft {
  readonly name: 'rows' | 'seconds';
  readonly most: number;
  /** 0 when nothing is left. */
  readonly left: number;
  /** Until there is more of it; 0 when all is left. */
  readonly moreInSeconds: number;
}

export const isBudgeted = ({ maxScanPerHour, maxTimePerHour }: Budgeted): boolean =>
  maxScanPerHour !== undefined || maxTimePerHour !== undefined;

export type Budgets = ReturnType<typeof createBudgets>;

export function createBudgets(spending: Pick<Spending, 'add' | 'spent' | 'learn'>, now: () => number) {
  const left = (key: Budgeted): readonly BudgetLeft[] => (isBudgeted(key) ? budgetsLeft(key, spending.spent(key.id), now()) : []);
  return {
    /** Returns nothing for a key without bounds, and looks up nothing for it. */
    left,
    /** Learns what other servers have spent, which assertAny counts; to be awaited before it. Undefined where there is nothing to wait for. */
    learn(keys: Iterable<Budgeted>) {
      const bounded = spending.learn === undefined ? [] : [...keys].filter(isBudgeted);
      return bounded.length === 0 ? undefined : Promise.all(bounded.map(({ id }) => spending.learn?.(id)));
    },
    /** Throws QuernError `budget` if none of those who want a run can pay for it. */
    assertAny(keys: Iterable<Budgeted>) {
      let refusal: QuernError | undefined;
      for (const key of keys) {
        const spent = left(key).filter((budget) => budget.left === 0);
        if (spent.length === 0) return;
        refusal ??= overspent(spent);
      }
      if (refusal !== undefined) throw refusal;
    },
    /** Divides the cost of a run among those who wanted it. */
    charge(keys: Iterable<Budgeted>, { rows, ms }: Cost) {
      const all = [...keys];
      for (const key of all.filter(isBudgeted)) spending.add(key.id, { rows: rows / all.length, ms: ms / all.length });
    },
  };
}

/** `nowMs`: milliseconds since 1970. */
export function budgetsLeft(key: Budgeted, spent: SpentByMinute, nowMs: number): readonly BudgetLeft[] {
  const bounds = [
    { name: 'rows', most: key.maxScanPerHour, cost: ({ rows }: Cost) => rows },
    { name: 'seconds', most: key.maxTimePerHour, cost: ({ ms }: Cost) => ms / 1000 },
  ] as const;
  return bounds.flatMap(({ name, most, cost }) => {
    if (most === undefined) return [];
    const used = [...spent.values()].reduce((sum, one) => sum + cost(one), 0);
    return [{ name, most, left: Math.max(0, Math.floor(most - used)), moreInSeconds: moreIn(spent, cost, used - most, nowMs) }];
  });
}

/** Seconds until so many of the oldest minutes have passed out of the hour that less than the whole is used. */
function moreIn(spent: SpentByMinute, cost: (one: Cost) => number, over: number, nowMs: number): number {
  let gone = 0;
  for (const [minute, one] of spent) {
    gone += cost(one);
    if (gone > 0 && gone >= over + 1) return Math.max(1, Math.ceil(((minute + MINUTES) * 60_000 - nowMs) / 1000));
  }
  return 0;
}

function overspent(spent: readonly BudgetLeft[]): QuernError {
  const retryAfterSeconds = Math.max(...spent.map(({ moreInSeconds }) => moreInSeconds));
  const bounds = spent.map(({ name, most }) => (name === 'rows' ? `${most} rows read` : `${formatDuration(most)} of the engine's time`));
  return new QuernError('budget', `the API key has used up its hourly budget: ${bounds.join(' and ')}`, {
    hint: `try again in ${retryAfterSeconds} s; cached results are still served`,
    retryAfterSeconds,
  });
}
