// The addresses for those who run the server: is it alive, can it answer, how is it doing, what does it offer.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { QuernError } from '../errors.ts';
import type { Plan } from '../execution/plan.ts';
import { keyAllows, keyOversees } from '../keys/key.ts';
import type { Admit } from './admission.ts';
import { ANYBODY, type Authenticate, type Caller } from './authentication.ts';
import type { Clock } from './clock.ts';
import type { Endpoint, EndpointTable } from './endpoints.ts';
import { asQuernError } from './failure.ts';
import type { Logger } from './log.ts';
import type { Metrics } from './metrics.ts';
import { type OpenApiOptions, openApi } from './openapi.ts';
import { isRefusal, noOverseer } from './refusal.ts';
import type { Refuse } from './refuse.ts';
import { JSON_TYPE } from './reply.ts';

interface OperationsOptions {
  readonly table: () => EndpointTable;
  readonly authenticate: Authenticate;
  /** Names of saved queries are told to nobody without a key. */
  readonly admit: Admit;
  readonly refuse: Refuse;
  readonly metrics: Metrics;
  readonly description: OpenApiOptions;
  /** Asks the engine for a sign of life; rejects with QuernError. */
  readonly ping: () => Promise<void>;
  readonly stopping: () => boolean;
  readonly clock: Clock;
  readonly log: Logger;
}

/** An engine that says nothing for so long is not ready. */
const PING_MS = 5000;
/** Load balancers ask often, each of several. */
const PING_HOLDS_MS = 2000;

export function addOperations(server: FastifyInstance, options: OperationsOptions): void {
  const { table, authenticate, admit, refuse, metrics, description, stopping } = options;
  const engineTrouble = createPing(options);
  const json = (reply: FastifyReply, status: number, body: unknown) =>
    reply
      .code(status)
      .headers({ 'content-type': JSON_TYPE, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
      .send(JSON.stringify(body));

  server.get('/health', (_, reply) => json(reply, 200, { status: 'alive' }));

  /** A load balancer needs no names and reasons. */
  const mayKnowWhy = ({ headers }: FastifyRequest): boolean => {
    try {
      const caller = authenticate({ headers });
      return !isRefusal(caller) && oversees(caller);
    } catch {
      return false; // the keys cannot be read, which says nothing about the engine
    }
  };

  server.get('/ready', async (request, reply) => {
    const { endpoints, broken } = table();
    const trouble = stopping() ? undefined : await engineTrouble();
    const status = stopping() ? 'stopping' : trouble === undefined ? 'ready' : 'engine';
    const code = status === 'ready' ? 200 : 503;
    if (!mayKnowWhy(request)) return json(reply, code, { status });
    return json(reply, code, {
      status,
      ...(trouble === undefined ? {} : { engine: { code: trouble.code, message: trouble.message } }),
      endpoints: endpoints.length,
      broken: broken.map(({ name, error, served }) => ({
        name,
        message: error.message,
        served: served ? 'as it was before' : 'not at all',
      })),
    });
  });

  server.get('/metrics', async (request, reply) => {
    const caller = admit(request, reply);
    if (caller === undefined) return reply;
    if (!oversees(caller)) {
      refuse(request, reply, noOverseer, caller);
      return reply;
    }
    return reply.headers({ 'content-type': metrics.contentType, 'cache-control': 'no-store' }).send(await metrics.text());
  });

  server.get('/openapi.json', async (request, reply) => {
    const caller = admit(request, reply);
    if (caller === undefined) return reply;
    const covered = table().endpoints.filter(({ query }) => caller === ANYBODY || keyAllows(caller, query.name));
    const described = await Promise.all(covered.map(async (endpoint) => ({ query: endpoint.query, plan: await planIfAny(endpoint) })));
    return json(reply, 200, openApi(described, description));
  });
}

const oversees = (caller: Caller): boolean => caller === ANYBODY || keyOversees(caller);

/** An endpoint without a plan is described without its columns. */
async function planIfAny(endpoint: Endpoint): Promise<Plan | undefined> {
  try {
    return await endpoint.plan();
  } catch {
    return undefined;
  }
}

/** Rejects when the engine is silent. */
async function pingInTime({ ping, clock }: OperationsOptions): Promise<void> {
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

/** What is wrong with the engine. The log is told of each change, since it is all that says why to those who ask without a key. */
function createPing(options: OperationsOptions): () => Promise<QuernError | undefined> {
  const { clock, log } = options;
  let asked: { readonly atMs: number; readonly trouble: Promise<QuernError | undefined> } | undefined;
  let told: string | undefined;
  const ping = async (): Promise<QuernError | undefined> => {
    const trouble = await pingInTime(options).then(() => undefined, asQuernError);
    if (trouble === undefined && told !== undefined) log.info('the engine answers again');
    if (trouble !== undefined && trouble.message !== told) {
      log.warn({ error: { code: trouble.code, message: trouble.message } }, 'not ready: the engine does not answer');
    }
    told = trouble?.message;
    return trouble;
  };
  return () => {
    const nowMs = clock.now();
    if (asked === undefined || Math.abs(nowMs - asked.atMs) >= PING_HOLDS_MS) asked = { atMs: nowMs, trouble: ping() };
    return asked.trouble;
  };
}
