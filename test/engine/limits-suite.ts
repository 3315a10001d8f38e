// What a query may not do, how much it may take, and how it is stopped.
import { describe, expect, test } from 'vitest';
import { quoteString } from '../../src/clickhouse/quote.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { asking, ENDLESS, failure, text } from './asking.ts';

export function describeLimits(name: string, engine: () => Engine, observer: () => Engine): void {
  const { execute, stream, running } = asking(engine, observer);

  describe(`${name}: what a query may not do`, () => {
    test.each([
      ["SELECT * FROM file('/etc/hostname', 'LineAsString')"],
      ["SELECT * FROM url('http://127.0.0.1:1/', 'LineAsString')"],
      ['CREATE TABLE z (a Int8) ENGINE = Memory'],
      ['SET readonly = 0'],
      ['CREATE DATABASE d'],
      ['SELECT 1 SETTINGS max_threads = 3'],
    ])('%s is refused by the engine', async (sql) => {
      expect(await failure(execute(sql))).toMatch(/^engine: ClickHouse answered READONLY \(164\): /);
    });

    test.each([
      ["SELECT 1 INTO OUTFILE '/tmp/x.csv'", 'INTO OUTFILE'],
      ["INSERT INTO FUNCTION file('/tmp/x.csv', 'CSV', 'a Int8') SELECT 1", 'INSERT'],
      ["WITH 1 AS a INSERT INTO FUNCTION file('/tmp/x.csv', 'CSV', 'a Int8') SELECT a", 'INSERT'],
      ['SELECT 1; SELECT 2', 'more than one statement'],
      ['SELECT 1 FORMAT CSV', 'a FORMAT clause'],
    ])('%s is refused before it runs', async (sql, what) => {
      const refusal = `unsupported: the query contains ${what}, which quern does not run`;
      expect(await failure(execute(sql))).toBe(refusal);
      expect(await failure(text(stream(sql, 'TSVRaw')))).toBe(refusal);
    });

    test('the same words inside strings, comments and names are fine', async () => {
      const { rows } = await execute(
        "SELECT 'INTO OUTFILE; x', 1 AS `a;b` /* ; */ -- ; insert into outfile\n, format('{}', 'x'), $x$ ; $x$, ‘ ; ’;",
      );
      expect(rows).toEqual([['INTO OUTFILE; x', 1, 'x', ' ; ', ' ; ']]);
    });
  });

  describe(`${name}: limits and cancellation`, () => {
    test.each([
      [ENDLESS, { maxExecutionSeconds: 0.3 }, /^timeout: the query took longer than 300 ms$/],
      ['SELECT * FROM numbers(10)', { maxResultRows: 2 }, /^limit: the result has more rows than 2$/],
      ['SELECT * FROM numbers(10000)', { maxResultBytes: 2000 }, /^limit: the result is larger than 1.95 KiB$/],
      ['SELECT sum(number) FROM numbers(1000)', { maxRowsToRead: 10 }, /^limit: the query reads more rows than 10$/],
      [
        'SELECT groupArray(number) FROM numbers(10000000)',
        { maxMemoryBytes: 10_000_000 },
        /^limit: the query needs more memory than 10 MB$/,
      ],
    ])('%s with %o ends with an error', async (sql, limits, expected) => {
      expect(await failure(execute(sql, { limits }))).toMatch(expected);
    });

    test('an aborted query is stopped in the engine, even when every thread is busy', async () => {
      const controller = new AbortController();
      const sql = `${ENDLESS} AND 17 = 17`;
      const queries = Array.from({ length: 6 }, () => failure(execute(sql, { signal: controller.signal })));
      await expect.poll(() => running('17 = 17')).not.toBe(0);
      controller.abort();
      expect(await Promise.all(queries)).toEqual(Array.from({ length: 6 }, () => 'interrupted: the query was interrupted'));
      await expect.poll(() => running('17 = 17')).toBe(0);
    });

    test('a signal that times out gives a timeout, and one aborted before the start runs nothing', async () => {
      expect(await failure(execute(ENDLESS, { signal: AbortSignal.timeout(100) }))).toBe('timeout: the query took longer than its timeout');
      expect(await failure(execute('SELECT 1', { signal: AbortSignal.abort() }))).toBe('interrupted: the query was interrupted');
      await expect.poll(() => running('sipHash64')).toBe(0);
    });

    test('a hundred queries that are aborted at any moment leave none running', async () => {
      for (let round = 0; round < 10; round++) {
        const queries = Array.from({ length: 10 }, (_, at) =>
          failure(execute(`${ENDLESS} AND 21 = 21`, { signal: AbortSignal.timeout(1 + 3 * round + at) })),
        );
        expect(new Set(await Promise.all(queries))).toEqual(new Set(['timeout: the query took longer than its timeout']));
      }
      await expect.poll(() => running('21 = 21')).toBe(0);
    });

    test.each([
      ['plain', 'from a test'],
      ['chosen to match others', `' OR 1 = 1 OR '' = ' %_\\\\ \\' {"request":"x"} \n\t`],
    ])('a query is found by its comment, and nothing else is stopped with it: %s', async (_, comment) => {
      const [leaving, staying] = [new AbortController(), new AbortController()];
      const all = [leaving, staying, staying];
      const queries = all.map(({ signal }) => failure(execute(`${ENDLESS} AND 31 = 31`, { comment, signal })));
      const commented = `NOT is_cancelled AND startsWith(Settings['log_comment'], ${quoteString(comment)})`;
      const found = async () => (await observer().rows(`SELECT count() FROM system.processes WHERE ${commented}`))[0]?.[0];
      await expect.poll(found).toBe(3);
      leaving.abort();
      expect(await queries[0]).toBe('interrupted: the query was interrupted');
      await expect.poll(found).toBe(2);
      staying.abort();
      expect(await Promise.all(queries)).toEqual(Array.from(all, () => 'interrupted: the query was interrupted'));
      await expect.poll(() => running('31 = 31')).toBe(0);
    });
  });
}
