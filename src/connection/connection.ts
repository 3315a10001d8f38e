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
  /** The limits of a query that has none itself, when its rows are read into memory. */
  readonly bounds: ExecutionLimits;
  /** Returns the state of the place now. A long-lived process asks again for each run. `files` are those that the user has named by their paths in place of tables. */
  snapshot(files?: readonly SourceDefinition[]): Promise<Snapshot>;
  /** Returns the sources for a translation. Of a server whose password a command prints, they are the remembered ones, since nothing is run for it. */
  sources(files?: readonly SourceDefinition[]): Promise<Snapshot['sources']>;
  /**
   * Returns why a query over these sources has no rows, and what to do; undefined when nothing is known. Without `asked`, the engine is not
   * asked.
   */
  explainEmpty(sources: readonly string[], asked?: AskedRows): Promise<Emptiness | undefined>;
  close(): Promise<void>;
}
