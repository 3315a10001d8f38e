// Runs a query that hangs on its data and arguments alone, unless the data are those of its last run.
import { createHash } from 'node:crypto';
import { cacheKeys } from '../../cache/key.ts';
import { bindingsFor } from '../../queries/parameters.ts';
import type { ReadTable } from '../../sql/translation.ts';
import { type ExecutionRequest, openExecution } from '../execute.ts';
import type { PreparedQuery } from '../prepared-query.ts';
import { elapsed, FAST_MS, type KeepingDependencies, type KeptRun, runWhole, type Unusable } from './keeping.ts';
import { ALL_TIME, stampOf } from './stamp.ts';
import { STATE_WIDTH } from './table-parts.ts';
import { type AskedState, openTableStates, tellingRows } from './table-states.ts';

/** More tables are hardly all as they were. */
const MOST_TABLES = 4;

const UNKNOWN = 'its tables do not let it be known whether their rows are the same';

/** The rows of a run, or of the last, where those would be the same; undefined for too many tables. */
export async function runUnlessSame(
  prepared: PreparedQuery,
  tables: readonly ReadTable[],
  request: ExecutionRequest,
  deps: KeepingDependencies,
): Promise<KeptRun | undefined> {
  if (tables.length === 0 || tables.length > MOST_TABLES) return undefined;
  const { kept, run, bypassKept = false, fastMs = FAST_MS } = deps;
  const key = cacheKeys({ ...prepared, version: `last run ${deps.version.place}` })(
    bindingsFor(prepared.bound, request.arguments, undefined),
  );
  const whole = (unusable?: Unusable): Promise<KeptRun> => runWhole({ key, prepared, request }, deps, unusable);
  const known = await kept.read(key);
  if (known === undefined) return whole();
  if (known.why !== undefined && !bypassKept) return whole({ why: known.why, lasting: true });
  const before = await statesOf(tables, prepared, request, deps);
  if ('why' in before) return whole(before);
  const { columns = [] } = prepared;
  const { last } = known;
  if (!bypassKept && last?.stamp === before.stamp)
    return { result: { columns, rows: last.rows, truncated: last.truncated }, revalidated: true };
  const { server } = before;
  const asked =
    server === undefined
      ? { result: await run(prepared, request), server }
      : await tellingRows(prepared, request, { run, noRows: known.noRows });
  const result = { ...asked.result, columns, rows: asked.result.rows.map((row) => row.slice(0, columns.length)) };
  if (elapsed(result) < fastMs) {
    await kept.remove(key);
    return { result };
  }
  const isOfServer = result.missing === undefined && asked.server === server;
  const after = isOfServer ? await statesOf(tables, prepared, request, deps) : { why: UNKNOWN, lasting: false };
  await kept.write(key, {
    buckets: [],
    ...('stamp' in after && after.stamp === before.stamp
      ? { last: { stamp: after.stamp, rows: result.rows, truncated: result.truncated } }
      : {}),
    noRows: result.rows.length === 0,
  });
  return { result };
}

/** The states of all tables as one, told by one server. */
async function statesOf(
  tables: readonly ReadTable[],
  prepared: PreparedQuery,
  request: ExecutionRequest,
  deps: KeepingDependencies,
): Promise<{ readonly stamp: string; readonly server: string | undefined } | Unusable> {
  const states = tables.map((table) => openTableStates(table, deps.version));
  const { ask, prepared: specialized } = await openExecution(prepared, request, deps);
  const question = `SELECT * FROM ${states.map(({ query }, i) => `(\n${query}\n) AS state_${i}`).join(' CROSS JOIN ')}`;
  const [row, plan] = await Promise.all([
    ask(question).then(({ rows }) => rows[0], ignored),
    // Its rows are not read again: may the login still read them, and does the server filter them?
    ask(`EXPLAIN actions = 1, description = 0 ${specialized.sql}`).then(({ rows }) => rows, ignored),
  ]);
  if (row === undefined || plan === undefined || plan.some(([line]) => /row level/i.test(String(line))))
    return { why: UNKNOWN, lasting: false };
  const read: AskedState[] = [];
  for (const [i, one] of states.entries()) {
    const state = one.read(row.slice(i * STATE_WIDTH, (i + 1) * STATE_WIDTH));
    if (typeof state === 'string') return { why: state, lasting: true };
    if (read[0] !== undefined && read[0].server !== state.server) return { why: UNKNOWN, lasting: false };
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
