// Records as values: counted, passed on, or refused; the same in every layout.
import { beforeAll, describe, expect, test } from 'vitest';
import { failure } from '../support/told.ts';
import { edgeEvents, functionEvents, type LayoutTables, openLayouts } from './layouts-support.ts';
import { LAYOUTS, type LayoutName } from './layouts-tables.ts';

const NAMES = Object.keys(LAYOUTS) as readonly LayoutName[]; // Object.keys only knows strings
const NO_SUBSCRIPT = 'type: only arrays, structs and JSON can have a subscript';
const SEVERAL: readonly LayoutName[] = ['nested', 'text, several'];
let tables: LayoutTables;

beforeAll(async () => {
  tables = await openLayouts(edgeEvents(60), functionEvents(5), NAMES);
  return () => tables.close();
});

describe.each([
  ['select sum(array_length(metadata)) as n from edge_logs', [[60]]],
  ['select count(*) as n from edge_logs where array_length(metadata) = 1', [[60]]],
  [
    'select array_length(metadata[offset(0)].request) as n, count(*) as events from edge_logs group by n order by n',
    [
      [0, 7],
      [1, 53],
    ],
  ],
  ['select sum(array_length(m.request)) as a, sum(array_length(m.response)) as b from edge_logs, unnest(metadata) m', [[53, 46]]],
  [
    "select id, array_length(r.headers) as n from edge_logs, unnest(metadata) m, unnest(m.request) r where id in ('e1', 'e2') order by id",
    [
      ['e1', 1],
      ['e2', 0],
    ],
  ],
  ['select count(m) as n, countif(m is null) as none from edge_logs, unnest(metadata) m', [[60, 0]]],
  ['select count(r) as n, countif(r is null) as none from edge_logs, unnest(metadata) m left join unnest(m.request) r on true', [[53, 7]]],
  [
    'select m.context[safe_offset(0)].user[safe_ordinal(1)].name as name, count(*) as n from edge_logs, unnest(metadata) m group by name order by name',
    [
      [null, 43],
      ['Bob', 7],
      ['Zoë', 10],
    ],
  ],
  [
    'select u.name, count(*) as n from edge_logs, unnest(metadata) m left join unnest(m.context) c on true left join unnest(c.user) u on true group by name order by name',
    [
      [null, 43],
      ['Bob', 7],
      ['Zoë', 10],
    ],
  ],
  ['select array_length(array_agg(struct(id, m))) as n from edge_logs, unnest(metadata) m', [[60]]],
] as const)('%s', (sql, expected) => {
  const layouts = /\[(safe_)?offset/.test(sql) ? NAMES.filter((name) => !SEVERAL.includes(name)) : NAMES;
  test.each(['store', ...layouts] as const)('%s', async (layout) => {
    expect(await tables.rows(layout, sql)).toEqual(expected);
  });
});

const MADE = 'unsupported: an array of records can’t be built';
const NULL_ARRAY = 'unsupported: quern can’t tell whether this array is NULL: ClickHouse has no NULL arrays';

describe('refused', () => {
  test.each([
    ['array_concat(metadata, metadata)', 'unsupported: ARRAY_CONCAT of records is not supported'],
    ['metadata || metadata', 'unsupported: operator || of records is not supported'],
    ['array_reverse(metadata)', 'unsupported: ARRAY_REVERSE of records is not supported'],
    ['array_first(metadata)', 'unsupported: ARRAY_FIRST of records is not supported'],
    ['array_slice(metadata, 0, 1)', 'unsupported: ARRAY_SLICE of records is not supported'],
    ['array_transform(metadata, m -> m.region)', 'unsupported: ARRAY_TRANSFORM of records is not supported'],
    ['array_filter(metadata, m -> m.region is null)', 'unsupported: ARRAY_FILTER of records is not supported'],
    ['array_includes(metadata, null)', 'unsupported: ARRAY_INCLUDES of records is not supported'],
    ['array_is_distinct(metadata)', 'unsupported: ARRAY_IS_DISTINCT of records is not supported'],
    ["array_to_string(metadata, ',')", 'type: ARRAY_TO_STRING does not take (ARRAY<RECORD>, STRING)'],
    ['array(select m from unnest(metadata) m)', MADE],
    ['(select [m] from unnest(metadata) m)', MADE],
    ['array_agg(metadata)', 'unsupported: ARRAY_AGG of records is not supported'],
    ['array_concat_agg(metadata)', 'unsupported: ARRAY_CONCAT_AGG of records is not supported'],
    ['approx_top_count(metadata, 1)', 'unsupported: APPROX_TOP_COUNT of records is not supported'],
    ['count(distinct metadata)', 'unsupported: DISTINCT can’t use records'],
    ['metadata = metadata', 'unsupported: operator = of records is not supported'],
    ['struct(metadata) = struct(metadata)', 'unsupported: operator = of records is not supported'],
    ['metadata in (metadata)', 'unsupported: IN of records is not supported'],
    ['metadata is distinct from metadata', 'unsupported: IS DISTINCT FROM of records is not supported'],
    ['nullif(metadata, metadata)', 'unsupported: NULLIF of records is not supported'],
    ['greatest(metadata, metadata)', 'unsupported: GREATEST of records is not supported'],
    ['metadata is null', NULL_ARRAY],
    ['(select m.request is not null from unnest(metadata) m)', NULL_ARRAY],
    ['to_json_string(metadata)', 'unsupported: TO_JSON_STRING of records is not supported'],
    ["format('%t', metadata)", 'unsupported: FORMAT of a value of type RECORD is not supported'],
  ])('%s', (expression, message) => {
    for (const layout of ['store', ...NAMES] as const) {
      const { code, message: said } = failure(() => tables.translation(layout, `select ${expression} as x from edge_logs`));
      expect(`${code}: ${said}`).toBe(message);
    }
  });

  test.each([
    ['select metadata from edge_logs group by metadata', 'unsupported: GROUP BY can’t use records'],
    ['select distinct id, metadata from edge_logs', 'unsupported: SELECT DISTINCT can’t use records'],
    ['select m.tags[safe_offset(0)] from edge_logs, unnest(metadata) m', NO_SUBSCRIPT],
    ['select m.tags[safe_offset(1)].name from edge_logs, unnest(metadata) m', NO_SUBSCRIPT],
    ['select m.tags[offset(0)].name from edge_logs, unnest(metadata) m', NO_SUBSCRIPT],
    ['from edge_logs |> distinct', 'unsupported: DISTINCT can’t use records'],
    ['select metadata from edge_logs union distinct select metadata from edge_logs', 'unsupported: UNION DISTINCT can’t compare records'],
    [
      'select id, metadata from edge_logs union all select id, metadata from function_edge_logs',
      'type: column 2 (metadata) has no common type: its records are those of different tables',
    ],
    ['select metadata from edge_logs except distinct select metadata from edge_logs', 'unsupported: EXCEPT DISTINCT can’t compare records'],
  ])('%s', (sql, message) => {
    const { code, message: said } = failure(() => tables.translation('store', sql));
    expect(`${code}: ${said}`).toBe(message);
  });
});
