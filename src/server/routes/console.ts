// The endpoints that a caller may use, as the web console needs them.
import type { FastifyReply } from 'fastify';
import { columnNames } from '../../base/column-names.ts';
import { QuernError } from '../../base/errors.ts';
import { extensionOf, REPLY_FORMATS } from '../../base/formats.ts';
import { instantAt } from '../../base/instant.ts';
import { positionAt } from '../../base/source-text.ts';
import { askedRows, type Emptiness } from '../../execution/asked-rows.ts';
import type { PreparedQuery } from '../../execution/prepared-query.ts';
import { errorBody } from '../../output/error-body.ts';
import { ships } from '../../package-file.ts';
import { headerSpan } from '../../queries/header/text.ts';
import type { SavedQuery } from '../../queries/saved-query.ts';
import { type Endpoint, type EndpointTable, preparedIfAny } from '../answers/endpoints.ts';
import type {
  ConsoleBroken,
  ConsoleColumn,
  ConsoleEmpty,
  ConsoleEndpoint,
  ConsoleInfo,
  ConsoleOverview,
  ConsoleParameter,
  ConsoleSql,
  ConsoleWarning,
} from '../console/contract.ts';
import { isFailure } from '../http/failure.ts';
import { json } from '../http/reply.ts';
import { ANYBODY, barredFromSqlPage, type Caller, oversees } from '../keys/authentication.ts';
import type { Key } from '../keys/key.ts';
import { pinnedArguments } from '../keys/pinned-arguments.ts';
import { AS_OF, readAsOf, takesAsOf } from './as-of.ts';
import { barredFrom, preparedFor } from './callers-sql.ts';
import { coveredEndpoints, endpointNamed } from './covered.ts';
import type { Route, RouteParts } from './route.ts';
import { preparedText, readTypedText, type TypedText } from './typed-call.ts';

const info: Route = {
  method: 'GET',
  path: '/api/console',
  access: 'key',
  open:
    (server) =>
    async ({ caller }) => {
      const endpoints = ownFirst(coveredEndpoints(server.table(), caller)).map((endpoint) => describe(endpoint, caller, server));
      const info: ConsoleInfo = {
        version: server.version,
        ...(server.compat === undefined ? {} : { compat: server.compat }),
        authentication: server.authentication,
        ...(caller === ANYBODY ? {} : { key: caller.name }),
        mayRefresh: caller === ANYBODY || caller.mayRefresh,
        oversees: oversees(caller),
        mayRunSql: barredFromSqlPage(caller) === undefined,
        boards: boardsFor(server, caller),
        ...(oversees(caller) ? { broken: allBroken(server) } : {}),
        formats: REPLY_FORMATS.map((name) => ({ name, extension: extensionOf(name) })),
        endpoints: await Promise.all(endpoints),
      };
      return json(info);
    },
};

/** Those that ship with quern stand behind the project's own, as in `quern list`. */
function ownFirst(endpoints: readonly Endpoint[]): readonly Endpoint[] {
  const order = ({ query }: Endpoint): number => Number(ships(query.source.name));
  return endpoints.toSorted((a, b) => order(a) - order(b));
}

