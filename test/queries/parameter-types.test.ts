// Parameters of every type of GoogleSQL, on the engine: a value arrives as the one that the query's own text would write.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openQuern, type Quern, QuernError } from '../../src/index.ts';
import { readParameterType } from '../../src/queries/parameter-type.ts';
import { tempFolder } from '../support/temp-store.ts';

const folder = tempFolder();
const queries = join(folder.path, 'queries');
let quern: Quern;
const saved = (name: string, id: number, params: string, sql: string): void =>
  writeFileSync(
    join(queries, `${name}.sql`),
    `/*---\nid: 5b0c1f9e-2d4a-4f6b-9c3d-0000000000${String(id).padStart(2, '0')}\ndescription: ${name}\ncache: 1h\nparams:\n${params}\n---*/\n${sql}\n`,
  );
beforeAll(() => {
  mkdirSync(queries);
  quern = openQuern({ store: join(folder.path, 'store'), cacheDir: join(folder.path, 'cache'), queries: [queries] });
});
afterAll(async () => {
  await quern.close();
  folder.remove();
});

const refused = async (action: () => Promise<unknown>): Promise<string> => {
  try {
    await action();
  } catch (error) {
    if (error instanceof QuernError) return [error.message, ...(error.details.problems ?? []).map(({ message }) => message)].join(' | ');
    throw error;
  }
  return 'nothing was refused';
};
const rowOf = async (sql: string, parameters: Readonly<Record<string, unknown>> | readonly unknown[]): Promise<readonly unknown[]> =>
  (await quern.run({ sql }, parameters)).rows[0] ?? [];
const allBytes = Buffer.from(Array.from({ length: 256 }, (_, i) => i));

