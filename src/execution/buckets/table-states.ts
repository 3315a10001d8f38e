// The state of the tables that a query reads: what the place of the rows knows of itself, the files of this machine, or what the engine says.

import type { QueryResult } from '../../base/result.ts';
import type { TableState, Version } from '../../sources/version.ts';
import type { ReadTable } from '../../sql/translation.ts';
import { type Execution, type ExecutionRequest, specializedFor } from '../execute.ts';
import type { PreparedQuery } from '../prepared-query.ts';
import type { KeepingDependencies, Unusable } from './keeping.ts';
import type { BucketTable } from './stamp.ts';
import { hasRowPolicy, isFiltered, readingQuery, readState, SERVER, type ServerState, STATE_WIDTH, stateQuery } from './table-parts.ts';

/** A state, and which of the servers behind an address has given it. */
export type AskedState = TableState & { readonly server?: string };

/** The state of all tables that a query reads, as one. */
export interface TableStates {
  /** Known already; it holds until the snapshot is no longer true, which a run finds out by itself. */
  readonly known: TableState | undefined;
  /** Goes behind FROM: one row, from which `read` takes the state. */
  readonly from: string;
  /** Returns the state that the row holds, or why it holds none. */
  read(row: readonly unknown[]): AskedState | Unusable;
  /** Returns whether the engine adds filters of its own to what a query reads, of which a state says nothing; also where it does not say. */
  filtered(execution: Pick<Execution, 'prepared' | 'engine' | 'ask'>): Promise<boolean>;
}

type StateTable = ReadTable & Partial<BucketTable>;

export function openTableStates(tables: readonly StateTable[], version: Version): TableStates {
  const known = tables.flatMap((table) => version.stateOf(table) ?? []);
  return {
    known: known.length === tables.length ? asOne(known) : undefined,
    from: tables.map((table, i) => `(\n${stateQuery(table)}\n) AS state_${i}`).join(' CROSS JOIN '),
    read(row) {
      const states: ServerState[] = [];
      for (const [i, { times = [] }] of tables.entries()) {
        const state = readState(row.slice(i * STATE_WIDTH, (i + 1) * STATE_WIDTH), times);
        if (typeof state === 'string') return { why: state, lasting: true };
        states.push(state);
      }
      const [first] = states;
      if (states.some(({ server }) => server !== first?.server))
        return { why: 'several servers have answered for its tables', lasting: false };
      return { ...asOne(states), ...(first === undefined ? {} : { server: first.server }) };
    },
    async filtered({ prepared, engine, ask }) {
      if (engine.local !== undefined) return false;
      try {
        const [table, other] = tables;
        if (table?.times !== undefined && other === undefined) return isFiltered(await engine.rows(readingQuery(table)));
        // Rows of the last run are not read again, so that this also asks whether the login may still read all of it.
        return hasRowPolicy((await ask(`EXPLAIN actions = 1, description = 0 ${prepared.sql}`)).rows);
      } catch {
        return true;
      }
    },
  };
}

function asOne(states: readonly TableState[]): TableState {
  const [only, other] = states;
  if (only !== undefined && other === undefined) return only;
  return {
    definition: JSON.stringify(states.map(({ definition }) => definition)),
    parts: states.flatMap(({ parts }, i) => parts.map((part) => ({ ...part, content: `${i} ${part.content}`, times: undefined }))),
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
  const { statement: _, ...rest } = await specializedFor(prepared, request.arguments);
  const { sql, columns = [] } = rest;
  const specialized = { ...rest, ownLimit: 'none' } as const;
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
