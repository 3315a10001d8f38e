// What a failure means: a value that the engine cannot take, a limit, or something else; the same on every engine.
import { describe, expect, test } from 'vitest';
import type { Binding, Engine } from '../../src/engine/engine.ts';
import { asking, failure } from './asking.ts';

const text = (value: string): Binding => ({ name: 'p', type: 'String', value });

export function describeFailures(name: string, engine: () => Engine): void {
  const { execute } = asking(engine);

  describe(`${name}: what a failure means`, () => {
    const values: readonly (readonly [string, readonly Binding[], string])[] = [
      ["SELECT match('abc', {p:String})", [text('((')], '"((" is not a regular expression: missing )'],
      [
        'SELECT match(toString(number), {p:String}) FROM numbers(3)',
        [text('a\n*+*')],
        '"a\\n*+*" is not a regular expression: bad repetition operator: *+',
      ],
      [
        "SELECT match('abc', concat('(?-s)', {p:String}))",
        [text('[z-a].')],
        '"[z-a]." is not a regular expression: invalid character class range: z-a',
      ],
      ['SELECT toTimeZone(now(), {p:String})', [text('Mars')], '"Mars" is not a time zone'],
      ['SELECT toInt64({p:String})', [text("it's")], '"it\'s" cannot be read as Int64'],
      ['SELECT {p:String}::UUID', [text('12')], '"12" is not a UUID'],
      ['SELECT {p:UInt8}', [{ name: 'p', type: 'UInt8', value: 'abc' }], '"abc" cannot be read as UInt8'],
      ['SELECT intDiv(1, number - 1) FROM numbers(3)', [], 'division by zero'],
      ['SELECT range(number + 1000000000) FROM numbers(2)', [], 'an array would have 2000000001 elements; 500000000 are allowed'],
      ['SELECT toDecimal32(number + 9999999, 2) * toDecimal32(9999999, 2) FROM numbers(2)', [], 'a number is out of the range of its type'],
      ["SELECT repeat('abc', number + 10000000000) FROM numbers(2)", [], 'text would be too long'],
      ['SELECT (SELECT number FROM numbers(2))', [], 'a scalar subquery returned more than one row'],
      ["SELECT throwIf(number = 1, 'my own words') FROM numbers(3)", [], 'my own words'],
      ["SELECT toUInt8(if(1 = 1, 'my own words', '0'))", [], 'my own words'],
    ];
    test.each(values)('%s with %j is a fault of a value', async (sql, bindings, words) => {
      expect(await failure(execute(sql, { bindings }))).toBe(`data: the query failed: ${words}`);
    });

    test.each([
      ["SELECT toDate(concat('x', toString(number))) FROM numbers(2)", 38],
      ["SELECT toDateTime64(concat('x', toString(number)), 3) FROM numbers(2)", 41],
    ])('%s is a fault of the data (%i)', async (sql, code) => {
      const said = await failure(execute(sql));
      expect(said).toMatch(new RegExp(`^data: ClickHouse answered [A-Z_]+ \\(${code}\\): `));
    });

    test.each([
      ['SELECT nosuch', 47],
      ['SELECT 1 +', 62],
      ["SELECT 'a' + 1", 43],
    ])('%s is one of neither', async (sql, code) => {
      expect(await failure(execute(sql))).toMatch(new RegExp(`^engine: ClickHouse answered [A-Z_]+ \\(${code}\\): `));
    });

    test('a query of endless depth is beyond a limit', async () => {
      const sql = `SELECT ${'('.repeat(3000)}1${')'.repeat(3000)}`;
      expect(await failure(execute(sql))).toMatch(/^limit: the query is too large for ClickHouse$/);
    });
  });
}
