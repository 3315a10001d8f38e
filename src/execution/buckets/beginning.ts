// What a run in buckets must know before it reads rows, and after it: the window of time, and what the table's rows are made of.

import type { TableState } from '../../sources/version.ts';
import type { BucketedTranslation } from '../../sql/translation.ts';
import { type Execution, type ExecutionRequest, openExecution } from '../execute.ts';
import type { PreparedQuery } from '../prepared-query.ts';
import type { KeepingDependencies, Unusable } from './keeping.ts';
import type { AskedState, TableStates } from './table-states.ts';
import { readWindow, type Window } from './window.ts';

export interface Beginning {
  readonly window: Window;
  readonly state: AskedState;
  readonly ask: Execution['ask'];
}

/** The window and the state of the table, asked as one; or why either cannot be had. */
export async function beginning(
  ofWindow: PreparedQuery,
  request: ExecutionRequest,
  { states, bounds }: Pick<BucketedTranslation, 'bounds'> & { readonly states: TableStates },
  deps: KeepingDependencies,
): Promise<Beginning | Unusable> {
  const { prepared, ask, engine } = await openExecution(ofWindow, request, deps);
  const { held } = states;
  const sql = held === undefined ? `SELECT * FROM (\n${prepared.sql}\n) AS asked CROSS JOIN (\n${states.query}\n) AS state` : prepared.sql;
  const [[row = []], filtered] = await Promise.all([
    ask(sql).then(
      ({ rows }) => rows,
      () => [],
    ),
    held === undefined && states.filtered(engine).catch(() => true),
  ]);
  if (row.length === 0) return { why: 'this login may not ask what its rows are made of', lasting: false };
  if (filtered) return { why: 'its table is filtered for this login', lasting: false };
  const columns = 1 + 2 * bounds.length;
  const window = readWindow(row.slice(0, columns), bounds);
  if (window === undefined) return { why: 'its window is empty, or begins nowhere', lasting: false };
  const state = held ?? states.read(row.slice(columns));
  return typeof state === 'string' ? { why: state, lasting: true } : { window, state, ask };
}

/** The state after a run, of the server that the state before is of; undefined where that cannot be had. */
export async function stateAfter(
  { held, query, read }: TableStates,
  { state: before, ask }: Pick<Beginning, 'state' | 'ask'>,
  { version }: Pick<KeepingDependencies, 'version'>,
): Promise<TableState | undefined> {
  if (held !== undefined) return (await version.isCurrent()) ? held : undefined;
  const { rows } = await ask(query).catch(() => ({ rows: [] }));
  const state = rows[0] === undefined ? '' : read(rows[0]);
  return typeof state === 'string' || state.server !== before.server ? undefined : state;
}
