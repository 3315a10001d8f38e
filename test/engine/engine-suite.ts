// What both engines promise, run on each: the same rows, errors, limits, cancellation.
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Engine, EngineQuery } from '../../src/engine/engine.ts';
import { QuernError } from '../../src/errors.ts';

/** `code: first line` of the error that `promise` rejects with. */
export async function failure(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => new Error('did not fail'),
    (reason: unknown) => reason,
  );
  return error instanceof QuernError ? `${error.code}: ${error.message}` : String(error);
}

export async function text(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

export const ENDLESS = 'SELECT count() FROM numbers(100000000000) WHERE sipHash64(number) = 1';
const ENDLESS_ROWS = 'SELECT number, sipHash64(number) FROM numbers(100000000000)';

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

function asking(engine: () => Engine, observer: () => Engine) {
  const execute = (sql: string, more: Partial<EngineQuery> = {}) => engine().execute({ sql, bindings: [], settings: {}, ...more });
  const stream = (sql: string, format: string, more: Partial<EngineQuery> = {}) =>
    engine().stream({ sql, bindings: [], settings: {}, ...more }, format);
  const running = async (part: string): Promise<unknown> =>
    (
      await observer().rows(`SELECT count() FROM system.processes WHERE query LIKE '%${part}%' AND query NOT LIKE '%system.processes%'`)
    )[0]?.[0];
  return { execute, stream, running };
}

/** Registers the tests; `engine` is asked for while a test runs, and `observer` what it does, on the same server or in the same process. */
export function describeEngine(name: string, engine: () => Engine, observer = engine): void {
  const { execute, stream, running } = asking(engine, observer);

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
        expect(failed).toBe('engine: the query failed: no');
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
      const refusal = `unsupported: the query holds ${what}, which quern does not run`;
      expect(await failure(execute(sql))).toBe(refusal);
      expect(await failure(text(stream(sql, 'TSV')))).toBe(refusal);
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
      [ENDLESS, { maxExecutionSeconds: 0.3 }, /^timeout: ClickHouse answered TIMEOUT_EXCEEDED \(159\): /],
      ['SELECT * FROM numbers(10)', { maxResultRows: 2 }, /^engine: ClickHouse answered TOO_MANY_ROWS_OR_BYTES \(396\): /],
      ['SELECT * FROM numbers(10000)', { maxResultBytes: 2000 }, /^engine: ClickHouse answered TOO_MANY_ROWS_OR_BYTES \(396\): /],
      ['SELECT sum(number) FROM numbers(1000)', { maxRowsToRead: 10 }, /^engine: ClickHouse answered TOO_MANY_ROWS \(158\): /],
      [
        'SELECT groupArray(number) FROM numbers(10000000)',
        { maxMemoryBytes: 10_000_000 },
        /^engine: ClickHouse answered MEMORY_LIMIT_EXCEEDED \(241\): /,
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
      expect(await failure(execute(ENDLESS, { signal: AbortSignal.timeout(100) }))).toBe('timeout: the query took longer than it may');
      expect(await failure(execute('SELECT 1', { signal: AbortSignal.abort() }))).toBe('interrupted: the query was interrupted');
      await expect.poll(() => running('sipHash64')).toBe(0);
    });

    test('a hundred queries that are aborted at any moment leave none running', async () => {
      for (let round = 0; round < 10; round++) {
        const queries = Array.from({ length: 10 }, (_, at) =>
          failure(execute(`${ENDLESS} AND 21 = 21`, { signal: AbortSignal.timeout(1 + 3 * round + at) })),
        );
        expect(new Set(await Promise.all(queries))).toEqual(new Set(['timeout: the query took longer than it may']));
      }
      await expect.poll(() => running('21 = 21')).toBe(0);
    });

    test('a query is found by its id or its comment', async () => {
      const controller = new AbortController();
      const query = failure(execute(ENDLESS, { queryId: 'wanted-1', comment: 'from a test', signal: controller.signal }));
      await expect
        .poll(() =>
          observer().rows(
            "SELECT count() FROM system.processes WHERE query_id = 'wanted-1' OR Settings['log_comment'] LIKE 'from a test%'",
          ),
        )
        .toEqual([[1]]);
      controller.abort();
      expect(await query).toBe('interrupted: the query was interrupted');
    });
  });

  describe(`${name}: errors`, () => {
    test('a place in the SQL is pointed at', async () => {
      const error = await execute("SELECT 'é',\n  1 FROM (SELEC 2)").catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: 'engine', details: { source: { name: 'the ClickHouse SQL' }, span: { start: 28, end: 29 } } });
    });

    test.each([
      ['SELECT nope FROM numbers(1)', 'engine: ClickHouse answered UNKNOWN_IDENTIFIER (47): Unknown expression identifier `nope`'],
      ['SELECT * FROM nope', "engine: ClickHouse answered UNKNOWN_TABLE (60): Unknown table expression identifier 'nope'"],
      [
        "SELECT toDate('x')",
        'engine: ClickHouse answered CANNOT_PARSE_DATE (38): Cannot parse date: value is too short: Cannot parse Date from String',
      ],
      ['SELEC 1', 'engine: ClickHouse answered SYNTAX_ERROR (62): Syntax error: failed at position 7 (1): 1'],
      ["SELECT throwIf(1, 'own words')", 'engine: the query failed: own words'],
    ])('%s', async (sql, expected) => {
      expect(await failure(execute(sql))).toBe(expected);
    });
  });
}

