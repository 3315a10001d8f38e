// What a query gives: every kind of value without loss, in order, and errors that say what is wrong.
import { describe, expect, test } from 'vitest';
import type { Engine } from '../../src/engine/engine.ts';
import { asking, failure } from './asking.ts';

export function describeResults(name: string, engine: () => Engine): void {
  const { execute } = asking(engine);

  describe(`${name}: results`, () => {
    test('every kind of value arrives without loss', async () => {
      const { rows, columns } = await execute(
        `SELECT toDecimal64('1.50', 4), toDecimal128('12345678901234567890.123456789', 9), nan, inf, -inf, CAST((1, 'a'), 'Tuple(a Int64, b String)'),
          CAST((1, ('x', [(2, NULL)])), 'Tuple(a Int64, b Tuple(c String, d Array(Tuple(e Int8, f Nullable(String)))))'), [[1, 2], []],
          '{"a":9007199254740993,"c.d":[1.5]}'::JSON, toJSONString('{"a":9007199254740993,"u":"x/y"}'::JSON), toDateTime64('2026-01-01 00:00:00', 6),
          toDateTime('2026-01-01 12:00:00'), toDate32('1900-01-01'), NULL, true, '"\\n\\0', unhex('ff41'), map('k', 1), toUInt128('340282366920938463463374607431768211455'),
          1e300, 5e-324, 0.1 + 0.2, toFloat32(0.1), toInt64(-9223372036854775808), CAST('a', 'LowCardinality(String)'), generateUUIDv4() != generateUUIDv4(1)`,
      );
      expect(rows).toEqual([
        [
          '1.5',
          '12345678901234567890.123456789',
          'nan',
          'inf',
          '-inf',
          [1, 'a'],
          [1, ['x', [[2, null]]]],
          [[1, 2], []],
          { a: 9007199254740993n, 'c.d': [1.5] },
          '{"a":9007199254740993,"u":"x/y"}',
          '2026-01-01 00:00:00.000000',
          '2026-01-01 12:00:00',
          '1900-01-01',
          null,
          true,
          '"\n\0',
          '\ufffdA',
          { k: 1 },
          340282366920938463463374607431768211455n,
          1e300,
          5e-324,
          0.30000000000000004,
          0.1,
          -9223372036854775808n,
          'a',
          1,
        ],
      ]);
      expect(columns.slice(0, 2).map(({ type }) => type)).toEqual(['Decimal(18, 4)', 'Decimal(38, 9)']);
    });

    test('a query without rows still has its columns', async () => {
      const { columns, rows } = await execute('SELECT 1 AS a WHERE false');
      expect({ columns, rows }).toEqual({ columns: [{ name: 'a', type: 'UInt8' }], rows: [] });
    });

    test('a large result is whole, and in order', async () => {
      const { rows } = await execute("SELECT number, concat('row ', toString(number)) FROM numbers(200000) ORDER BY number");
      expect([rows.length, rows[0], rows[199_999]]).toEqual([200_000, [0, 'row 0'], [199_999, 'row 199999']]);
    });

    test('settings hold for their query only', async () => {
      const read = "SELECT getSetting('max_threads') = 7";
      expect((await execute(read, { settings: { max_threads: 7 } })).rows).toEqual([[1]]);
      expect((await execute(read)).rows).toEqual([[0]]);
    });

    test('a failed query leaves nothing in the next result', async () => {
      for (let i = 0; i < 20; i++) {
        const failed = await failure(execute(`SELECT number, throwIf(number = ${60_000 + i}, 'no') FROM numbers(100000)`));
        expect(failed).toBe('data: the query failed: no');
        expect((await execute(`SELECT ${i}`)).rows).toEqual([[i]]);
      }
    });

    test("quern's own queries give rows", async () => {
      expect(await engine().rows("DESCRIBE TABLE (SELECT toInt64(1) AS a, 'x' AS b)")).toEqual([
        ['a', 'Int64', '', '', '', '', ''],
        ['b', 'String', '', '', '', '', ''],
      ]);
    });
  });

  describe(`${name}: errors`, () => {
    test('a place in the SQL is pointed at', async () => {
      const error = await execute("SELECT 'é',\n  1 FROM (SELEC 2)").catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: 'engine', details: { source: { name: 'the ClickHouse SQL' }, span: { start: 28, end: 29 } } });
    });

    test.each([
      ['SELECT nope FROM numbers(1)', 'engine: ClickHouse answered UNKNOWN_IDENTIFIER (47): Unknown expression identifier `nope`'],
      [
        "SELECT toDate('x')",
        'data: ClickHouse answered CANNOT_PARSE_DATE (38): Cannot parse date: value is too short: Cannot parse Date from String',
      ],
      ['SELEC 1', 'engine: ClickHouse answered SYNTAX_ERROR (62): Syntax error: failed at position 7 (1): 1'],
      ["SELECT throwIf(1, 'own words')", 'data: the query failed: own words'],
    ])('%s fails in the words of the engine', async (sql, expected) => {
      expect(await failure(execute(sql))).toBe(expected);
    });
  });
}
