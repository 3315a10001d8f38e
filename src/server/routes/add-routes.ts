// Makes Fastify answer to a table of routes, and tells which methods an address has.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { addBodies } from '../http/body.ts';
import { isRefusal, noOverseer } from '../http/refusal.ts';
import type { Refuse } from '../http/refuse.ts';
import { send, type Told } from '../http/reply.ts';
import { ANYBODY, oversees, shownBy } from '../keys/authentication.ts';
import { type Admit, createGate, onceKnown } from '../keys/gate.ts';
import type { EndpointRequestShape, Route, RouteParts } from './route.ts';

interface Doorkeepers {
  readonly admit: Admit;
  readonly refuse: Refuse;
}

/** To be called on an instance of their own, see addBodies. */
export function addRoutes(server: FastifyInstance, parts: RouteParts, { admit, refuse }: Doorkeepers): void {
  const admitOverseer: Admit = (request, reply) =>
    onceKnown(admit(request, reply), (caller) => {
      if (caller === undefined || oversees(caller)) return caller;
      refuse(request, reply, noOverseer(request.routeOptions.url ?? '', shownBy(caller)), caller);
      return undefined;
    });
  const gates = { anybody: undefined, key: createGate(admit), overseer: createGate(admitOverseer) };
  addBodies(server);
  for (const route of parts.routes) {
    const { method, path: url } = route;
    if (route.access === 'endpoint') {
      server.route<EndpointRequestShape>({ method, url, ...route.open(parts) });
      continue;
    }
    const gate = gates[route.access];
    const answer = route.open(parts);
    const callerOf = ({ headers }: FastifyRequest) => (gate === undefined ? ANYBODY : parts.authenticate({ headers }));
    server.route({
      method,
      url,
      ...(gate === undefined ? {} : { onRequest: gate }),
      async handler(request, reply) {
        const caller = callerOf(request);
        const told = isRefusal(caller) ? caller : await answer({ request, reply, caller });
        // What the caller showed may have ended meanwhile.
        const refusal = [told, callerOf(request)].find(isRefusal);
        if (refusal === undefined) send(reply, told as Told);
        else refuse(request, reply, refusal, caller);
        return reply;
      },
    });
  }
}

/** The methods of an address as `Allow` lists them, or undefined where there is nothing. */
export function methodsAt(routes: readonly Route[]): (path: string) => string | undefined {
  const addresses = routes.map(({ method, path }) => {
    const form = path.replace(/\/$/, '').replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+');
    return { form: new RegExp(`^${form}/?$`), methods: method === 'GET' ? ['GET', 'HEAD'] : [method] };
  });
  return (path) => {
    const methods = new Set(addresses.flatMap(({ form, methods: own }) => (form.test(path) ? own : [])));
    return methods.size === 0 ? undefined : [...methods].sort().join(', ');
  };
}
