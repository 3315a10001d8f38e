// Where the state of a table is known from: what the place of the rows knows of itself, the files of this machine, or the engine.

import type { QueryResult } from '../../base/result.ts';
import type { Engine } from '../../engine/engine.ts';
import type { TableState, Version } from '../../sources/version.ts';
import type { ReadTable } from '../../sql/translation.ts';
import type { ExecutionRequest } from '../execute.ts';
import type { PreparedQuery } from '../prepared-query.ts';
import { specializedFor } from '../specialize.ts';
import type { KeepingDependencies } from './keeping.ts';
import type { BucketTable } from './stamp.ts';
import { isFiltered, readingQuery, readState, SERVER, stateQuery } from './table-parts.ts';

export interface TableStates {
  /** Known already; it holds until the snapshot is no longer true, which a run finds out by itself. */
  readonly held: TableState | undefined;
  /** The row of this SELECT says the state, and `read` what it says. */
  readonly query: string;
  /** Gives the state that the row says, or why it tells none. */
  read(row: readonly unknown[]): AskedState | string;
  /** Whether the engine adds filters of its own, which a state says nothing of. */
  filtered(engine: Pick<Engine, 'rows' | 'local'>): Promise<boolean>;
}

/** A state, and which of the servers behind an address has told it. */
export type AskedState = TableState & { readonly server?: string };

export function openTableStates(table: ReadTable & Partial<BucketTable>, version: Version): TableStates {
  const { times = [] } = table;
  const filtered: TableStates['filtered'] = async (engine) =>
    engine.local === undefined && isFiltered(await engine.rows(readingQuery(table)));
  return {
    held: version.stateOf(table),
    query: stateQuery(table),
    read: (row) => readState(row, times),
    filtered,
  };
}

const SERVER_COLUMN = { name: 'quern_server', type: { kind: 'STRING' } } as const;

export interface ToldRows {
  readonly result: QueryResult;
  /** Which server has answered: another replica may lag behind. Undefined where no row tells it. */
  readonly server: string | undefined;
}

/** The rows of a query, with a last column that says which server has answered. `noRows`: they are counted first, since what is none tells nothing. */
export async function tellingRows(
  prepared: PreparedQuery,
  request: ExecutionRequest,
  { run, noRows = false }: { readonly run: KeepingDependencies['run']; readonly noRows?: boolean | undefined },
): Promise<ToldRows> {
  const { statement: _, ...specialized } = await specializedFor(prepared, request.arguments);
  const { sql, columns = [] } = specialized;
  if (noRows) {
    const counted = await run(
      { ...specialized, sql: `SELECT count() AS quern_rows, ${asColumn} FROM (\n${sql}\n)`, columns: [QUERN_ROWS, SERVER_COLUMN] },
      request,
    );
    const [count, server] = counted.rows[0] ?? [];
    if (Number(count) === 0) return { result: { ...counted, columns, rows: [] }, server: String(server) };
  }
  const told = { ...specialized, sql: `SELECT *, ${asColumn} FROM (\n${sql}\n)`, columns: [...columns, SERVER_COLUMN] };
  const result = await run(told, request);
  const server = result.rows[0]?.at(-1);
  return { result, server: server == null ? undefined : String(server) };
}

const QUERN_ROWS = { name: 'quern_rows', type: { kind: 'INT64' } } as const;
const asColumn = `${SERVER} AS ${SERVER_COLUMN.name}`;
