// Runs the query of a job through the one path of the server: translation in turns, cache, single flight, admission and budgets.
import type { PreparedQuery } from '../../../execution/prepared-query.ts';
import { readArguments } from '../../../queries/parameters.ts';
import type { PagedCall } from '../../answers/paged-answers.ts';
import { ANYBODY, type Caller, tenantOf } from '../../keys/authentication.ts';
import { barredFromSql } from '../../keys/pinned-arguments.ts';
import type { RouteParts } from '../../routes/route.ts';
import { type BigQueryError, bigQueryError } from './errors.ts';
import type { WantedJob } from './job-request.ts';
import type { DryRun, JobRows } from './jobs.ts';

/** Who asks, and until when. */
interface Asker {
  readonly caller: Caller;
  readonly requestId: string;
  readonly signal: AbortSignal;
}

type Parts = Pick<RouteParts, 'typed' | 'paged'>;

/** Throws what is wrong with the query, `limit`, and what the engine throws. */
export async function runJob({ typed, paged }: Parts, wanted: WantedJob, asker: Asker): Promise<JobRows> {
  const call = await callOf(typed, wanted, asker);
  const { requestId, signal } = asker;
  const { maximumBytesBilled } = wanted;
  if (maximumBytesBilled !== undefined) {
    const { bytes } = await paged.estimate(call, { signal, requestId });
    if (bytes > maximumBytesBilled) throw tooExpensive(bytes, maximumBytesBilled);
  }
  return paged.answer(call, { signal, requestId, fresh: !wanted.useQueryCache });
}

/** Returns what the query would read and return. Throws as runJob does. */
export async function dryRun({ typed, paged }: Parts, wanted: WantedJob, asker: Asker): Promise<DryRun> {
  const call = await callOf(typed, wanted, asker);
  const estimate = await paged.estimate(call, { signal: asker.signal, requestId: asker.requestId });
  return { columns: call.prepared.columns ?? [], estimate };
}

async function callOf(typed: Parts['typed'], { sql, parameters, labels }: WantedJob, { caller, signal }: Asker): Promise<PagedCall> {
  const values = parameters.flatMap((one) => [one, ...(one.parts ?? [])]);
  const slot = typed(sql, parameters);
  const prepared = await slot.prepared({ tenant: tenantOf(caller), signal });
  if (caller !== ANYBODY) refusePinned(caller, prepared);
  const given = Object.fromEntries(values.map(({ declaration, value }) => [declaration.name, value]));
  const texts = Object.entries(labels ?? {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return {
    prepared,
    arguments: readArguments(prepared.parameters, given, 'the query', { unknown: 'ignore' }),
    tenant: tenantOf(caller),
    maxRows: caller === ANYBODY ? undefined : caller.maxRows,
    labels: texts.length === 0 ? undefined : Object.fromEntries(texts),
  };
}

/** What the key sets must be a filter of all that the query reads, as of other SQL of callers. */
function refusePinned(key: Exclude<Caller, typeof ANYBODY>, prepared: PreparedQuery): void {
  const { pins } = key;
  const filtered = new Set((prepared.filteredBy ?? []).map((name) => name.toLowerCase()));
  const open = Object.keys(pins).filter((name) => !filtered.has(name.toLowerCase()));
  if (open.length === 0 || prepared.sources.length === 0) return;
  const error = barredFromSql(
    { pins, credential: key.credential },
    { ...prepared, parameters: open.map((name) => ({ name })), filteredBy: [] },
  );
  if (error !== undefined) throw bigQueryError(403, 'accessDenied', `Access Denied: ${error.message}`);
}

const tooExpensive = (bytes: number, most: number): BigQueryError =>
  bigQueryError(400, 'bytesBilledLimitExceeded', `Query exceeded limit for bytes billed: ${most}. ${bytes} or higher required.`);
