// Reports about a run on standard error: notes, warnings and statistics.

import { instantAt, readTimestamp } from '../../../base/instant.ts';
import type { ExecutionStatistics } from '../../../base/result.ts';
import type { Connection } from '../../../connection/connection.ts';
import { type AskedRows, askedRows, type Emptiness } from '../../../execution/asked-rows.ts';
import type { PreparedQuery } from '../../../execution/prepared-query.ts';
import type { QueryRequest } from '../../../execution/request.ts';
import type { RunOutcome } from '../../../execution/run.ts';
import type { Parts } from '../../parts.ts';

/** The facts about a run whose rows are printed, or exported. */
export interface Printed {
  readonly prepared: PreparedQuery;
  /** Absent where they were not counted. */
  readonly rows?: number;
  readonly truncated: boolean;
  /** Absent for a cached result. */
  readonly elapsedMs?: number | undefined;
  readonly cachedSeconds?: number | undefined;
  readonly missing?: readonly string[] | undefined;
  readonly statistics?: ExecutionStatistics | undefined;
  readonly keeping?: RunOutcome['keeping'];
}

export function printedOf({ result, cache, prepared, keeping }: RunOutcome): Printed {
  const hit = cache.state === 'hit';
  return {
    prepared,
    rows: result.rows.length,
    truncated: result.truncated,
    cachedSeconds: hit ? (cache.ageSeconds ?? 0) : undefined,
    elapsedMs: hit ? undefined : result.statistics?.elapsedMs,
    missing: result.missing,
    statistics: result.statistics,
    keeping,
  };
}

const firstRows = ({ maxRows }: PreparedQuery): string => `only the first ${maxRows === 1 ? 'row' : `${maxRows} rows`}`;

/** Says `only the first 5 rows: …`, and why. */
export function truncation(prepared: PreparedQuery, request: Pick<QueryRequest, 'maxRows'>): string {
  const { maxRows, name } = prepared;
  return `${firstRows(prepared)}: ${request.maxRows === undefined ? `${name} has max_rows: ${maxRows}` : `--max-rows ${maxRows}`}`;
}

/**
 * Notes likely mistakes of the query, rows that were cut off if `notesCut`, and sources that are empty; on a terminal also the number of rows, their origin and
 * the time.
 */
export async function notePrinted(
  { io, connection, terminal }: Parts,
  printed: Printed,
  request: Pick<QueryRequest, 'maxRows' | 'arguments' | 'asOf'>,
  { notesCut }: { readonly notesCut: boolean },
): Promise<void> {
  const { prepared, rows, truncated, elapsedMs, cachedSeconds, missing } = printed;
  for (const warning of prepared.warnings ?? []) await terminal.note(`warning: ${warning}`);
  for (const note of prepared.notes ?? []) await terminal.aside(`note: ${note}`);
  if (truncated && notesCut) {
    // A person reads a thousand rows without having asked for a number.
    const cut = request.maxRows === undefined ? truncation(prepared, request) : `${firstRows(prepared)}; --max-rows all shows all of them`;
    await terminal.note(`note: ${cut}`);
  }
  if (missing !== undefined) await terminal.warn(`note: rows are missing: ${missing.join(', ')} did not answer`);
  if (rows === 0 && prepared.sources.length > 0) {
    const reason = await (await connection()).explainEmpty(prepared.sources, io.stderr.isTerminal ? rangeOf(prepared, request) : undefined);
    if (reason !== undefined)
      await terminal.note(`note: ${emptinessText(reason)}${reason.isStoreEmpty === true ? await sampleHint(io) : ''}`);
  }
  if (!io.stderr.isTerminal) return;
  const count = rows === undefined ? 'done' : `${rows} ${rows === 1 ? 'row' : 'rows'}`;
  if (cachedSeconds !== undefined) await terminal.note(`${count}, cached ${cachedSeconds} s ago; --refresh runs it again`);
  else if (elapsedMs !== undefined) await terminal.note(`${count} in ${Math.round(elapsedMs)} ms`);
}

/** Says the reason, and the flag that finds the rows. */
export const emptinessText = ({ reason, asOf }: Emptiness): string =>
  asOf === undefined ? reason : `${reason}; to query that time, add --as-of ${asOf}`;

function rangeOf(prepared: PreparedQuery, { arguments: given, asOf }: Pick<QueryRequest, 'arguments' | 'asOf'>): AskedRows {
  return askedRows(prepared, given, asOf === undefined ? instantAt(Date.now()) : readTimestamp(asOf));
}

/** Says where the rows of the sample are, to users who have it. */
async function sampleHint({ env }: Parts['io']): Promise<string> {
  const [{ existsSync }, { demoStore, SAMPLE_INSTANT, shellPath }] = await Promise.all([import('node:fs'), import('../../demo/place.ts')]);
  const store = demoStore(env);
  if (!existsSync(store)) return ', or try `quern demo`';
  return `; for the sample of \`quern demo\`, add --store ${shellPath(store)} --as-of ${SAMPLE_INSTANT}`;
}

/** Prints the numbers of `--stats`, one line each; unknown ones are left out. */
export async function printStatistics(
  { io, connection, terminal }: Parts,
  { rows, elapsedMs, cachedSeconds, statistics, keeping }: Printed,
  cache: string,
): Promise<void> {
  const unknown = (cache === 'miss' || cache === 'off') && statistics?.rowsRead === undefined;
  const { rowsRead, bytesRead, memoryBytes }: Partial<ExecutionStatistics> = {
    ...(unknown ? await readHere(await connection()) : {}),
    ...statistics,
  };
  const lines: readonly (readonly [string, string | undefined])[] = [
    ['rows', rows === undefined ? undefined : String(rows)],
    ['time', elapsedMs === undefined ? undefined : `${elapsedMs < 10 ? elapsedMs.toFixed(1) : Math.round(elapsedMs)} ms`],
    ['rows read', rowsRead === undefined ? undefined : String(rowsRead)],
    ['bytes read', bytesRead === undefined ? undefined : String(bytesRead)],
    ['memory', memoryBytes === undefined ? undefined : `${megabytes(memoryBytes)} used by the engine for the query`],
    ['process', `${megabytes(io.peakMemoryBytes())} at most`],
    ['cache', cachedSeconds === undefined ? cache : `${cache}, ${cachedSeconds} s old`],
    ['kept rows', keeping === undefined ? undefined : keepingText(keeping)],
  ];
  for (const [name, text] of lines) if (text !== undefined) await terminal.warn(`${name.padEnd(10)}  ${text}`);
}

/** Returns undefined where the query retains no rows of parts, or it is not yet decided whether it should. */
function keepingText({ buckets, whole }: NonNullable<RunOutcome['keeping']>): string | undefined {
  if (whole !== undefined) return `not used: ${whole}`;
  return buckets === undefined ? undefined : `${buckets.kept} buckets from the cache, ${buckets.asked} read`;
}

/** Returns how much the embedded engine has read from tables since this process began, which is how much the run has read. */
async function readHere(connection: Connection): Promise<Pick<ExecutionStatistics, 'rowsRead' | 'bytesRead'>> {
  if (connection.remote) return {};
  const engine = await (await connection.snapshot()).engine([]);
  const rows = await engine.rows("SELECT sumIf(value, event = 'SelectedRows'), sumIf(value, event = 'SelectedBytes') FROM system.events");
  const [rowsRead, bytesRead] = rows[0] ?? [];
  return { rowsRead: Number(rowsRead), bytesRead: Number(bytesRead) };
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;
