// Where the state of a table is known from: what the place of the rows knows of itself, the files of this machine, or the engine.
import type { Engine } from '../../engine/engine.ts';
import type { HeldFiles, Snapshot } from '../snapshot.ts';
import type { BucketTable, TableState } from './stamp.ts';
import { isFiltered, readingQuery, readState, SERVER, stateQuery } from './table-parts.ts';

export interface TableStates {
  /** Known already; it holds until the snapshot is no longer true, which a run finds out by itself. */
  readonly held: TableState | undefined;
  /** The row of this SELECT says the state, and `read` what it says. */
  readonly query: string;
  read(row: readonly unknown[]): AskedState | string;
  /** Whether the engine adds filters of its own, which a state says nothing of. */
  filtered(engine: Pick<Engine, 'rows' | 'local'>): Promise<boolean>;
  /** An expression that says by whom a query was answered, as in AskedState. */
  readonly server: string;
}

interface AskedState extends TableState {
  readonly server: string;
}

interface Known {
  readonly stateOf?: Snapshot['stateOf'] | undefined;
  readonly files?: HeldFiles | undefined;
}

export function openTableStates(table: BucketTable, { stateOf, files }: Known): TableStates {
  const identity = files?.exactly(table.source);
  return {
    held: stateOf?.(table) ?? (identity === undefined ? undefined : { definition: identity, parts: [] }),
    query: stateQuery(table),
    read: (row) => readState(row, table),
    filtered: async (engine) => engine.local === undefined && isFiltered(await engine.rows(readingQuery(table))),
    server: SERVER,
  };
}
