// The client of the library beyond saved queries: SQL, objects, streams, and the tools around queries.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openQuern, type Quern, QuernError } from '../../src/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'quern-library-'));
const queries = join(folder, 'queries');
let quern: Quern;
beforeAll(() => {
  mkdirSync(queries);
  writeFileSync(
    join(queries, 'numbers.sql'),
    `/*---
id: 7d6f2f4e-9a34-4e0a-8b7e-0f6f5a3b1c01
description: whole numbers
max_rows: 3
params:
  most: { type: integer, default: 9 }
checks:
  - assert: count(*) = 3
  - assert: n < 3
---*/
select n from unnest(generate_array(1, @most)) as n order by n
`,
  );
  writeFileSync(join(folder, 'people.csv'), 'name,age\nAda,36\nAlan,41\n');
  quern = openQuern({ store: join(folder, 'store'), cacheDir: join(folder, 'cache'), queries: [queries] });
});
afterAll(async () => {
  await quern.close();
  rmSync(folder, { recursive: true, force: true });
});

const refusal = async (action: () => Promise<unknown>): Promise<readonly unknown[]> => {
  try {
    await action();
    return [];
  } catch (error) {
    if (!(error instanceof QuernError)) throw error;
    return [error.code, error.message, error.details.hint];
  }
};

test.each([undefined, null, 5, {}, { sql: 5 }])('%j is no query, whatever is asked of it', async (query) => {
  const wrong = query as unknown as string; // from a script without types
  const told = [
    'usage',
    'the query is neither the name of a saved query nor SQL',
    "pass a name such as 'usage.api-counts', or { sql: 'select …' }",
  ];
  expect(await refusal(() => quern.run(wrong))).toEqual(told);
  expect(await refusal(() => quern.objects(wrong))).toEqual(told);
  expect(await refusal(() => quern.explain(wrong))).toEqual(told);
  expect(await refusal(() => quern.lint(wrong))).toEqual(told);
  expect(await refusal(() => quern.stream(wrong)[Symbol.asyncIterator]().next())).toEqual(told);
});

