// What a thread makes of callers' SQL is what the server's own would make of it, rows and errors alike.
import { describe, expect, test } from 'vitest';
import { QuernError } from '../../../src/base/errors.ts';
import { readType } from '../../../src/clickhouse/type.ts';
import type { TranslateCallers } from '../../../src/execution/callers-text.ts';
import { specializedFor } from '../../../src/execution/execute.ts';
import type { PreparedQuery } from '../../../src/execution/prepared-query.ts';
import { prepareSandbox } from '../../../src/execution/sandbox.ts';
import { openCatalog } from '../../../src/queries/catalog.ts';
import { readDefinitions } from '../../../src/sources/definition.ts';
import { absentSource, embeddedSources } from '../../../src/sources/log/log-catalog.ts';
import { findLogSource } from '../../../src/sources/log/log-sources.ts';
import { sourceFromTable } from '../../../src/sources/table/table-source.ts';
import type { Source, SourceCatalog } from '../../../src/sql/source.ts';
import { folderOf, queryText } from '../../queries/support.ts';
import { LAYOUTS, type LayoutName } from '../../sql/layouts-tables.ts';
import { fixedSources } from '../../support/fixed-sources.ts';
import { never, waitersOf, workers } from './worker-support.ts';

const FILES = {
  'open.sql': queryText(
    1,
    `with logs as (
       select t.id, t.timestamp, t.event_message, r.path, r.method, h.user_agent, s.status_code
       from edge_logs as t
       cross join unnest(metadata) as m left join unnest(m.request) as r on true left join unnest(r.headers) as h on true
       left join unnest(m.response) as s on true
       where project = @project and (@since is null or timestamp > @since) and (@area is null or starts_with(r.path, @area))
     ),
     edge_auth as (select * from helper where n > @least),
     gone as (select id from postgres_logs),
     edge_logs as (select id from edge_logs where project = @project)
     select * from logs`,
    'sandbox: enabled',
    'params:',
    '  project: { type: string, required: true }',
    '  since: { type: timestamp }',
    '  area: { type: string }',
    '  least: { type: integer, default: 1 }',
  ),
  'helper.sql': queryText(2, 'select n, @word as word from unnest(generate_array(1, 5)) as n', 'params: { word: { type: string } }'),
};

const SQL: readonly string[] = [
  'select * from logs order by timestamp desc',
  'select count(*) as n, count(distinct path) as paths from logs where status_code >= 500',
  'select timestamp_trunc(timestamp, hour) as hour, countif(regexp_contains(path, "^/auth")) as n from logs group by 1 order by 1',
  'select approx_quantiles(status_code, 100)[offset(95)] as p from logs',
  "select id, case when @area is null then 'all' when @area = '/x' then path else method end as c from logs",
  'select cast(event_message as bytes) as b, b"\\x00\\xff" as c, [b"a", null] as d from logs',
  'select 9223372036854775807 as most, -9223372036854775808 as least, 12345678901234567890.123456789 as x, numeric "99999999999999999999999999999.999999999" as n',
  "select interval 3 day as i, timestamp_add(timestamp, interval 36 hour) as t, current_timestamp() as now, date '2026-01-02' as d from logs",
  'select struct(id, [1, 2] as xs, struct(path as p) as inner_one) as s, to_json_string(t) as j from logs as t',
  'select user_agent, row_number() over (partition by user_agent order by timestamp) as k from logs qualify k <= 3',
  'from logs |> where status_code = 404 |> aggregate count(*) as n group by path |> order by n desc |> limit 10',
  'with mine as (select * from logs where method = "GET") select a.id from mine as a left join mine as b on a.id = b.id and b.path like "/x%"',
  'select word, sum(n) as n from edge_auth group by word',
  'select id from edge_logs union all select id from logs',
  "select 1 / 0 as z, safe_divide(1, 0) as y, cast('nan' as float64) as n, ieee_divide(1, 0) as i, '\\u0000\\u2028😀' as hostile",
];

