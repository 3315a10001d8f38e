// Jobs as resources of the API.
import type { PagedResult } from '../../answers/paged-answers.ts';
import { schemaOf } from './cells.ts';
import type { DoorFailure, ErrorProto } from './errors.ts';
import type { JobConfiguration, WantedJob } from './job-request.ts';
import type { DryRun, JobOutcome, JobRecord } from './jobs.ts';
import { statementType } from './statement-type.ts';

/** Rows that ended up in no table of the caller's are those of an anonymous one, whose name is that of the job. */
const ANONYMOUS_DATASET = '_quern_results';
const ANONYMOUS_TABLE = 'anon_';

const anonymousTableOf = ({ projectId, jobId }: JobRecord['reference']) => ({
  projectId,
  datasetId: ANONYMOUS_DATASET,
  tableId: `${ANONYMOUS_TABLE}${jobId}`,
});

/** Returns the job of an anonymous table; undefined for every other table. */
export const jobOfTable = (datasetId: string, tableId: string): string | undefined =>
  datasetId === ANONYMOUS_DATASET && tableId.startsWith(ANONYMOUS_TABLE) ? tableId.slice(ANONYMOUS_TABLE.length) : undefined;

/** Returns the resource Job. `account`: whose it is, as the API's `user_email`. */
export function jobResource(record: JobRecord, account: string) {
  const { reference, wanted, outcome } = record;
  return {
    kind: 'bigquery#job',
    etag: etagOf(record),
    id: idOf(reference),
    selfLink: `/bigquery/v2/projects/${reference.projectId}/jobs/${reference.jobId}?location=${reference.location}`,
    user_email: account,
    configuration: configurationOf(wanted, reference),
    jobReference: reference,
    statistics: statisticsOf(record),
    status: statusOf(outcome),
  };
}

/** Returns a Job that is none: it has no id to ask for. */
export function dryRunResource({ columns, estimate }: DryRun, wanted: WantedJob, account: string) {
  const bytes = String(estimate.bytes);
  return {
    kind: 'bigquery#job',
    user_email: account,
    configuration: { ...configurationOf(wanted, undefined), dryRun: true },
    jobReference: { projectId: wanted.projectId, location: wanted.location },
    statistics: {
      totalBytesProcessed: bytes,
      query: {
        totalBytesProcessed: bytes,
        totalBytesBilled: '0',
        cacheHit: false,
        ...typeOf(wanted),
        schema: schemaOf(columns),
        undeclaredQueryParameters: [],
      },
    },
    status: { state: 'DONE' },
  };
}

/** Returns an entry of the list of jobs; `minimal` is without the configuration. */
export function listedJob(record: JobRecord, account: string, projection: 'full' | 'minimal') {
  const { selfLink: _, etag: __, configuration, status, ...resource } = jobResource(record, account);
  const { errorResult } = status as { readonly errorResult?: ErrorProto };
  return {
    ...resource,
    ...(projection === 'full' ? { configuration } : {}),
    state: status.state,
    status,
    ...(errorResult === undefined ? {} : { errorResult }),
  };
}

const idOf = ({ projectId, location, jobId }: JobRecord['reference']): string => `${projectId}:${location}.${jobId}`;

export const etagOf = ({ reference, endedMs = 0 }: JobRecord): string => Buffer.from(`${reference.jobId} ${endedMs}`).toString('base64url');

function configurationOf(wanted: JobConfiguration, reference: JobRecord['reference'] | undefined) {
  const { sql, useQueryCache, maximumBytesBilled, timeoutMs, labels, priority, defaultDataset, createDisposition, writeDisposition } =
    wanted;
  return {
    jobType: 'QUERY',
    ...(timeoutMs === undefined ? {} : { jobTimeoutMs: String(timeoutMs) }),
    ...(labels === undefined ? {} : { labels }),
    query: {
      query: sql,
      ...(reference === undefined ? {} : { destinationTable: anonymousTableOf(reference) }),
      ...(defaultDataset === undefined ? {} : { defaultDataset }),
      ...(maximumBytesBilled === undefined ? {} : { maximumBytesBilled: String(maximumBytesBilled) }),
      createDisposition,
      writeDisposition,
      priority,
      useQueryCache,
      useLegacySql: false,
    },
  };
}

const typeOf = ({ sql }: Pick<WantedJob, 'sql'>) => {
  const type = statementType(sql);
  return type === undefined ? {} : { statementType: type };
};

function statisticsOf({ createdMs, endedMs, outcome, wanted }: JobRecord) {
  const times = {
    creationTime: String(createdMs),
    startTime: String(createdMs),
    ...(endedMs === undefined ? {} : { endTime: String(endedMs), finalExecutionDurationMs: String(endedMs - createdMs) }),
  };
  if (outcome === undefined || 'failure' in outcome) return { ...times, query: typeOf(wanted) };
  const { result, hit } = outcome;
  const costs = costsOf(result, hit);
  return {
    ...times,
    totalBytesProcessed: costs.totalBytesProcessed,
    totalSlotMs: costs.totalSlotMs,
    query: { ...typeOf(wanted), ...costs, billingTier: hit ? 0 : 1, schema: schemaOf(result.columns) },
  };
}

/** Returns what rows have cost, as texts; those of an earlier job cost nothing. */
export function costsOf({ read, elapsedMs }: PagedResult, hit: boolean) {
  const bytes = String(hit ? 0 : read.bytes);
  return { totalBytesProcessed: bytes, totalBytesBilled: bytes, totalSlotMs: String(hit ? 0 : Math.ceil(elapsedMs)), cacheHit: hit };
}

function statusOf(outcome: JobOutcome | undefined) {
  if (outcome === undefined) return { state: 'RUNNING' };
  if ('result' in outcome) return { state: 'DONE' };
  const { domain: _, ...error }: DoorFailure['error'] = outcome.failure.error;
  return { state: 'DONE', errorResult: error, errors: [error] };
}