/** Returns the SQL that would run: that of an endpoint, or without one that of the SQL page. */
const sqlOf: Route = {
  method: 'POST',
  path: '/api/console/sql',
  access: 'key',
  open:
    (server) =>
    async ({ request, reply, caller }) => {
      const body = (request.body ?? {}) as Readonly<Record<string, unknown>>; // addBodies lets objects through only
      const { endpoint: name, sql } = body;
      if (name === undefined && sql !== undefined) {
        const refusal = barredFromSqlPage(caller);
        if (refusal !== undefined) return refusal;
        const text = readTypedText(body);
        const { prepared } = await preparedText({ text, caller }, { signal: departureOf(reply) }, server);
        return json({ ...toldSql(prepared, { own: text.sql, dialect: 'bigquery' }), warnings: await warningsAbout(text, prepared) });
      }
      if (typeof name !== 'string') throw new QuernError('usage', 'no endpoint is named', { hint: 'send {"endpoint": "…"}' });
      if (sql !== undefined && typeof sql !== 'string') throw new QuernError('usage', 'sql is not text', { hint: 'send one query' });
      const endpoint = endpointNamed(server.table(), name, caller);
      if (isFailure(endpoint)) return endpoint;
      const { query } = endpoint;
      const { prepared } = await preparedFor({ endpoint, sql, caller }, { signal: departureOf(reply) }, server.sandboxed);
      return json(toldSql(prepared, { own: sql ?? withoutHeader(query.source.text), dialect: query.dialect }));
    },
};

/** Characters of SQL that is laid out, and looked through for what makes rows wrong. */
export const MOST_READ = 50_000;

async function warningsAbout({ sql, parameters }: TypedText, { doubts = [] }: PreparedQuery): Promise<readonly ConsoleWarning[]> {
  if (sql.length > MOST_READ) return [];
  const { wrongRowsIn } = await import('../../queries/remarks.ts');
  const found = wrongRowsIn({ source: { name: 'the query', text: sql }, parameters }, doubts);
  return found.map(({ message, hint, span }) => ({ message, hint, span, ...positionAt(sql, span.start) }));
}

const toldSql = (prepared: PreparedQuery, written: Pick<ConsoleSql, 'own' | 'dialect'>): ConsoleSql => ({
  ...written,
  clickhouse: prepared.sql,
  bound: prepared.bound.map(({ name, type }) => ({ name, type })),
  settings: prepared.settings,
  ...columnsOf(prepared),
});

/** Why a run has no rows. It names projects and times of all that is stored, so that it is for those who may see that. */
const whyEmpty: Route = {
  method: 'POST',
  path: '/api/console/why-empty',
  access: 'overseer',
  open:
    (server) =>
    async ({ request, caller }) => {
      const { endpoint: name, values } = (request.body ?? {}) as Readonly<Record<string, unknown>>; // addBodies lets objects through only
      const endpoint = endpointNamed(server.table(), String(name), caller);
      if (isFailure(endpoint)) return endpoint;
      const prepared = await endpoint.prepared();
      const given = Object(values) as Readonly<Record<string, unknown>>;
      const asOf = readAsOf(prepared, given, { caller, compat: server.compat });
      if (isFailure(asOf)) return asOf;
      const asked = askedRows(prepared, given, asOf ?? instantAt(server.clock.now()));
      const found = prepared.sources.length === 0 ? undefined : await server.explainEmpty(prepared.sources, asked);
      const empty: ConsoleEmpty = found === undefined ? {} : { reason: found.reason, ...offered(found, prepared, server) };
      return json(empty);
    },
};

const offered = ({ asOf }: Emptiness, prepared: PreparedQuery, { compat }: Pick<RouteParts, 'compat'>): Pick<ConsoleEmpty, 'asOf'> =>
  asOf !== undefined && takesAsOf(prepared, compat) ? { asOf } : {};

/** Returns the sources, and whether the engine answers. */
const overview: Route = {
  method: 'GET',
  path: '/api/console/overview',
  access: 'overseer',
  open:
    ({ ping, storedSources }) =>
    async () => {
      const [trouble, sources] = await Promise.all([
        ping().then(
          () => undefined,
          (error: unknown) => (error instanceof QuernError ? error.message : 'the engine does not answer'),
        ),
        storedSources(),
      ]);
      const overview: ConsoleOverview = { ...(trouble === undefined ? {} : { engine: trouble }), sources };
      return json(overview);
    },
};