describe('SQL that nobody has saved', () => {
  test('takes parameters by the types of their values, or by those that are said', async () => {
    const sql = `select @text as t, @whole as w, @large as l, @real as r, @yes as y, @at as a, @list as n, @none as o, @day as d,
      @reals as rs, extract(year from @at) as year, date_add(@day, interval 1 day) as next, @whole + @large as sum`;
    const parameters = {
      text: 'ü',
      whole: 2,
      large: 2n ** 60n,
      real: 1.5,
      yes: true,
      at: new Date('2026-01-02T03:04:05.678Z'),
      list: [1, 2],
      none: null,
      day: { type: 'date', value: '2026-01-31' },
      reals: [1, 2.5],
    };
    const { columns, rows } = await quern.run({ sql }, parameters);
    expect(columns.map(({ type }) => type.kind)).toEqual([
      ...['STRING', 'INT64', 'INT64', 'FLOAT64', 'BOOL', 'TIMESTAMP', 'ARRAY', 'STRING', 'DATE', 'ARRAY'],
      ...['INT64', 'DATE', 'INT64'],
    ]);
    expect(rows).toEqual([
      [
        'ü',
        2,
        2n ** 60n,
        1.5,
        true,
        '2026-01-02T03:04:05.678000Z',
        [1, 2],
        null,
        '2026-01-31',
        [1, 2.5],
        2026,
        '2026-02-01',
        2n ** 60n + 2n,
      ],
    ]);
  });

  test('has a bound on its rows, and no cache unless it asks for one', async () => {
    const sql = 'select n from unnest(generate_array(1, 2000)) as n order by n';
    const plain = await quern.run({ sql });
    expect([plain.rows.length, plain.truncated, plain.cache]).toEqual([1000, true, 'off']);
    const bounded = { sql, maxRows: 5, cacheSeconds: 60 };
    expect((await quern.run(bounded)).cache).toBe('miss');
    const again = await quern.run(bounded);
    expect([again.rows.length, again.cache]).toEqual([5, 'hit']);
  });

  test('may have a header, which declares its parameters', async () => {
    const sql = '/*---\nid: 7d6f2f4e-9a34-4e0a-8b7e-0f6f5a3b1c02\nparams:\n  n: { type: integer, default: 4 }\n---*/\nselect @n as n';
    expect((await quern.run({ sql })).rows).toEqual([[4]]);
    expect((await quern.run({ sql }, { n: '7' })).rows).toEqual([[7]]);
  });

  test('reads files only where it is trusted with them', async () => {
    const sql = `select name from \`${join(folder, 'people.csv')}\` where age > @least`;
    expect((await refusal(() => quern.run({ sql }, { least: 40 })))[0]).toBe('unknown-source');
    expect(await quern.objects({ sql, files: true }, { least: 40 })).toEqual([{ name: 'Alan' }]);
  });

  test.each([
    [{ sql: ' ' }, {}, ['usage', '<query> contains no SQL', "write a query, such as 'select 1 as one'"]],
    [{ sql: 'select 1' }, { n: 1 }, ['usage', 'the SQL has no parameter @n', 'leave out n']],
    [{ sql: 'select @n' }, {}, ['parameter', '@n has no value', 'add it to the parameters: { n: … }']],
    [
      { sql: 'select @n' },
      { n: { type: 'intger', value: 1 } },
      ['usage', 'n is not { type, value } with a valid parameter type', 'did you mean integer?'],
    ],
    [{ sql: 'select 1', maxRow: 1 }, {}, ['usage', 'SQL has no option maxRow', 'did you mean maxRows?']],
    [{ sql: 'select 1', maxRows: -1 }, {}, ['usage', 'maxRows: -1 is not a whole number', 'write it like maxRows: 1000']],
  ])('%j with %j is refused', async (query, parameters, expected) => {
    expect(await refusal(() => quern.run(query, parameters))).toEqual(expected);
  });

  test('is explained, for any values and for those given', async () => {
    const { sql, parameters } = await quern.explain({ sql: 'select 1 as one' });
    expect([sql, parameters]).toEqual(['SELECT toInt64(1) AS one', []]);
    expect((await quern.explain({ sql: 'select @n as n' }, { n: 1 })).columns).toEqual([{ name: 'n', type: { kind: 'INT64' } }]);
  });
});

const ALL_TYPES = `select true as b, 9007199254740993 as i, cast('nan' as float64) as f, 1.5 as g, numeric '1.10' as n, 'a\\n"b' as s, b'\\x00\\xff' as y,
  date '2026-01-02' as d, time '03:04:05.5' as t, datetime '2026-01-02T03:04:05' as dt, timestamp '2026-01-02 03:04:05.6+00' as ts,
  interval 1 day as iv, json '{"a":[1]}' as j, [1, 2] as a, struct(1 as x, [struct('q' as z)] as l) as r, cast(null as string) as e, 7, 8`;

describe('rows as objects', () => {
  test('have the names under which they are shown, and objects for structs', async () => {
    const [row] = await quern.objects({ sql: ALL_TYPES });
    expect(row).toMatchObject({
      b: true,
      i: 9007199254740993n,
      f: Number.NaN,
      a: [1, 2],
      r: { x: 1, l: [{ z: 'q' }] },
      e: null,
      f0_: 7,
      f1_: 8,
    });
    const { columns, rows } = await quern.run({ sql: ALL_TYPES });
    expect(Object.values(row ?? {}).slice(0, 14)).toEqual(rows[0]?.slice(0, 14));
    expect(Object.keys(row ?? {}).length).toBe(columns.length);
  });

  test('are the same when they stream', async () => {
    const streamed = [];
    for await (const row of quern.stream({ sql: ALL_TYPES })) streamed.push(row);
    expect(streamed).toEqual(await quern.objects({ sql: ALL_TYPES }));
  });
});

