// Which limits a run has: its query's own, between what files of settings say and what was said for this very run.
import type { ExecutionLimits } from '../engine/engine.ts';

export interface LimitRules {
  /** Where nothing else is said, and only for rows that are held in memory: an export may be as large as its disk. */
  readonly held?: ExecutionLimits;
  /** Of files of settings, and defaults. */
  readonly usual?: ExecutionLimits;
  /** Of a flag or the environment: who says it there means it, whatever a query's header says. */
  readonly given?: ExecutionLimits;
}

/** `held`: the rows of the answer are kept in memory. */
export function limitsOf(query: ExecutionLimits, rules: LimitRules, held: boolean): ExecutionLimits {
  return { ...(held ? rules.held : {}), ...rules.usual, ...query, ...rules.given };
}
