// Long values are cut so that their parts are the value again.
import { describe, expect, test } from 'vitest';
import { parameterText } from '../../src/engine/bind.ts';
import { cutLongValues } from '../../src/engine/server/long-values.ts';

const cut = (sql: string, type: string, value: string | readonly (string | number)[], maxBytes = 12) =>
  cutLongValues({ sql, bindings: [{ name: 'a', type, value }] }, maxBytes);

describe('cutLongValues', () => {
  test('short values stay as they are', () => {
    const query = { sql: 'SELECT {a:String}', bindings: [{ name: 'a', type: 'String', value: 'short' }] };
    expect(cutLongValues(query)).toBe(query);
  });

  test('placeholders are replaced, whatever their spaces, and nothing that only looks like one', () => {
    const { sql } = cut(
      "SELECT {a:String}, { a : String }, '{a:String}', `{a:String}` /* {a:String} */, {ab:String}",
      'String',
      'x'.repeat(13),
    );
    const parts = [0, 1, 2, 3].map((at) => `{a_part${at}:String}`).join(', ');
    expect(sql).toBe(
      `SELECT CAST(concat(${parts}) AS String), CAST(concat(${parts}) AS String), '{a:String}', \`{a:String}\` /* {a:String} */, {ab:String}`,
    );
  });

  test('texts are cut between characters, and no part is too long', () => {
    const value = `\u{1f600}'\\\n\0é漢${'\u{1f600}'.repeat(20)}`;
    const { bindings } = cut('SELECT {a:String}', 'String', value);
    expect(bindings.map((binding) => binding.value).join('')).toBe(value);
    expect(bindings.filter((binding) => Buffer.byteLength(parameterText(binding.value)) > 12)).toEqual([]);
    expect(bindings.filter((binding) => /^[\udc00-\udfff]|[\ud800-\udbff]$/.test(String(binding.value)))).toEqual([]);
  });

  test('lists keep their order, and names that are taken are left alone', () => {
    const { sql, bindings } = cutLongValues(
      {
        sql: 'SELECT {a:Array(Int64)}, {a_part0:Int64}',
        bindings: [
          { name: 'a', type: 'Array(Int64)', value: [1, 22, 333, 4444, 55555] },
          { name: 'a_part0', type: 'Int64', value: 1 },
        ],
      },
      15,
    );
    expect(sql).toBe('SELECT arrayConcat({a_part_0:Array(Int64)}, {a_part_1:Array(Int64)}), {a_part0:Int64}');
    expect(bindings.slice(0, -1).flatMap(({ value }) => value)).toEqual([1, 22, 333, 4444, 55555]);
  });

  test('an element that is too long is refused', () => {
    expect(() => cut('SELECT {a:Array(String)}', 'Array(String)', ['x'.repeat(20)])).toThrow(
      expect.objectContaining({
        code: 'unsupported',
        message: 'the list a contains an element that is too long for a ClickHouse server',
      }),
    );
  });
});