const FAILING: readonly string[] = [
  'select',
  'select id frm logs where',
  'select nothing from logs',
  'select id from lgs',
  'select substring(id) from logs',
  'select * from gone',
  'select pth from logs',
  'select id + 1 as a from logs',
  'select ml.predict(id) from logs',
  'select @unknown as a',
  'create temp function f() as (1); select f()',
  `select ${'('.repeat(2000)}1${')'.repeat(2000)} as a`,
];

const ARGUMENTS = [
  { project: 'p', since: null, area: null, least: '1', word: null },
  { project: 'p', since: '2026-01-01 00:00:00', area: '/x', least: '7', word: 'w' },
];

const DESCRIBED = [
  ['id', 'String'],
  ['timestamp', "DateTime64(6, 'UTC')"],
  ['project', 'LowCardinality(String)'],
  ['event_message', 'String'],
] as const;

function sourceOf(layout: LayoutName): Source {
  const { edge, options } = LAYOUTS[layout] as { readonly edge: string; readonly options?: Readonly<Record<string, unknown>> };
  const flat = layout.startsWith('flat') ? { layout: 'flat' } : {};
  const [definition] = readDefinitions({
    value: { edge_logs: { table: 'logs.edge', same_as: { project: 'metadata.request.host' }, ...flat, ...options } },
  });
  if (definition === undefined) throw new RangeError('a definition is read');
  const columns = readType(`Tuple(${edge})`).args.map(({ name, type }) => [name ?? '', type.text] as const);
  return sourceFromTable(
    definition,
    [...DESCRIBED, ...columns].map(([name, type]) => ({ name, type })),
  );
}

const postgres = findLogSource('postgres_logs');
if (postgres === undefined) throw new RangeError('it is a log source');
const ABSENT = absentSource(postgres, { message: 'the table is not there', hint: 'make it' });
const STORED = embeddedSources({ sources: {} });

function catalogOf(edge: Source | undefined): SourceCatalog {
  return {
    names: STORED.names,
    find(name) {
      if (name === 'postgres_logs') return ABSENT;
      // A source that cannot be described is told of where it is read, and nowhere else.
      if (name === 'helper_logs') throw new QuernError('config', 'cannot be described');
      return name === 'edge_logs' && edge !== undefined ? edge : STORED.find(name);
    },
  };
}

async function planner(edge: Source | undefined) {
  const deps = { catalog: openCatalog([folderOf(FILES)]), sources: fixedSources(() => catalogOf(edge)) };
  const pool = await workers();
  const translate: TranslateCallers = (text) => pool.translate(text, waitersOf('a'), never);
  return {
    here: (sql: string) => prepareSandbox('open', sql, deps),
    there: (sql: string) => prepareSandbox('open', sql, deps, { translate }),
  };
}

const errorOf = (prepared: Promise<PreparedQuery>) =>
  prepared.then(
    () => undefined,
    (error: unknown) => (error instanceof QuernError ? { code: error.code, message: error.message, details: error.details } : error),
  );

const EDGES: readonly (readonly [string, Source | undefined])[] = [
  ['the store', undefined],
  ...(Object.keys(LAYOUTS) as readonly LayoutName[]).map((layout) => [layout, sourceOf(layout)] as const), // Object.keys only knows strings
];

describe.each(EDGES)('over %s', (_, edge) => {
  test('a plan of a thread is the one of this thread, for any arguments and for given ones', async () => {
    const { here, there } = await planner(edge);
    for (const sql of SQL) {
      const [own, other] = [await here(sql), await there(sql)];
      expect(other).toEqual(own);
      for (const values of ARGUMENTS) expect(await specializedFor(other, values)).toEqual(await specializedFor(own, values));
    }
  });

  test('so are its errors, with their places and hints', async () => {
    const { here, there } = await planner(edge);
    for (const sql of FAILING) {
      const own = await errorOf(here(sql));
      expect(own, sql).toMatchObject({ code: expect.any(String), details: { source: { name: 'sql' } } });
      expect(await errorOf(there(sql))).toEqual(own);
    }
  });

  test('what the translator is told of it is plain data', () => {
    if (edge !== undefined) expect(structuredClone(edge)).toEqual(edge);
    for (const name of STORED.names) expect(structuredClone(STORED.find(name))).toEqual(STORED.find(name));
    expect(structuredClone(ABSENT)).toEqual(ABSENT);
  });
});
