// Values are bound: each comes back as it was given, and no query sees those of another.
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Engine } from '../../src/engine/engine.ts';
import { asking } from './asking.ts';

const HOSTILE = [
  '',
  "'",
  "''",
  '\\',
  "\\'",
  '\\\\',
  '\\N',
  'NULL',
  '\n',
  '\r\n',
  '\t',
  '\0',
  'a\0b',
  '{x:String}',
  '{',
  '}',
  '$$',
  '`',
  '"',
  '--',
  '/* */',
  "'; DROP TABLE t; --",
  "\\'; SELECT 1",
  '[',
  "['a']",
  '%',
  '%41&a=b+c',
  '\r\n--quern\r\nContent-Disposition: form-data; name="query"\r\n\r\nSELECT 2',
  '\u{1f600}',
  '\u2028',
  '\b\f\v',
  'nan',
  '\\x41',
  '\\0',
  'it\'s \\"quoted\\"',
]; // prettier-ignore

export function describeBindings(name: string, engine: () => Engine): void {
  const { execute } = asking(engine);

  describe(`${name}: bindings`, () => {
    test('every hostile text comes back as it was bound, alone, nullable and in arrays', async () => {
      for (const value of HOSTILE) {
        const { rows } = await execute('SELECT {a:String}, {b:Nullable(String)}, {c:Array(Nullable(String))}, {d:Array(Array(String))}', {
          bindings: [
            { name: 'a', type: 'String', value },
            { name: 'b', type: 'Nullable(String)', value },
            { name: 'c', type: 'Array(Nullable(String))', value: [value, null, value] },
            { name: 'd', type: 'Array(Array(String))', value: [[value], []] },
          ],
        });
        expect(rows).toEqual([[value, value, [value, null, value], [[value], []]]]);
      }
    });

    test('numbers, booleans, NULL and times keep their values', async () => {
      const { rows, columns } = await execute(
        "SELECT {i:Int64} AS i, {u:UInt64} AS u, {f:Float64} AS f, {z:Float64} AS z, {n:Float64} AS n, {t:Bool} AS t, {x:Nullable(Int64)} AS x, {ts:DateTime64(6, 'UTC')} AS ts, {d:Date32} AS d, {s:Nullable(String)} AS s, {b:Array(Bool)} AS b",
        {
          bindings: [
            { name: 'i', type: 'Int64', value: -9223372036854775808n },
            { name: 'u', type: 'UInt64', value: 18446744073709551615n },
            { name: 'f', type: 'Float64', value: 0.1 },
            { name: 'z', type: 'Float64', value: -0 },
            { name: 'n', type: 'Float64', value: Number.NaN },
            { name: 't', type: 'Bool', value: true },
            { name: 'x', type: 'Nullable(Int64)', value: null },
            { name: 'ts', type: "DateTime64(6, 'UTC')", value: '2026-01-02 03:04:05.678901' },
            { name: 'd', type: 'Date32', value: '2026-01-02' },
            { name: 's', type: 'Nullable(String)', value: null },
            { name: 'b', type: 'Array(Bool)', value: [true, false] },
          ],
        },
      );
      expect(rows).toEqual([
        [
          -9223372036854775808n,
          18446744073709551615n,
          0.1,
          -0,
          'nan',
          true,
          null,
          '2026-01-02 03:04:05.678901',
          '2026-01-02',
          null,
          [true, false],
        ],
      ]);
      expect(columns.map((column) => column.name)).toEqual(['i', 'u', 'f', 'z', 'n', 't', 'x', 'ts', 'd', 's', 'b']);
    });

    test('decimals, bytes and tuples keep their values, alone and in one another', async () => {
      const bytes = Array.from({ length: 256 }, (_, i) => String.fromCharCode(i)).join('');
      const tuple = 'Nullable(Tuple(Nullable(Decimal(38, 9)), Nullable(String), Array(Nullable(Tuple(Nullable(Date32), Nullable(Bool))))))';
      const pair = 'Nullable(Tuple(Nullable(String), Nullable(Int64)))';
      const digits = '-12345678901234567890123456789.123456789';
      const value = { tuple: [{ digits }, { bytes }, [{ tuple: ['2026-01-02', true] }, null, { tuple: [null, null] }]] };
      const long = "a'\\\n\0\xff".repeat(50_000);
      const { rows } = await execute(
        `SELECT {d:Decimal(38, 9)}, {a:Array(Nullable(Decimal(76, 38)))}, hex({b:Nullable(String)}), hex(tupleElement({t:${tuple}}, 2)),
          toString(tupleElement({t:${tuple}}, 1)), tupleElement({t:${tuple}}, 3), {n:${tuple}} IS NULL, hex(MD5({l:Nullable(String)})),
          hex(MD5(assumeNotNull(tupleElement({lt:${pair}}, 1)))), tupleElement({lt:${pair}}, 2)`,
        {
          settings: { enable_nullable_tuple_type: 1 },
          bindings: [
            { name: 'd', type: 'Decimal(38, 9)', value: { digits } },
            { name: 'a', type: 'Array(Nullable(Decimal(76, 38)))', value: [{ digits: '0.00000000000000000000000000000000000001' }, null] },
            { name: 'b', type: 'Nullable(String)', value: { bytes } },
            { name: 't', type: tuple, value },
            { name: 'n', type: tuple, value: null },
            { name: 'l', type: 'Nullable(String)', value: { bytes: long } },
            { name: 'lt', type: pair, value: { tuple: [{ bytes: long }, 7] } },
          ],
        },
      );
      const hex = Buffer.from(bytes, 'latin1').toString('hex').toUpperCase();
      const sum = createHash('md5').update(Buffer.from(long, 'latin1')).digest('hex').toUpperCase();
      const inner = [['2026-01-02', true], null, [null, null]];
      expect(rows).toEqual([[digits, ['0.00000000000000000000000000000000000001', null], hex, hex, digits, inner, 1, sum, sum, 7]]);
    });

    test('a text of a megabyte, a long list and a long pattern are bound', async () => {
      const value = "'\u{1f600}\\".repeat(250_000);
      const ids = Array.from({ length: 20_000 }, (_, i) => 1_000_000_000_000_000 + i);
      const { rows } = await execute(
        'SELECT {a:String} = {b:Nullable(String)}, lengthUTF8({a:String}), hex(MD5({ a : String })), length({ids:Array(Int64)}), 1000000000019999 IN {ids:Array(Int64)}, 3 IN {ids:Array(Int64)}',
        {
          bindings: [
            { name: 'a', type: 'String', value },
            { name: 'b', type: 'Nullable(String)', value },
            { name: 'ids', type: 'Array(Int64)', value: ids },
          ],
        },
      );
      expect(rows).toEqual([[1, 750_000, createHash('md5').update(value).digest('hex').toUpperCase(), 20_000, 1, 0]]);
    });

    test('a query and its values may be long together', async () => {
      const sql = `SELECT '${'x'.repeat(300_000)}' = {a:String}`;
      const { rows } = await execute(sql, { bindings: [{ name: 'a', type: 'String', value: 'x'.repeat(300_000) }] });
      expect(rows).toEqual([[1]]);
    });

    test('many queries at once never see the values of others', async () => {
      const answers = await Promise.all(
        Array.from(
          { length: 200 },
          async (_, i) => (await execute('SELECT {a:String}', { bindings: [{ name: 'a', type: 'String', value: `v${i}` }] })).rows[0]?.[0],
        ),
      );
      expect(answers).toEqual(Array.from({ length: 200 }, (_, i) => `v${i}`));
    });
  });
}
