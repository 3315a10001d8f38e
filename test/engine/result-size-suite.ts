// The size of a result is bounded however the engine holds it: constants and what joins repeat are large only once they are printed.
import { describe, expect, test } from 'vitest';
import type { Engine } from '../../src/engine/engine.ts';
import { asking, failure, text } from './asking.ts';

const LONG = "(SELECT groupArray(repeat('x', 1000)) FROM numbers(100))";
const TOO_LARGE = 'limit: the result is larger than 1MB';

export function describeResultSize(name: string, engine: () => Engine): void {
  const { execute, stream } = asking(engine, engine);
  const limits = { maxResultBytes: 1_000_000 };

  describe(`${name}: a result of at most a megabyte`, () => {
    test.each([
      ['a constant array in 200 rows', `SELECT ${LONG} AS x FROM numbers(200)`],
      [
        'an array that a join repeats',
        `SELECT x FROM (SELECT 1 AS k, ${LONG} AS x) AS a JOIN (SELECT 1 AS k FROM numbers(200)) AS b USING (k)`,
      ],
      ['a text that ARRAY JOIN repeats', "SELECT x, y FROM (SELECT repeat('x', 10000) AS x, range(200) AS z) ARRAY JOIN z AS y ORDER BY y"],
      ['a text with a dictionary', "SELECT toLowCardinality(repeat('x', 10000)) FROM numbers(200)"],
    ])('cannot be %s', async (_, sql) => {
      expect(await failure(execute(sql, { limits, sharedValues: true }))).toBe(TOO_LARGE);
      expect(await failure(text(stream(sql, 'TSVRaw', { limits, sharedValues: true })))).toBe(TOO_LARGE);
      // Without a word about shared values, what arrives is counted.
      expect(await failure(execute(sql, { limits }))).toBe(TOO_LARGE);
      expect(await failure(text(stream(sql, 'TSVRaw', { limits })))).toBe(TOO_LARGE);
    });

    test.each(['SELECT 1 AS x', "SELECT 'a' AS x, [1] AS y FROM numbers(3)", 'SELECT 1 AS x FROM numbers(0)'])(
      'may be constant: %s',
      async (sql) => {
        const plain = await execute(sql);
        expect((await execute(sql, { limits, sharedValues: true })).rows).toEqual(plain.rows);
      },
    );

    test('is given as it is, in its order', async () => {
      const sql = "SELECT number, repeat('x', 100) AS x, [number] AS y FROM numbers(1000) ORDER BY number DESC LIMIT 3";
      const { columns, rows } = await execute(sql, { limits, sharedValues: true });
      expect(columns.map(({ type }) => type)).toEqual(['UInt64', 'String', 'Array(UInt64)']);
      expect(rows.map(([number]) => number)).toEqual([999, 998, 997]);
    });
  });
}
