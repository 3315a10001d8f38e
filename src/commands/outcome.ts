// What a run has to say beside its rows, on standard error.
import type { App } from '../app.ts';
import type { Plan } from '../execution/plan.ts';
import type { RunOutcome } from '../execution/run.ts';
import type { ExecutionStatistics } from '../result.ts';

/** What is known of a run once its rows are printed, whichever way they went. */
export interface Printed {
  readonly plan: Plan;
  /** Absent where nobody counted them. */
  readonly rows?: number;
  readonly truncated: boolean;
  /** Absent for a cached result. */
  readonly elapsedMs?: number;
  readonly cachedSeconds?: number;
  readonly missing?: readonly string[];
  readonly statistics?: ExecutionStatistics;
}

export function printedOf({ result, cache, plan }: RunOutcome): Printed {
  const hit = cache.state === 'hit';
  return {
    plan,
    rows: result.rows.length,
    truncated: result.truncated,
    ...(hit ? { cachedSeconds: cache.ageSeconds ?? 0 } : {}),
    ...(hit || result.statistics === undefined ? {} : { elapsedMs: result.statistics.elapsedMs }),
    ...(result.missing === undefined ? {} : { missing: result.missing }),
    ...(result.statistics === undefined ? {} : { statistics: result.statistics }),
  };
}

/** `only the first 5 rows: …`, and why. */
export function truncation({ maxRows, name }: Plan, flags: { readonly maxRows?: unknown }): string {
  return `only the first ${maxRows === 1 ? 'row' : `${maxRows} rows`}: ${flags.maxRows === undefined ? `${name} has max_rows: ${maxRows}` : `--max-rows ${maxRows}`}`;
}

/** Notes rows that were cut off and sources that are empty; on a terminal also how many rows came, from where, how fast. */
export async function notePrinted(app: App, printed: Printed, flags: { readonly maxRows?: unknown }): Promise<void> {
  const { plan, rows, truncated, elapsedMs, cachedSeconds, missing } = printed;
  if (truncated) await app.note(`note: ${truncation(plan, flags)}`);
  if (missing !== undefined) await app.warn(`note: rows are missing: ${missing.join(', ')} did not answer`);
  if (rows === 0 && plan.sources.length > 0) {
    const reason = await (await app.connection()).explainEmpty(plan.sources);
    if (reason !== undefined) await app.note(`note: ${reason}`);
  }
  if (!app.io.stderr.isTerminal) return;
  const count = rows === undefined ? 'done' : `${rows} ${rows === 1 ? 'row' : 'rows'}`;
  if (cachedSeconds !== undefined) await app.note(`${count}, cached ${cachedSeconds} s ago; --refresh runs it again`);
  else if (elapsedMs !== undefined) await app.note(`${count} in ${Math.round(elapsedMs)} ms`);
}

/** The numbers of `--stats`, one line each; what nobody measured is left out. */
export async function printStatistics(app: App, { rows, elapsedMs, cachedSeconds, statistics }: Printed, cache: string): Promise<void> {
  const ran = cache === 'miss' || cache === 'off';
  const { rowsRead, bytesRead, memoryBytes }: Partial<ExecutionStatistics> = { ...(ran ? await readHere(app) : {}), ...statistics };
  const lines: readonly (readonly [string, string | undefined])[] = [
    ['rows', rows === undefined ? undefined : String(rows)],
    ['time', elapsedMs === undefined ? undefined : `${elapsedMs < 10 ? elapsedMs.toFixed(1) : Math.round(elapsedMs)} ms`],
    ['rows read', rowsRead === undefined ? undefined : String(rowsRead)],
    ['bytes read', bytesRead === undefined ? undefined : String(bytesRead)],
    ['memory', memoryBytes === undefined ? undefined : `${megabytes(memoryBytes)} of the engine for the query`],
    ['process', `${megabytes(app.io.peakMemoryBytes())} at most`],
    ['cache', cachedSeconds === undefined ? cache : `${cache}, ${cachedSeconds} s old`],
  ];
  for (const [name, text] of lines) if (text !== undefined) await app.warn(`${name.padEnd(10)}  ${text}`);
}

/** What the embedded engine has read from tables since this process began, which is what the run has made it read. */
async function readHere(app: App): Promise<Pick<ExecutionStatistics, 'rowsRead' | 'bytesRead'>> {
  const connection = await app.connection();
  if (connection.remote) return {};
  const engine = await (await connection.snapshot()).engine();
  const rows = await engine.rows("SELECT sumIf(value, event = 'SelectedRows'), sumIf(value, event = 'SelectedBytes') FROM system.events");
  const [rowsRead, bytesRead] = rows[0] ?? [];
  return { rowsRead: Number(rowsRead), bytesRead: Number(bytesRead) };
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;
