// Records every request: its metrics, and its line in the log.
import { plainArguments } from '../../queries/parameters.ts';
import type { Exchange, Observer, Outcome } from '../http/exchange.ts';
import type { Audit } from './audit.ts';
import { type Logger, logRequest } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { Tracing } from './tracing.ts';

interface ObserveOptions {
  readonly metrics: Metrics;
  readonly log: Logger;
  /** Returns whether the log may hold the values of parameters now. */
  readonly logArguments: () => boolean;
  readonly audit?: Pick<Audit, 'write'> | undefined;
  readonly tracing?: Tracing | undefined;
}

export function createObserver({ metrics, log, logArguments, audit, tracing }: ObserveOptions): Observer {
  return {
    begin(request) {
      metrics.begin();
      return tracing?.request(request);
    },
    end(exchange, outcome) {
      const { endpoint } = exchange;
      const { status, elapsedMs, answer, failure } = outcome;
      const cache = answer?.state ?? 'none';
      metrics.finish({ endpoint, status, cache, elapsedMs, engineMs: answer?.engineMs });
      audit?.write(exchange, outcome);
      if (cache !== 'hit' || log.isLevelEnabled('debug')) logRequest(log, lineOf(exchange, outcome, logArguments()), failure);
    },
  };
}

function lineOf(
  { request, endpoint, path, key }: Exchange,
  { status, elapsedMs, refused, answer, ...outcome }: Outcome,
  logArguments: boolean,
) {
  const { missing, engineMs } = answer ?? {};
  return {
    id: request.id,
    method: request.method,
    endpoint,
    status,
    ms: Math.round(elapsedMs * 10) / 10,
    ...(answer === undefined ? {} : { cache: answer.state, rows: answer.rows }),
    ...(missing === undefined ? {} : { missing }),
    ...(engineMs === undefined ? {} : { engineMs: Math.round(engineMs * 10) / 10 }),
    ...(path === undefined ? {} : { path }),
    ...(refused === undefined ? {} : { code: refused }),
    ...(key === undefined ? {} : { key: key.id }),
    ...(logArguments && outcome.arguments !== undefined ? { arguments: plainArguments(outcome.arguments) } : {}),
  };
}
