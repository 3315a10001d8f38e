// Columns of one value, and arrays of these: of each type that ClickHouse has, what BigQuery has in its place, and what queries give.
import { describe, expect, test } from 'vitest';
import { typeName } from '../../../src/sql/base/types.ts';
import { byText, sourceTables } from '../../support/source-tables.ts';

/** ClickHouse's type, the values of rows 1 and 2 in its words, the type in BigQuery, and the same values there. The second sorts after the first. */
type Column = readonly [stored: string, values: readonly [string, string], type: string, first: unknown, second: unknown];

const COLUMNS: Readonly<Record<string, Column>> = {
  bool: ['Bool', ['false', 'true'], 'BOOL', false, true],
  int8: ['Int8', ['-5', '7'], 'INT64', -5, 7],
  uint32: ['UInt32', ['0', '4000000000'], 'INT64', 0, 4000000000],
  int64: ['Int64', ['-9223372036854775808', '3'], 'INT64', -9223372036854775808n, 3],
  uint64: ['UInt64', ['7', '18446744073709551615'], 'BIGNUMERIC', '7', '18446744073709551615'],
  uint64_null: ['Nullable(UInt64)', ['NULL', '7'], 'BIGNUMERIC', null, '7'],
  int128: ['Int128', ['-170141183460469231731687303715884105', '4'], 'BIGNUMERIC', '-170141183460469231731687303715884105', '4'],
  uint256: ['UInt256', ['5', '115792089237316195423570985008687907'], 'BIGNUMERIC', '5', '115792089237316195423570985008687907'],
  int256_null: ['Nullable(Int256)', ['NULL', '4'], 'BIGNUMERIC', null, '4'],
  float32: ['Float32', ['-1.25', '0.5'], 'FLOAT64', -1.25, 0.5],
  decimal: ['Decimal(10, 2)', ['-0.5', '1.25'], 'NUMERIC', '-0.5', '1.25'],
  decimal_null: ['Nullable(Decimal(18, 4))', ['NULL', '3.5'], 'NUMERIC', null, '3.5'],
  // 36 digits before the point are more than a NUMERIC has.
  decimal_wide: ['Decimal(38, 2)', ['0', '12345.67'], 'BIGNUMERIC', '0', '12345.67'],
  decimal_deep: ['Decimal(76, 38)', ['-2', '1.5'], 'BIGNUMERIC', '-2', '1.5'],
  text: ['String', ["''", "'x'"], 'STRING', '', 'x'],
  label: ['LowCardinality(Nullable(String))', ['NULL', "'n'"], 'STRING', null, 'n'],
  fixed: ['FixedString(4)', ["'ab'", "'abcd'"], 'STRING', 'ab', 'abcd'],
  enum8: ["Enum8('x' = 1, 'y' = 2)", ["'x'", "'y'"], 'STRING', 'x', 'y'],
  // An order by the names, not by the numbers.
  enum16: ["Nullable(Enum16('p' = 300, 'q' = -1))", ["'p'", "'q'"], 'STRING', 'p', 'q'],
  uuid: [
    'UUID',
    ["'00000000-0000-0000-0000-000000000001'", "'61f0c404-5cb3-11e7-907b-a6006ad3dba0'"],
    'STRING',
    '00000000-0000-0000-0000-000000000001',
    '61f0c404-5cb3-11e7-907b-a6006ad3dba0',
  ],
  ipv4: ['IPv4', ["'10.0.0.1'", "'9.2.3.4'"], 'STRING', '10.0.0.1', '9.2.3.4'],
  ipv6: ['IPv6', ["'2001:db8::1'", "'::1'"], 'STRING', '2001:db8::1', '::1'],
  date: ['Date', ["'2023-12-31'", "'2024-01-02'"], 'DATE', '2023-12-31', '2024-01-02'],
  date32: ['Date32', ["'1969-05-06'", "'2200-01-01'"], 'DATE', '1969-05-06', '2200-01-01'],
  datetime: ['DateTime', ["'1970-01-01 00:00:00'", "'2024-01-02 03:04:05'"], 'TIMESTAMP', '1970-01-01T00:00:00Z', '2024-01-02T03:04:05Z'],
  zoned: ["DateTime('Asia/Tokyo')", ['0', '1704164645'], 'TIMESTAMP', '1970-01-01T00:00:00Z', '2024-01-02T03:04:05Z'],
  millis: [
    'Nullable(DateTime64(3))',
    ["'1950-01-01 00:00:00.5'", "'2024-01-02 03:04:05.678'"],
    'TIMESTAMP',
    '1950-01-01T00:00:00.500000Z',
    '2024-01-02T03:04:05.678000Z',
  ],
  time: ['Time', ["'00:00:00'", "'12:34:56'"], 'TIME', '00:00:00', '12:34:56'],
  time64: ['Nullable(Time64(9))', ['NULL', "'23:59:59.999999'"], 'TIME', null, '23:59:59.999999'],
  summed: ['SimpleAggregateFunction(sum, Int64)', ['-5', '5'], 'INT64', -5, 5],
  latest: ['SimpleAggregateFunction(anyLast, Nullable(String))', ['NULL', "'x'"], 'STRING', null, 'x'],
};

