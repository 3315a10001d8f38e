// The web console at `/`: its files, and what it must know of the endpoints that a caller may use.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { QuernError } from '../errors.ts';
import type { Plan } from '../execution/plan.ts';
import { extensionOf, REPLY_FORMATS } from '../formats.ts';
import { type Key, keyAllows } from '../keys/key.ts';
import { pinnedArguments } from '../keys/pinned-arguments.ts';
import { columnNames } from '../output/value.ts';
import { headerSpan } from '../saved-query/header/text.ts';
import type { SavedQuery } from '../saved-query/saved-query.ts';
import { type Admit, createGate } from './admission.ts';
import { ANYBODY, type Caller, tenantOf } from './authentication.ts';
import type { Compat } from './call.ts';
import type { ConsoleColumn, ConsoleEndpoint, ConsoleInfo, ConsoleParameter, ConsoleSql } from './console/contract.ts';
import { addConsoleFiles } from './console-files.ts';
import type { Endpoint, EndpointTable } from './endpoints.ts';
import { failureOf } from './failure.ts';
import type { PlanSlot } from './plan-slot.ts';
import { isRefusal, outOfScope, type Refusal } from './refusal.ts';
import type { Refuse } from './refuse.ts';
import { JSON_TYPE, sendFailure } from './reply.ts';

interface ConsoleOptions {
  /** Folder of the page's files. */
  readonly folder: string;
  readonly version: string;
  readonly compat: Compat;
  readonly authentication: boolean;
  readonly admit: Admit;
  readonly refuse: Refuse;
  readonly table: () => EndpointTable;
  readonly takesSql: (query: SavedQuery) => boolean;
  /** The slot of a caller's SQL for a saved query. */
  readonly sandboxed: (query: SavedQuery, sql: string) => PlanSlot;
}

interface SqlRequestShape {
  Body: Readonly<Record<string, unknown>> | undefined;
}

export function addConsole(server: FastifyInstance, options: ConsoleOptions): void {
  const { refuse, table } = options;
  const { onRequest, callerOf } = createGate(options.admit);
  addConsoleFiles(server, { folder: options.folder, refuse });

  /** Answers with what `work` gives to the caller. */
  const answer = async (
    request: FastifyRequest,
    reply: FastifyReply,
    work: (caller: Caller) => Promise<object | Refusal>,
  ): Promise<FastifyReply> => {
    try {
      const given = await work(callerOf(request));
      if (isRefusal(given)) refuse(request, reply, given);
      else reply.headers({ 'content-type': JSON_TYPE, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }).send(given);
    } catch (error) {
      sendFailure(request, reply, failureOf(error));
    }
    return reply;
  };

  server.get('/api/console', { onRequest }, (request, reply) =>
    answer(request, reply, async (caller): Promise<ConsoleInfo> => {
      const covered = table().endpoints.filter(({ query }) => caller === ANYBODY || keyAllows(caller, query.name));
      return {
        version: options.version,
        ...(options.compat === undefined ? {} : { compat: options.compat }),
        authentication: options.authentication,
        ...(caller === ANYBODY ? {} : { key: caller.name }),
        mayRefresh: caller === ANYBODY || caller.mayRefresh,
        formats: REPLY_FORMATS.map((name) => ({ name, extension: extensionOf(name) })),
        endpoints: await Promise.all(covered.map((endpoint) => describe(endpoint, caller, options.takesSql))),
      };
    }),
  );

  server.post<SqlRequestShape>('/api/console/sql', { onRequest }, (request, reply) =>
    answer(request, reply, async (caller): Promise<ConsoleSql | Refusal> => {
      const { endpoint: name, sql } = request.body ?? {};
      if (typeof name !== 'string') throw new QuernError('usage', 'endpoint is not named', { hint: 'send {"endpoint": "…"}' });
      if (sql !== undefined && typeof sql !== 'string') throw new QuernError('usage', 'sql is not text', { hint: 'send one query' });
      const endpoint = table().find(name);
      if (endpoint === undefined) throw new QuernError('unknown-query', `there is no endpoint ${name}`, { hint: 'see them at /' });
      const { query } = endpoint;
      if (caller !== ANYBODY && !keyAllows(caller, query.name)) return outOfScope(query.name);
      const slot = sql === undefined ? endpoint : options.sandboxed(query, sql);
      const plan = await slot.plan({ tenant: tenantOf(caller), signal: departureOf(reply) });
      return {
        own: sql ?? withoutHeader(query.source.text),
        dialect: query.dialect,
        clickhouse: plan.sql,
        bound: plan.bound.map(({ name: parameter, type }) => ({ name: parameter, type })),
        settings: plan.settings,
        ...columnsOf(plan),
      };
    }),
  );
}

/** Aborts when the client has gone. */
function departureOf({ raw }: FastifyReply): AbortSignal {
  const abort = new AbortController();
  raw.once('close', () => abort.abort(new QuernError('interrupted', 'the client has gone')));
  return abort.signal;
}

async function describe(endpoint: Endpoint, caller: Caller, takesSql: ConsoleOptions['takesSql']): Promise<ConsoleEndpoint> {
  const { query } = endpoint;
  const plan = await planIfAny(endpoint);
  const parameters = plan?.parameters ?? query.parameters;
  return {
    name: query.name,
    id: query.id,
    description: query.description,
    dialect: query.dialect,
    maxRows: query.maxRows,
    ttlSeconds: query.ttlSeconds,
    takesSql: takesSql(query),
    parameters: caller === ANYBODY ? parameters : withPins(caller, query.name, parameters),
    ...(plan === undefined ? {} : columnsOf(plan)),
  };
}

function withPins(key: Key, name: string, parameters: SavedQuery['parameters']): readonly ConsoleParameter[] {
  const pinned = pinsFor(key, name, parameters);
  return parameters.map((parameter) => {
    const value = pinned[parameter.name];
    return typeof value === 'string' ? { ...parameter, pinned: value } : parameter;
  });
}

function pinsFor(key: Key, name: string, parameters: SavedQuery['parameters']): Readonly<Record<string, unknown>> {
  try {
    return pinnedArguments(key, { name, parameters }, {});
  } catch {
    // The key may not run this query; the reply to a run says why.
    return {};
  }
}

/** An endpoint without a plan is described without its columns. */
async function planIfAny(endpoint: Endpoint): Promise<Plan | undefined> {
  try {
    return await endpoint.plan();
  } catch {
    return undefined;
  }
}

function columnsOf({ columns }: Plan): { readonly columns?: readonly ConsoleColumn[] } {
  if (columns === undefined) return {};
  const names = columnNames(columns);
  return { columns: columns.map(({ type }, i) => ({ name: names[i] ?? '', type: type.kind })) };
}

function withoutHeader(text: string): string {
  const span = headerSpan(text);
  return span === undefined || span === 'unclosed' ? text : text.slice(span.end + '---*/'.length).trim();
}
