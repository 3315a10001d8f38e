// A row of the table of routes: an address and its handler.
import type { FastifyReply, FastifyRequest, InjectOptions, RouteShorthandOptions } from 'fastify';
import type { Cache } from '../../cache/cache.ts';
import type { AskedRows, Emptiness } from '../../execution/asked-rows.ts';
import type { PreparedQuery } from '../../execution/prepared-query.ts';
import type { SavedQuery } from '../../queries/saved-query.ts';
import type { Sources } from '../../sources/kind.ts';
import type { EndpointTable } from '../answers/endpoints.ts';
import type { LiveBoards } from '../answers/live-boards.ts';
import type { LiveEndpoints } from '../answers/live-endpoints.ts';
import type { PagedAnswers } from '../answers/paged-answers.ts';
import type { Clock } from '../clock.ts';
import type { ConsoleSource } from '../console/contract.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Failure, FailureForm } from '../http/failure.ts';
import type { PlainReply } from '../http/reply.ts';
import type { Authenticate, Caller } from '../keys/authentication.ts';
import type { Logger } from '../observe/log.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { Compat } from './call.ts';
import type { Sandboxed } from './callers-sql.ts';

export type Route = PlainRoute | EndpointRoute;

interface Address {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
  /** `:name` stands for a part of it, and `*` at the end for all that follows. GET is HEAD, too. */
  readonly path: string;
  /** True if it takes bodies of HTML forms, too. */
  readonly form?: true;
  /** Its description in the OpenAPI document, or a function that makes one for each endpoint; absent: the route is no part of the API. */
  readonly openApi?: Operation | ((endpoint: DescribedEndpoint, server: Pick<RouteParts, 'compat'>) => Operation);
}

/** A method of a door, with an address behind the door's own; its requests are counted under the name. */
export type DoorRoute = Pick<PlainRoute, 'method' | 'path' | 'open'> & { readonly name: string };

export interface PlainRoute extends Address {
  /** The callers who may use it: anybody, those with any key, only those who run the server (see keyOversees), or those whose key has the scope `bigquery`. */
  readonly access: 'anybody' | 'key' | 'overseer' | 'bigquery';
  /** Called once for each server. An error that the handler throws is sent as a failure. */
  readonly open: (server: RouteParts) => (question: Question) => PlainReply | Failure | Promise<PlainReply | Failure>;
  /** Present for a route of a door, whose requests are recorded as those to endpoints are. */
  readonly door?: DoorRules;
}

/** What another product's clients expect of all addresses of a door. */
interface DoorRules {
  /** Requests are counted and logged under this name. */
  readonly name: string;
  /** Returns the form in which its failures are sent. */
  readonly failure: FailureForm;
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
  /** Of a route of a door. */
  readonly exchange?: Exchange | undefined;
}

/** The gate, and a handler that sees to the reply, now or later. */
export interface EndpointHooks extends Required<Pick<RouteShorthandOptions, 'onRequest'>> {
  readonly handler: (request: FastifyRequest, reply: FastifyReply) => void;
}

export type Schema = Readonly<Record<string, unknown>>;

/** An operation of OpenAPI, to which the failures of every operation are added. */
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

/** The parts of the server that routes use; each destructures those that it needs. */
export interface RouteParts {
  readonly routes: readonly Route[];
  readonly version: string;
  readonly compat: Compat;
  /** True if callers need a key. */
  readonly authentication: boolean;
  readonly authenticate: Authenticate;
  readonly table: () => EndpointTable;
  readonly boards: Pick<LiveBoards, 'current'>;
  readonly endpoints: EndpointHooks;
  readonly takesSql: (query: SavedQuery) => boolean;
  readonly sandboxed: Sandboxed;
  readonly typed: LiveEndpoints['typed'];
  /** The path of rows that clients read page by page. */
  readonly paged: PagedAnswers;
  readonly pages: Cache['pages'];
  readonly metrics: Metrics;
  /** Does work that needs to know what names stand for. */
  readonly withSources: <T>(work: (sources: Sources) => Promise<T>) => Promise<T>;
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
  /** The folder of the console's files. */
  readonly consoleFolder: string;
}
