// The addresses for those who run the server: is it alive, can it answer, how is it doing, what does it offer.
import type { FastifyInstance, FastifyReply } from 'fastify';
import { QuernError } from '../errors.ts';
import { keyAllows } from '../keys/key.ts';
import type { Plan } from '../saved-query/plan.ts';
import type { Admit } from './admission.ts';
import { ANYBODY } from './authentication.ts';
import type { Clock } from './clock.ts';
import type { Endpoint, EndpointTable } from './endpoints.ts';
import { asQuernError } from './failure.ts';
import type { Metrics } from './metrics.ts';
import { type OpenApiOptions, openApi } from './openapi.ts';
import { JSON_TYPE } from './reply.ts';

export interface OperationsOptions {
  readonly table: () => EndpointTable;
  /** Callers with a key of any scope: names of saved queries are told to nobody else. */
  readonly admit: Admit;
  readonly metrics: Metrics;
  readonly description: OpenApiOptions;
  /** Asks the engine for a sign of life; rejects with QuernError. */
  readonly ping: () => Promise<void>;
  readonly stopping: () => boolean;
  readonly clock: Clock;
}

/** An engine that says nothing for so long is not ready. */
const PING_MS = 5000;
/** Load balancers ask often, each of several. */
const PING_HOLDS_MS = 2000;

export function addOperations(server: FastifyInstance, options: OperationsOptions): void {
  const { table, admit, metrics, description, stopping } = options;
  const engineTrouble = createPing(options);
  const json = (reply: FastifyReply, status: number, body: unknown) =>
    reply
      .code(status)
      .headers({ 'content-type': JSON_TYPE, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
      .send(JSON.stringify(body));

  server.get('/health', (_, reply) => json(reply, 200, { status: 'alive' }));

  server.get('/ready', async (_, reply) => {
    const { endpoints, broken } = table();
    const trouble = stopping() ? undefined : await engineTrouble();
    const status = stopping() ? 'stopping' : trouble === undefined ? 'ready' : 'engine';
    return json(reply, status === 'ready' ? 200 : 503, {
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
    if (admit(request, reply) === undefined) return reply;
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

function createPing(options: OperationsOptions): () => Promise<QuernError | undefined> {
  let asked: { readonly atMs: number; readonly trouble: Promise<QuernError | undefined> } | undefined;
  return () => {
    const nowMs = options.clock.now();
    if (asked === undefined || Math.abs(nowMs - asked.atMs) >= PING_HOLDS_MS) {
      asked = { atMs: nowMs, trouble: pingInTime(options).then(() => undefined, asQuernError) };
    }
    return asked.trouble;
  };
}
