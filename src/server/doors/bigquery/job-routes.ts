// The methods of jobs: query, insert, get, getQueryResults, list, cancel and delete.
import { LRUCache } from 'lru-cache';
import { digest } from '../../../cache/json-memory.ts';
import { json, type PlainReply } from '../../http/reply.ts';
import { ANYBODY, tenantOf } from '../../keys/authentication.ts';
import type { DoorRoute, PlainRoute, Question, RouteParts } from '../../routes/route.ts';
import { listPage } from './catalog/list-page.ts';
import { schemaOf } from './cells.ts';
import { BigQueryError, doorFailure, invalid } from './errors.ts';
import {
  countIn,
  isObject,
  type Json,
  type ReadParameters,
  readJob,
  readQueryRequest,
  textIn,
  type WantedJob,
  wordIn,
} from './job-request.ts';
import { costsOf, dryRunResource, etagOf, jobResource, listedJob } from './job-resource.ts';
import { type DryRun, type JobRecord, type JobRows, type Jobs, withinTime } from './jobs.ts';
import { pageReply, type RowsWanted, readRowsWanted, readTimestampForm } from './results.ts';
import { dryRun, NEVER, runJob } from './run-job.ts';

interface JobRoutesOptions {
  readonly jobsOf: (server: RouteParts) => Jobs;
  readonly readParameters: ReadParameters;
}

/** For a client that says nothing else. */
const USUAL_TIMEOUT_MS = 10_000;
const MOST_TIMEOUT_MS = 200_000;
/** A short job has ended in the reply to its insert. */
const INSERT_WAIT_MS = 50;
const LISTED = 50;
const MOST_REQUESTS = 10_000;

/** The rows of the table of routes, with addresses behind the base path. */
export function jobRoutes({ jobsOf, readParameters }: JobRoutesOptions): readonly DoorRoute[] {
  const open =
    (answer: (question: Question, server: RouteParts, jobs: Jobs) => Promise<PlainReply>): PlainRoute['open'] =>
    (server) => {
      const jobs = jobsOf(server);
      return (question) => answer(question, server, jobs);
    };
  const query = createQuery(readParameters);
  return [
    { name: 'bigquery.jobs.query', method: 'POST', path: '/projects/:projectId/queries', open: open(query) },
    {
      name: 'bigquery.jobs.insert',
      method: 'POST',
      path: '/projects/:projectId/jobs',
      open: open((...all) => insert(readParameters, ...all)),
    },
    { name: 'bigquery.jobs.list', method: 'GET', path: '/projects/:projectId/jobs', open: open(list) },
    { name: 'bigquery.jobs.get', method: 'GET', path: '/projects/:projectId/jobs/:jobId', open: open(get) },
    { name: 'bigquery.jobs.getQueryResults', method: 'GET', path: '/projects/:projectId/queries/:jobId', open: open(getQueryResults) },
    { name: 'bigquery.jobs.cancel', method: 'POST', path: '/projects/:projectId/jobs/:jobId/cancel', open: open(cancel) },
    { name: 'bigquery.jobs.delete', method: 'DELETE', path: '/projects/:projectId/jobs/:jobId/delete', open: open(remove) },
  ];
}

type Answer = (question: Question, server: RouteParts, jobs: Jobs) => Promise<PlainReply>;

