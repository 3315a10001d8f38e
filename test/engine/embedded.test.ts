// The embedded engine on a real data directory: bindings, limits, isolation, cancellation.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EmbeddedEngine, openEmbedded } from '../../src/engine/embedded.ts';
import type { EngineQuery } from '../../src/engine/engine.ts';
import { QuernError } from '../../src/errors.ts';
import { type TempFolder, tempFolder } from '../support/temp-store.ts';

let folder: TempFolder;
let engine: EmbeddedEngine;
beforeAll(async () => {
  folder = tempFolder();
  engine = await openEmbedded({ path: folder.path });
});
afterAll(async () => {
  await engine.close();
  folder.remove();
});

const execute = (sql: string, more: Partial<EngineQuery> = {}) => engine.execute({ sql, bindings: [], settings: {}, ...more });
const failure = async (promise: Promise<unknown>): Promise<string> => {
  const error = await promise.then(
    () => new Error('did not fail'),
    (reason: unknown) => reason,
  );
  return error instanceof QuernError ? `${error.code}: ${error.message}` : String(error);
};
const ENDLESS = 'SELECT count() FROM numbers(100000000000) WHERE sipHash64(number) = 1';

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
  '\u{1f600}',
  '\u2028',
  '\b\f\v',
  'nan',
  '\\x41',
  '\\0',
  'it\'s \\"quoted\\"',
]; // prettier-ignore

describe('bindings', () => {
  test('every hostile text comes back as it was bound, alone, nullable and in an array', async () => {
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
      "SELECT {i:Int64} AS i, {u:UInt64} AS u, {f:Float64} AS f, {z:Float64} AS z, {n:Float64} AS n, {t:Bool} AS t, {x:Nullable(Int64)} AS x, {ts:DateTime64(6, 'UTC')} AS ts, {d:Date32} AS d",
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
        ],
      },
    );
    expect(rows).toEqual([
      [-9223372036854775808n, 18446744073709551615n, 0.1, -0, 'nan', true, null, '2026-01-02 03:04:05.678901', '2026-01-02'],
    ]);
    expect(columns.map((column) => column.name)).toEqual(['i', 'u', 'f', 'z', 'n', 't', 'x', 'ts', 'd']);
  });

  test('a value of a megabyte is bound', async () => {
    const { rows } = await execute('SELECT length({a:String})', {
      bindings: [{ name: 'a', type: 'String', value: "'".repeat(1_000_000) }],
    });
    expect(rows).toEqual([[1_000_000]]);
  });

  test('many queries at once never see the values of others', async () => {
    const answers = await Promise.all(
      Array.from(
        { length: 300 },
        async (_, i) => (await execute('SELECT {a:String}', { bindings: [{ name: 'a', type: 'String', value: `v${i}` }] })).rows[0]?.[0],
      ),
    );
    expect(answers).toEqual(Array.from({ length: 300 }, (_, i) => `v${i}`));
  });
});

describe('results', () => {
  test('every kind of value arrives without loss', async () => {
    const { rows } = await execute(
      `SELECT toDecimal64('1.50', 4), nan, inf, -inf, CAST((1, 'a'), 'Tuple(a Int64, b String)'), [[1, 2], []], '{"a":9007199254740993,"c.d":[1.5]}'::JSON,
        toJSONString('{"a":9007199254740993,"u":"x/y"}'::JSON), toDateTime64('2026-01-01 00:00:00', 6), NULL, true, '"\\n\\0', unhex('ff41')`,
    );
    expect(rows).toEqual([
      [
        '1.5',
        'nan',
        'inf',
        '-inf',
        [1, 'a'],
        [[1, 2], []],
        { a: 9007199254740993n, 'c.d': [1.5] },
        '{"a":9007199254740993,"u":"x/y"}',
        '2026-01-01 00:00:00.000000',
        null,
        true,
        '"\n\0',
        '\ufffdA',
      ],
    ]);
  });

  test('a query without rows still has its columns', async () => {
    const { columns, rows } = await execute('SELECT 1 AS a WHERE false');
    expect({ columns, rows }).toEqual({ columns: [{ name: 'a', type: 'UInt8' }], rows: [] });
  });

  test('settings hold for their query only', async () => {
    const read = "SELECT getSetting('max_threads') = 7";
    expect((await execute(read, { settings: { max_threads: 7 } })).rows).toEqual([[1]]);
    expect((await execute(read)).rows).toEqual([[0]]);
  });

  test('a failed query leaves nothing in the next result', async () => {
    for (let i = 0; i < 40; i++) {
      const failed = await failure(execute(`SELECT number, throwIf(number = ${60_000 + i}, 'no') FROM numbers(100000)`));
      expect(failed).toBe('engine: the query failed: no');
      expect((await execute(`SELECT ${i}`)).rows).toEqual([[i]]);
    }
  });
});

