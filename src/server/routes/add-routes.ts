// Makes Fastify answer to a table of routes, and tells which methods an address has.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { addBodies, MAX_DOOR_BODY, unpacked } from '../http/body.ts';
import { Exchange, type Observer } from '../http/exchange.ts';
import { type Failure, isFailure } from '../http/failure.ts';
import { noOverseer } from '../http/refusal.ts';
import { send } from '../http/reply.ts';
import { ANYBODY, barredFromBigQuery, type Caller, oversees, shownBy } from '../keys/authentication.ts';
import { createGate } from '../keys/gate.ts';
import type { RateLimit } from '../keys/rate-limit.ts';
import type { Route, RouteParts } from './route.ts';

interface Doorkeepers {
  readonly rateLimit: RateLimit;
  readonly observer: Observer;
}

/** To be called on an instance of their own, see addBodies. */
export function addRoutes(server: FastifyInstance, parts: RouteParts, { rateLimit, observer }: Doorkeepers): void {
  const { authenticate } = parts;
  const callerOf = ({ headers }: FastifyRequest) => authenticate({ headers });
  const refuse = (request: FastifyRequest, reply: FastifyReply, refusal: Failure, caller?: Caller) =>
    new Exchange(request, reply, observer, caller).refuse(refusal);
  const fail = (request: FastifyRequest, reply: FastifyReply, error: unknown) => new Exchange(request, reply, observer).fail(error);
  const gate = { callerOf, rateLimit, refuse, fail };
  const barred = (caller: Caller, { routeOptions }: FastifyRequest) =>
    oversees(caller) ? undefined : noOverseer(routeOptions.url ?? '', shownBy(caller));
  const hooks = {
    anybody: {},
    key: { onRequest: createGate(gate) },
    overseer: { onRequest: createGate({ ...gate, barred }) },
    bigquery: { onRequest: createGate({ ...gate, barred: barredFromBigQuery }) },
  };
  server.decorateRequest('caller');
  addBodies(server);
  for (const route of parts.routes) {
    const { method, path: url, access } = route;
    if (access === 'endpoint') {
      server.route({ method, url, ...route.open(parts) });
      continue;
    }
    const answer = route.open(parts);
    const { door } = route;
    const callerNow = (request: FastifyRequest) => (access === 'anybody' ? ANYBODY : callerOf(request));
    server.route({
      method,
      url,
      config: { form: route.form === true, ...(door === undefined ? {} : { door }) },
      ...hooks[access],
      ...(door === undefined ? {} : { bodyLimit: MAX_DOOR_BODY, preParsing: unpacked }),
      async handler(request, reply) {
        const caller = callerNow(request);
        const exchange = door === undefined ? undefined : new Exchange(request, reply, observer, caller);
        try {
          const found = isFailure(caller) ? caller : await answer({ request, reply, caller, exchange });
          // The caller's key may have ended meanwhile.
          const now = callerNow(request);
          const refusal = isFailure(found) ? found : now;
          if (isFailure(refusal)) (exchange ?? new Exchange(request, reply, observer, request.caller)).refuse(refusal);
          else if (!isFailure(found)) {
            send(reply, found);
            exchange?.end({ status: found.statusCode ?? 200, answer: found.answer });
          }
        } catch (error) {
          if (exchange === undefined) throw error;
          exchange.fail(error);
        }
        return reply;
      },
    });
  }
}

/** The methods of an address as `Allow` lists them, or undefined where there is nothing. */
export function methodsAt(routes: readonly Route[]): (path: string) => string | undefined {
  const addresses = routes.map(({ method, path }) => {
    const form = path.replace(/\/$/, '').replaceAll(/[.$]/g, '\\$&').replace(/:\w+/g, '[^/]+').replace(/\*$/, '.*');
    return { form: new RegExp(`^${form}/?$`), methods: method === 'GET' ? ['GET', 'HEAD'] : [method] };
  });
  return (path) => {
    const methods = new Set(addresses.flatMap(({ form, methods: own }) => (form.test(path) ? own : [])));
    return methods.size === 0 ? undefined : [...methods].sort().join(', ');
  };
}
