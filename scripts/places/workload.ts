// Tables, and what is asked of them everywhere.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { QueryResult, Value } from '../../src/base/result.ts';
import { checkProject } from '../../src/checks/check-project.ts';
import { run } from '../../src/execution/run.ts';
import { readGroup } from '../collection/group.ts';
import { withoutLimit } from '../collection/reference.ts';
import type { GroupTables, OpenGroup } from '../collection/run-group.ts';

export interface Workload {
  readonly title: string;
  readonly tables: GroupTables;
  readonly questions: readonly Question[];
}

export interface Question {
  readonly name: string;
  /** Returns the answer as a text. Throws what quern says. */
  ask(opened: OpenGroup): Promise<string>;
  /** The same of a query without its LIMIT, which may leave other rows elsewhere. */
  readonly askAll?: Question['ask'] | undefined;
}

/** A layout of the shipped queries' tables, and their arguments: from bench/, which is JavaScript. */
export interface Cells {
  readonly asOf: string;
  readonly layouts: readonly { readonly name: string; readonly yaml: string; readonly statements: readonly string[] }[];
  readonly cases: readonly { readonly query: string; readonly label: string; readonly arguments: Readonly<Record<string, unknown>> }[];
}

interface Asked {
  readonly name: string;
  readonly sql: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
  readonly asOf?: string | undefined;
}

export function question({ name, sql, arguments: given = {}, asOf }: Asked): Question {
  const asking =
    (text: string): Question['ask'] =>
    async (opened) => {
      const { result } = await opened.running(text, (prepared, current) =>
        run(prepared, { arguments: given, asOf, cache: 'none' }, current),
      );
      return textOf(result, LISTS_IN_ANY_ORDER.test(text));
    };
  const all = withoutLimit(sql);
  return { name, ask: asking(sql), askAll: all === undefined ? undefined : asking(all) };
}

/** Elements of ARRAY_AGG and ARRAY(SELECT …) without ORDER BY come in any order. */
const LISTS_IN_ANY_ORDER = /\barray(?:_agg|_concat_agg)?\s*\((?![^)]*\border\s+by\b)/i;

/** Numbers that shards add up in another order differ in their last digits. */
const DIGITS = 12;

/** In any order: few queries order all of their rows. */
const textOf = ({ rows }: QueryResult, listsInAnyOrder: boolean): string =>
  rows
    .map((row) => textOfValue(listsInAnyOrder ? row.map((value) => sorted(value as Value)) : row))
    .sort()
    .join('\n');

const sorted = (value: Value): Value =>
  Array.isArray(value) ? value.map(sorted).sort((a, b) => (textOfValue(a) < textOfValue(b) ? -1 : 1)) : value;

const textOfValue = (given: unknown): string =>
  JSON.stringify(given, (_, value: unknown) => {
    if (typeof value === 'bigint') return String(value);
    return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(DIGITS)) : value;
  });

/** The cells of the shipped queries, and the checks of their rows. */
export function cellWorkloads({ asOf, layouts, cases }: Cells, folder: string): readonly Workload[] {
  const texts = new Map(cases.map(({ query }) => [query, readFileSync(`queries/${query}.sql`, 'utf8')]));
  return layouts.map(({ name, yaml, statements }) => {
    const tables = { folder: join(folder, name), statements, events: {}, sandbox: undefined };
    mkdirSync(tables.folder);
    writeFileSync(join(tables.folder, 'quern.yaml'), yaml);
    const asked = cases.map(({ query, label, arguments: given }) =>
      question({ name: `${query} ${label}`, sql: texts.get(query) ?? '', arguments: given, asOf }),
    );
    return { title: `shipped queries, ${name}`, tables, questions: [...asked, checks(asOf)] };
  });
}

/** A check of each kind, some of which fail, over the shipped queries and a table. */
const CHECKS = `checks:
  - query: usage.api-counts
    params: { project: project00, interval: daily }
    assertions:
      - row_count: { min: 1, max: 5 }
      - not_null: [timestamp, total_rest_requests]
      - unique: timestamp
      - max(total_rest_requests) < 10
      - total_auth_requests >= 0
      - freshness: { column: timestamp, within: 1h }
  - query: ./requests.sql
    where: n > 1
    assertions:
      - accepted_values: { method: [GET, POST] }
      - { assert: n > 20, error_if: '> 50%' }
      - relationships: { column: project, to: function_edge_logs }
      - count(*) over (partition by project) > 2
      - n in (select max(n) from edge_logs cross join unnest([5, 50]) as n)
`;
const CHECKED = {
  'checks.yaml': CHECKS,
  'requests.sql': `select project, request.method, count(*) as n from edge_logs as t cross join unnest(t.metadata) as m cross join unnest(m.request) as request group by 1, 2`,
};

const checks = (asOf: string): Question => ({
  name: 'quern check',
  async ask({ folder, services }) {
    for (const [file, text] of Object.entries(CHECKED)) writeFileSync(join(folder, file), text);
    const { outcomes } = await checkProject(services, {
      references: ['checks.yaml'],
      select: [],
      exclude: [],
      params: {},
      asOf,
      useCache: false,
      jobs: undefined,
      failingRows: 0,
      onOutcome: async () => undefined,
    });
    const told = outcomes.map(({ rows, assertions }) => [
      rows,
      assertions.map(({ assertion: _, sample: __, error, ...rest }) => [rest, error?.message]),
    ]);
    return told.map(textOfValue).join('\n');
  },
});

const GROUPS = 'scripts/collection/groups';

export const collectionWorkloads = (): readonly Workload[] =>
  readdirSync(GROUPS).map((name) => {
    const { title, queries, arguments: given, asOf, ...tables } = readGroup(join(GROUPS, name));
    const questions = queries.map((query) => question({ name: query.name, sql: query.sql, arguments: given, asOf }));
    return { title: `collection: ${title}`, tables, questions };
  });
