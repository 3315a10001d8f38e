// The tools over the project of whoever starts the server: what `quern run`, `explain`, `translate` and `sources` give.
import { QuernError } from '../base/errors.ts';
import { positionAt } from '../base/source-text.ts';
import { callersQuery } from '../execution/one-off.ts';
import { prepare } from '../execution/prepare.ts';
import { run } from '../execution/run.ts';
import { json } from '../output/json.ts';
import { translateText } from '../queries/translate-text.ts';
import type { Services } from '../services.ts';
import { columnNames, type ListedSource } from '../sources/listing.ts';
import type { OfferedQuery, OfferedSource, Toolbox } from './toolbox.ts';

interface Offered {
  /** True if a saved query of that name may be run. */
  readonly covers: (query: string) => boolean;
  /** Sources as people are shown them. */
  readonly list: (services: Services) => Promise<readonly ListedSource[]>;
  /** SQL of the agent's own is run. */
  readonly allowSql: boolean;
  /** Values of parameters that the agent neither sees nor sets. */
  readonly pins: Readonly<Record<string, string>>;
}

/** `using` lends the parts of the program for one piece of work. */
export function projectToolbox(
  using: <T>(work: (services: Services) => Promise<T>) => Promise<T>,
  { covers, list, allowSql, pins }: Offered,
): Toolbox {
  const isPinned = ({ name }: { readonly name: string }): boolean => Object.hasOwn(pins, name.toLowerCase());
  const pinned = (given: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
    const [name] = Object.keys(given).filter((one) => isPinned({ name: one.replaceAll('-', '_') }));
    if (name !== undefined) throw new QuernError('parameter', `${name} is set for you, and cannot be chosen`, { hint: 'leave it out' });
    return { ...given, ...pins };
  };
  return {
    takesAsOf: true,
    queries: () =>
      using(async (services) => {
        const dependencies = await services.preparing();
        const { queries } = await dependencies.catalog.list();
        const offered: OfferedQuery[] = [];
        for (const { name, description, maxRows } of queries.filter((query) => covers(query.name))) {
          // Those of the queries that it reads as tables are its own too; what cannot be prepared cannot be run.
          const prepared = await prepare({ query: name }, dependencies).catch((error: unknown) => {
            if (error instanceof QuernError) return undefined;
            throw error;
          });
          // Without its parameter a pin would not hold.
          const holds = Object.keys(pins).every((pin) => prepared?.parameters.some((one) => one.name.toLowerCase() === pin));
          if (prepared !== undefined && holds)
            offered.push({ name, description, maxRows, parameters: prepared.parameters.filter((one) => !isPinned(one)) });
        }
        return offered;
      }),
    run: (query, given, { asOf, signal }) =>
      using(async (services) => {
        const either = AbortSignal.any([services.signal, signal]);
        const { result } = await services.running(async (current) =>
          run(await prepare({ query }, current), { arguments: pinned(given), asOf, signal: either }, current),
        );
        return [...json(result)].join('').trim();
      }),
    explain: (query) =>
      using(async (services) => {
        const { sql, columns = [], sources, maxRows } = await prepare({ query }, await services.preparing());
        return { sql, columns, sources, maxRows };
      }),
    ...(allowSql ? { query: (sql, how) => using((services) => rowsOf(sql, how, services)) } : {}),
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
      list: () => using(async (services) => (await list(services)).filter(({ isHidden }) => isHidden !== true).map(describedSource)),
      read: (name) =>
        using(async (services) => {
          const source = (await list(services)).find((one) => one.name === name);
          if (source === undefined) return undefined;
          const { problem, aliases, columns, layout, rows, bytes } = source;
          return {
            name,
            aliases,
            ...(rows === undefined ? {} : { rows, bytes }),
            ...(layout === '' ? {} : { records: layout }),
            columns: columns.map((column) => ({ name: column.name, type: column.type })),
            ...(problem === undefined ? {} : { problem: problem.message }),
          };
        }),
    },
  };
}

/** The rows of SQL of the agent's own: it names sources and saved queries, and no files. */
async function rowsOf(
  sql: string,
  { maxRows, asOf, signal }: Parameters<NonNullable<Toolbox['query']>>[1],
  services: Services,
): Promise<string> {
  const query = { ...(await callersQuery({ name: '<query>', text: sql }, [])), maxRows };
  const either = AbortSignal.any([services.signal, signal]);
  const { result } = await services.running(async (current) =>
    run(await prepare({ query }, current), { arguments: {}, asOf, signal: either }, current),
  );
  return [...json(result)].join('').trim();
}

function describedSource({ name, columns, problem, rows, bytes }: ListedSource): OfferedSource {
  return {
    name,
    ...(rows === undefined ? {} : { rows, bytes }),
    description: problem?.message ?? columnNames(columns).join(', '),
  };
}
