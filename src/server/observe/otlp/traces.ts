// Requests as traces, in the words of OpenTelemetry's conventions for HTTP and databases.
import {
  type Context,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  type Span as SdkSpan,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { type Exchange, type Outcome, pathOf } from '../../http/exchange.ts';
import { codeOf, type Facts, type Span } from '../span.ts';
import type { Tracing } from '../tracing.ts';

export function createTracing(tracer: Tracer): Tracing {
  const propagator = new W3CTraceContextPropagator();
  return {
    request(request) {
      const caller = propagator.extract(ROOT_CONTEXT, request.headers, defaultTextMapGetter);
      const route = request.routeOptions.url;
      const { method } = request;
      const attributes: Facts = {
        'http.request.method': method,
        'url.path': pathOf(request.url),
        'url.scheme': request.protocol,
        'network.protocol.version': request.raw.httpVersion,
        ...(route === undefined ? {} : { 'http.route': route }),
        'quern.request.id': request.id,
      };
      const name = route === undefined ? method : `${method} ${route}`;
      const sdk = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, caller);
      return { span: spanOf(tracer, sdk, caller), end: (exchange, outcome) => endOfRequest(sdk, exchange, outcome) };
    },
    background: (name) => spanOf(tracer, tracer.startSpan(name, { root: true }, ROOT_CONTEXT), ROOT_CONTEXT),
  };
}

function spanOf(tracer: Tracer, sdk: SdkSpan, outer: Context): Span {
  // The sampler has decided for all that happens within it, too.
  if (!sdk.isRecording()) return unrecorded(sdk);
  const inside = trace.setSpan(outer, sdk);
  return {
    begin: (name, kind) =>
      spanOf(tracer, tracer.startSpan(name, { kind: kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL }, inside), inside),
    note: (facts) => void sdk.setAttributes(facts),
    get traceparent() {
      return traceparentOf(sdk);
    },
    end(error) {
      if (error !== undefined) fail(sdk, codeOf(error));
      sdk.end();
    },
  };
}

/** Nothing of it is retained; a ClickHouse server learns that it need not retain anything either. */
function unrecorded(sdk: SdkSpan): Span {
  const span: Span = {
    begin: () => span,
    note: () => undefined,
    get traceparent() {
      return traceparentOf(sdk);
    },
    end: () => undefined,
  };
  return span;
}

function traceparentOf(sdk: SdkSpan): string {
  const { traceId, spanId, traceFlags } = sdk.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

const fail = (sdk: SdkSpan, code: string): void =>
  void sdk.setAttribute('error.type', code).setStatus({ code: SpanStatusCode.ERROR, message: code });

function endOfRequest(sdk: SdkSpan, { endpoint, key }: Exchange, { status, refused, answer, failure }: Outcome): void {
  const code = refused ?? failure?.error.code;
  sdk.setAttributes({
    'http.response.status_code': status,
    'quern.endpoint': endpoint,
    ...(answer === undefined ? {} : { 'quern.cache.state': answer.state, 'quern.rows': answer.rows }),
    ...(key === undefined ? {} : { 'quern.key.id': key.id }),
    ...(code === undefined ? {} : { 'error.type': code }),
  });
  // What a caller did wrong is no failure of the server, says the convention.
  if (status >= 500) fail(sdk, code ?? String(status));
  sdk.end();
}
