// Maps of plain tables: arrays of keys and values.
import { expect, test } from 'vitest';
import { byText, sourceTables } from '../../support/source-tables.ts';

const { outcome } = sourceTables({
  maps: {
    columns: `id Int64, m Map(String, Int32), ms Map(LowCardinality(String), String), mn Map(String, Nullable(Float64)), mi Map(UInt8, String),
      ma Map(String, Array(Int32)), mt Map(String, Tuple(a String, b Int8)), md Map(String, Variant(Int64, String)), mm Map(String, Map(String, Int8)),
      st Tuple(m Map(String, Int64), n Int8)`,
    rows: `VALUES (1, map('a', 1, 'b', 2), map('k', 'v', 'e', ''), map('x', 1.5, 'n', NULL), map(1, 'one', 2, 'two'), map('l', [1, 2], 'e', []), map('t', ('q', 1)), CAST(map('d', 5::Variant(Int64, String), 's', 'x'::Variant(Int64, String)), 'Map(String, Variant(Int64, String))'), map('o', map('i', 1)), (map('z', 9), 1)), (2, map(), map(), map(), map(), map(), map(), map(), map(), (map(), 2)), (3, map('b', 5), map('k', 'w'), map('x', 0), map(1, 'eins'), map('l', [3]), map('t', ('', 0)), map(), map(), (map('y', 1, 'z', 2), 3))`,
  },
});