function createQuery(readParameters: ReadParameters): Answer {
  /**
   * Jobs by the id of the request that began them: a client that has lost the reply sends the request again. Another server runs the query once more, which
   * changes nothing; a look into shared files would cost every query time.
   */
  const byRequest = new LRUCache<string, { readonly reference: JobRecord['reference'] }>({ max: MOST_REQUESTS });
  return async (question, server, jobs) => {
    const { request, caller } = question;
    const { projectId } = paramsOf(question);
    const body = bodyOf(question);
    const wanted = readQueryRequest(projectId, body, readParameters);
    const page: RowsWanted = { start: 0, maxResults: countIn(body, 'maxResults'), timestamps: readTimestampForm(body['formatOptions']) };
    const owner = tenantOf(caller).id;
    if (wanted.dryRun) {
      const dry = await dryRunOf(server, wanted, question);
      return json({
        kind: 'bigquery#queryResponse',
        schema: schemaOf(dry.columns),
        jobReference: { projectId, location: wanted.location },
        totalBytesProcessed: String(dry.estimate.bytes),
        jobComplete: true,
        cacheHit: false,
      });
    }
    const requestId = textIn(body, 'requestId');
    const known = requestId === undefined ? undefined : byRequest.get(`${owner} ${requestId}`);
    const timeoutMs = Math.min(countIn(body, 'timeoutMs') ?? USUAL_TIMEOUT_MS, MOST_TIMEOUT_MS);
    const record = known === undefined ? await begun() : await jobs.await(known.reference, owner, timeoutMs);
    const optional = body['jobCreationMode'] === 'JOB_CREATION_OPTIONAL';
    return resultsReply('bigquery#queryResponse', { server, record, page, optional });

    async function begun(): Promise<JobRecord> {
      const job = await jobs.begin({
        wanted,
        owner,
        requestId: request.id,
        run: (signal) => runJob(server, wanted, { caller, requestId: request.id, signal }),
      });
      if (requestId !== undefined) byRequest.set(`${owner} ${requestId}`, { reference: job.record.reference });
      await withinTime(job.ended, timeoutMs);
      // The client comes again, and perhaps to another server.
      if (!hasAllRows(job.record, page)) await jobs.share(job);
      return job.record;
    }
  };
}

async function insert(readParameters: ReadParameters, question: Question, server: RouteParts, jobs: Jobs): Promise<PlainReply> {
  const { request, caller } = question;
  const { projectId } = paramsOf(question);
  const wanted = readJob(projectId, bodyOf(question), readParameters);
  if (wanted.dryRun) {
    const dry = await dryRunOf(server, wanted, question);
    return json(dryRunResource(dry, wanted, accountOf(question)));
  }
  const run = (signal: AbortSignal) => runJob(server, wanted, { caller, requestId: request.id, signal });
  const job = await jobs.begin({ wanted, owner: tenantOf(caller).id, requestId: request.id, run });
  await Promise.all([jobs.share(job), withinTime(job.ended, INSERT_WAIT_MS)]);
  return json(jobResource(job.record, accountOf(question)));
}

const get: Answer = async (question, _, jobs) =>
  json(jobResource(await jobs.find(nameOf(question), tenantOf(question.caller).id), accountOf(question)));

const getQueryResults: Answer = async (question, server, jobs) => {
  const query = queryOf(question);
  const page = readRowsWanted(query);
  const timeoutMs = Math.min(countIn(query, 'timeoutMs') ?? USUAL_TIMEOUT_MS, MOST_TIMEOUT_MS);
  const record = await jobs.await(nameOf(question), tenantOf(question.caller).id, timeoutMs);
  return resultsReply('bigquery#getQueryResultsResponse', { server, record, page, optional: false });
};

const list: Answer = async (question, _, jobs) => {
  const { projectId } = paramsOf(question);
  const query = queryOf(question);
  const all = jobs.list(projectId, tenantOf(question.caller).id).filter(isListed(query));
  const projection = wordIn(query, 'projection', ['minimal', 'full']);
  const { items, ...rest } = listPage(all, question, LISTED);
  return json({
    kind: 'bigquery#jobList',
    etag: digest(items.map(etagOf).join()),
    ...rest,
    jobs: items.map((record) => listedJob(record, accountOf(question), projection)),
  });
};

/** Returns whether the filters of the address let a job through. */
function isListed(query: Json): (record: JobRecord) => boolean {
  // Jobs have no children.
  if (textIn(query, 'parentJobId') !== undefined) return () => false;
  const states = new Set([query['stateFilter']].flat().map((state) => wordIn({ stateFilter: state }, 'stateFilter', STATES)));
  const [from = 0, to = Number.POSITIVE_INFINITY] = [countIn(query, 'minCreationTime'), countIn(query, 'maxCreationTime')];
  return ({ outcome, createdMs }) =>
    (states.has('any') || states.has(outcome === undefined ? 'running' : 'done')) && createdMs >= from && createdMs <= to;
}

