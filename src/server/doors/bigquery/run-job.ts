// Runs the query of a job through the one path of the server: translation in turns, cache, single flight, admission and budgets.
import { readArguments } from '../../../queries/parameters.ts';
import type { PagedCall } from '../../answers/paged-answers.ts';
import { ANYBODY, type Caller, tenantOf } from '../../keys/authentication.ts';
import { namesFor, withPins } from '../../routes/caller-names.ts';
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

/** What a run needs of a job. */
type Runnable = Pick<WantedJob, 'projectId' | 'sql' | 'parameters' | 'defaultDataset' | 'labels' | 'useQueryCache' | 'maximumBytesBilled'>;

type Parts = Pick<RouteParts, 'typed' | 'paged' | 'table'>;

/** For what no client can cancel. */
export const NEVER = new AbortController().signal;

/** Throws what is wrong with the query, `limit`, and what the engine throws. */
export async function runJob(server: Parts, wanted: Runnable, asker: Asker): Promise<JobRows> {
  const { paged } = server;
  const call = await callOf(server, wanted, asker);
  const { requestId, signal } = asker;
  const { maximumBytesBilled } = wanted;
  if (maximumBytesBilled !== undefined) {
    const { bytes } = await paged.estimate(call, { signal, requestId });
    if (bytes > maximumBytesBilled) throw tooExpensive(bytes, maximumBytesBilled);
  }
  return paged.answer(call, { signal, requestId, fresh: !wanted.useQueryCache });
}

/** Returns what the query would read and return. Throws as runJob does. */
export async function dryRun(server: Parts, wanted: Runnable, asker: Asker): Promise<DryRun> {
  const call = await callOf(server, wanted, asker);
  const estimate = await server.paged.estimate(call, { signal: asker.signal, requestId: asker.requestId });
  return { columns: call.prepared.columns ?? [], estimate };
}

async function callOf(server: Parts, wanted: Runnable, { caller, signal }: Asker): Promise<PagedCall> {
  const { sql, parameters, labels } = wanted;
  const slot = server.typed(sql, parameters, namesFor(server, { ...wanted, caller }));
  const prepared = await slot.prepared({ tenant: tenantOf(caller), signal });
  const given = Object.fromEntries(parameters.map(({ declaration, value }) => [declaration.name, value]));
  const texts = Object.entries(labels ?? {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return {
    prepared,
    arguments: readArguments(prepared.parameters, withPins(caller, prepared, given), 'the query', { unknown: 'ignore' }),
    tenant: tenantOf(caller),
    maxRows: caller === ANYBODY ? undefined : caller.maxRows,
    labels: texts.length === 0 ? undefined : Object.fromEntries(texts),
  };
}

const tooExpensive = (bytes: number, most: number): BigQueryError =>
  bigQueryError(400, 'bytesBilledLimitExceeded', `Query exceeded limit for bytes billed: ${most}. ${bytes} or higher required.`);
