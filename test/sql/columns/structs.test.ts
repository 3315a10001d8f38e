// Structs of plain tables, and arrays in arrays of structs: the rows that BigQuery gives.
import { expect, test } from 'vitest';
import { byText, sourceTables } from '../../support/source-tables.ts';

const { outcome } = sourceTables({
  deep: {
    columns: `id Int64, s Tuple(a String, n Nullable(Int32), ts DateTime('UTC'), deep Tuple(x Float32, tags Array(String))),
      items Array(Tuple(sku String, qty Nullable(Int32), parts Array(Tuple(p String))))`,
    rows: `VALUES (1, ('x', 7, '2024-01-02 03:04:05', (1.5, ['t1', 't2'])), [('a', 1, [('p1'), ('p2')]), ('b', NULL, [])]),
      (2, ('', NULL, '1970-01-01 00:00:00', (0, [])), []), (3, ('x', 7, '2024-01-02 03:04:05', (1.5, ['t1', 't2'])), [('a', 5, [('p3')])])`,
  },
});

/** Rows in any order, or the words of the refusal. */
type Case = readonly [sql: string, expected: string | readonly (readonly unknown[])[]];

const OF_STRUCTS: readonly Case[] = [
  ['select s.a from deep', [['x'], [''], ['x']]],
  [
    'select s.a, s.n, s.ts, s.deep.x, s.deep.tags from deep',
    [
      ['x', 7, '2024-01-02T03:04:05Z', 1.5, ['t1', 't2']],
      ['', null, '1970-01-01T00:00:00Z', 0, []],
      ['x', 7, '2024-01-02T03:04:05Z', 1.5, ['t1', 't2']],
    ],
  ],
  [
    'select s from deep',
    [
      [['x', 7, '2024-01-02T03:04:05Z', [1.5, ['t1', 't2']]]],
      [['', null, '1970-01-01T00:00:00Z', [0, []]]],
      [['x', 7, '2024-01-02T03:04:05Z', [1.5, ['t1', 't2']]]],
    ],
  ],
  [
    'select s.* from deep',
    [
      ['x', 7, '2024-01-02T03:04:05Z', [1.5, ['t1', 't2']]],
      ['', null, '1970-01-01T00:00:00Z', [0, []]],
      ['x', 7, '2024-01-02T03:04:05Z', [1.5, ['t1', 't2']]],
    ],
  ],
  ['select s.deep.tags[safe_offset(0)] from deep', [['t1'], [null], ['t1']]],
  [
    'select id, tag from deep, unnest(s.deep.tags) tag',
    [
      [1, 't1'],
      [1, 't2'],
      [3, 't1'],
      [3, 't2'],
    ],
  ],
  [
    'select id, tag from deep, deep.s.deep.tags tag',
    [
      [1, 't1'],
      [1, 't2'],
      [3, 't1'],
      [3, 't2'],
    ],
  ],
  [
    'select s.a, count(*) from deep group by s.a',
    [
      ['', 1],
      ['x', 2],
    ],
  ],
  ['select s.deep from deep', [[[1.5, ['t1', 't2']]], [[0, []]], [[1.5, ['t1', 't2']]]]],
  ["select count(*) from deep where s.a = 'x'", [[2]]],
  ['select id from deep where s.n is null', [[2]]],
  ['select id from deep where s is null', []],
  ["select s.a || '!' from deep order by s.n, id", [['!'], ['x!'], ['x!']]],
  ['select deep.s.a from deep', [['x'], [''], ['x']]],
  ['select t.s.deep.x + 1 from deep t', [[2.5], [1], [2.5]]],
  [
    'select id, p.p from deep, unnest(items) i, unnest(i.parts) p',
    [
      [1, 'p1'],
      [1, 'p2'],
      [3, 'p3'],
    ],
  ],
  [
    'select id, i.sku, p.p from deep, unnest(items) i left join unnest(i.parts) p',
    [
      [1, 'a', 'p1'],
      [1, 'a', 'p2'],
      [1, 'b', null],
      [3, 'a', 'p3'],
    ],
  ],
  [
    'select id, i.sku, array_length(i.parts) from deep, unnest(items) i',
    [
      [1, 'a', 2],
      [1, 'b', 0],
      [3, 'a', 1],
    ],
  ],
  [
    'select id, i.parts from deep, unnest(items) i',
    [
      [1, [['p1'], ['p2']]],
      [1, []],
      [3, [['p3']]],
    ],
  ],
  [
    'select id, i.parts[offset(0)].p from deep, unnest(items) i where array_length(i.parts) > 0',
    [
      [1, 'p1'],
      [3, 'p3'],
    ],
  ],
  [
    'select id, (select count(*) from unnest(items) i, unnest(i.parts) p) from deep',
    [
      [1, 2],
      [2, 0],
      [3, 1],
    ],
  ],
  [
    'select id, (select string_agg(p.p) from unnest(items) i, unnest(i.parts) p) from deep',
    [
      [1, 'p1,p2'],
      [2, null],
      [3, 'p3'],
    ],
  ],
  ['select max(s.n), any_value(s.a) from deep', [[7, 'x']]],
  ['select a.id, b.id from deep a join deep b on a.s.a = b.s.a where a.id < b.id', [[1, 3]]],
  [
    'select s.a, s.n from deep group by s.a, s.n',
    [
      ['', null],
      ['x', 7],
    ],
  ],
  [
    'select if(s.n > 1, s, null) from deep',
    [[['x', 7, '2024-01-02T03:04:05Z', [1.5, ['t1', 't2']]]], [null], [['x', 7, '2024-01-02T03:04:05Z', [1.5, ['t1', 't2']]]]],
  ],
  ['select coalesce(s.n, -1) from deep', [[7], [-1], [7]]],
  ['select struct(s.a as x, s.n) from deep', [[['x', 7]], [['', null]], [['x', 7]]]],
  [
    'select to_json_string(s) from deep',
    [
      ['{"a":"x","n":7,"ts":"2024-01-02T03:04:05Z","deep":{"x":1.5,"tags":["t1","t2"]}}'],
      ['{"a":"","n":null,"ts":"1970-01-01T00:00:00Z","deep":{"x":0,"tags":[]}}'],
      ['{"a":"x","n":7,"ts":"2024-01-02T03:04:05Z","deep":{"x":1.5,"tags":["t1","t2"]}}'],
    ],
  ],
  [
    'select s.A, S.N from deep',
    [
      ['x', 7],
      ['', null],
      ['x', 7],
    ],
  ],
  ['select s.nope from deep', 'unknown-column: there is no field nope'],
  [
    "select id, s.a = 'x' and s.n = 7 from deep",
    [
      [1, true],
      [2, false],
      [3, true],
    ],
  ],
  ['select a.s = b.s from deep a, deep b where a.id = 1', [[true], [false], [true]]],
  ['select array_agg(s.a ignore nulls) from deep', [[['x', '', 'x']]]],
  ['select last_value(s.a) over (order by id) from deep', [['x'], [''], ['x']]],
  [
    'select * except (items) from deep',
    [
      [1, ['x', 7, '2024-01-02T03:04:05Z', [1.5, ['t1', 't2']]]],
      [2, ['', null, '1970-01-01T00:00:00Z', [0, []]]],
      [3, ['x', 7, '2024-01-02T03:04:05Z', [1.5, ['t1', 't2']]]],
    ],
  ],
  [
    "select id, s.deep.tags from deep where 't1' in unnest(s.deep.tags)",
    [
      [1, ['t1', 't2']],
      [3, ['t1', 't2']],
    ],
  ],
  ['select s.n + s.deep.x from deep', [[8.5], [null], [8.5]]],
  ['select sum(s.deep.x) from deep', [[3]]],
  ['select r.s.a from (select * from deep) r', [['x'], [''], ['x']]],
  ['with c as (select s, id from deep) select c.s.deep.tags[safe_offset(1)] from c', [['t2'], [null], ['t2']]],
  ["select s.a from deep union all select 'z'", [['x'], [''], ['x'], ['z']]],
  [
    'select s from deep where id = 1 union all select s from deep where id = 2',
    [[['x', 7, '2024-01-02T03:04:05Z', [1.5, ['t1', 't2']]]], [['', null, '1970-01-01T00:00:00Z', [0, []]]]],
  ],
  ["select t.s.a from deep as t where t.s.ts > timestamp '2000-01-01'", [['x'], ['x']]],
  ['select extract(year from s.ts) from deep', [[2024], [1970], [2024]]],
  [
    'select date(s.ts), s.ts from deep',
    [
      ['2024-01-02', '2024-01-02T03:04:05Z'],
      ['1970-01-01', '1970-01-01T00:00:00Z'],
      ['2024-01-02', '2024-01-02T03:04:05Z'],
    ],
  ],
  ['select s[offset(0)] from deep', [['x'], [''], ['x']]],
  ["select case when s.a = '' then 'none' else s.a end from deep", [['x'], ['none'], ['x']]],
  ["select format('%s-%d', s.a, s.n) from deep", [['x-7'], [null], ['x-7']]],
  [
    'select distinct s.a, s.deep.x from deep',
    [
      ['x', 1.5],
      ['', 0],
    ],
  ],
  ["select id from deep where s.a in ('x', 'y')", [[1], [3]]],
  ['select s.a from deep where s.n between 1 and 9', [['x'], ['x']]],
];

test.each(OF_STRUCTS)('%s', async (sql, expected) => {
  expect(await outcome(sql)).toEqual(byText(expected));
});