test.each<[sql: string, expected: string | readonly (readonly unknown[])[]]>([
  [
    'select id, m from maps',
    [
      [
        1,
        [
          ['a', 1],
          ['b', 2],
        ],
      ],
      [2, []],
      [3, [['b', 5]]],
    ],
  ],
  [
    'select id, ms from maps',
    [
      [
        1,
        [
          ['k', 'v'],
          ['e', ''],
        ],
      ],
      [2, []],
      [3, [['k', 'w']]],
    ],
  ],
  [
    'select id, mn from maps',
    [
      [
        1,
        [
          ['x', 1.5],
          ['n', null],
        ],
      ],
      [2, []],
      [3, [['x', 0]]],
    ],
  ],
  [
    'select id, mi from maps',
    [
      [
        1,
        [
          [1, 'one'],
          [2, 'two'],
        ],
      ],
      [2, []],
      [3, [[1, 'eins']]],
    ],
  ],
  [
    'select id, ma from maps',
    [
      [
        1,
        [
          ['l', [1, 2]],
          ['e', []],
        ],
      ],
      [2, []],
      [3, [['l', [3]]]],
    ],
  ],
  [
    'select id, mt from maps',
    [
      [1, [['t', ['q', 1]]]],
      [2, []],
      [3, [['t', ['', 0]]]],
    ],
  ],
  [
    'select id, md from maps',
    [
      [
        1,
        [
          ['d', '5'],
          ['s', '"x"'],
        ],
      ],
      [2, []],
      [3, []],
    ],
  ],

  [
    'select id, e.key, e.value from maps, unnest(m) e',
    [
      [1, 'a', 1],
      [1, 'b', 2],
      [3, 'b', 5],
    ],
  ],
  [
    'select id, e.key, e.value from maps left join unnest(ms) e',
    [
      [1, 'k', 'v'],
      [1, 'e', ''],
      [2, null, null],
      [3, 'k', 'w'],
    ],
  ],
  [
    'select key, value from maps, maps.m',
    [
      ['a', 1],
      ['b', 2],
      ['b', 5],
    ],
  ],
  [
    'select id, e.key, v from maps, unnest(ma) e, unnest(e.value) v',
    [
      [1, 'l', 1],
      [1, 'l', 2],
      [3, 'l', 3],
    ],
  ],
  [
    'select id, e.value.a, e.value.b from maps, unnest(mt) e',
    [
      [1, 'q', 1],
      [3, '', 0],
    ],
  ],
  [
    'select id, e.key, e.value from maps, unnest(md) e',
    [
      [1, 'd', '5'],
      [1, 's', '"x"'],
    ],
  ],
  [
    "select id, (select value from unnest(m) where key = 'b') from maps",
    [
      [1, 2],
      [2, null],
      [3, 5],
    ],
  ],
  [
    "select id, (select value from unnest(m) where key = 'nope') from maps",
    [
      [1, null],
      [2, null],
      [3, null],
    ],
  ],
  [
    "select id, (select e.value from unnest(m) as e where e.key = 'a') from maps",
    [
      [1, 1],
      [2, null],
      [3, null],
    ],
  ],
  [
    "select id, (select value from unnest(ms) where key = 'k') from maps",
    [
      [1, 'v'],
      [2, null],
      [3, 'w'],
    ],
  ],
  [
    "select id, (select value from unnest(ms) where key = 'e') from maps",
    [
      [1, ''],
      [2, null],
      [3, null],
    ],
  ],
  [
    "select id, (select value from unnest(mn) where key = 'n'), (select value from unnest(mn) where key = 'x') from maps",
    [
      [1, null, 1.5],
      [2, null, null],
      [3, null, 0],
    ],
  ],
  [
    'select id, (select value from unnest(mi) where key = 1) from maps',
    [
      [1, 'one'],
      [2, null],
      [3, 'eins'],
    ],
  ],
  [
    "select id, (select value.a from unnest(mt) where key = 't') from maps",
    [
      [1, 'q'],
      [2, null],
      [3, ''],
    ],
  ],
  [
    "select id, (select value from unnest(mt) where key = 't').a from maps",
    [
      [1, 'q'],
      [2, null],
      [3, ''],
    ],
  ],
  [
    "select id, (select value from unnest(md) where key = 'd') from maps",
    [
      [1, '5'],
      [2, null],
      [3, null],
    ],
  ],
  ["select id from maps where (select value from unnest(m) where key = 'b') > 2", [[3]]],
  ["select id from maps where (select value from unnest(ms) where key = 'k') = 'w'", [[3]]],
  ["select id from maps where (select value from unnest(ms) where key = 'k') is null", [[2]]],
  ["select id from maps where exists (select 1 from unnest(m) where key = 'a')", [[1]]],
  ["select id from maps where 'a' in (select key from unnest(m))", [[1]]],
  ["select sum((select value from unnest(m) where key = 'b')) from maps", [[7]]],
  [
    "select (select value from unnest(ms) where key = 'k') as k, count(*) from maps group by k",
    [
      [null, 1],
      ['v', 1],
      ['w', 1],
    ],
  ],
  [
    'select id, array_length(m) from maps',
    [
      [1, 2],
      [2, 0],
      [3, 1],
    ],
  ],
  [
    'select id, m[safe_offset(0)].key from maps',
    [
      [1, 'a'],
      [2, null],
      [3, 'b'],
    ],
  ],
  [
    'select id, array(select key from unnest(m) order by key desc) from maps',
    [
      [1, ['b', 'a']],
      [2, []],
      [3, ['b']],
    ],
  ],
  [
    'select e.key, sum(e.value) from maps, unnest(m) e group by e.key',
    [
      ['b', 7],
      ['a', 1],
    ],
  ],
  [
    'select id, (select sum(value) from unnest(m)) from maps',
    [
      [1, 3],
      [2, null],
      [3, 5],
    ],
  ],
  [
    "select id, (select string_agg(key || '=' || value, ';' order by key) from unnest(ms)) from maps",
    [
      [1, 'e=;k=v'],
      [2, null],
      [3, 'k=w'],
    ],
  ],
  [
    'select id, st.m, st.n from maps',
    [
      [1, [['z', 9]], 1],
      [2, [], 2],
      [
        3,
        [
          ['y', 1],
          ['z', 2],
        ],
        3,
      ],
    ],
  ],
  [
    "select id, (select value from unnest(st.m) where key = 'z') from maps",
    [
      [1, 9],
      [2, null],
      [3, 2],
    ],
  ],
  ['select to_json_string(m) from maps', [['[{"key":"a","value":1},{"key":"b","value":2}]'], ['[]'], ['[{"key":"b","value":5}]']]],
  [
    "select id, (select upper(value) from unnest(ms) where key = 'k') from maps",
    [
      [1, 'V'],
      [2, null],
      [3, 'W'],
    ],
  ],
  [
    "select id, (select value from unnest(m) where key = 'b' and value > 2) from maps",
    [
      [1, null],
      [2, null],
      [3, 5],
    ],
  ],
  [
    "select id, (select value from unnest(m) where key = 'b' limit 1) from maps",
    [
      [1, 2],
      [2, null],
      [3, 5],
    ],
  ],
  [
    "select id, (select value from unnest(m) where 'b' = key) from maps",
    [
      [1, 2],
      [2, null],
      [3, 5],
    ],
  ],
  [
    "select id, (select max(value) from unnest(m) where key = 'b') from maps",
    [
      [1, 2],
      [2, null],
      [3, 5],
    ],
  ],
  [
    "select id, (select value from unnest(m) where key = if(id = 1, 'a', 'b')) from maps",
    [
      [1, 1],
      [2, null],
      [3, 5],
    ],
  ],
  [
    "select id, (select key from unnest(m) where key = 'b') from maps",
    [
      [1, 'b'],
      [2, null],
      [3, 'b'],
    ],
  ],
])('%s', async (sql, expected) => {
  expect(await outcome(sql)).toEqual(byText(expected));
});
