// The server's log: one JSON object per line, with key ids and never keys, and without the values of parameters unless asked.
import { type Logger, pino } from 'pino';
import { messageOf, type QuernError, SEE_ENGINES_TEXT } from '../../base/errors.ts';

export type { Logger };

const LOG_LEVELS = ['error', 'warn', 'info', 'debug', 'silent'] as const;
type LogLevel = (typeof LOG_LEVELS)[number];

interface LogOptions {
  readonly level: LogLevel;
  readonly write: (line: string) => void;
}

export function createLog({ level, write }: LogOptions): Logger {
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, formatters: { level: (label) => ({ level: label }) } },
    { write },
  );
}

export interface RequestLine {
  readonly id: string;
  readonly method: string;
  readonly endpoint: string;
  readonly status: number;
  readonly ms: number;
  readonly cache?: string;
  readonly engineMs?: number;
  readonly rows?: number;
  /** Parts of the data that did not answer. */
  readonly missing?: readonly string[];
  /** The key's id. */
  readonly key?: string;
  /** Present for requests to no endpoint: the address without what follows its `?`. */
  readonly path?: string;
  /** Why the server itself refused the request. */
  readonly code?: string;
  readonly arguments?: unknown;
}

/** Characters; its stack and its plan may be long. */
const MOST_ENGINE_TEXT = 1000;

/** Requests that cost something or failed are worth a line; a hit is one at the level `debug` only. */
export function logRequest(log: Logger, line: RequestLine, failure: RequestFailure | undefined): void {
  if (failure === undefined) {
    if (line.status >= 400) log.info(line, 'request refused');
    else if (line.cache === 'hit') log.debug(line, 'request');
    else log.info(line, 'request');
    return;
  }
  const { error, fault } = failure;
  if (error.code === 'interrupted') {
    log.info(line, error.message);
    return;
  }
  if (fault) log.error({ ...line, error: errorLine(failure) }, 'request failed');
  else log.info({ ...line, error: errorLine(failure) }, 'request refused');
}

/** Returns what the log says of an error, with what callers are not told. */
export function errorLine({ error, fault }: RequestFailure): object {
  const { code, message, details } = error;
  return {
    code,
    message,
    ...(code === 'internal' ? { stack: stackOf(error) } : {}),
    ...((fault || tellsOfLog(error)) && details.engineCode !== undefined ? { engine: engineText(error) } : {}),
  };
}

/** True of an error whose hint sends the caller to the log. */
export const tellsOfLog = ({ details: { hint } }: QuernError): boolean => hint?.includes(SEE_ENGINES_TEXT) === true;

export interface RequestFailure {
  readonly error: QuernError;
  /** True when the server or the engine is to blame, whatever the status says. */
  readonly fault: boolean;
}

/** Returns ClickHouse's own text, which callers do not get, without the values that it may repeat. */
function engineText({ details: { cause } }: QuernError): string {
  const said = messageOf(cause);
  const text = said.replace(/:? in scope .*$/is, '').replaceAll(/'(?:[^'\\]|\\.)*'/g, "'…'");
  return text.length > MOST_ENGINE_TEXT ? `${text.slice(0, MOST_ENGINE_TEXT)}…` : text;
}

function stackOf(error: QuernError): string | undefined {
  const { cause } = error.details;
  return cause instanceof Error ? cause.stack : error.stack;
}
