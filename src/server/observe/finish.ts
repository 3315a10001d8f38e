// What is kept of every request: its metrics, and its line in the log.
import type { FastifyRequest } from 'fastify';
import { isRefusal } from '../http/refusal.ts';
import { ANYBODY } from '../keys/authentication.ts';
import type { Audit } from './audit.ts';
import { type Logger, logRequest } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { FinishedExchange, Outcome } from './outcome.ts';
import type { Span } from './span.ts';
import type { Tracing } from './tracing.ts';

/** Stands for the endpoint of requests that are for none: what clients make up must not fill the metrics. */
export const NO_ENDPOINT = 'none';
/** In the log, of paths that clients make up. */
const LONGEST_PATH = 200;

/** Called when a request comes. */
export type Begin = (request: FastifyRequest, startedAt: number) => Begun;

export interface Begun {
  /** Where traces are collected. */
  readonly span: Span | undefined;
  /** Told how the request ended. */
  done(outcome: Outcome): void;
}

interface ObserveOptions {
  readonly metrics: Metrics;
  readonly log: Logger;
  /** Whether the log may hold the values of parameters, now. */
  readonly logArguments: () => boolean;
  readonly audit?: Pick<Audit, 'write'> | undefined;
  readonly tracing?: Tracing | undefined;
}

export function createBegin({ metrics, log, logArguments, audit, tracing }: ObserveOptions): Begin {
  const keep = (request: FastifyRequest, startedAt: number, outcome: Outcome): FinishedExchange => {
    const { endpoint, status, caller, refused, answer, arguments: values, failure } = outcome;
    const elapsedMs = performance.now() - startedAt;
    const cache = answer?.state ?? 'none';
    const engineMs = answer?.engineMs;
    metrics.finish({ endpoint, status, cache, elapsedMs, engineMs });
    const path = endpoint === NO_ENDPOINT ? pathOf(request.url) : undefined;
    const exchange = { request, outcome, elapsedMs, path };
    audit?.write(exchange);
    if (cache === 'hit' && !log.isLevelEnabled('debug')) return exchange;
    const line = {
      id: request.id,
      method: request.method,
      endpoint,
      status,
      ms: Math.round(elapsedMs * 10) / 10,
      ...(answer === undefined ? {} : { cache: answer.state, rows: answer.rows }),
      ...(answer?.missing === undefined ? {} : { missing: answer.missing }),
      ...(engineMs === undefined ? {} : { engineMs: Math.round(engineMs * 10) / 10 }),
      ...(path === undefined ? {} : { path }),
      ...(refused === undefined ? {} : { code: refused }),
      ...(isRefusal(caller) || caller === ANYBODY ? {} : { key: caller.id }),
      ...(logArguments() && values !== undefined ? { arguments: values } : {}),
    };
    logRequest(log, line, failure);
    return exchange;
  };
  return (request, startedAt) => {
    metrics.begin();
    const traced = tracing?.request(request);
    return {
      span: traced?.span,
      done(outcome) {
        const exchange = keep(request, startedAt, outcome);
        traced?.end(exchange);
      },
    };
  };
}

/** Values, and keys in some modes, stand behind the `?`. */
export function pathOf(url: string): string {
  const path = url.split('?', 1)[0] ?? '';
  return path.length > LONGEST_PATH ? `${path.slice(0, LONGEST_PATH)}…` : path;
}
