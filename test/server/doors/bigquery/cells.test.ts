// Every type as BigQuery's API writes it, and as Google's client reads it.
import { describe, expect, test } from 'vitest';
import { eventsEngine } from '../../server-support.ts';
import { call, cells, door } from './support.ts';

const engine = eventsEngine();

/** Expression, type in the schema, and the cell. */
const SCALARS: readonly (readonly [string, string, unknown])[] = [
  ['42', 'INTEGER', '42'],
  ['-9223372036854775808', 'INTEGER', '-9223372036854775808'],
  ['9007199254740993', 'INTEGER', '9007199254740993'],
  ['CAST(NULL AS INT64)', 'INTEGER', null],
  ['4.0', 'FLOAT', '4.0'],
  ['0.5', 'FLOAT', '0.5'],
  ['-12.25', 'FLOAT', '-12.25'],
  ['0.0', 'FLOAT', '0.0'],
  ["CAST('-0' AS FLOAT64)", 'FLOAT', '-0.0'],
  ['1e20', 'FLOAT', '1.0E20'],
  ['12345678.9', 'FLOAT', '1.23456789E7'],
  ['0.0001', 'FLOAT', '1.0E-4'],
  ["CAST('nan' AS FLOAT64)", 'FLOAT', 'NaN'],
  ["CAST('inf' AS FLOAT64)", 'FLOAT', 'Infinity'],
  ["CAST('-inf' AS FLOAT64)", 'FLOAT', '-Infinity'],
  ['true', 'BOOLEAN', 'true'],
  ['false', 'BOOLEAN', 'false'],
  ["'it''s'", 'STRING', "it''s"],
  ['"say \\"ä😀\\"\\n\\t\\\\"', 'STRING', 'say "ä😀"\n\t\\'],
  ["''", 'STRING', ''],
  ["b'\\x00\\xff'", 'BYTES', 'AP8='],
  ["NUMERIC '12345678901234567890123456789.123456789'", 'NUMERIC', '12345678901234567890123456789.123456789'],
  ["NUMERIC '1.50'", 'NUMERIC', '1.5'],
  ["BIGNUMERIC '0.00000000000000000000000000000000000001'", 'BIGNUMERIC', '0.00000000000000000000000000000000000001'],
  ["DATE '0001-01-02'", 'DATE', '0001-01-02'],
  ["DATETIME '2026-01-02 03:04:05'", 'DATETIME', '2026-01-02T03:04:05'],
  ["DATETIME '2026-01-02 03:04:05.5'", 'DATETIME', '2026-01-02T03:04:05.500000'],
  ["TIME '03:04:05'", 'TIME', '03:04:05'],
  ["TIME '03:04:05.678'", 'TIME', '03:04:05.678000'],
  ['JSON \'{"a": [1, null]}\'', 'JSON', '{"a":[1,null]}'],
  ['INTERVAL 1 DAY', 'INTERVAL', '0-0 1 0:0:0'],
];

