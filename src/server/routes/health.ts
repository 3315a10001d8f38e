// /health and /ready: is the server alive, and can it answer.
import type { FastifyRequest } from 'fastify';
import { QuernError } from '../../base/errors.ts';
import { asServerError, isFailure } from '../http/failure.ts';
import { json } from '../http/reply.ts';
import { oversees } from '../keys/authentication.ts';
import type { Route, RouteParts } from './route.ts';

type PingOptions = Pick<RouteParts, 'ping' | 'clock' | 'log'>;

/** An engine that says nothing for so long is not ready. */
const PING_MS = 5000;
/** Load balancers ask often, each of several. */
const PING_HOLDS_MS = 2000;

export const health: Route = { method: 'GET', path: '/health', access: 'anybody', open: () => () => json({ status: 'alive' }) };

export const ready: Route = {
  method: 'GET',
  path: '/ready',
  access: 'anybody',
  open(server) {
    const engineTrouble = createPing(server);
    return async ({ request }) => {
      const { endpoints, broken } = server.table();
      const trouble = server.stopping() ? undefined : await engineTrouble();
      const running = trouble === undefined ? 'ready' : 'engine';
      const status = server.stopping() ? 'stopping' : running;
      const code = status === 'ready' ? 200 : 503;
      if (!mayKnowWhy(request, server)) return json({ status }, code);
      return json(
        {
          status,
          ...(trouble === undefined ? {} : { engine: { code: trouble.code, message: trouble.message } }),
          ...(server.shared === undefined ? {} : { redis: server.shared.up ? 'ready' : 'away' }),
          endpoints: endpoints.length,
          broken: broken.map(({ name, error, served }) => ({
            name,
            message: error.message,
            served,
          })),
        },
        code,
      );
    };
  },
};

/** A load balancer needs no names and reasons. */
function mayKnowWhy({ headers }: FastifyRequest, { authenticate }: Pick<RouteParts, 'authenticate'>): boolean {
  try {
    const caller = authenticate({ headers });
    return !isFailure(caller) && oversees(caller);
  } catch {
    return false; // the keys cannot be read, which says nothing about the engine
  }
}

/** Rejects when the engine is silent. */
async function pingInTime({ ping, clock }: PingOptions): Promise<void> {
  let callOff: () => void = () => undefined;
  const late = new Promise<never>((_, reject) => {
    callOff = clock.after(PING_MS, () => reject(new QuernError('timeout', `the engine has not answered for ${PING_MS / 1000} s`)));
  });
  try {
    await Promise.race([ping(), late]);
  } finally {
    callOff();
  }
}

/** Looks for what is wrong with the engine, and logs each change: callers without a key do not learn why. */
function createPing(options: PingOptions): () => Promise<QuernError | undefined> {
  const { clock, log } = options;
  let asked: { readonly atMs: number; readonly trouble: Promise<QuernError | undefined> } | undefined;
  let reported: string | undefined;
  const ping = async (): Promise<QuernError | undefined> => {
    const trouble = await pingInTime(options).then(() => undefined, asServerError);
    if (trouble === undefined && reported !== undefined) log.info('the engine responds again');
    if (trouble !== undefined && trouble.message !== reported) {
      log.warn({ error: { code: trouble.code, message: trouble.message } }, 'not ready: the engine does not respond');
    }
    reported = trouble?.message;
    return trouble;
  };
  return () => {
    const nowMs = clock.now();
    if (asked === undefined || Math.abs(nowMs - asked.atMs) >= PING_HOLDS_MS) asked = { atMs: nowMs, trouble: ping() };
    return asked.trouble;
  };
}