describe('what a query may not do', () => {
  test.each([
    ["SELECT * FROM file('/etc/hostname', 'LineAsString')"],
    ["SELECT * FROM url('http://127.0.0.1:1/', 'LineAsString')"],
    ['CREATE TABLE z (a Int8) ENGINE = Memory'],
    ['SET readonly = 0'],
    ['CREATE DATABASE d'],
    ["INSERT INTO FUNCTION file('/tmp/x.csv', 'CSV', 'a Int8') SELECT 1"],
    ['SELECT * FROM `/etc/hostname`'],
  ])('%s is refused by the engine', async (sql) => {
    expect(await failure(execute(sql))).toMatch(/^engine: ClickHouse answered READONLY \(164\): /);
  });

  test.each([
    ["SELECT 1 INTO OUTFILE '/tmp/x.csv'", 'INTO OUTFILE'],
    ["SELECT 1 INTO /* */ OUTFILE '/tmp/x.csv' FORMAT CSV", 'INTO OUTFILE'],
    ["SELECT ‘'’ INTO OUTFILE '/tmp/x.csv'", 'INTO OUTFILE'],
    ["SELECT “'” INTO OUTFILE `'`", 'INTO OUTFILE'],
    ['SELECT 1 AS a$x$ ; SELECT 2 AS b$x$', 'more than one statement'],
    ['SELECT 1; SELECT 2', 'more than one statement'],
    ['SELECT 1 -- a\n; SELECT 2', 'more than one statement'],
    ['SELECT 1 FORMAT CSV', 'a FORMAT clause'],
  ])('%s is refused before it runs', async (sql, what) => {
    expect(await failure(execute(sql))).toBe(`unsupported: the query holds ${what}, which quern does not run`);
  });

  test('the same words inside strings, comments and names are fine', async () => {
    const { rows } = await execute(
      "SELECT 'INTO OUTFILE; x', 1 AS `a;b` /* ; */ -- ; into outfile\n, format('{}', 'x'), $x$ ; $x$, ‘ ; ’;",
    );
    expect(rows).toEqual([['INTO OUTFILE; x', 1, 'x', ' ; ', ' ; ']]);
  });
});

describe('limits and cancellation', () => {
  test('time, rows and memory are limited', async () => {
    expect(await failure(execute(ENDLESS, { limits: { maxExecutionSeconds: 0.2 } }))).toMatch(
      /^timeout: ClickHouse answered TIMEOUT_EXCEEDED \(159\): /,
    );
    expect(await failure(execute('SELECT * FROM numbers(10)', { limits: { maxResultRows: 2 } }))).toMatch(
      /^engine: ClickHouse answered TOO_MANY_ROWS_OR_BYTES \(396\): /,
    );
    expect(await failure(execute('SELECT groupArray(number) FROM numbers(10000000)', { limits: { maxMemoryBytes: 10_000_000 } }))).toMatch(
      /^engine: ClickHouse answered MEMORY_LIMIT_EXCEEDED \(241\): /,
    );
  });

  test('an aborted query is stopped in the engine, even when every thread is busy', async () => {
    const controller = new AbortController();
    const running = Array.from({ length: 6 }, () => failure(execute(ENDLESS, { signal: controller.signal })));
    setTimeout(() => controller.abort(), 100);
    expect(await Promise.all(running)).toEqual(Array.from({ length: 6 }, () => 'interrupted: the query was interrupted'));
    const left = "SELECT count() FROM system.processes WHERE query LIKE '%sipHash64(number) = 1' AND query NOT LIKE '%system.processes%'";
    await expect.poll(async () => (await execute(left)).rows).toEqual([[0]]);
  });

  test('a signal that times out gives a timeout, and one aborted before the start runs nothing', async () => {
    expect(await failure(execute(ENDLESS, { signal: AbortSignal.timeout(100) }))).toBe('timeout: the query took longer than it may');
    expect(await failure(execute('SELECT 1', { signal: AbortSignal.abort() }))).toBe('interrupted: the query was interrupted');
  });
});

describe('errors', () => {
  test.each([
    ['SELECT nope FROM numbers(1)', 'engine: ClickHouse answered UNKNOWN_IDENTIFIER (47): Unknown expression identifier `nope`'],
    [
      "SELECT toDate('x')",
      'engine: ClickHouse answered CANNOT_PARSE_DATE (38): Cannot parse date: value is too short: Cannot parse Date from String',
    ],
    ['SELEC 1', 'engine: ClickHouse answered SYNTAX_ERROR (62): Syntax error: failed at position 7 (1): 1'],
  ])('%s', async (sql, expected) => {
    expect(await failure(execute(sql))).toBe(expected);
  });
});
