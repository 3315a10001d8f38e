// Which limits a run has: its query's own, between what files of settings say and what was said for this very run.
import type { ExecutionLimits } from '../engine/engine.ts';

export interface LimitRules {
  /** For runs without any other limit, and only for rows in memory: an export may be as large as its disk. */
  readonly held?: ExecutionLimits;
  /** From files of settings, and defaults. */
  readonly usual?: ExecutionLimits;
  /** From a flag or the environment; these go before a query's header. */
  readonly given?: ExecutionLimits;
}

/** Returns the limits of a query. `held`: its rows are read into memory. */
export function limitsOf(query: ExecutionLimits, rules: LimitRules, held: boolean): ExecutionLimits {
  return { ...(held ? rules.held : {}), ...rules.usual, ...query, ...rules.given };
}
