// The tools over the project of whoever starts the server: what `quern run`, `explain`, `translate` and `sources` give.
import { QuernError } from '../base/errors.ts';
import { positionAt } from '../base/source-text.ts';
import { prepare } from '../execution/prepare.ts';
import { run } from '../execution/run.ts';
import { json } from '../output/json.ts';
import { translateText } from '../queries/translate-text.ts';
import type { Services } from '../services.ts';
import type { OfferedQuery, OfferedSource, Toolbox } from './toolbox.ts';

interface Offered {
  /** True if a saved query of that name may be run. */
  readonly covers: (query: string) => boolean;
  /** Sources as people are shown them. */
  readonly list: (services: Services) => Promise<readonly ListedSource[]>;
}

interface ListedSource {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly layout: string;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly problem?: QuernError;
}

/** `using` lends the parts of the program for one piece of work. */
export function projectToolbox(using: <T>(work: (services: Services) => Promise<T>) => Promise<T>, { covers, list }: Offered): Toolbox {
  return {
    takesAsOf: true,
    queries: () =>
      using(async (services) => {
        const dependencies = await services.preparing();
        const { queries } = await dependencies.catalog.list();
        const offered: OfferedQuery[] = [];
        for (const { name, description, maxRows } of queries.filter((query) => covers(query.name))) {
          // Those of the queries that it reads as tables are its own too; what cannot be prepared cannot be run.
          const prepared = await prepare({ query: name }, dependencies).catch(() => undefined);
          if (prepared !== undefined) offered.push({ name, description, maxRows, parameters: prepared.parameters });
        }
        return offered;
      }),
    run: (query, given, { asOf, signal }) =>
      using(async (services) => {
        const either = AbortSignal.any([services.signal, signal]);
        const { result } = await services.running(async (current) =>
          run(await prepare({ query }, current), { arguments: given, asOf, signal: either }, current),
        );
        return [...json(result)].join('').trim();
      }),
    explain: (query) =>
      using(async (services) => {
        const { sql, columns = [], sources, maxRows } = await prepare({ query }, await services.preparing());
        return { sql, columns, sources, maxRows };
      }),
    translate: (sql) =>
      using(async (services) => {
        const { catalog, sources } = await services.preparing();
        const source = { name: '<query>', text: sql };
        try {
          const translation = await translateText(source, [], { catalog, sources });
          const { sql: written, columns, parameters, notes } = translation;
          return { ok: true, sql: written, columns, parameters, notes };
        } catch (error) {
          if (!(error instanceof QuernError)) throw error;
          const { span, hint } = error.details;
          const place = span === undefined ? {} : positionAt(sql, span.start);
          return { ok: false, error: { code: error.code, message: error.message, ...place, ...(hint === undefined ? {} : { hint }) } };
        }
      }),
    sources: {
      list: () => using(async (services) => (await list(services)).map(describedSource)),
      read: (name) =>
        using(async (services) => {
          const source = (await list(services)).find((one) => one.name === name);
          if (source === undefined) return undefined;
          const { problem, aliases, columns, layout } = source;
          return {
            name,
            aliases,
            ...(layout === '' ? {} : { records: layout }),
            columns: columns.map((column) => ({ name: column.name, type: column.type })),
            ...(problem === undefined ? {} : { problem: problem.message }),
          };
        }),
    },
  };
}

function describedSource({ name, columns, problem }: ListedSource): OfferedSource {
  return {
    name,
    description:
      problem === undefined
        ? columns
            .map((column) => column.name)
            .filter((column) => !column.includes('.'))
            .join(', ')
        : problem.message,
  };
}
