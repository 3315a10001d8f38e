// Completion in a caller's SQL, for the console.
import { QuernError } from '../../base/errors.ts';
import type { PreparedQuery } from '../../execution/prepared-query.ts';
import { parameterTypeText } from '../../queries/parameter-types.ts';
import type { SavedQuery } from '../../queries/saved-query.ts';
import type { suggestionsAt } from '../../suggest/suggest.ts';
import { preparedIfAny } from '../answers/endpoints.ts';
import type { ConsoleSuggestions } from '../console/contract.ts';
import { type Failure, isFailure } from '../http/failure.ts';
import { json } from '../http/reply.ts';
import { barredFromSqlPage, type Caller } from '../keys/authentication.ts';
import { barredFrom, preparedFor } from './callers-sql.ts';
import { departureOf } from './console.ts';
import { listedTables } from './console-tables.ts';
import { endpointNamed } from './covered.ts';
import type { Route, RouteParts } from './route.ts';
import { preparedText, readTypedText } from './typed-call.ts';

/** Characters of SQL that is completed: more than that nobody types. */
const MOST_COMPLETED = 20_000;

/** Completes a place of a caller's SQL. Nothing is run; the columns of tables are found by translating, within the bounds of that. */
export const consoleComplete: Route = {
  method: 'POST',
  path: '/api/console/complete',
  access: 'key',
  open:
    (server) =>
    async ({ request, reply, caller }) => {
      const body = (request.body ?? {}) as Readonly<Record<string, unknown>>; // addBodies lets objects through only
      const { endpoint: name, sql, offset } = body;
      const isNamed = name === undefined || typeof name === 'string';
      if (!isNamed || typeof sql !== 'string' || typeof offset !== 'number' || !(offset >= 0 && offset <= sql.length))
        throw new QuernError('usage', 'endpoint, sql or offset is missing, or not in the text', {
          hint: 'send {"endpoint": "…", "sql": "…", "offset": 0}',
        });
      const signal = departureOf(reply);
      const scope = name === undefined ? scopeOfPage(server, caller, { body, signal }) : await scopeOf(name, server, caller, signal);
      if (isFailure(scope)) return scope;
      if (scope === undefined || sql.length > MOST_COMPLETED) return json({ suggestions: [] } satisfies ConsoleSuggestions);
      // It needs the translator, which a server to which nobody sends SQL never loads.
      const { placeAt, suggestionsAt } = await import('../../suggest/suggest.ts');
      const columnsOf = async (probe: string) => {
        try {
          const prepared = await scope.prepared(probe);
          return prepared.columns === undefined ? undefined : { columns: prepared.columns, sql: prepared.sql };
        } catch (error) {
          if (error instanceof QuernError && !signal.aborted) return undefined; // it cannot be read yet
          throw error;
        }
      };
      const place = placeAt(sql, offset);
      const suggestions = suggestionsAt(place, {
        columns: await Promise.all(place.probes.map(columnsOf)),
        tables: place.wants === 'tables' ? await scope.tables() : [],
        parameters: scope.parameters.map((parameter) => ({ ...parameter, type: parameterTypeText(parameter) })),
      });
      const begun = /\w*$/.exec(sql.slice(0, offset))?.[0].charAt(0).toLowerCase() ?? '';
      const shown: ConsoleSuggestions = {
        suggestions: suggestions.filter(({ label }) => label.replace(/[@`]/, '').toLowerCase().startsWith(begun)),
      };
      return json(shown);
    },
};

/** What a caller's SQL can read, where it stands. */
interface Scope {
  readonly prepared: (sql: string) => Promise<PreparedQuery>;
  readonly tables: () => Promise<Parameters<typeof suggestionsAt>[1]['tables']>;
  readonly parameters: SavedQuery['parameters'];
}

/** Returns undefined for an endpoint that takes no SQL. Throws why the caller may not send any. */
async function scopeOf(name: string, server: RouteParts, caller: Caller, signal: AbortSignal): Promise<Scope | Failure | undefined> {
  const endpoint = endpointNamed(server.table(), name, caller);
  if (isFailure(endpoint)) return endpoint;
  const { query } = endpoint;
  if (!server.takesSql(query)) return undefined;
  const barred = barredFrom(caller, (await preparedIfAny(endpoint)) ?? query);
  if (barred !== undefined) throw barred;
  return {
    prepared: async (sql) => (await preparedFor({ endpoint, sql, caller }, { signal }, server.sandboxed)).prepared,
    async tables() {
      const { namedTables } = await import('../../suggest/suggest.ts');
      return namedTables(query.source.text).map((table) => ({ name: table, kind: 'with-table' }));
    },
    parameters: query.parameters,
  };
}

interface PageRequest {
  readonly body: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
}

/** That of the SQL page, which says what its parameters are. */
function scopeOfPage(server: RouteParts, caller: Caller, { body, signal }: PageRequest): Scope | Failure {
  const typed = readTypedText({ sql: '', parameters: body['parameters'] });
  return (
    barredFromSqlPage(caller) ?? {
      prepared: async (sql) => (await preparedText({ text: { ...typed, sql }, caller }, { signal }, server)).prepared,
      async tables() {
        const tables = await listedTables(server, caller, { namesOnly: true });
        return tables.map(({ name, isQuery }) => ({ name, kind: isQuery === true ? 'saved-query' : 'source' }));
      },
      parameters: typed.parameters,
    }
  );
}