/** Returns the boards as far as the caller may use their queries. */
function boardsFor({ boards, table }: Pick<RouteParts, 'boards' | 'table'>, caller: Caller): ConsoleInfo['boards'] {
  const served = new Set(coveredEndpoints(table(), caller).map(({ query }) => query.name));
  return boards.current.boards
    .map((board) => ({ ...board, panels: board.panels.filter(({ query }) => served.has(query)) }))
    .filter(({ panels }) => panels.length > 0);
}

const allBroken = ({ boards, table }: Pick<RouteParts, 'boards' | 'table'>): readonly ConsoleBroken[] => [
  ...table().broken.map(brokenQuery),
  ...boards.current.broken.map(({ name, error }) => brokenQuery({ name: `board ${name}`, error, served: 'not at all' })),
];

const brokenQuery = ({ name, error, served }: EndpointTable['broken'][number]): ConsoleBroken => ({
  name,
  served,
  ...errorBody(error).error,
  ...lineOf(error),
});

/** Returns the line of the text in which the error is. */
function lineOf({ details: { span, source } }: QuernError): Pick<ConsoleBroken, 'text'> {
  if (span === undefined || source === undefined) return {};
  const begin = source.text.lastIndexOf('\n', span.start - 1) + 1;
  return { text: source.text.slice(begin).split('\n', 1)[0]?.trimEnd() };
}

export const consoleRoutes: readonly Route[] = [info, sqlOf, whyEmpty, overview];

/** Aborts when the client has gone. */
export function departureOf({ raw }: FastifyReply): AbortSignal {
  const abort = new AbortController();
  raw.once('close', () => abort.abort(new QuernError('interrupted', 'the client disconnected')));
  return abort.signal;
}

async function describe(
  endpoint: Endpoint,
  caller: Caller,
  { takesSql, compat }: Pick<RouteParts, 'takesSql' | 'compat'>,
): Promise<ConsoleEndpoint> {
  const { query } = endpoint;
  const prepared = await preparedIfAny(endpoint);
  const parameters = prepared?.parameters ?? query.parameters;
  const barred = barredFrom(caller, prepared ?? query);
  return {
    name: query.name,
    id: query.id,
    description: query.description,
    dialect: query.dialect,
    maxRows: query.maxRows,
    ttlSeconds: query.ttlSeconds,
    takesSql: takesSql(query) && barred === undefined,
    ...(ships(query.source.name) ? { ships: true } : {}),
    ...(takesSql(query) && barred !== undefined ? { sqlBarred: barred.message } : {}),
    parameters: [
      ...(caller === ANYBODY ? parameters : withPins(caller, query.name, parameters)),
      ...(prepared !== undefined && oversees(caller) && takesAsOf(prepared, compat) ? [{ ...AS_OF, instant: true as const }] : []),
    ],
    ...(prepared === undefined ? {} : columnsOf(prepared)),
  };
}

function withPins(key: Key, name: string, parameters: SavedQuery['parameters']): readonly ConsoleParameter[] {
  const pinned = pinsFor(key, name, parameters);
  return parameters.map((parameter) => {
    const value = pinned[parameter.name];
    return typeof value === 'string' ? { ...parameter, pinned: value } : parameter;
  });
}

/** Values that the key itself gives to parameters of a saved query. */
export function pinsFor(key: Key, name: string, parameters: SavedQuery['parameters']): Readonly<Record<string, unknown>> {
  try {
    return pinnedArguments(key, { name, parameters }, {});
  } catch {
    // The key may not run this query; the reply to a run says why.
    return {};
  }
}

function columnsOf({ columns }: PreparedQuery): { readonly columns?: readonly ConsoleColumn[] } {
  if (columns === undefined) return {};
  const names = columnNames(columns);
  return { columns: columns.map(({ type }, i) => ({ name: names[i] ?? '', type: type.kind })) };
}

function withoutHeader(text: string): string {
  const span = headerSpan(text);
  return span === undefined || span === 'unclosed' ? text : text.slice(span.end + '---*/'.length).trim();
}
