// JSON columns of plain tables, and columns of values of several types, which are JSON too.
import { expect, test } from 'vitest';
import { byText, sourceTables } from '../../support/source-tables.ts';

const { outcome } = sourceTables({
  docs: {
    columns: `id Int64, j JSON, jt JSON(a Int64, b.c String, n Nullable(Int64)), nj Nullable(JSON), d Dynamic, v Variant(Int64, String, Array(Int64)),
      st Tuple(j JSON, d Dynamic, v Variant(Bool, String), n Int32), ad Array(Dynamic), aj Array(JSON), ast Array(Tuple(d Dynamic, s String))`,
    rows: `VALUES (1, '{"a":{"b":1,"c":[1,2]},"z":"x","f":1.5,"t":true,"arr":[{"q":1},{"q":2}],"big":9007199254740993,"date":"2024-01-02 03:04:05","k k":1, "x.y": 2}', '{"a":5,"b":{"c":"cc"},"d":[{"x":1}]}', '{"k":1}', 5, 'str', ('{"p":1}', 'q', true, 7), [1, 'two', NULL], ['{"m":1}', '{"m":2}'], [(1, 's1'), ('two', 's2')]), (2, '{}', '{"n":3}', NULL, NULL, 7, ('{}', 1.5, 'v', 0), [], [], []), (3, '{"a":"text"}', '{}', '{}', 'dyn', [1, 2], ('{"p":null}', NULL, NULL, 1), [true], ['{}'], [(NULL, 's3')])`,
  },
});