/** Registers the tests of `stream`. */
export function describeStreams(name: string, engine: () => Engine, observer = engine): void {
  const { stream, running } = asking(engine, observer);

  describe(`${name}: streams`, () => {
    test('bytes in the format asked for, with bindings and settings', async () => {
      const bytes = stream('SELECT number, {a:String} AS a FROM numbers(3)', 'JSONEachRow', {
        bindings: [{ name: 'a', type: 'String', value: '\n' }],
      });
      expect(await text(bytes)).toBe('{"number":0,"a":"\\n"}\n{"number":1,"a":"\\n"}\n{"number":2,"a":"\\n"}\n');
    });

    test('a large result is whole, and in order', async () => {
      const csv = await text(stream('SELECT number FROM numbers(300000) ORDER BY number', 'CSV'));
      expect(csv).toBe(Array.from({ length: 300_000 }, (_, i) => `${i}\n`).join(''));
    });

    test('an error in mid-stream is an error', async () => {
      let bytes = 0;
      const reading = async () => {
        for await (const chunk of stream("SELECT number, throwIf(number = 3000000, 'boo') FROM numbers(4000000)", 'TSV'))
          bytes += chunk.length;
      };
      expect(await failure(reading())).toBe('engine: the query failed: boo');
      expect(bytes).toBeGreaterThan(0);
    });

    test('leaving the loop stops the query', async () => {
      for await (const chunk of stream(`${ENDLESS_ROWS} WHERE 18 = 18`, 'TSV')) {
        expect(chunk.length).toBeGreaterThan(0);
        break;
      }
      await expect.poll(() => running('18 = 18')).toBe(0);
    });

    test('an aborted stream ends with an error, and its query is gone', async () => {
      const controller = new AbortController();
      const reading = async () => {
        for await (const chunk of stream(`${ENDLESS_ROWS} WHERE 19 = 19`, 'TSV', { signal: controller.signal }))
          if (chunk.length > 0) controller.abort();
      };
      expect(await failure(reading())).toBe('interrupted: the query was interrupted');
      await expect.poll(() => running('19 = 19')).toBe(0);
    });

    test('a slow reader holds the engine back', async () => {
      const before = process.memoryUsage();
      const rowsRead = async () =>
        Number(
          (
            await observer().rows(
              "SELECT sum(read_rows) FROM system.processes WHERE query LIKE '%20 = 20%' AND query NOT LIKE '%system.processes%'",
            )
          )[0]?.[0],
        );
      for await (const chunk of stream(`${ENDLESS_ROWS} WHERE 20 = 20`, 'TSV')) {
        expect(chunk.length).toBeGreaterThan(0);
        let last = -1;
        await expect
          .poll(
            async () => {
              const now = await rowsRead();
              const still = now === last;
              last = now;
              return still;
            },
            { interval: 200, timeout: 20_000 },
          )
          .toBe(true);
        expect(process.memoryUsage().arrayBuffers - before.arrayBuffers).toBeLessThan(32e6);
        break;
      }
    });

    test('limits hold', async () => {
      expect(await failure(text(stream(ENDLESS, 'TSV', { limits: { maxExecutionSeconds: 0.3 } })))).toMatch(
        /^timeout: ClickHouse answered TIMEOUT_EXCEEDED \(159\): /,
      );
      expect(await failure(text(stream('SELECT * FROM numbers(10)', 'TSV', { limits: { maxResultRows: 2 } })))).toMatch(
        /^engine: ClickHouse answered TOO_MANY_ROWS_OR_BYTES \(396\): /,
      );
    });
  });
}
