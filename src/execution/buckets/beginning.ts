// A run that keeps rows begins with two questions: for the window of time, and for the state of its tables, which it asks for once more after it.

import type { TableState } from '../../sources/version.ts';
import type { BucketedTranslation } from '../../sql/translation.ts';
import { type Execution, type ExecutionRequest, openExecution } from '../execute.ts';
import type { PreparedQuery } from '../prepared-query.ts';
import type { KeepingDependencies, Unusable } from './keeping.ts';
import type { AskedState, TableStates } from './table-states.ts';
import { readWindow, type Window } from './window.ts';

export interface Beginning {
  /** Absent for a query without buckets, which reads all times. */
  readonly window: Window | undefined;
  readonly state: AskedState;
  readonly execution: Execution;
}

/** Returns the window and the state of the tables, asked as one, or why either cannot be had. Without `bounds`, `prepared` is the query itself. */
export async function beginning(
  prepared: PreparedQuery,
  request: ExecutionRequest,
  { states, bounds }: Partial<Pick<BucketedTranslation, 'bounds'>> & { readonly states: TableStates },
  deps: KeepingDependencies,
): Promise<Beginning | Unusable> {
  const execution = await openExecution(prepared, request, deps);
  const { known } = states;
  const asked = [
    ...(bounds === undefined ? [] : [`(\n${execution.prepared.sql}\n) AS asked`]),
    ...(known === undefined ? [states.from] : []),
  ];
  const [row, filtered] = await Promise.all([
    asked.length === 0 ? [] : firstRow(execution, asked.join(' CROSS JOIN ')),
    known === undefined && states.filtered(execution),
  ]);
  if (row === undefined) return { why: 'this login may not ask what its rows are made of', lasting: false };
  if (filtered) return { why: 'its table is filtered for this login', lasting: false };
  const columns = bounds === undefined ? 0 : 1 + 2 * bounds.length;
  const window = bounds === undefined ? undefined : readWindow(row.slice(0, columns), bounds);
  if (bounds !== undefined && window === undefined) return { why: 'its window is empty, or begins nowhere', lasting: false };
  const state = known ?? states.read(row.slice(columns));
  return 'why' in state ? state : { window, state, execution };
}

/** Returns the state after a run, of the server that the state before is of; undefined where that cannot be had. */
export async function stateAfter(
  states: TableStates,
  { state: before, execution }: Beginning,
  { version }: Pick<KeepingDependencies, 'version'>,
): Promise<TableState | undefined> {
  if (states.known !== undefined) return (await version.isCurrent()) ? states.known : undefined;
  const [row, filtered] = await Promise.all([firstRow(execution, states.from), states.filtered(execution)]);
  const state = row === undefined || filtered ? undefined : states.read(row);
  return state === undefined || 'why' in state || state.server !== before.server ? undefined : state;
}

/** Why there is none is for the run to say, if it fails too. */
const firstRow = ({ ask }: Pick<Execution, 'ask'>, from: string): Promise<readonly unknown[] | undefined> =>
  ask(`SELECT * FROM ${from}`).then(
    ({ rows }) => rows[0],
    () => undefined,
  );
