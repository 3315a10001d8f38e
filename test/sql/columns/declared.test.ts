// What `schema` declares of the columns of a table: each conversion, in columns, fields, elements and maps.
import { expect, test } from 'vitest';
import { byText, sourceTables } from '../../support/source-tables.ts';

const { outcome } = sourceTables({
  said: {
    columns: `id Int64, p String, pn Nullable(String), raw String, fx FixedString(4), dt DateTime64(3), dn Nullable(DateTime), flag UInt8, big UInt64, wide Int128, f Int32, num Int64, dec Decimal(10, 2), tags Array(String), st Tuple(j String, n Int32, at DateTime), items Array(Tuple(doc String, big UInt64)), m Map(String, String), same String`,
    rows: `VALUES (1, '{"a" : 1, "b": [1, 2]}', '{"x":"y"}', unhex('ff00'), unhex('ab00cd00'), '2024-01-02 03:04:05.678', '2024-01-02 03:04:05', 1, 9, 7, 3, 4, 1.25, ['{"q":1}', '2'], ('{"k":"v"}', 5, '2024-01-02 03:04:05'), [('{"z":1}', 8)], map('a', '{"w":2}'), 's'), (2, '', NULL, '', unhex('00000000'), '1970-01-01 00:00:00', NULL, 0, 0, 0, 0, 0, 0, [], ('', 0, 0), [], map(), '')`,
    source: {
      schema: [
        { name: 'P', type: 'JSON' },
        'pn:JSON',
        'raw:BYTES',
        { name: 'fx', type: 'BYTES', description: 'x' },
        'dt:DATETIME',
        'dn:DATETIME',
        'flag:BOOLEAN',
        'big:INTEGER',
        'wide:INT64',
        'f:FLOAT',
        'num:NUMERIC',
        'dec:BIGNUMERIC',
        { name: 'tags', type: 'JSON', mode: 'REPEATED' },
        {
          name: 'st',
          type: 'RECORD',
          fields: [
            { name: 'j', type: 'JSON' },
            { name: 'at', type: 'DATETIME', mode: 'NULLABLE' },
          ],
        },
        {
          name: 'items',
          type: 'RECORD',
          mode: 'REPEATED',
          fields: [
            { name: 'doc', type: 'JSON' },
            { name: 'big', type: 'INTEGER' },
          ],
        },
        { name: 'm', type: 'RECORD', mode: 'REPEATED', fields: [{ name: 'value', type: 'JSON' }] },
        { name: 'same', type: 'STRING', mode: 'REQUIRED' },
      ],
    },
  },
  broken: { columns: `id Int64, p String`, rows: `VALUES (1, '{"a":'), (2, 'x')`, source: { schema: 'p:JSON' } },
  far: {
    columns: `id Int64, n UInt64, w UInt128`,
    rows: `VALUES (1, 18446744073709551615, 1), (2, 5, 170141183460469231731687303715884105727)`,
    source: { schema: 'n:INT64, w:INT64' },
  },
});

