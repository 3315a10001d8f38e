// What a request asks of a query: jobs.query has it in the body itself, jobs.insert in its configuration.
import type { GivenParameter } from '../../../execution/one-off.ts';
import { LOCATION } from './catalog/projects.ts';
import { type BigQueryError, bigQueryError, invalid } from './errors.ts';

export type Json = Readonly<Record<string, unknown>>;

/** What a job tells of how it was wanted; plain data. */
export interface JobConfiguration {
  readonly sql: string;
  readonly defaultDataset?: { readonly projectId: string; readonly datasetId: string } | undefined;
  readonly useQueryCache: boolean;
  readonly maximumBytesBilled?: number | undefined;
  readonly timeoutMs?: number | undefined;
  readonly labels?: Json | undefined;
  readonly priority: string;
  readonly createDisposition: string;
  readonly writeDisposition: string;
}

/** A query as the caller wants it run. */
export interface WantedJob extends JobConfiguration {
  readonly projectId: string;
  /** The caller's own; absent: the server chooses one. */
  readonly jobId?: string | undefined;
  readonly location: string;
  readonly parameters: readonly GivenParameter[];
  readonly dryRun: boolean;
}

/** Reads the parameters of a request. Throws what is wrong with them. */
export type ReadParameters = (queryParameters: unknown, parameterMode: unknown) => readonly GivenParameter[];

/** Larger texts are no queries that a person or a program has written. */
const MOST_CHARACTERS = 128 * 1024;
const JOB_ID = /^[\w-]{1,1024}$/;

/** Throws what is wrong with the body of jobs.query. */
export function readQueryRequest(projectId: string, body: Json, readParameters: ReadParameters): WantedJob {
  return readQuery({ projectId, query: body, job: body, location: textIn(body, 'location') }, readParameters);
}

/** Throws what is wrong with the body of jobs.insert. */
export function readJob(projectId: string, body: Json, readParameters: ReadParameters): WantedJob {
  const configuration = objectIn(body, 'configuration');
  const query = configuration['query'];
  const reference = objectIn(body, 'jobReference');
  const jobId = textIn(reference, 'jobId');
  if (jobId !== undefined && !JOB_ID.test(jobId))
    throw invalid(`Invalid job ID ${JSON.stringify(jobId)}: use up to 1024 letters, digits, underscores and dashes`, 'jobId');
  if (!isObject(query)) {
    const kind = ['load', 'extract', 'copy'].find((name) => isObject(configuration[name]));
    if (kind === undefined) throw invalid('The job has no configuration.query');
    throw notImplemented(`${kind} jobs`, 'load tables with `quern load`, or where the data are kept');
  }
  const owner = textIn(reference, 'projectId') ?? projectId;
  if (owner !== projectId) throw invalid(`The project of the job, ${owner}, is not that of the address, ${projectId}`);
  refuseDestination(query);
  return { ...readQuery({ projectId, query, job: configuration, location: textIn(reference, 'location') }, readParameters), jobId };
}

/** The error for what this door does not do. */
const notImplemented = (what: string, instead: string): BigQueryError =>
  bigQueryError(501, 'notImplemented', `quern does not support ${what}; ${instead}`);

interface Parts {
  readonly projectId: string;
  readonly query: Json;
  /** Holds what concerns jobs of all kinds. */
  readonly job: Json;
  readonly location: string | undefined;
}

