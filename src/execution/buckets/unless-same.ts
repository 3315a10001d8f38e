// Runs a query that hangs on its data and arguments alone, unless the data are those of its last run.
import { createHash } from 'node:crypto';
import { cacheKeys } from '../../cache/key.ts';
import { bindingsFor } from '../../queries/parameters.ts';
import type { ReadTable } from '../../sql/translation.ts';
import { type ExecutionRequest, openExecution } from '../execute.ts';
import type { PreparedQuery } from '../prepared-query.ts';
import { ALL_TIME, stampOf } from './stamp.ts';
import { type AskedState, openTableStates, tellingRows } from './table-states.ts';
import { CHANGING, elapsed, FAST_MS, type How, type KeepingDependencies, type KeptRun, openWays } from './ways.ts';

/** More tables are hardly all as they were. */
const MOST_TABLES = 4;

const UNKNOWN = 'its tables do not let it be known whether their rows are the same';

/** The rows of a run, or of the last, where those would be the same; undefined for too many tables. */
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
  const ways = openWays({ key, prepared, request, run }, { kept, fastMs, held: false });
  const known = await kept.read(key);
  const why = ways.whyWhole(known);
  if (known === undefined || why !== undefined) return ways.whole(known, why);
  const before = await statesOf(tables, prepared, request, deps);
  if (before === undefined) return ways.whole(ways.slow(known, UNKNOWN), UNKNOWN);
  const { last } = known;
  if (!anew && last?.stamp === before.stamp) return ways.revalidated(known, last);
  const { server } = before;
  const asked =
    server === undefined
      ? { result: await run(prepared, request), server }
      : await tellingRows(prepared, request, { run, noRows: known.noRows });
  const { columns = [] } = prepared;
  const result = { ...asked.result, columns, rows: asked.result.rows.map((row) => row.slice(0, columns.length)) };
  const noRows = result.rows.length === 0;
  // Which server has no rows is asked with the next run.
  const isUntold = noRows && asked.server === undefined && server !== undefined && known.noRows !== true;
  const after = result.missing === undefined && asked.server === server ? await statesOf(tables, prepared, request, deps) : undefined;
  if (elapsed(result) < fastMs) {
    await kept.remove(key);
    return { result };
  }
  const isKept = after !== undefined && after.stamp === before.stamp;
  const judged = anew || isUntold || (isKept && last === undefined) ? known : ways.slow(known, CHANGING);
  const isWorth = isKept && !ways.rests(judged);
  await kept.write(key, {
    ...judged,
    ...(isWorth ? { last: { stamp: after.stamp, rows: result.rows, truncated: result.truncated } } : {}),
    noRows,
  });
  return { result };
}

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
