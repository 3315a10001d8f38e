// Arrays of structs of plain tables, in the three ways in which ClickHouse holds these: the same rows, and those that BigQuery gives.
import { describe, expect, test } from 'vitest';
import { byText, sourceTables } from '../../support/source-tables.ts';

const ITEMS = "(1, [('a', 1), ('b', NULL)]), (2, []), (3, [('a', 5)])";
const { outcome } = sourceTables({
  carts: { columns: 'id Int64, items Array(Tuple(sku String, qty Nullable(Int32)))', rows: `VALUES ${ITEMS}` },
  carts_flat: {
    columns: 'id Int64, items Nested(sku String, qty Nullable(Int32))',
    rows: "VALUES (1, ['a', 'b'], [1, NULL]), (2, [], []), (3, ['a'], [5])",
  },
  carts_nested: {
    columns: 'id Int64, items Nested(sku LowCardinality(String), qty Nullable(Int8))',
    rows: `VALUES ${ITEMS}`,
    settings: 'flatten_nested = 0',
  },
});

/** Rows in any order, or the words of the refusal. */
type Case = readonly [sql: string, expected: string | readonly (readonly unknown[])[]];

const OF_ARRAYS: readonly Case[] = [
  [
    'select * from CARTS',
    [
      [
        1,
        [
          ['a', 1],
          ['b', null],
        ],
      ],
      [2, []],
      [3, [['a', 5]]],
    ],
  ],
  [
    'select id, items from CARTS',
    [
      [
        1,
        [
          ['a', 1],
          ['b', null],
        ],
      ],
      [2, []],
      [3, [['a', 5]]],
    ],
  ],
  ['select i.sku from CARTS, unnest(items) i', [['a'], ['b'], ['a']]],
  [
    'select i.sku, i.qty, id from CARTS, CARTS.items i',
    [
      ['a', 1, 1],
      ['b', null, 1],
      ['a', 5, 3],
    ],
  ],
  [
    'select id, i.sku, o from CARTS, unnest(items) i with offset o',
    [
      [1, 'a', 0],
      [1, 'b', 1],
      [3, 'a', 0],
    ],
  ],
  [
    'select id, i.sku from CARTS left join unnest(items) i',
    [
      [1, 'a'],
      [1, 'b'],
      [2, null],
      [3, 'a'],
    ],
  ],
  [
    'select id, i.sku, o from CARTS left join unnest(items) i with offset o',
    [
      [1, 'a', 0],
      [1, 'b', 1],
      [2, null, null],
      [3, 'a', 0],
    ],
  ],
  [
    'select id, i is null from CARTS left join unnest(items) i',
    [
      [1, false],
      [1, false],
      [2, true],
      [3, false],
    ],
  ],
  [
    'select id, i from CARTS left join unnest(items) as i',
    [
      [1, ['a', 1]],
      [1, ['b', null]],
      [2, null],
      [3, ['a', 5]],
    ],
  ],
  [
    'select id, array_length(items) from CARTS',
    [
      [1, 2],
      [2, 0],
      [3, 1],
    ],
  ],
  ['select avg(array_length(items)) from CARTS', [[1]]],
  ['select count(*) from CARTS, unnest(items) i', [[3]]],
  ['select count(i) from CARTS left join unnest(items) i', [[3]]],
  ['select avg(i.qty), sum(i.qty), count(i.qty) from CARTS, unnest(items) i', [[3, 6, 2]]],
  [
    'select i.sku, count(*), sum(i.qty) from CARTS, unnest(items) i group by i.sku',
    [
      ['b', 1, null],
      ['a', 2, 6],
    ],
  ],
  [
    'select sku, count(*), sum(qty) from CARTS, unnest(items) group by sku',
    [
      ['b', 1, null],
      ['a', 2, 6],
    ],
  ],
  [
    'select id, items[offset(0)].sku from CARTS where array_length(items) > 0',
    [
      [1, 'a'],
      [3, 'a'],
    ],
  ],
  [
    'select id, items[safe_offset(0)].sku from CARTS',
    [
      [1, 'a'],
      [2, null],
      [3, 'a'],
    ],
  ],
  [
    'select id, items[safe_offset(1)] from CARTS',
    [
      [1, ['b', null]],
      [2, null],
      [3, null],
    ],
  ],
  ['select id, items[ordinal(1)].sku from CARTS where id = 1', [[1, 'a']]],
  ['select id, items[offset(0)].sku from CARTS', 'data: the query failed: the array index is out of bounds'],
  [
    'select id, (select sum(i.qty) from unnest(items) i) from CARTS',
    [
      [1, 1],
      [2, null],
      [3, 5],
    ],
  ],
  [
    "select id, (select string_agg(i.sku, ',' order by i.sku desc) from unnest(items) i) from CARTS",
    [
      [1, 'b,a'],
      [2, null],
      [3, 'a'],
    ],
  ],
  [
    'select id, array(select i.sku from unnest(items) i order by i.qty desc) from CARTS',
    [
      [1, ['a', 'b']],
      [2, []],
      [3, ['a']],
    ],
  ],
  [
    'select id, array(select as struct i.qty, i.sku from unnest(items) i where i.qty > 1) from CARTS',
    [
      [1, []],
      [2, []],
      [3, [[5, 'a']]],
    ],
  ],
  [
    "select id, exists(select 1 from unnest(items) i where i.sku = 'a') from CARTS",
    [
      [1, true],
      [2, false],
      [3, true],
    ],
  ],
  ["select id from CARTS where 'a' in (select sku from unnest(items))", [[1], [3]]],
  ['select id from CARTS where exists (select * from unnest(items) where qty = 1)', [[1]]],
  [
    "select id, (select i.qty from unnest(items) i where i.sku = 'a') from CARTS",
    [
      [1, 1],
      [2, null],
      [3, 5],
    ],
  ],
  [
    'select id, to_json_string(items) from CARTS',
    [
      [1, '[{"sku":"a","qty":1},{"sku":"b","qty":null}]'],
      [2, '[]'],
      [3, '[{"sku":"a","qty":5}]'],
    ],
  ],
  [
    'select a.id, b.id from CARTS a join CARTS b on a.id = b.id, unnest(b.items) i',
    [
      [1, 1],
      [1, 1],
      [3, 3],
    ],
  ],
  [
    'select CARTS.id, i.* from CARTS, unnest(items) i',
    [
      [1, 'a', 1],
      [1, 'b', null],
      [3, 'a', 5],
    ],
  ],
  ['select distinct i.sku from CARTS cross join unnest(items) as i', [['a'], ['b']]],
  [
    'select array_agg(i order by i.sku) from CARTS, unnest(items) i',
    [
      [
        [
          ['a', 1],
          ['a', 5],
          ['b', null],
        ],
      ],
    ],
  ],
  [
    'select array_concat_agg(items order by id) from CARTS',
    [
      [
        [
          ['a', 1],
          ['b', null],
          ['a', 5],
        ],
      ],
    ],
  ],
  [
    'select array_reverse(items) from CARTS',
    [
      [
        [
          ['b', null],
          ['a', 1],
        ],
      ],
      [[]],
      [[['a', 5]]],
    ],
  ],
  [
    'select max(i.qty) over (partition by i.sku), i.sku from CARTS, unnest(items) i',
    [
      [5, 'a'],
      [5, 'a'],
      [null, 'b'],
    ],
  ],
  [
    'with u as (select id, items from CARTS) select u.id, i.sku from u, unnest(u.items) i',
    [
      [1, 'a'],
      [1, 'b'],
      [3, 'a'],
    ],
  ],
  [
    'with u as (select id, i from CARTS, unnest(items) i) select id, i.sku from u where i.qty > 0',
    [
      [1, 'a'],
      [3, 'a'],
    ],
  ],
  ['select i.nope from CARTS, unnest(items) i', 'unknown-column: there is no field nope'],
  ['select items.sku from CARTS', "type: sku can't be read from an array (ARRAY<STRUCT<sku STRING, qty INT64>>)"],
  ['select i from CARTS, unnest(items) i order by i.sku limit 1', [[['a', 1]]]],
  ['select x.sku from (select i as x from CARTS, unnest(items) i)', [['a'], ['b'], ['a']]],
  ['select i.sku, j.sku from CARTS, unnest(items) i, unnest(items) j where i.sku < j.sku', [['a', 'b']]],
  ['select id from CARTS order by array_length(items) desc, id limit 1', [[1]]],
  ['select count(distinct i.sku) from CARTS, unnest(items) i', [[2]]],
  ['select CARTS.items[offset(0)] from CARTS where id = 3', [[['a', 5]]]],
  ['select sum(qty) from CARTS, CARTS.items', [[6]]],
  [
    'select id, (select count(*) from CARTS.items) from CARTS',
    [
      [1, 2],
      [2, 0],
      [3, 1],
    ],
  ],
  [
    'select t.id, (select max(qty) from t.items) from CARTS t',
    [
      [1, 1],
      [2, null],
      [3, 5],
    ],
  ],
];

describe.each(['carts', 'carts_flat', 'carts_nested'])('%s', (table) => {
  test.each(OF_ARRAYS)('%s', async (sql, expected) => {
    expect(await outcome(sql.replaceAll('CARTS', table))).toEqual(byText(expected));
  });
});