/** Jobs run at once: none is pending. */
const STATES = ['any', 'pending', 'running', 'done'] as const;

const cancel: Answer = async (question, _, jobs) =>
  json({
    kind: 'bigquery#jobCancelResponse',
    job: jobResource(await jobs.cancel(nameOf(question), tenantOf(question.caller).id), accountOf(question)),
  });

const remove: Answer = async (question, _, jobs) => {
  await jobs.remove(nameOf(question), tenantOf(question.caller).id);
  return { statusCode: 204, headers: { 'cache-control': 'no-store' }, body: '' };
};

interface ReplyOptions {
  readonly server: RouteParts;
  readonly record: JobRecord;
  readonly page: RowsWanted;
  /** The client does not need a job that it will not ask for again. */
  readonly optional: boolean;
}

/** The reply with the rows of a job, or the word that it still runs. Throws what the job has failed with. */
async function resultsReply(kind: string, { server, record, page, optional }: ReplyOptions): Promise<PlainReply> {
  const { reference, outcome } = record;
  if (outcome === undefined) return json({ kind, jobReference: reference, jobComplete: false });
  if ('failure' in outcome) throw new BigQueryError(outcome.failure);
  const { result, hit } = outcome;
  const isAlone = optional && isWhole(result, page);
  const head = {
    kind,
    etag: etagOf(record),
    schema: schemaOf(result.columns),
    ...(isAlone ? {} : { jobReference: reference }),
    ...(optional ? { queryId: reference.jobId } : {}),
    location: reference.location,
    totalRows: String(result.rows),
    ...costsOf(result, hit),
    jobComplete: true,
    creationTime: String(record.createdMs),
    startTime: String(record.createdMs),
    endTime: String(record.endedMs ?? record.createdMs),
  };
  const { count, ...rest } = await pageReply(server.paged, result, page, head);
  return { ...rest, answer: factsOf(outcome, count) };
}

/** True if there is no more to ask for than a reply with this page has. */
const hasAllRows = ({ outcome }: JobRecord, page: RowsWanted): boolean =>
  outcome !== undefined && (!('result' in outcome) || isWhole(outcome.result, page));

/** True if the first page has all rows for certain. */
const isWhole = ({ rows, only }: JobRows['result'], { maxResults = rows }: RowsWanted): boolean =>
  only !== undefined && rows <= maxResults && maxResults > 0;

const factsOf = ({ result, hit }: JobRows, rows: number) => ({
  state: hit ? ('hit' as const) : ('miss' as const),
  rows,
  ageSeconds: 0,
  ...(hit ? {} : { engineMs: result.elapsedMs }),
});

async function dryRunOf(server: RouteParts, wanted: WantedJob, { request, caller }: Question): Promise<DryRun> {
  try {
    return await dryRun(server, wanted, { caller, requestId: request.id, signal: NEVER });
  } catch (error) {
    const failure = doorFailure(error, wanted);
    throw failure.status === 500 ? error : new BigQueryError(failure);
  }
}

const paramsOf = ({ request }: Question) => request.params as { readonly projectId: string; readonly jobId: string }; // as the paths have them
const nameOf = (question: Question) => ({ ...paramsOf(question), location: textIn(queryOf(question), 'location') });
const queryOf = ({ request }: Question): Json => request.query as Json;

function bodyOf({ request: { body, headers } }: Question): Json {
  if (isObject(body)) return body;
  const { 'content-type': type = 'no type' } = headers;
  if (!type.startsWith('application/json'))
    throw invalid(`The body is not read, since it is sent as ${type}: send Content-Type: application/json`);
  return {};
}

/** The name of the key in place of an address of a person. */
const accountOf = ({ caller }: Question): string => `${caller === ANYBODY ? ANYBODY : caller.name}@quern`;
