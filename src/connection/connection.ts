// Where the rows are: the embedded store, or a ClickHouse server. What a run must know of it, and the engine that answers.
import type { Engine, ExecutionLimits } from '../engine/engine.ts';
import type { PlanDependencies } from '../saved-query/plan.ts';

export interface Connection {
  /** As users know it, for messages: the store's folder, or the server's address without secrets. */
  readonly place: string;
  /** True for a server, whose clock and rights are its own. */
  readonly remote: boolean;
  /** What holds now. A long-lived process asks again for each run. */
  snapshot(): Promise<Snapshot>;
  /** Why sources without rows are empty, and what to do; undefined when nothing is known. */
  explainEmpty(sources: readonly string[]): Promise<string | undefined>;
  close(): Promise<void>;
}

export interface Snapshot {
  /** Identity of the engine and its data for cache keys, known without opening the engine. */
  readonly engineId: string;
  readonly sources: PlanDependencies['sources'];
  /** What the settings allow; a query's own limits go before them. */
  readonly limits: ExecutionLimits;
  /** What flags and the environment say of limits: goes before both. */
  readonly givenLimits: ExecutionLimits;
  /** Opens the engine on first use. */
  engine(): Promise<Engine>;
  /** The next snapshot asks the engine for its tables again. */
  forgetSources(): Promise<void>;
  /** True when `error` says that this snapshot no longer holds; a new one is then worth a second try. */
  outdated(error: unknown): Promise<boolean>;
}
