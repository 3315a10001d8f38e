// Why a request has no answer: an error with its status, or a refusal of the server itself; and the JSON of the reply.
import { basename } from 'node:path';
import { asQuernError, type ErrorCode, type QuernError, SEE_ENGINES_TEXT } from '../../base/errors.ts';
import { type ErrorBody, errorBody } from '../../output/error-body.ts';
import { type Departing, hasLeft } from './departure.ts';

/** Codes of the server's own refusals. */
export type RefusalCode = 'unauthorized' | 'forbidden' | 'not-found' | 'method' | 'body' | 'rate' | 'too-large' | 'request' | 'unreachable';

/** What callers learn of it, and what the server does with it. */
export interface Failure extends Omit<ErrorBody['error'], 'code'> {
  readonly code: ErrorCode | RefusalCode;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** What went wrong, for the log; absent for a refusal. */
  readonly error?: QuernError;
}

export const isFailure = (value: unknown): value is Failure => typeof value === 'object' && value !== null && 'status' in value;

/** A failure in the form for its client. */
export interface FailureReply extends Pick<Failure, 'status' | 'headers'> {
  readonly body: object;
}

export type FailureForm = (failure: Failure) => FailureReply;

/** quern's own form. */
export const plainForm: FailureForm = ({ status, headers, error: _, ...error }) => ({ status, headers, body: { error } });

/** Name of the text in `sql=`, as its errors give it. */
export const CALLERS_TEXT = 'sql';

const STATUSES: Readonly<Record<ErrorCode, number>> = {
  usage: 400,
  parameter: 400,
  'unknown-query': 404,
  syntax: 422,
  'unknown-function': 422,
  'unknown-column': 422,
  'unknown-source': 422,
  type: 422,
  unsupported: 422,
  'too-complex': 422,
  data: 422,
  limit: 422,
  config: 500,
  load: 500,
  internal: 500,
  result: 500,
  check: 500,
  engine: 502,
  unreachable: 503,
  busy: 503,
  budget: 429,
  interrupted: 503,
  timeout: 504,
};

export function failureOf(error: unknown): Failure {
  const known = asServerError(error);
  const { retryAfterSeconds } = known.details;
  const headers: Failure['headers'] =
    retryAfterSeconds === undefined ? {} : { 'retry-after': String(Math.max(1, Math.ceil(retryAfterSeconds))) };
  return { ...forCallers(known), status: statusOf(known), headers, error: known };
}

/** In logs and metrics, of a request whose client left before the reply. */
const CLIENT_LEFT = 499;

/** Returns the status for logs and metrics of a failure that was, or would have been, replied with `status`. */
export const loggedStatus = (response: Departing, error: QuernError, status: number): number =>
  hasLeft(response) && error.code === 'interrupted' ? CLIENT_LEFT : status;

/** What was thrown, with what to do about a fault in quern. */
export const asServerError = (error: unknown): QuernError =>
  asQuernError(error, 'this is a bug in quern: please report it with the server’s log');

/** Errors in a text: one in the caller's own text is the caller's to mend, one in a saved query is the server's. */
const OF_TEXTS: ReadonlySet<ErrorCode> = new Set(['syntax', 'unknown-function', 'unknown-column', 'unknown-source', 'type', 'unsupported']);

function statusOf({ code, details: { source, ofSource } }: QuernError): number {
  if (ofSource === true) return STATUSES.unreachable;
  if (source?.name === CALLERS_TEXT) return STATUSES[code];
  // An argument stands in no text: a parameter that has a place is one that the saved query declares or uses.
  return OF_TEXTS.has(code) || (code === 'parameter' && source !== undefined) ? 500 : STATUSES[code];
}

/** Callers have no flags: what one would show is in the log. */
export const hintForCallers = (hint: string | undefined): string | undefined =>
  hint?.replace(SEE_ENGINES_TEXT, 'the server’s log has the message of ClickHouse, under the request id');

/** Folders of the server, and faults inside it, are for its log: callers can do nothing with them. */
function forCallers(error: QuernError): ErrorBody['error'] {
  // A config error without a place is about files of the server, such as that of the keys, and might reach callers without a key.
  if (error.code === 'internal' || (error.code === 'config' && error.details.source === undefined)) {
    return { code: 'internal', message: 'the server has failed', hint: 'its log says why, under the request id' };
  }
  const shown = errorBody(error).error;
  const { position } = shown;
  return { ...shown, hint: hintForCallers(shown.hint), position: position && { ...position, file: basename(position.file) } };
}
