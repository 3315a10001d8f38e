// Failures in the form of Google's APIs. Clients decide by the reason whether they try again.
import { type ErrorCode, QuernError } from '../../../base/errors.ts';
import { positionAt } from '../../../base/source-text.ts';
import { asServerError, CALLERS_TEXT, type Failure, type FailureReply, hintForCallers } from '../../http/failure.ts';

export interface ErrorProto {
  readonly reason: string;
  readonly message: string;
  readonly domain?: string;
  readonly location?: string;
  readonly locationType?: string;
}

/** What went wrong, as a job remembers it. */
export interface DoorFailure {
  readonly status: number;
  readonly error: ErrorProto;
}

/** A failure for which quern has no code of its own. */
export class BigQueryError extends QuernError {
  readonly failure: DoorFailure;

  constructor(failure: DoorFailure) {
    super('usage', failure.error.message);
    this.failure = failure;
  }
}

export const bigQueryError = (status: number, reason: string, message: string, location?: string): BigQueryError =>
  new BigQueryError({
    status,
    error: { reason, message, domain: 'global', ...(location === undefined ? {} : { location, locationType: 'parameter' }) },
  });

export const notFound = (what: 'Job' | 'Table' | 'Dataset' | 'Routine', name: string): BigQueryError =>
  bigQueryError(404, 'notFound', `Not found: ${what} ${name}`);

export const invalid = (message: string, location?: string): BigQueryError => bigQueryError(400, 'invalid', message, location);

const OF_QUERY = [400, 'invalidQuery'] as const;

const REASONS: Readonly<Record<ErrorCode, readonly [status: number, reason: string]>> = {
  usage: [400, 'invalid'],
  parameter: OF_QUERY,
  'unknown-query': [404, 'notFound'],
  syntax: OF_QUERY,
  'unknown-function': OF_QUERY,
  'unknown-column': OF_QUERY,
  'unknown-source': [404, 'notFound'],
  type: OF_QUERY,
  unsupported: OF_QUERY,
  'too-complex': [400, 'resourcesExceeded'],
  data: OF_QUERY,
  limit: [400, 'resourcesExceeded'],
  config: [500, 'internalError'],
  load: [500, 'internalError'],
  internal: [500, 'internalError'],
  result: [404, 'notFound'],
  check: [500, 'internalError'],
  // ClickHouse would refuse the same query again.
  engine: OF_QUERY,
  unreachable: [503, 'backendError'],
  busy: [503, 'backendError'],
  budget: [403, 'quotaExceeded'],
  interrupted: [503, 'backendError'],
  timeout: [400, 'timeout'],
};

/** Statuses of Google's RPCs. */
const STATUSES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'ALREADY_EXISTS',
  412: 'FAILED_PRECONDITION',
  429: 'RESOURCE_EXHAUSTED',
  499: 'CANCELLED',
  500: 'INTERNAL',
  501: 'UNIMPLEMENTED',
  503: 'UNAVAILABLE',
};

/** Reasons of quern's own refusals, which have no error. */
const REFUSALS: Readonly<Record<string, readonly [status: number, reason: string]>> = {
  unauthorized: [401, 'authError'],
  forbidden: [403, 'accessDenied'],
  'not-found': [404, 'notFound'],
  rate: [403, 'rateLimitExceeded'],
  'too-large': [413, 'uploadTooLarge'],
};

/** Where a request looks for tables. */
interface Place {
  readonly projectId: string;
  readonly defaultDataset?: { readonly projectId: string; readonly datasetId: string } | undefined;
}

/** Returns what a job, or a reply, says of an error. Faults of the server are for its log. Names of tables are given as a whole where their place is known. */
export function doorFailure(cause: unknown, place?: Place): DoorFailure {
  if (cause instanceof BigQueryError) return cause.failure;
  const error = asServerError(cause);
  const { code, details } = error;
  if (details.ofKey === true) return bigQueryError(403, 'accessDenied', `Access Denied: ${error.message}`).failure;
  const [status, reason] = details.ofSource === true ? REASONS.unreachable : REASONS[code];
  if (status === 500)
    return { status, error: { reason, domain: 'global', message: 'the server has failed; its log says why, under the request id' } };
  const location = reason === 'invalidQuery' ? { location: 'q', locationType: 'parameter' } : {};
  return { status, error: { reason, domain: 'global', message: `${wordsOf(error, place)}${placeOf(error)}`, ...location } };
}

/** The form of failures of all routes of the door. */
export function inGooglesForm(failure: Failure): FailureReply {
  const { status, error } = failure.error === undefined ? refusalOf(failure) : doorFailure(failure.error);
  const body = { error: { code: status, message: error.message, errors: [error], status: STATUSES[status] ?? 'UNKNOWN' } };
  return { status, body, headers: failure.headers };
}

function refusalOf({ status, code, message, hint }: Failure): DoorFailure {
  // The hint is about other endpoints.
  if (code === 'body' && status === 400)
    return { status, error: { reason: 'parseError', domain: 'global', message: `Parse Error: ${message}` } };
  const [known, reason] = REFUSALS[code] ?? [status, 'invalid'];
  return { status: known, error: { reason, domain: 'global', message: hint === undefined ? message : `${message}; ${hint}` } };
}

/** The message with all that is wrong and what to do, in one line. */
function wordsOf(error: QuernError, place: Place | undefined): string {
  const { message, details } = error;
  const undeclared = error.code === 'parameter' ? /^@(\w+).* not declared$/.exec(message)?.[1] : undefined;
  // What to write into a file is no help here.
  if (undeclared !== undefined) return `Query parameter '${undeclared}' not found`;
  const { problems = [] } = details;
  const hint = hintForCallers(details.hint);
  const all = problems.map((problem) => `${problem.name} ${problem.message}`);
  return [missingTable(error, place), message, ...all, ...(hint === undefined ? [] : [hint])]
    .filter((words) => words !== undefined)
    .join('; ');
}

/** Clients look for these words. */
function missingTable({ code, details: { span, source } }: QuernError, place: Place | undefined): string | undefined {
  if (code !== 'unknown-source' || span === undefined || source?.name !== CALLERS_TEXT) return undefined;
  const parts = source.text.slice(span.start, span.end).replaceAll(/[`\s]/g, '').split('.');
  const table = parts.pop() ?? '';
  const { projectId, datasetId } = place?.defaultDataset ?? { projectId: place?.projectId, datasetId: undefined };
  const dataset = parts.pop() ?? datasetId;
  if (dataset === undefined) return `Not found: Table ${table}`;
  const project = parts.length === 0 ? projectId : parts.join('.');
  return `Not found: Table ${project === undefined ? '' : `${project}:`}${dataset}.${table}`;
}

function placeOf({ details: { span, source } }: QuernError): string {
  if (span === undefined || source?.name !== CALLERS_TEXT) return '';
  const { line, column } = positionAt(source.text, span.start);
  return ` at [${line}:${column}]`;
}
