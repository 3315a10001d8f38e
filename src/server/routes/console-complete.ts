// Completion in a caller's SQL, for the console.
import { QuernError } from '../../base/errors.ts';
import { parameterTypeText } from '../../queries/parameter-types.ts';
import { preparedIfAny } from '../answers/endpoints.ts';
import type { ConsoleSuggestions } from '../console/contract.ts';
import { outOfScope } from '../http/refusal.ts';
import { json } from '../http/reply.ts';
import { shownBy } from '../keys/authentication.ts';
import { barredFrom, preparedFor } from './callers-sql.ts';
import { departureOf } from './console.ts';
import { covers } from './covered.ts';
import type { Route } from './route.ts';

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
      const { endpoint: name, sql, offset } = (request.body ?? {}) as Readonly<Record<string, unknown>>; // addBodies lets objects through only
      if (typeof name !== 'string' || typeof sql !== 'string' || typeof offset !== 'number' || !(offset >= 0 && offset <= sql.length))
        throw new QuernError('usage', 'endpoint, sql or offset is missing, or not in the text', {
          hint: 'send {"endpoint": "…", "sql": "…", "offset": 0}',
        });
      const endpoint = server.table().find(name);
      if (endpoint === undefined) throw new QuernError('unknown-query', `there is no endpoint ${name}`, { hint: 'see them at /' });
      const { query } = endpoint;
      if (!covers(caller, query.name)) return outOfScope(query.name, shownBy(caller));
      const barred = server.takesSql(query) ? barredFrom(caller, (await preparedIfAny(endpoint)) ?? query) : undefined;
      if (barred !== undefined) throw barred;
      if (!server.takesSql(query) || sql.length > MOST_COMPLETED) return json({ suggestions: [] } satisfies ConsoleSuggestions);
      const signal = departureOf(reply);
      // It needs the translator, which a server to which nobody sends SQL never loads.
      const { namedTables, placeAt, suggestionsAt } = await import('../../suggest/suggest.ts');
      const columnsOf = async (probe: string) => {
        try {
          const { prepared } = await preparedFor({ endpoint, sql: probe, caller }, { signal }, server.sandboxed);
          return prepared.columns === undefined ? undefined : { columns: prepared.columns, sql: prepared.sql };
        } catch (error) {
          if (error instanceof QuernError && !signal.aborted) return undefined; // it cannot be read yet
          throw error;
        }
      };
      const place = placeAt(sql, offset);
      const suggestions = suggestionsAt(place, {
        columns: await Promise.all(place.probes.map(columnsOf)),
        tables: place.wants === 'tables' ? namedTables(query.source.text).map((table) => ({ name: table, kind: 'with-table' })) : [],
        parameters: query.parameters.map((parameter) => ({ ...parameter, type: parameterTypeText(parameter) })),
      });
      const begun = /\w*$/.exec(sql.slice(0, offset))?.[0].charAt(0).toLowerCase() ?? '';
      const told: ConsoleSuggestions = {
        suggestions: suggestions.filter(({ label }) => label.replace('@', '').toLowerCase().startsWith(begun)),
      };
      return json(told);
    },
};
