// What is kept of every request: its metrics, and its line in the log.
import type { FastifyRequest } from 'fastify';
import type { ArgumentValues } from '../../queries/parameters.ts';
import { isRefusal, type Refusal } from '../http/refusal.ts';
import { ANYBODY, type Caller } from '../keys/authentication.ts';
import type { Answer } from '../serving/answer.ts';
import { type Logger, logRequest, type RequestFailure } from './log.ts';
import type { Metrics } from './metrics.ts';

/** Stands for the endpoint of requests that are for none: what clients make up must not fill the metrics. */
export const NO_ENDPOINT = 'none';
/** In the log, of paths that clients make up. */
const LONGEST_PATH = 200;

interface Outcome {
  readonly endpoint: string;
  readonly status: number;
  readonly caller: Caller | Refusal;
  /** Code of the server's own refusal. */
  readonly refused?: Refusal['code'];
  readonly answer?: Answer;
  readonly arguments?: ArgumentValues;
  readonly failure?: RequestFailure;
}

/** Called when a request comes; the function it gives is called with how the request ended. */
export type Finish = (request: FastifyRequest, startedAt: number) => (outcome: Outcome) => void;

interface ObserveOptions {
  readonly metrics: Metrics;
  readonly log: Logger;
  /** Whether the log may hold the values of parameters. */
  readonly logArguments: boolean;
}

export function createFinish({ metrics, log, logArguments }: ObserveOptions): Finish {
  return (request, startedAt) => {
    metrics.begin();
    return ({ endpoint, status, caller, refused, answer, arguments: values, failure }) => {
      const elapsedMs = performance.now() - startedAt;
      const cache = answer?.state ?? 'none';
      const engineMs = answer?.engineMs;
      metrics.finish({ endpoint, status, cache, elapsedMs, engineMs });
      if (cache === 'hit' && !log.isLevelEnabled('debug')) return;
      const line = {
        id: request.id,
        method: request.method,
        endpoint,
        status,
        ms: Math.round(elapsedMs * 10) / 10,
        ...(answer === undefined ? {} : { cache: answer.state, rows: answer.rows }),
        ...(answer?.missing === undefined ? {} : { missing: answer.missing }),
        ...(engineMs === undefined ? {} : { engineMs: Math.round(engineMs * 10) / 10 }),
        ...(endpoint === NO_ENDPOINT ? { path: pathOf(request.url) } : {}),
        ...(refused === undefined ? {} : { code: refused }),
        ...(isRefusal(caller) || caller === ANYBODY ? {} : { key: caller.id }),
        ...(logArguments && values !== undefined ? { arguments: values } : {}),
      };
      logRequest(log, line, failure);
    };
  };
}

/** Values, and keys in some modes, stand behind the `?`. */
function pathOf(url: string): string {
  const path = url.split('?', 1)[0] ?? '';
  return path.length > LONGEST_PATH ? `${path.slice(0, LONGEST_PATH)}…` : path;
}
