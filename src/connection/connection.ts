// Where the rows are: the embedded store, or a ClickHouse server.
import type { ExecutionLimits } from '../engine/engine.ts';
import type { AskedRows, Emptiness } from '../execution/asked-rows.ts';
import type { Snapshot } from '../execution/snapshot.ts';
import type { SourceDefinition } from '../sources/definition.ts';

export interface Connection {
  /** As users know it, for messages: the store's folder, or the server's address without secrets. */
  readonly place: string;
  /** True for a server, whose clock and rights are its own. */
  readonly remote: boolean;
  /** What bounds a query that says nothing of limits itself, where its rows are held in memory. */
  readonly bounds: ExecutionLimits;
  /** What holds now. A long-lived process asks again for each run. `files` are those that the user has named by their paths in place of tables. */
  snapshot(files?: readonly SourceDefinition[]): Promise<Snapshot>;
  /** The sources, for who only translates: of a server whose password a command prints, what is remembered of them, since nothing is run for it. */
  sources(files?: readonly SourceDefinition[]): Promise<Snapshot['sources']>;
  /**
   * Why a query over these sources has no rows, and what to do; undefined when nothing is known. Only what is known without the engine where
   * `asked` is absent.
   */
  explainEmpty(sources: readonly string[], asked?: AskedRows): Promise<Emptiness | undefined>;
  close(): Promise<void>;
}