describe('a stream', () => {
  const large = { sql: 'select n, repeat("x", 100) as x from unnest(generate_array(1, 300000)) as n' };

  test('gives all rows of SQL, holding few of them', async () => {
    const stream = quern.stream(large);
    let count = 0;
    let sum = 0;
    for await (const { n } of stream) {
      count++;
      sum += Number(n);
    }
    expect([count, sum, stream.truncated]).toEqual([300_000, (300_000 * 300_001) / 2, false]);
  });

  test('stops where the loop is left, and the engine goes on with other queries', async () => {
    const stream = quern.stream(large);
    for await (const { n } of stream) if (Number(n) > 0) break;
    expect(stream.truncated).toBeUndefined();
    expect((await quern.run({ sql: 'select 1 as one' })).rows).toEqual([[1]]);
  });

  test('keeps the bound of a saved query, and says that it has', async () => {
    const stream = quern.stream('numbers', { most: 5 });
    const rows = [];
    for await (const row of stream) rows.push(row);
    expect([rows, stream.truncated]).toEqual([[{ n: 1 }, { n: 2 }, { n: 3 }], true]);
  });

  test('is cancelled by its signal', async () => {
    const controller = new AbortController();
    const taking = async () => {
      for await (const { n } of quern.stream(large, {}, { signal: controller.signal })) if (Number(n) === 1) controller.abort();
    };
    expect((await refusal(taking))[0]).toBe('interrupted');
  });

  test('throws in the loop what is wrong with the query, and cannot be taken twice', async () => {
    const wrong = async () => {
      for await (const _ of quern.stream('nunbers')) expect.unreachable();
    };
    expect((await refusal(wrong))[0]).toBe('unknown-query');
    const failing = async () => {
      for await (const _ of quern.stream({ sql: 'select error(format("%d", n)) as e from unnest([1]) as n' }));
    };
    expect((await refusal(failing))[0]).toBe('data');
    const stream = quern.stream('numbers');
    const twice = async () => {
      for await (const _ of stream);
      for await (const _ of stream);
    };
    expect((await refusal(twice))[1]).toBe('the rows of a stream can be read only once');
  });
});

describe('the tools around queries', () => {
  test('lint tells what is wrong with a saved query, or with SQL', async () => {
    expect(await quern.lint('numbers')).toEqual([]);
    const findings = await quern.lint({ sql: 'select *\nfrom nothing limit 2' });
    expect(findings.map(({ severity, rule, line, column }) => [severity, rule, line, column])).toEqual([
      ['warning', 'select-star', 1, 8],
      ['error', 'unknown-source', 2, 6],
      ['warning', 'limit-without-order', 2, 20],
    ]);
  });

  test('format lays out text', async () => {
    expect(await quern.format('select 1 as one,2 as two')).toBe('select 1 as one, 2 as two\n');
    expect(await quern.format('select 1', { keywords: 'upper' })).toBe('SELECT 1\n');
    expect((await refusal(() => quern.format('select (')))[0]).toBe('syntax');
  });

  test('check gives its report as data', async () => {
    const report = await quern.check([join(queries, 'numbers.sql')], { rows: 2 });
    expect({ ...report, checks: report.checks.map(({ elapsedMs: _, ...check }) => check) }).toEqual({
      ok: false,
      passed: 1,
      warned: 0,
      failed: 1,
      unknown: 0,
      checks: [
        {
          query: 'numbers',
          parameters: {},
          rows: 3,
          assertions: [
            { name: 'count(*) = 3', severity: 'error', state: 'pass', reason: '' },
            { name: 'n < 3', severity: 'error', state: 'fail', reason: 'fails for 1 of 3 rows', failingRows: 1, sample: [{ n: 3 }] },
          ],
        },
      ],
    });
    expect((await refusal(() => quern.check([], { jobs: 0 })))[1]).toBe('jobs: 0 is not a whole number from 1');
  });
});