test.each<[sql: string, expected: string | readonly (readonly unknown[])[]]>([
  [
    'select id, j from docs',
    [
      [
        1,
        '{"a":{"b":1,"c":[1,2]},"arr":[{"q":1},{"q":2}],"big":9007199254740993,"date":"2024-01-02 03:04:05","f":1.5,"k k":1,"t":true,"x.y":2,"z":"x"}',
      ],
      [2, '{}'],
      [3, '{"a":"text"}'],
    ],
  ],
  [
    'select id, nj from docs',
    [
      [1, '{"k":1}'],
      [2, null],
      [3, '{}'],
    ],
  ],
  [
    'select id, d from docs',
    [
      [1, '5'],
      [2, null],
      [3, '"dyn"'],
    ],
  ],
  [
    'select id, v from docs',
    [
      [1, '"str"'],
      [2, '7'],
      [3, '[1,2]'],
    ],
  ],
  [
    'select id, st from docs',
    [
      [1, ['{"p":1}', '"q"', 'true', 7]],
      [2, ['{}', '1.5', '"v"', 0]],
      [3, ['{}', null, null, 1]],
    ],
  ],
  [
    'select id, ad, aj from docs',
    [
      [1, ['1', '"two"', null], ['{"m":1}', '{"m":2}']],
      [2, [], []],
      [3, ['true'], ['{}']],
    ],
  ],
  [
    'select id, ast from docs',
    [
      [
        1,
        [
          ['1', 's1'],
          ['"two"', 's2'],
        ],
      ],
      [2, []],
      [3, [[null, 's3']]],
    ],
  ],
  [
    'select id, j.a, j.z, j.a.b, j.nope from docs',
    [
      [1, '{"b":1,"c":[1,2]}', '"x"', '1', null],
      [2, null, null, null, null],
      [3, '"text"', null, null, null],
    ],
  ],
  [
    'select id, j.a.c[0], j.arr[1].q from docs',
    [
      [1, '1', '2'],
      [2, null, null],
      [3, null, null],
    ],
  ],
  [
    "select id, json_value(j.z), json_value(j, '$.z'), json_value(j, '$.a.b'), json_value(j, '$.a') from docs",
    [
      [1, 'x', 'x', '1', null],
      [2, null, null, null, null],
      [3, null, null, null, 'text'],
    ],
  ],
  [
    "select id, json_query(j, '$.a'), json_query(j, '$.arr[0]') from docs",
    [
      [1, '{"b":1,"c":[1,2]}', '{"q":1}'],
      [2, null, null],
      [3, '"text"', null],
    ],
  ],
  [
    "select id, json_extract_scalar(j, '$.f'), json_value(j, '$.t') from docs",
    [
      [1, '1.5', 'true'],
      [2, null, null],
      [3, null, null],
    ],
  ],
  ['select id, int64(j.a.b), float64(j.f), bool(j.t), string(j.z) from docs where id = 1', [[1, 1, 1.5, true, 'x']]],
  [
    'select id, lax_int64(j.a.b), lax_string(j.f) from docs',
    [
      [1, 1, '1.5'],
      [2, null, null],
      [3, null, null],
    ],
  ],
  [
    'select id, json_type(j), json_type(j.a) from docs',
    [
      [1, 'object', 'object'],
      [2, 'object', null],
      [3, 'object', 'string'],
    ],
  ],
  [
    'select id, json_value(j.big), j.big from docs',
    [
      [1, '9007199254740993', '9007199254740993'],
      [2, null, null],
      [3, null, null],
    ],
  ],
  ['select json_value(j.date) from docs', [['2024-01-02 03:04:05'], [null], [null]]],
  [
    "select j['k k'], j['x.y'] from docs",
    [
      ['1', '2'],
      [null, null],
      [null, null],
    ],
  ],
  [`select json_value(j, "$.'x.y'"), json_value(j, '$."k k"') from docs`, "type: '$.'x.y'' is not a JSONPath"],
  [
    "select id, x from docs, unnest(json_query_array(j, '$.arr')) x",
    [
      [1, '{"q":1}'],
      [1, '{"q":2}'],
    ],
  ],
  [
    'select id, int64(x.q) from docs, unnest(json_query_array(j.arr)) x',
    [
      [1, 1],
      [1, 2],
    ],
  ],
  [
    'select id, int64(jt.a) + 1, string(jt.b.c) from docs',
    [
      [1, 6, 'cc'],
      [2, 1, ''],
      [3, 1, ''],
    ],
  ],
  ['select id from docs where int64(jt.a) = 5', [[1]]],
  ["select id from docs where json_value(j.z) = 'x'", [[1]]],
  ['select id from docs where j.z is null', [[2], [3]]],
  ['select id from docs where j is null', []],
  [
    'select id, nj is null, nj.k from docs',
    [
      [1, false, '1'],
      [2, true, null],
      [3, false, null],
    ],
  ],
  ['select id from docs where d is null', [[2]]],
  ['select count(j), count(nj), count(d) from docs', [[3, 2, 2]]],
  [
    'select id, json_value(d), json_type(d) from docs',
    [
      [1, '5', 'number'],
      [2, null, null],
      [3, 'dyn', 'string'],
    ],
  ],
  [
    "select id, json_value(v), json_type(v), json_query(v, '$[1]') from docs",
    [
      [1, 'str', 'string', null],
      [2, '7', 'number', null],
      [3, null, 'array', '2'],
    ],
  ],
  [
    'select id, v[1] from docs',
    [
      [1, null],
      [2, null],
      [3, '2'],
    ],
  ],
  [
    'select st.j.p, st.d, st.v, st.n from docs',
    [
      ['1', '"q"', 'true', 7],
      [null, '1.5', '"v"', 0],
      [null, null, null, 1],
    ],
  ],
  [
    "select json_value(st.d), json_value(st.j, '$.p') from docs",
    [
      ['q', '1'],
      ['1.5', null],
      [null, null],
    ],
  ],
  [
    'select id, x from docs, unnest(ad) x',
    [
      [1, '1'],
      [1, '"two"'],
      [1, null],
      [3, 'true'],
    ],
  ],
  [
    'select id, x from docs left join unnest(ad) x',
    [
      [1, '1'],
      [1, '"two"'],
      [1, null],
      [2, null],
      [3, 'true'],
    ],
  ],
  [
    'select id, json_value(x) from docs, unnest(ad) x where x is not null',
    [
      [1, '1'],
      [1, 'two'],
      [3, 'true'],
    ],
  ],
  [
    'select id, x.m from docs, unnest(aj) x',
    [
      [1, '1'],
      [1, '2'],
      [3, null],
    ],
  ],
  [
    'select id, int64(x.m) from docs, unnest(aj) x where id = 1',
    [
      [1, 1],
      [1, 2],
    ],
  ],
  [
    'select id, aj[safe_offset(0)].m from docs',
    [
      [1, '1'],
      [2, null],
      [3, null],
    ],
  ],
  [
    'select id, ad[safe_offset(1)] from docs',
    [
      [1, '"two"'],
      [2, null],
      [3, null],
    ],
  ],
  [
    'select id, x.d, x.s from docs, unnest(ast) x',
    [
      [1, '1', 's1'],
      [1, '"two"', 's2'],
      [3, null, 's3'],
    ],
  ],
  [
    'select id, ast[safe_offset(0)].d from docs',
    [
      [1, '1'],
      [2, null],
      [3, null],
    ],
  ],
  [
    'select id, array_length(ad), array_length(aj), array_length(ast) from docs',
    [
      [1, 3, 2, 2],
      [2, 0, 0, 0],
      [3, 1, 1, 1],
    ],
  ],
  [
    'select id, array(select json_value(x.m) from unnest(aj) x) from docs',
    [
      [1, ['1', '2']],
      [2, []],
      [3, [null]],
    ],
  ],
  [
    'select to_json_string(j), to_json_string(d), to_json_string(v) from docs',
    [
      [
        '{"a":{"b":1,"c":[1,2]},"arr":[{"q":1},{"q":2}],"big":9007199254740993,"date":"2024-01-02 03:04:05","f":1.5,"k k":1,"t":true,"x.y":2,"z":"x"}',
        '5',
        '"str"',
      ],
      ['{}', 'null', '7'],
      ['{"a":"text"}', '"dyn"', '[1,2]'],
    ],
  ],
  [
    'select to_json_string(st) from docs',
    [['{"j":{"p":1},"d":"q","v":true,"n":7}'], ['{"j":{},"d":1.5,"v":"v","n":0}'], ['{"j":{},"d":null,"v":null,"n":1}']],
  ],
  ['select j from docs group by j', 'type: GROUP BY can’t use values of type JSON'],
  ['select distinct d from docs', 'type: SELECT DISTINCT can’t use values of type JSON'],
  ['select j = j from docs', 'type: values of type JSON are not compared'],
  ['select j from docs order by j', 'type: values of type JSON have no order'],
  ['select max(d) from docs', 'type: values of type JSON have no order'],
  [
    'select any_value(j) from docs where id = 1',
    [
      [
        '{"a":{"b":1,"c":[1,2]},"arr":[{"q":1},{"q":2}],"big":9007199254740993,"date":"2024-01-02 03:04:05","f":1.5,"k k":1,"t":true,"x.y":2,"z":"x"}',
      ],
    ],
  ],
  ['select array_agg(d ignore nulls order by id) from docs', [[['5', '"dyn"']]]],
  ['select a.id from docs a join docs b on to_json_string(a.d) = to_json_string(b.d)', [[1], [2], [3]]],
  [
    'select parse_json(to_json_string(j)) from docs',
    [
      [
        '{"a":{"b":1,"c":[1,2]},"arr":[{"q":1},{"q":2}],"big":9007199254740993,"date":"2024-01-02 03:04:05","f":1.5,"k k":1,"t":true,"x.y":2,"z":"x"}',
      ],
      ['{}'],
      ['{"a":"text"}'],
    ],
  ],
  ['select json_keys(j) from docs where id = 3', [[['a']]]],
  ['select cast(j as string) from docs', 'type: JSON can’t be cast to STRING'],
  ['select coalesce(d, v) from docs', [['5'], ['7'], ['"dyn"']]],
  [
    'select if(id = 1, j, null) from docs',
    [
      [
        '{"a":{"b":1,"c":[1,2]},"arr":[{"q":1},{"q":2}],"big":9007199254740993,"date":"2024-01-02 03:04:05","f":1.5,"k k":1,"t":true,"x.y":2,"z":"x"}',
      ],
      [null],
      [null],
    ],
  ],
  [
    'select id, j from docs where id = 1 union all select id, d from docs where id = 3',
    [
      [
        1,
        '{"a":{"b":1,"c":[1,2]},"arr":[{"q":1},{"q":2}],"big":9007199254740993,"date":"2024-01-02 03:04:05","f":1.5,"k k":1,"t":true,"x.y":2,"z":"x"}',
      ],
      [3, '"dyn"'],
    ],
  ],
  ['with c as (select j, id from docs) select c.j.a.b from c', [['1'], [null], [null]]],
  ['select struct(j as x).x.z from docs', [['"x"'], [null], [null]]],
  // A path with a type is always there: its NULL is a JSON null.
  [
    'select id, jt.n, jt.nope from docs',
    [
      [1, 'null', null],
      [2, '3', null],
      [3, 'null', null],
    ],
  ],
])('%s', async (sql, expected) => {
  expect(await outcome(sql)).toEqual(byText(expected));
});