function readQuery({ projectId, query, job, location }: Parts, readParameters: ReadParameters): WantedJob {
  const text = textIn(query, 'query');
  if (text === undefined || text.trim() === '') throw invalid('Required parameter is missing: query', 'query');
  if (text.length > MOST_CHARACTERS)
    throw invalid(`The query is too large: it has ${text.length} characters, and at most ${MOST_CHARACTERS} are read`, 'query');
  if (/^\s*#legacysql/i.test(text)) throw notImplemented('legacy SQL', 'write the query in GoogleSQL');
  refuseSession(query);
  if (isTrue(query['continuous'])) throw notImplemented('continuous queries', 'run the query again when there are new rows');
  const dataset = objectIn(query, 'defaultDataset');
  const datasetId = textIn(dataset, 'datasetId');
  return {
    projectId,
    location: location ?? LOCATION,
    sql: text,
    parameters: readParameters(query['queryParameters'], query['parameterMode']),
    defaultDataset: datasetId === undefined ? undefined : { projectId: textIn(dataset, 'projectId') ?? projectId, datasetId },
    dryRun: isTrue(job['dryRun']),
    useQueryCache: query['useQueryCache'] === undefined || isTrue(query['useQueryCache']),
    maximumBytesBilled: countIn(query, 'maximumBytesBilled'),
    timeoutMs: countIn(job, 'jobTimeoutMs'),
    labels: isObject(job['labels']) ? job['labels'] : undefined,
    priority: wordIn(query, 'priority', ['INTERACTIVE', 'BATCH']),
    createDisposition: wordIn(query, 'createDisposition', ['CREATE_IF_NEEDED', 'CREATE_NEVER']),
    writeDisposition: wordIn(query, 'writeDisposition', ['WRITE_TRUNCATE', 'WRITE_TRUNCATE_DATA', 'WRITE_APPEND', 'WRITE_EMPTY']),
  };
}

/** Rows go to the client, and into no table. */
function refuseDestination(query: Json): void {
  const table = query['destinationTable'];
  if (isObject(table) && typeof table['tableId'] === 'string')
    throw notImplemented(
      `a destination table (${String(table['datasetId'])}.${table['tableId']})`,
      'leave out destinationTable, and read the rows of the job',
    );
  if (isObject(query['tableDefinitions']) && Object.keys(query['tableDefinitions']).length > 0)
    throw notImplemented('external tables of a query', 'declare the files as a source of the server');
}

/** Zones that a query has without being told. */
const UTC = /^(Etc\/)?(UTC|GMT|Zulu)$|^[+-]00(:?00)?$/i;

/** There are no sessions, and no default time zone but UTC: rows would be others than those that were asked for. */
function refuseSession(query: Json): void {
  if (isTrue(query['createSession'])) throw notImplemented('sessions', 'send statements that belong together as one text');
  const { connectionProperties } = query;
  for (const property of Array.isArray(connectionProperties) ? connectionProperties.filter(isObject) : []) {
    const { key, value } = property;
    if (key === 'session_id') throw notImplemented('sessions', 'send statements that belong together as one text');
    if (key === 'time_zone' && typeof value === 'string' && !UTC.test(value))
      throw notImplemented(`the connection property time_zone (${value})`, 'write the zone into the functions of the query');
  }
}

export const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

const objectIn = (from: Json, name: string): Json => (isObject(from[name]) ? from[name] : {});

export function textIn(from: Json, name: string): string | undefined {
  const value = from[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Returns one of the words, in whatever case it is sent, and the first where none is. */
export function wordIn<T extends string>(from: Json, name: string, words: readonly [T, ...T[]]): T {
  const value = from[name] ?? '';
  if (value === '') return words[0];
  const word = words.find((one) => one.toLowerCase() === String(value).toLowerCase());
  if (word !== undefined) return word;
  throw invalid(`Invalid value for ${name}: ${String(value)} is not one of ${words.join(', ')}`, name);
}

/** A number, or its text, as Google's clients send either. */
export function countIn(from: Json, name: string): number | undefined {
  const value = from[name];
  if (value === undefined || value === null || value === '') return undefined;
  const count = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN;
  if (Number.isSafeInteger(count) && count >= 0) return count;
  throw invalid(`Invalid value for ${name}: ${String(value)} is not a whole number`, name);
}

/** Python's clients write `True` into addresses. */
export const isTrue = (value: unknown): boolean => value === true || (typeof value === 'string' && value.toLowerCase() === 'true');