describe('a value is the one that GoogleSQL writes as', () => {
  test.each<[type: string, value: unknown, expression: string]>([
    ['NUMERIC', '12345678901234567890123456789.123456789', "NUMERIC '12345678901234567890123456789.123456789'"],
    ['NUMERIC', '-99999999999999999999999999999.999999999', "NUMERIC '-99999999999999999999999999999.999999999'"],
    ['numeric', 1.5, "NUMERIC '1.5'"],
    ['numeric', '1.50e2', "NUMERIC '150'"],
    ['DECIMAL', '7', "NUMERIC '7'"],
    [
      'BIGNUMERIC',
      '12345678901234567890123456789012345678.12345678901234567890123456789012345678',
      "BIGNUMERIC '12345678901234567890123456789012345678.12345678901234567890123456789012345678'",
    ],
    ['BYTES', allBytes.toString('base64'), `FROM_HEX('${allBytes.toString('hex')}')`],
    ['BYTES', allBytes, `FROM_HEX('${allBytes.toString('hex')}')`],
    ['BYTES', JSON.parse(JSON.stringify(Buffer.from('a\\\'"\n\0'))), `FROM_HEX('${Buffer.from('a\\\'"\n\0').toString('hex')}')`],
    ['BYTES', '_78', "FROM_HEX('ffbf')"],
    ['BYTES', '', "b''"],
    ['STRING', '\\x41 \\N \t\r\n\0\b\f\'" é 😀', "'\\\\x41 \\\\N \\t\\r\\n\\000\\b\\f\\'\" é 😀'"],
    ['DATE', '0001-01-01', "DATE '0001-01-01'"],
    ['DATE', '9999-12-31', "DATE '9999-12-31'"],
    ['DATE', '1899-12-31', "DATE '1899-12-31'"],
    ['DATE', '2026-01-02', "DATE '2026-01-02'"],
    ['DATETIME', '2026-01-02T03:04:05.678901', "DATETIME '2026-01-02 03:04:05.678901'"],
    ['DATETIME', '0001-01-01 00:00:00', "DATETIME '0001-01-01 00:00:00'"],
    ['DATETIME', '9999-12-31 23:59:59.999999', "DATETIME '9999-12-31 23:59:59.999999'"],
    ['TIME', '23:59:59.999999', "TIME '23:59:59.999999'"],
    ['TIMESTAMP', '0001-01-01T00:00:00Z', "TIMESTAMP '0001-01-01 00:00:00+00'"],
    ['TIMESTAMP', '9999-12-31 23:59:59.999999+00:00', "TIMESTAMP '9999-12-31 23:59:59.999999+00'"],
    ['TIMESTAMP', '2026-01-02T03:04:05.678901000Z', "TIMESTAMP '2026-01-02 03:04:05.678901+00'"],
    ['TIMESTAMP', '2026-01-02 03:04:05 UTC', "TIMESTAMP '2026-01-02 03:04:05+00'"],
    ['TIMESTAMP', '2026-01-02 03:04:05-5:30', "TIMESTAMP '2026-01-02 08:34:05+00'"],
    ['TIMESTAMP', '0050-06-01 00:00:00+02', "TIMESTAMP '0050-05-31 22:00:00+00'"],
    ['JSON', '{"b": [1, 2.50, null], "a": "x\\u0041"}', `PARSE_JSON('{"b": [1, 2.50, null], "a": "x\\\\u0041"}')`],
    ['JSON', { b: 12345678901234567890n, a: true }, `PARSE_JSON('{"a": true, "b": 12345678901234567890}')`],
    ['JSON', '"text"', `JSON '"text"'`],
    ['JSON', [0.1 + 0.2], "JSON '[0.30000000000000004]'"],
    ['INTERVAL', '1-2 3 4:5:6.789', "CAST('1-2 3 4:5:6.789' AS INTERVAL)"],
    ['INTERVAL', 'P-1Y-2M10DT-5S', "CAST('P-1Y-2M10DT-5S' AS INTERVAL)"],
    ['STRUCT<a INT64, b STRING>', { a: '9007199254740993', B: "it's" }, 'STRUCT<a INT64, b STRING>(9007199254740993, "it\'s")'],
    ['STRUCT<INT64, STRING>', [1, 'x'], "STRUCT<INT64, STRING>(1, 'x')"],
    ['STRUCT<a INT64>', { a: null }, 'STRUCT<a INT64>(NULL)'],
    [
      'STRUCT<n NUMERIC, d DATE, s STRUCT<t TIMESTAMP, `b` BYTES, j JSON, i INTERVAL, y TIME, f FLOAT64, o BOOL>>',
      {
        n: '1.5',
        d: '0001-01-01',
        s: { t: '2026-01-02 03:04:05Z', b: '/wA=', j: '{"a":1}', i: '0-1', y: '01:02:03', f: '-inf', o: true },
      },
      `STRUCT<n NUMERIC, d DATE, s STRUCT<t TIMESTAMP, b BYTES, j JSON, i INTERVAL, y TIME, f FLOAT64, o BOOL>>(NUMERIC '1.5', DATE '0001-01-01',
        STRUCT(TIMESTAMP '2026-01-02 03:04:05+00', b'\\xff\\x00', JSON '{"a":1}', INTERVAL 1 MONTH, TIME '01:02:03', CAST('-inf' AS FLOAT64), TRUE))`,
    ],
    ['STRUCT<a ARRAY<STRUCT<x INT64>>>', { a: [{ x: 1 }, { x: null }] }, 'STRUCT<a ARRAY<STRUCT<x INT64>>>([STRUCT(1), STRUCT(NULL)])'],
    ['ARRAY<NUMERIC>', ['1.10', 2, null], "[NUMERIC '1.10', NUMERIC '2', NULL]"],
    ['array of bytes', ['/w==', ''], "[b'\\xff', b'']"],
    ['array of date', '0001-01-01, 2026-01-02', "[DATE '0001-01-01', DATE '2026-01-02']"],
    ['array of json', '[{"a": 1}, 2]', `[JSON '{"a":1}', JSON '2']`],
    ['ARRAY<INTERVAL>', ['1-0', '-1 0:0:0'], '[INTERVAL 1 YEAR, INTERVAL -1 DAY]'],
    [
      'ARRAY<STRUCT<k STRING, v FLOAT64>>',
      [{ k: 'a', v: 1.5 }, { k: 'b' }, null],
      "ARRAY<STRUCT<k STRING, v FLOAT64>>[('a', 1.5), ('b', NULL), NULL]",
    ],
  ])('%s %o', async (type, value, expression) => {
    const texts = /interval/i.test(type) ? ['?'] : ["format('%T', ?)", "format('%t', ?)"];
    const columns = texts.flatMap((text) => [text.replace('?', '@p'), text.replace('?', () => expression)]);
    const row = await rowOf(`select ${columns.join(', ')}`, { p: { type, value } });
    const odd = (isOdd: boolean) => row.filter((_, i) => (i % 2 === 1) === isOdd);
    expect(odd(false)).toEqual(odd(true));
  });

  test.each([
    'NUMERIC',
    'BIGNUMERIC',
    'BYTES',
    'DATE',
    'DATETIME',
    'TIME',
    'TIMESTAMP',
    'JSON',
    'INTERVAL',
    'STRUCT<a INT64>',
    'ARRAY<STRUCT<a INT64>>',
  ])('NULL of %s', async (type) => {
    expect(await rowOf('select @p is null', { p: { type, value: null } })).toEqual([true]);
  });
});

