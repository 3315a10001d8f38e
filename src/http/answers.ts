// Answers of a server: prepared bodies in memory, over the cache's files, over an engine that is never asked for more than it can bear.
import type { Cache } from '../cache/cache.ts';
import type { Snapshot } from '../connection/connection.ts';
import type { QueryResult } from '../result.ts';
import type { Plan } from '../saved-query/plan.ts';
import type { Answer, AnswerCall, AnswerEvent } from './answer.ts';
import type { Clock } from './clock.ts';

export interface AnswersOptions {
  readonly cache: Cache;
  /** What holds now of the engine and its data; asked before every run, and now and then in between. */
  readonly snapshot: () => Promise<AnswersSnapshot>;
  /** The plan of the same saved query for the data as they are now; asked when a run finds that they have changed. */
  readonly replan: (plan: Plan) => Promise<Plan>;
  readonly redact: (result: QueryResult) => QueryResult;
  readonly clock: Clock;
  /** From 0 to 1, for the jitter of warming. */
  readonly random: () => number;
  readonly onEvent: (event: AnswerEvent) => void;
  readonly limits: AnswersLimits;
}

export type AnswersSnapshot = Pick<Snapshot, 'engineId' | 'limits' | 'engine' | 'outdated'>;

export interface AnswersLimits {
  /** Upper bound on all bodies in memory. */
  readonly memoryBytes: number;
  /** Seconds after the TTL in which old rows are given while new ones are fetched. */
  readonly staleSeconds: number;
  /** Seconds after the TTL in which old rows are given when the engine cannot answer. */
  readonly staleIfErrorSeconds: number;
  /** Queries at the engine at once. */
  readonly queries: number;
  /** Runs that may wait for their turn. */
  readonly waiting: number;
  readonly waitMs: number;
}

export interface Answers {
  /**
   * At once (no Promise) when a body in memory answers. Throws or rejects with QuernError: what the engine throws, and `busy` when too
   * many runs wait for it.
   */
  answer(call: AnswerCall): Answer | Promise<Answer>;
  stats(): AnswersStats;
  /** Stops warming and refreshing; answers go on. */
  drain(): void;
}

export interface AnswersStats {
  readonly bodies: number;
  readonly bytes: number;
  /** At the engine now, and waiting for a turn. */
  readonly running: number;
  readonly waiting: number;
  /** Pairs of saved query and arguments that are kept warm. */
  readonly warm: number;
}

export declare function openAnswers(options: AnswersOptions): Answers;