describe('cells of a type', () => {
  test.each(SCALARS)('%s, in the only row and in one of several', async (expression, type, cell) => {
    const world = await door(engine());
    const value = `select ${expression.replace("'it''s'", `"it''s"`)} as v`;
    for (const [query, rows] of [
      [value, [[cell]]],
      [`${value} from unnest([1, 2])`, [[cell], [cell]]],
    ] as const) {
      const { body } = await call(world, 'POST', '/queries', { query });
      expect([body.schema.fields, cells(body)]).toEqual([[{ name: 'v', type, mode: 'NULLABLE' }], rows]);
    }
  });

  test('a TIMESTAMP as the options of a request say', async () => {
    const world = await door(engine());
    const query = `select t from unnest([timestamp '2025-03-05 10:00:00', '2026-01-02 03:04:05.678901', '1969-12-31 23:59:59.5', '0001-01-01', '9999-12-31 23:59:59.999999', null]) as t with offset as o order by o`;
    const asked = async (formatOptions?: object) => cells((await call(world, 'POST', '/queries', { query, formatOptions })).body).flat();
    expect(await asked()).toEqual(['1.7411688E9', '1.767323045678901E9', '-0.5', '-6.21355968E10', '2.534023008E11', null]);
    const micros = ['1741168800000000', '1767323045678901', '-500000', '-62135596800000000', '253402300799999999', null];
    expect(await asked({ useInt64Timestamp: true })).toEqual(micros);
    expect(await asked({ timestampOutputFormat: 'INT64' })).toEqual(micros);
    expect(await asked({ timestampOutputFormat: 'ISO8601_STRING' })).toEqual([
      '2025-03-05T10:00:00Z',
      '2026-01-02T03:04:05.678901Z',
      '1969-12-31T23:59:59.500000Z',
      '0001-01-01T00:00:00Z',
      '9999-12-31T23:59:59.999999Z',
      null,
    ]);
    const both = await call(world, 'POST', '/queries', {
      query,
      formatOptions: { useInt64Timestamp: true, timestampOutputFormat: 'ISO8601_STRING' },
    });
    expect([both.status, both.body.error.errors[0].reason]).toEqual([400, 'invalid']);
    const { body } = await call(world, 'POST', '/queries', { query, maxResults: 1 });
    const address = `/queries/${body.jobReference.jobId}?maxResults=1&startIndex=2`;
    expect(cells((await call(world, 'GET', `${address}&formatOptions.useInt64Timestamp=true`)).body)).toEqual([['-500000']]);
    expect(cells((await call(world, 'GET', `${address}&formatOptions.useInt64Timestamp=True`)).body)).toEqual([['-500000']]);
    expect(cells((await call(world, 'GET', `${address}&formatOptions.timestampOutputFormat=ISO8601_STRING`)).body)).toEqual([
      ['1969-12-31T23:59:59.500000Z'],
    ]);
  });

  test('arrays and structs, and the options within them', async () => {
    const world = await door(engine());
    const query = `select [1, 2] as a, cast(null as array<string>) as none, struct(1 as x, 'y' as y) as s, struct(1.0, true) as anonymous,
      [struct(timestamp '2025-03-05 10:00:00' as t, [struct(b'a' as b)] as inner_rows)] as rows_of, cast(null as struct<x int64>) as missing`;
    const { body } = await call(world, 'POST', '/queries', { query, formatOptions: { useInt64Timestamp: true } });
    const field = (name: string, type: string, mode = 'NULLABLE', fields?: object[]) => ({
      name,
      type,
      mode,
      ...(fields === undefined ? {} : { fields }),
    });
    expect(body.schema.fields).toEqual([
      field('a', 'INTEGER', 'REPEATED'),
      field('none', 'STRING', 'REPEATED'),
      field('s', 'RECORD', 'NULLABLE', [field('x', 'INTEGER'), field('y', 'STRING')]),
      field('anonymous', 'RECORD', 'NULLABLE', [field('_field_1', 'FLOAT'), field('_field_2', 'BOOLEAN')]),
      field('rows_of', 'RECORD', 'REPEATED', [field('t', 'TIMESTAMP'), field('inner_rows', 'RECORD', 'REPEATED', [field('b', 'BYTES')])]),
      field('missing', 'RECORD', 'NULLABLE', [field('x', 'INTEGER')]),
    ]);
    expect(cells(body)).toEqual([
      [
        [{ v: '1' }, { v: '2' }],
        [],
        { f: [{ v: '1' }, { v: 'y' }] },
        { f: [{ v: '1.0' }, { v: 'true' }] },
        [{ v: { f: [{ v: '1741168800000000' }, { v: [{ v: { f: [{ v: 'YQ==' }] } }] }] } }],
        null,
      ],
    ]);
  });

  test('columns without a name, and of the same name', async () => {
    const world = await door(engine());
    const { body } = await call(world, 'POST', '/queries', { query: 'select 1, 2 as a, 3, 4 as a' });
    expect(body.schema.fields.map(({ name }: { name: string }) => name)).toEqual(['f0_', 'a', 'f1_', 'a_1']);
  });

  test('as Google’s clients read them', async () => {
    const { clients } = await door(engine());
    for (const client of clients) {
      const [[row]] =
        await client.query(`select 1.5 as f, date '2026-01-02' as d, timestamp '2026-01-02 03:04:05.678Z' as t, [1, 2] as a, struct('x' as y) as s,
        b'ab' as b, numeric '1.25' as n, cast(null as string) as z, datetime '2026-01-02 03:04:05' as dt, true as yes`);
      expect([row.f, row.d.value, row.t.value, row.a, row.s, row.b.toString(), row.n.toString(), row.z, row.dt.value, row.yes]).toEqual([
        1.5,
        '2026-01-02',
        '2026-01-02T03:04:05.678Z',
        [1, 2],
        { y: 'x' },
        'ab',
        '1.25',
        null,
        '2026-01-02T03:04:05',
        true,
      ]);
    }
  });
});