test.each<[type: string, value: unknown, problem: string]>([
  ['NUMERIC', '0.1234567891', '"0.1234567891" is not a number of up to 29 digits before the point and 9 behind it'],
  ['NUMERIC', 2 ** 60, '1152921504606847000 is not a number of up to 29 digits before the point and 9 behind it'],
  ['BIGNUMERIC', 0.1 + 0.2, '0.30000000000000004 is not a number up to 5.78e38 with at most 38 digits behind the point'],
  ['NUMERIC', 'NaN', '"NaN" is not a number of up to 29 digits before the point and 9 behind it'],
  ['BIGNUMERIC', '678901234567890123456789012345678901234', 'is not a number up to 5.78e38 with at most 38 digits behind the point'],
  [
    'ARRAY<BIGNUMERIC>',
    ['1', '123456789012345678901234567890123456789'],
    'p has a number with 39 digits before the point, which Array(Nullable(Decimal(76, 38))) may not hold',
  ],
  ['BYTES', 'a', '"a" is not bytes in base64, such as aGVsbG8='],
  ['BYTES', 'YQ=', '"YQ=" is not bytes in base64, such as aGVsbG8='],
  ['DATE', '0000-01-01', '"0000-01-01" is not a date such as 2026-01-02'],
  ['DATETIME', '2026-01-02T03:04:05Z', 'is not a date and time without a zone, such as 2026-01-02T03:04:05'],
  ['TIME', '24:00:00', '"24:00:00" is not a time of day such as 13:45:00'],
  ['TIMESTAMP', '0001-01-01 00:00:00+01', 'is not a timestamp such as'],
  ['JSON', '{a: 1}', '"{a: 1}" is not JSON such as {"a": 1}'],
  ['JSON', '0.12345678901234567890123', 'is not JSON such as'],
  ['INTERVAL', '1 day', '"1 day" is not an interval such as 1-2 3 4:5:6.789 or P1Y2M3DT4H5M6S'],
  ['INTERVAL', 'P20000Y', 'is not an interval'],
  ['STRUCT<a INT64, b ARRAY<INT64>>', { a: 1 }, 'b: an array in a STRUCT cannot be NULL or absent; give [] for an empty one'],
  ['STRUCT<a STRUCT<b ARRAY<INT64>>>', { a: { b: [1, 'x'] } }, 'a.b[1]: "x" is not a 64-bit integer'],
  ['STRUCT<INT64>', { a: 1 }, '{"a":1} is not a JSON list with the fields of STRUCT<INT64>'],
  ['ARRAY<STRUCT<id INT64, j JSON>>', '[{"id": 12345678901234567, "j": {}}]', 'has a number of more than 15 digits next to JSON'],
])('%s %j is refused', async (type, value, problem) => {
  expect(await refused(() => rowOf('select @p', { p: { type, value } }))).toContain(problem);
});

test.each([
  ['INT64', 'integer'],
  ['Float64', 'float'],
  ['array of INT64', 'integer'],
  ['ARRAY<STRUCT<a INT64, b ARRAY<DATE>>>', 'struct'],
])('%s is a type', (text, type) => expect(readParameterType(text)?.type).toBe(type));

test.each([
  'ARRAY<ARRAY<INT64>>',
  'array of ARRAY<INT64>',
  'NUMERIC(10, 2)',
  'STRING(5)',
  'GEOGRAPHY',
  'STRUCT<a>',
  'STRUCT<a INT64, A INT64>',
  '',
])('%s is no type of a parameter', (text) => expect(readParameterType(text)).toBeUndefined());

