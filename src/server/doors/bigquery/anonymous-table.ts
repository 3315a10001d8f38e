// The anonymous table in which the rows of a job are: clients read it as any other.
import { json, type PlainReply } from '../../http/reply.ts';
import { tenantOf } from '../../keys/authentication.ts';
import type { Question, RouteParts } from '../../routes/route.ts';
import { selectedFields } from './catalog/selected-fields.ts';
import { schemaOf } from './cells.ts';
import { notFound } from './errors.ts';
import { jobOfTable } from './job-resource.ts';
import type { JobRecord, JobRows, Jobs } from './jobs.ts';
import { pageReply, readRowsWanted } from './results.ts';

interface TableReference {
  readonly projectId: string;
  readonly datasetId: string;
  readonly tableId: string;
}

/**
 * Returns the rows of an anonymous table of the caller's; undefined for every other table. Throws BigQueryError for one that is not there, and for that of a job
 * that has failed or still runs.
 */
async function anonymousTable(
  jobs: Jobs,
  { caller }: Question,
  table: TableReference,
): Promise<(JobRows & Pick<JobRecord, 'createdMs'>) | undefined> {
  const jobId = jobOfTable(table.datasetId, table.tableId);
  if (jobId === undefined) return undefined;
  const { outcome, createdMs } = await jobs.find({ projectId: table.projectId, jobId }, tenantOf(caller).id).catch(() => NO_JOB);
  if (outcome !== undefined && 'result' in outcome) return { ...outcome, createdMs };
  throw notFound('Table', nameOf(table));
}

const NO_JOB: Pick<JobRecord, 'outcome' | 'createdMs'> = { createdMs: 0 };
const DAY_MS = 24 * 3600e3;

const nameOf = ({ projectId, datasetId, tableId }: TableReference): string => `${projectId}:${datasetId}.${tableId}`;

/** tables.get of an anonymous table; undefined for every other table. */
export async function getAnonymousTable(jobs: Jobs, question: Question): Promise<PlainReply | undefined> {
  const reference = question.request.params as TableReference; // as the path has them
  const found = await anonymousTable(jobs, question, reference);
  if (found === undefined) return undefined;
  const { result, createdMs } = found;
  return json({
    kind: 'bigquery#table',
    etag: result.id,
    id: nameOf(reference),
    tableReference: { projectId: reference.projectId, datasetId: reference.datasetId, tableId: reference.tableId },
    type: 'TABLE',
    schema: { fields: selectedFields(schemaOf(result.columns).fields, question.request.query) },
    numRows: String(result.rows),
    numBytes: '0',
    creationTime: String(createdMs),
    lastModifiedTime: String(createdMs),
    expirationTime: String(createdMs + DAY_MS),
    location: 'US',
  });
}

/** tabledata.list of an anonymous table; undefined for every other table. */
export async function listAnonymousTable(
  jobs: Jobs,
  { paged }: Pick<RouteParts, 'paged'>,
  question: Question,
): Promise<PlainReply | undefined> {
  const found = await anonymousTable(jobs, question, question.request.params as TableReference); // as the path has them
  if (found === undefined) return undefined;
  const { result } = found;
  const query = question.request.query as Readonly<Record<string, unknown>>; // as Fastify reads addresses
  const page = { ...readRowsWanted(query), fields: query };
  const head = { kind: 'bigquery#tableDataList', etag: result.id, totalRows: String(result.rows) };
  return pageReply(paged, result, page, head);
}
