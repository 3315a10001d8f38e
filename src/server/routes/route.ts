// What stands at an address: a row of the table of routes.
import type { FastifyReply, FastifyRequest, InjectOptions, RouteShorthandOptions } from 'fastify';
import type { AskedRows, Emptiness } from '../../execution/asked-rows.ts';
import type { PreparedQuery } from '../../execution/prepared-query.ts';
import type { SavedQuery } from '../../queries/saved-query.ts';
import type { EndpointTable } from '../answers/endpoints.ts';
import type { Clock } from '../clock.ts';
import type { ConsoleSource } from '../console/contract.ts';
import type { Refusal } from '../http/refusal.ts';
import type { Told } from '../http/reply.ts';
import type { Authenticate, Caller } from '../keys/authentication.ts';
import type { Logger } from '../observe/log.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { Compat } from './call.ts';
import type { Sandboxed } from './callers-sql.ts';

export type Route = PlainRoute | EndpointRoute;

interface Address {
  readonly method: 'GET' | 'POST';
  /** `:name` stands for a part of it. GET is HEAD, too. */
  readonly path: string;
  /** What the OpenAPI document says of it, or says for each endpoint: absent for what is no part of the API. */
  readonly openApi?: Operation | ((endpoint: DescribedEndpoint, server: Pick<RouteParts, 'compat'>) => Operation);
}

interface PlainRoute extends Address {
  /** Who may ask: anybody, the caller of any key, or only those who run the server (see keyOversees). */
  readonly access: 'anybody' | 'key' | 'overseer';
  /** Called once for each server. What the handler throws is told as a failure. */
  readonly open: (server: RouteParts) => (question: Question) => Told | Refusal | Promise<Told | Refusal>;
}

/** It looks after its callers by itself, counts them under the endpoint's name, and remembers what their words come to. */
interface EndpointRoute extends Address {
  readonly access: 'endpoint';
  readonly open: (server: RouteParts) => EndpointHooks;
}

/** A request that has come through to the handler. */
export interface Question {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Unknown, thus anybody, where no key is needed. */
  readonly caller: Caller;
}

/** Hooks, and a handler that sees to the reply, now or later. */
export interface EndpointHooks extends Required<Pick<RouteShorthandOptions, 'onRequest' | 'preHandler'>> {
  readonly handler: (request: FastifyRequest) => void;
}

export type Schema = Readonly<Record<string, unknown>>;

/** Of OpenAPI; what every operation can fail with is added to it. */
export interface Operation extends Schema {
  readonly responses: Schema;
}

export interface DescribedEndpoint {
  readonly query: SavedQuery;
  /** Absent while the engine cannot be asked what its tables hold. */
  readonly prepared: PreparedQuery | undefined;
  /** The one who reads the description may send SQL of their own. */
  readonly takesSql: boolean;
}

/** What routes are made of; each names what it takes. */
export interface RouteParts {
  readonly routes: readonly Route[];
  readonly version: string;
  readonly compat: Compat;
  /** Whether callers need a key. */
  readonly authentication: boolean;
  readonly authenticate: Authenticate;
  readonly table: () => EndpointTable;
  readonly endpoints: EndpointHooks;
  readonly takesSql: (query: SavedQuery) => boolean;
  readonly sandboxed: Sandboxed;
  readonly metrics: Metrics;
  /** Asks the engine for a sign of life; rejects with QuernError. */
  readonly ping: () => Promise<void>;
  /** Asks this server itself, past the network and through every door. */
  readonly ask: (request: InjectOptions) => Promise<{ readonly statusCode: number; readonly body: string }>;
  /** Why a query over these sources has no rows; undefined where nothing is known. */
  readonly explainEmpty: (sources: readonly string[], asked: AskedRows) => Promise<Emptiness | undefined>;
  /** The sources of the store that hold rows; none where the rows are elsewhere. */
  readonly storedSources: () => Promise<readonly ConsoleSource[]>;
  /** Absent where nothing is shared through Redis. */
  readonly shared: { readonly up: boolean } | undefined;
  readonly stopping: () => boolean;
  readonly clock: Clock;
  readonly log: Logger;
  /** Of the console's files. */
  readonly consoleFolder: string;
}