describe('a saved query', () => {
  test('declares types of SQL, alone or with defaults', async () => {
    saved(
      'declared',
      1,
      [
        '  n: NUMERIC',
        '  i: INT64',
        '  s: STRUCT<a INT64, b STRING>',
        '  d: { type: bignumeric, default: 0.12345678901234567890123456789 }',
        '  j: { type: JSON, default: { a: [1, x] } }',
        '  l: { type: ARRAY<NUMERIC>, default: [1.5, "2.25"] }',
        '  t: { type: "STRUCT<a DATE, b INT64>", default: { a: "2026-01-02", b: 2 } }',
        '  b: { type: bytes, default: aGk=, enum: [aGk=, aG8=] }',
      ].join('\n'),
      "select format('%T %T %T %T %T %T %T %T', @n, @i, @s, @d, @j, @l, @t, @b) as v",
    );
    const of = async (parameters: Readonly<Record<string, unknown>>) => (await quern.run('declared', parameters)).rows[0]?.[0];
    const usual = `BIGNUMERIC "0.12345678901234567890123456789" JSON '{"a":[1,"x"]}' [NUMERIC "1.5", NUMERIC "2.25"] (DATE "2026-01-02", 2)`;
    expect(await of({})).toBe(`NULL NULL NULL ${usual} b"hi"`);
    expect(await of({ n: '1.5', i: '7', s: '{"a": 1, "b": "x"}', b: 'aG8=' })).toBe(`NUMERIC "1.5" 7 (1, "x") ${usual} b"ho"`);
    expect(await refused(() => of({ b: 'eA==' }))).toContain('"eA==" is not one of: aGk=, aG8=');
  });

  test('keeps the results of values that look alike apart', async () => {
    saved('apart', 2, '  s: { type: "STRUCT<a STRING, b STRING>" }\n  b: { type: bytes }', 'select @s.a as a, @s.b as b, to_hex(@b) as x');
    const rows = async (s: unknown, b: string) => (await quern.run('apart', { s, b })).rows[0];
    expect(await rows({ a: 'x', b: null }, 'AA==')).toEqual(['x', null, '00']);
    expect(await rows({ a: null, b: 'x' }, 'AA==')).toEqual([null, 'x', '00']);
    expect(await rows({ a: 'x', b: 'NULL' }, 'XHgwMA==')).toEqual(['x', 'NULL', '5c783030']);
    expect((await quern.run('apart', { s: { a: 'x', b: null }, b: 'AA==' })).cache).toBe('hit');
  });

  test('has checks with arguments of such types', async () => {
    const checks = 'checks:\n  - params: { s: { a: 7, b: [0.5, "1.5"] }, n: 0.123456789 }\n    assertions: [v = numeric "2.623456789"]';
    saved(
      'checked',
      5,
      `  s: STRUCT<a INT64, b ARRAY<NUMERIC>>\n  n: NUMERIC\n${checks}`,
      'select @n + (select sum(b) from unnest(@s.b) as b) + if(@s.a = 7, 0.5, 0) as v',
    );
    expect(await quern.check(['checked'])).toMatchObject({ ok: true, passed: 1 });
  });

  test.each([
    ['  s: { type: STRUCT<a INT64, b STRING> }', 'put the type in quotes: within { } a comma ends it'],
    ['  n: NUMERC', 'did you mean numeric?'],
    ['  n: text', 'did you mean string?'],
    ['  n: { type: json, default: { a: 12345678901234567890 } }', 'has a whole number of more than 15 digits'],
    ['  n: { type: json, enum: [1] }', 'cannot be used with json'],
    ['  n: { type: numeric, default: x }', '"x" is not a number of up to 29 digits'],
  ])('with %s is refused', async (params, told) => {
    saved('wrong', 3, params, 'select 1');
    try {
      await quern.run('wrong');
      expect.unreachable();
    } catch (error) {
      const { message, details } = error as QuernError; // run throws nothing else
      expect(JSON.stringify([message, details.hint, details.problems])).toContain(JSON.stringify(told).slice(1, -1));
    }
  });
});

describe('positional parameters', () => {
  test('take the values of a list, and are found outside of texts and comments only', async () => {
    const sql = "select ? + ?, '?', \"?\", r'''?''' /* ? */, ? -- ?\n, `?` from (select 1 as `?`)";
    expect(await rowOf(sql, [1, 2, 'x'])).toEqual([3, '?', '?', '?', 'x', 1]);
    expect(await rowOf('select x from unnest(?) as x where x > ?', [{ type: 'ARRAY<NUMERIC>', value: ['1.5', '2.5'] }, 2])).toEqual([
      '2.5',
    ]);
  });

  test.each<[sql: string, values: readonly unknown[], told: string]>([
    ['select ?, ?', [1], 'parameter 2 has no value'],
    ['select ?', [1, 2], 'the SQL has no parameter 2'],
    ['select ?, @a', [1], 'the SQL has ? and @a'],
    ['select ?', [{ type: 'INT64', value: 'x' }], '"x" is not a 64-bit integer'],
  ])('%s with %j is refused', async (sql, values, told) => {
    expect(await refused(() => rowOf(sql, values))).toContain(told);
  });

  test('are none of a saved query', async () => {
    saved('positional', 4, '  n: INT64', 'select @n, ?');
    expect(await refused(() => quern.run('positional'))).toContain('? is a positional parameter, which a saved query cannot have');
    expect(await refused(() => quern.run('positional', [1]))).toBe('a saved query takes its parameters by name');
  });
});

test('ClickHouse SQL gets a far date where its type can hold it, and a refusal elsewhere', async () => {
  const header = (type: string) =>
    `/*---\nid: 5b0c1f9e-2d4a-4f6b-9c3d-000000000090\ndialect: clickhouse\nparams: { d: { type: date, required: true } }\n---*/\nselect toString({d:${type}}) as v`;
  const rows = async (type: string, d: string) => (await quern.run({ sql: header(type) }, { d })).rows[0]?.[0];
  expect([await rows('Date32', '0050-02-03'), await rows('Date', '2026-02-03')]).toEqual(['0050-02-03', '2026-02-03']);
  expect(await refused(() => rows('Date', '0050-02-03'))).toContain('d has a date outside of 1900 to 2299, which Date may not hold');
});
