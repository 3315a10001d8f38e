// Runs a query that hangs on its data and arguments alone, unless the data are those of its last run.
import { createHash } from 'node:crypto';
import type { KeptBuckets, LastRun } from '../../cache/kept-buckets.ts';
import { cacheKeys } from '../../cache/key.ts';
import { bindingsFor } from '../../queries/parameters.ts';
import type { QueryResult } from '../../result.ts';
import type { ReadTable } from '../../sql/translation.ts';
import { type ExecutionDependencies, type ExecutionRequest, openExecution } from '../execute.ts';
import type { PreparedQuery } from '../prepared-query.ts';
import type { Snapshot } from '../snapshot.ts';
import { stampOf } from './stamp.ts';
import { type AskedState, openTableStates, tellingServer } from './table-states.ts';

export interface KeepingDependencies extends ExecutionDependencies {
  /** See Snapshot. */
  readonly placeId: string;
  readonly stateOf?: Snapshot['stateOf'];
  readonly still?: Snapshot['still'];
  readonly kept: KeptBuckets;
  /** What is faster than this as a whole is read as a whole. Milliseconds; default: what keeping takes is little beside it. */
  readonly fastMs?: number;
}

export interface How {
  /** Rows are read anew, whatever is kept. */
  readonly anew?: boolean;
  /** Runs a prepared query as it is. */
  readonly run: (prepared: PreparedQuery, request: ExecutionRequest) => Promise<QueryResult>;
}

export interface KeptRun {
  readonly result: QueryResult;
  /** They are the rows of a run before, and those of a new one would be the same. */
  readonly revalidated?: true;
  readonly buckets?: Spared;
}

/** What a run in buckets did not have to read. */
interface Spared {
  /** Buckets whose rows were kept, and those that were asked for. */
  readonly kept: number;
  readonly asked: number;
  /** Of the table, in parts that lie within kept buckets as a whole. */
  readonly rows: number;
}

/** Measured: what is asked beside a run takes 5 to 10 ms of a server, some 30 of a cluster, 2 to 4 where the state is known. */
export const FAST_MS = { asked: 200, held: 60 };

/** More tables are hardly all as they were. */
const MOST_TABLES = 4;

const ALL_TIME = { start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY };

/** The rows of a run, or of the last; undefined where it cannot be known whether the data are the same. */
export async function runUnlessSame(
  prepared: PreparedQuery,
  tables: readonly ReadTable[],
  request: ExecutionRequest,
  deps: KeepingDependencies,
  { anew = false, run }: How,
): Promise<KeptRun | undefined> {
  if (tables.length === 0 || tables.length > MOST_TABLES) return undefined;
  const { kept, fastMs = FAST_MS.asked } = deps;
  const key = cacheKeys({ ...prepared, engineId: `last run ${deps.placeId}` })(bindingsFor(prepared.bound, request.arguments, undefined));
  const known = await kept.read(key);
  if (known === undefined) {
    const result = await run(prepared, request);
    if (elapsed(result) >= fastMs) await kept.write(key, { buckets: [] });
    return { result };
  }
  const before = await statesOf(tables, prepared, request, deps);
  if (before === undefined) return undefined;
  const { last } = known;
  if (!anew && last?.stamp === before.stamp) return { result: lastResult(last, prepared), revalidated: true };
  const tellsServer = before.server !== undefined;
  const asked = await run(tellsServer ? await tellingServer(prepared, request) : prepared, request);
  const { columns = [] } = prepared;
  const result = { ...asked, columns, rows: tellsServer ? asked.rows.map((row) => row.slice(0, columns.length)) : asked.rows };
  if (asked.missing !== undefined || (tellsServer && asked.rows[0]?.at(-1) !== before.server)) return { result };
  const after = await statesOf(tables, prepared, request, deps);
  if (elapsed(asked) < fastMs) await kept.remove(key);
  else if (after?.stamp === before.stamp)
    await kept.write(key, { buckets: [], last: { stamp: after.stamp, rows: result.rows, truncated: result.truncated } });
  return { result };
}

export const elapsed = ({ statistics }: QueryResult): number => statistics?.elapsedMs ?? 0;

/** The rows of the last run, as those of this one. */
export const lastResult = ({ rows, truncated }: LastRun, { columns = [] }: PreparedQuery): QueryResult => ({ columns, rows, truncated });

/** The states of all tables as one, told by one server. */
async function statesOf(
  tables: readonly ReadTable[],
  prepared: PreparedQuery,
  request: ExecutionRequest,
  deps: KeepingDependencies,
): Promise<{ readonly stamp: string; readonly server: string | undefined } | undefined> {
  const states = tables.map((table) => openTableStates(table, deps));
  const { ask, prepared: specialized } = await openExecution(prepared, request, deps);
  const question = `SELECT * FROM ${states.map(({ query }, i) => `(\n${query}\n) AS state_${i}`).join(' CROSS JOIN ')}`;
  const [row, plan] = await Promise.all([
    ask(question).then(({ rows }) => rows[0], ignored),
    // Its rows are not read again: may the login still read them, and does the server filter them?
    ask(`EXPLAIN actions = 1, description = 0 ${specialized.sql}`).then(({ rows }) => rows, ignored),
  ]);
  if (row === undefined || plan === undefined || plan.some(([line]) => /row level/i.test(String(line)))) return undefined;
  const read: AskedState[] = [];
  for (const [i, { width, read: readOne }] of states.entries()) {
    const state = await readOne(row.slice(i * width, (i + 1) * width), ask).catch(() => '');
    if (typeof state === 'string' || (read[0] !== undefined && read[0].server !== state.server)) return undefined;
    read.push(state);
  }
  const stamp = createHash('sha256')
    .update(read.map((state) => stampOf(state, ALL_TIME)).join(' '))
    .digest('hex')
    .slice(0, 32);
  return { stamp, server: read[0]?.server };
}

/** Why it cannot be had is told by the run, if at all. */
const ignored = (): undefined => undefined;