test.each<[sql: string, expected: string | readonly (readonly unknown[])[]]>([
  [
    'select * from said',
    [
      [
        1,
        '{"a":1,"b":[1,2]}',
        '{"x":"y"}',
        '/wA=',
        'qwDNAA==',
        '2024-01-02T03:04:05.678000',
        '2024-01-02T03:04:05',
        true,
        9,
        7,
        3,
        '4',
        '1.25',
        ['{"q":1}', '2'],
        ['{"k":"v"}', 5, '2024-01-02T03:04:05'],
        [['{"z":1}', 8]],
        [['a', '{"w":2}']],
        's',
      ],
      [
        2,
        null,
        null,
        '',
        'AAAAAA==',
        '1970-01-01T00:00:00',
        null,
        false,
        0,
        0,
        0,
        '0',
        '0',
        [],
        [null, 0, '1970-01-01T00:00:00'],
        [],
        [],
        '',
      ],
    ],
  ],
  [
    'select id, p, pn from said',
    [
      [1, '{"a":1,"b":[1,2]}', '{"x":"y"}'],
      [2, null, null],
    ],
  ],
  [
    'select id, p is null, pn is null from said',
    [
      [1, false, false],
      [2, true, true],
    ],
  ],
  ['select count(p), count(pn), count(*) from said', [[1, 1, 2]]],
  [
    "select id, raw, length(raw), to_hex(raw), raw = b'\\xff\\x00' from said",
    [
      [1, '/wA=', 2, 'ff00', true],
      [2, '', 0, '', false],
    ],
  ],
  [
    'select id, fx, length(fx), to_hex(fx) from said',
    [
      [1, 'qwDNAA==', 4, 'ab00cd00'],
      [2, 'AAAAAA==', 4, '00000000'],
    ],
  ],
  [
    'select to_hex(sha256(fx)) from said',
    [
      ['2816e59d869680adda46bc825455d653b6d12f12d1a4c5b99684d84b18def9da'],
      ['df3f619804a92fdb4057192dc43dd748ea778adc52bc498ce80524c014b81119'],
    ],
  ],
  [
    'select id, dt, dn, cast(dt as timestamp), extract(hour from dt), datetime_trunc(dt, day) from said',
    [
      [1, '2024-01-02T03:04:05.678000', '2024-01-02T03:04:05', '2024-01-02T03:04:05.678000Z', 3, '2024-01-02T00:00:00'],
      [2, '1970-01-01T00:00:00', null, '1970-01-01T00:00:00Z', 0, '1970-01-01T00:00:00'],
    ],
  ],
  ["select id from said where dt > '2024-01-01'", [[1]]],
  ["select id from said where dt >= datetime '2024-01-02 03:04:05.678'", [[1]]],
  [
    'select dt, count(*) from said group by dt',
    [
      ['1970-01-01T00:00:00', 1],
      ['2024-01-02T03:04:05.678000', 1],
    ],
  ],
  [
    'select id, datetime_diff(dt, dn, millisecond) from said',
    [
      [1, 678],
      [2, null],
    ],
  ],
  ['select id from said where flag', [[1]]],
  [
    'select id, not flag, countif(flag) over () from said',
    [
      [1, false, 1],
      [2, true, 1],
    ],
  ],
  [
    'select id, big + 1, wide * 2, f / 2, num + 1, `dec` from said',
    [
      [1, 10, 14, 1.5, '5', '1.25'],
      [2, 1, 0, 0, '1', '0'],
    ],
  ],
  ['select sum(big), sum(wide), avg(f), sum(num) from said', [[9, 7, 1.5, '4']]],
  [
    'select id, t.q from said, unnest(tags) t',
    [
      [1, '1'],
      [1, null],
    ],
  ],
  [
    'select id, array_length(tags) from said',
    [
      [1, 2],
      [2, 0],
    ],
  ],
  [
    'select id, st from said',
    [
      [1, ['{"k":"v"}', 5, '2024-01-02T03:04:05']],
      [2, [null, 0, '1970-01-01T00:00:00']],
    ],
  ],
  [
    'select id, st.j.k, st.n, st.`at` from said',
    [
      [1, '"v"', 5, '2024-01-02T03:04:05'],
      [2, null, 0, '1970-01-01T00:00:00'],
    ],
  ],
  ['select id, i.doc.z, i.big from said, unnest(items) i', [[1, '1', 8]]],
  [
    'select id, i.doc from said left join unnest(items) i',
    [
      [1, '{"z":1}'],
      [2, null],
    ],
  ],
  [
    'select id, items from said',
    [
      [1, [['{"z":1}', 8]]],
      [2, []],
    ],
  ],
  ['select id, e.key, e.value.w from said, unnest(m) e', [[1, 'a', '2']]],
  [
    "select id, (select value from unnest(m) where key = 'a') from said",
    [
      [1, '{"w":2}'],
      [2, null],
    ],
  ],
  ["select same || '!' from said", [['s!'], ['!']]],
  ["select coalesce(json_value(p.a), 'none') from said", [['1'], ['none']]],
  ["select if(p is null, 'no', 'yes') from said", [['yes'], ['no']]],
  ['select id from said where p is not null', [[1]]],
  ['select max(dt), min(raw) from said', [['2024-01-02T03:04:05.678000', '']]],
  ['select p.a from broken where id = 2', 'data: the query failed: a value in a column of type JSON is not JSON'],
  ['select id from broken', [[1], [2]]],
  ['select n from far where id = 1', 'data: the query failed: a value is out of the range of INT64'],
  ['select n + 0 from far where id = 2', [[5]]],
  ['select w from far where id = 2', 'data: the query failed: a value is out of the range of INT64'],
  ['select sum(w) from far where id = 1', [[1]]],
])('%s', async (sql, expected) => {
  expect(await outcome(sql)).toEqual(byText(expected));
});