const ELEMENTS: readonly string[] = [
  'int8',
  'uint64',
  'int128',
  'float32',
  'text',
  'label',
  'enum8',
  'uuid',
  'date',
  'datetime',
  'time',
  'decimal',
  'uint64_null',
];

const names = Object.keys(COLUMNS);
const stored = (name: string): string => COLUMNS[name]?.[0] ?? '';
const { outcome, catalog } = sourceTables({
  t: {
    columns: `id Int64, ${names.map((name) => `\`${name}\` ${stored(name)}`).join(', ')}`,
    rows: `VALUES ${[0, 1].map((at) => `(${[at + 1, ...names.map((name) => COLUMNS[name]?.[1][at])].join(', ')})`).join(', ')}`,
    settings: 'allow_nullable_key = 1',
  },
  // What BigQuery's types do not reach to.
  far: {
    columns: 'id Int64, time Time, time64 Nullable(Time64(3)), wide Int256, digits Decimal(76, 0)',
    rows: `VALUES (1, '30:00:00', '12:00:00', 5, 5), (2, '-01:00:00', NULL, -5, -5), (3, '01:00:00', '100:00:00', 5, 5),
      (4, '00:00:00', NULL, toInt256('100000000000000000000000000000000000000'), '-100000000000000000000000000000000000000'::Decimal(76, 0))`,
  },
  lists: {
    columns: `id Int64, ${ELEMENTS.map((name) => `\`${name}\` Array(${stored(name)})`).join(', ')}`,
    rows: `VALUES (1, ${ELEMENTS.map((name) => `[${COLUMNS[name]?.[1].join(', ')}]`).join(', ')}), (2, ${ELEMENTS.map(() => '[]').join(', ')})`,
  },
});

test.each<[sql: string, rows: string | readonly (readonly unknown[])[]]>([
  ['select time from far where id in (3, 4)', [['01:00:00'], ['00:00:00']]],
  ['select time from far where id = 1', 'data: the query failed: a value in a column of type TIME is not a time of day'],
  ['select time from far where id = 2', 'data: the query failed: a value in a column of type TIME is not a time of day'],
  ['select time64 from far where id = 3', 'data: the query failed: a value in a column of type TIME is not a time of day'],
  ['select time64 from far where id in (1, 2)', [['12:00:00'], [null]]],
  ['select wide, digits from far where id = 3', [['5', '5']]],
  ['select wide from far where id = 4', 'data: the query failed: a value is out of range for BIGNUMERIC'],
  ['select digits from far where id = 4', 'data: the query failed: a value is out of range for BIGNUMERIC'],
])('%s', async (sql, rows) => {
  expect(await outcome(sql)).toEqual(byText(rows));
});

const typeOf = (table: string, name: string): string =>
  typeName(
    catalog()
      .find(table)
      ?.columns.find((column) => column.name === name)?.type ?? { kind: 'DYNAMIC' },
  );

describe.each(Object.entries(COLUMNS))('%s', (name, [, , type, first, second]) => {
  const c = `t.${name}`;
  const there = [first, second].filter((value) => value !== null);
  const ids = first === null ? [2] : [1, 2];

  test('its type', () => expect(typeOf('t', name)).toBe(type));

  test.each<[sql: string, rows: readonly (readonly unknown[])[]]>([
    [
      `select id, ${c} from t`,
      [
        [1, first],
        [2, second],
      ],
    ],
    [`select id from t where ${c} is null`, first === null ? [[1]] : []],
    [
      `select ${c}, count(*) from t group by 1`,
      [
        [first, 1],
        [second, 1],
      ],
    ],
    [`select distinct ${c} from t`, [[first], [second]]],
    [`select count(${c}), count(distinct ${c}) from t`, [[there.length, there.length]]],
    [`select id from t order by ${c} limit 1`, [[1]]],
    [`select id from t order by ${c} desc limit 1`, [[2]]],
    [`select a.id, b.id from t a join t b on a.${name} = b.${name}`, ids.map((id) => [id, id])],
    [`select id from t where ${c} in (select ${c} from t where id = 2)`, [[2]]],
    [
      `select id, if(id = 2, ${c}, null) from t`,
      [
        [1, null],
        [2, second],
      ],
    ],
    [
      `select id, lag(${c}) over (order by id) from t`,
      [
        [1, null],
        [2, first],
      ],
    ],
    [`select array_agg(${c} ignore nulls order by id) from t`, [[there]]],
    [`select max(${c}) from t`, [[second]]],
    [`select s.x from (select struct(${c} as x) as s from t)`, [[first], [second]]],
    [`select x from t, unnest([${c}]) as x`, [[first], [second]]],
    [`select ${c} from t where id = 1 union all select ${c} from t where id = 2`, [[first], [second]]],
  ])('%s', async (sql, rows) => {
    expect(await outcome(sql)).toEqual(byText(rows));
  });
});

describe.each(ELEMENTS)('array of %s', (name) => {
  const [, , type, first, second] = COLUMNS[name] ?? (['', ['', ''], '', null, null] as const);

  test('its type', () => expect(typeOf('lists', name)).toBe(`ARRAY<${type}>`));

  test.each<[sql: string, rows: string | readonly (readonly unknown[])[]]>([
    [
      `select id, array_length(${name}) from lists`,
      [
        [1, 2],
        [2, 0],
      ],
    ],
    [
      `select id, x from lists, unnest(${name}) as x`,
      [
        [1, first],
        [1, second],
      ],
    ],
    [
      `select id, x, o from lists left join unnest(${name}) as x with offset o`,
      [
        [1, first, 0],
        [1, second, 1],
        [2, null, null],
      ],
    ],
    [
      `select id, ${name}[safe_offset(1)], ${name}[safe_ordinal(3)] from lists`,
      [
        [1, second, null],
        [2, null, null],
      ],
    ],
    [`select ${name}[offset(0)] from lists`, 'data: the query failed: the array index is out of bounds'],
    [
      `select id, (select count(x) from unnest(${name}) as x) from lists`,
      [
        [1, first === null ? 1 : 2],
        [2, 0],
      ],
    ],
    [
      `select id, array_reverse(${name}) from lists`,
      [
        [1, [second, first]],
        [2, []],
      ],
    ],
    [
      `select id, (select max(x) from unnest(${name}) as x) from lists`,
      [
        [1, second],
        [2, null],
      ],
    ],
    [
      `select x, count(*) from lists, unnest(${name}) as x group by x`,
      [
        [first, 1],
        [second, 1],
      ],
    ],
  ])('%s', async (sql, rows) => {
    expect(await outcome(sql)).toEqual(byText(rows));
  });
});

test.each<[sql: string, rows: string | readonly (readonly unknown[])[]]>([
  ['select sum(uint64), sum(int128) from t', [['18446744073709551622', '-170141183460469231731687303715884101']]],
  [
    'select id, uint64 + 1, decimal * 2 from t',
    [
      [1, '8', '-1'],
      [2, '18446744073709551616', '2.5'],
    ],
  ],
  ['select id from t where uint64 > 7', [[2]]],
  ['select id from t where uint64 = bignumeric "18446744073709551615"', [[2]]],
  ['select cast(uint64 as int64) from t where id = 1', [[7]]],
  ['select safe_cast(uint64 as int64) from t', [[7], [null]]],
  [
    'select fixed || "|", length(fixed) from t',
    [
      ['ab|', 2],
      ['abcd|', 4],
    ],
  ],
  [
    'select extract(year from date), date_add(date32, interval 1 day) from t',
    [
      [2023, '1969-05-07'],
      [2024, '2200-01-02'],
    ],
  ],
  ["select id from t where zoned > '2024-01-02 03:04:04'", [[2]]],
  ["select id from t where zoned = timestamp '2024-01-02 12:04:05+09'", [[2]]],
  ['select time_add(time, interval 1 hour) from t', [['01:00:00'], ['13:34:56']]],
  ["select id from t where uuid = '61f0c404-5cb3-11e7-907b-a6006ad3dba0' or ipv4 = '10.0.0.1'", [[1], [2]]],
  [
    'select upper(enum8), length(uuid), starts_with(ipv4, "10.") from t',
    [
      ['X', 36, true],
      ['Y', 36, false],
    ],
  ],
])('%s', async (sql, rows) => {
  expect(await outcome(sql)).toEqual(byText(rows));
});
