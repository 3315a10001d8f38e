// Rows that go from the engine to a file or a pipe: the very text that the writers print for the same rows, whichever way they take.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { columnNames } from '../../src/base/column-names.ts';
import type { LineFormat } from '../../src/base/formats.ts';
import type { QueryResult } from '../../src/base/result.ts';
import { type EmbeddedEngine, openEmbedded } from '../../src/engine/embedded/embedded.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { decodeRows } from '../../src/execution/decode.ts';
import { type ExportSink, openExport } from '../../src/execution/export/export.ts';
import type { PreparedQuery } from '../../src/execution/prepared-query.ts';
import { executePrepared } from '../../src/execution/run.ts';
import { csv, csvRows, tsv, tsvRows } from '../../src/output/delimited.ts';
import { ndjson, ndjsonRows } from '../../src/output/json.ts';
import { translate } from '../../src/sql/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'quern-export-'));
let engine: EmbeddedEngine;
beforeAll(async () => {
  engine = await openEmbedded({ path: join(folder, 'data') });
});
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

const writers = {
  ndjson: { whole: ndjson, rows: ndjsonRows },
  csv: { whole: csv, rows: csvRows('keep') },
  tsv: { whole: tsv, rows: tsvRows },
};
const formats = ['ndjson', 'csv', 'tsv'] as const satisfies readonly LineFormat[];
const base = {
  name: 'q',
  id: '',
  ttlSeconds: 0,
  sandbox: false,
  redactPii: false,
  limits: {},
  source: { name: 'q.sql', text: '' },
  parameters: [],
  bound: [],
  sources: [],
  uses: [],
};

function preparedOf(sql: string, maxRows = 1_000_000): PreparedQuery {
  const { sql: text, columns, settings } = translate(sql, { bytes: 'text' });
  return { ...base, dialect: 'bigquery', maxRows, sql: text, columns, settings };
}
const clickhouse = (sql: string): PreparedQuery => ({
  ...base,
  dialect: 'clickhouse',
  maxRows: 1000,
  sql,
  settings: { session_timezone: 'UTC' },
});

const held = (prepared: PreparedQuery): Promise<QueryResult> =>
  executePrepared(prepared, { arguments: {}, instant: '2026-01-02T00:00:00.000000' }, { engine: async () => engine, limits: {} });
const wholeText = async (prepared: PreparedQuery, format: LineFormat): Promise<string> => {
  const result = await held(prepared);
  return [...writers[format].whole(result)].join('');
};
/** Without `writeFile`, as an engine on another machine is. */
const distant = (): Engine => ({ ...engine, writeFile: undefined }) as unknown as Engine;
const opened = (prepared: PreparedQuery, format: ExportSink['format'], through: Engine = engine, wanted?: readonly number[]) =>
  openExport(
    prepared,
    { arguments: {}, instant: '2026-01-02T00:00:00.000000' },
    {
      format,
      choose: (columns) => {
        const positions = wanted ?? columns.map((_, i) => i);
        const names = columnNames(columns);
        return { positions, names: positions.map((at) => names[at] ?? '') };
      },
      printer: writers[format === 'csv' || format === 'tsv' ? format : 'ndjson'].rows,
    },
    { engine: async () => through, limits: {} },
  );
async function streamed(prepared: PreparedQuery, format: LineFormat, through?: Engine) {
  const out = await opened(prepared, format, through);
  const chunks: Uint8Array[] = [];
  for await (const chunk of out.chunks()) chunks.push(chunk);
  const { rows, truncated } = await out.end();
  return { text: Buffer.concat(chunks).toString(), rows, truncated };
}
async function written(prepared: PreparedQuery, format: LineFormat) {
  const file = join(folder, `out.${format}`);
  const out = await opened(prepared, format);
  if (out.write === undefined) throw new Error('the engine does not write this');
  await out.write(file);
  const { rows, truncated } = await out.end();
  return { text: readFileSync(file, 'utf8'), rows, truncated };
}

/** Types that the engine prints. */
const PRINTED: readonly (readonly [string, string])[] = [
  [
    'nothing but NULL',
    'select cast(null as string) s, cast(null as float64) f, cast(null as timestamp) t, cast(null as bool) b, cast(null as int64) i',
  ],
  ['no rows', 'select 1 as a, "x" as b from unnest([1]) as n where n > 1'],
  ['integers', 'select n, -n as m, 9223372036854775807 - n as large from unnest([0, 1, 9007199254740993, 9223372036854775807]) as n'],
  [
    'floats',
    `select f from unnest([0.0, -0.0, 0.1, 1/3, 1e20, 1e21, -1e21, 1.5e300, 1e-6, 1e-7, 5e-324, 1.7976931348623157e308, 9007199254740993.0,
      cast('nan' as float64), cast('inf' as float64), cast('-inf' as float64), null]) as f`,
  ],
  [
    'random floats',
    'select (n * 7919 - 3e6) / 997 as f, pow(10.0, mod(n, 600) - 300) * n as g, sqrt(n) as h from unnest(generate_array(1, 3000)) as n',
  ],
  [
    'numerics',
    "select numeric '123.4500' as n, numeric '-0.000000001' as m, bignumeric '0.00000000000000000000000000000000000001' as b, numeric '12' as w",
  ],
  ['booleans', 'select n > 1 as a, not (n > 1) as b, if(n = 3, null, n = 2) as c, n in (1, 2) as d from unnest([1, 2, 3]) as n'],
  [
    'strings',
    `select s from unnest(['', ' ', ' a', 'a ', '\\ta', 'a\\t', 'a,b', 'a"b', '""', 'a\\nb', '\\r', '\\\\', '\\\\n', 'NULL', '\\\\N', "it's", 'é', '日本',
      '\\U0001F600', '\\u2028\\u2029', '\\u00a0', '/a/b', '\\x7f', '\\a\\b\\f\\v', '\${data}', '$', '<&>', null]) as s`,
  ],
  [
    'every character',
    'select code_points_to_string([n]) as c, concat("a", code_points_to_string([n]), "b") as d from unnest(generate_array(1, 55295)) as n',
  ],
  ['bytes', "select b'' as a, b'abc' as b, cast(null as bytes) as c, b'\\xff\\x00' as d"],
  ['dates', "select d from unnest([date '1900-01-01', date '1969-12-31', date '2026-01-02', date '2299-12-31', null]) as d"],
  ['times of day', "select t from unnest([time '00:00:00', time '12:34:56.5', time '23:59:59.999999', time '01:02:03.000001', null]) as t"],
  [
    'timestamps',
    `select t, datetime(t) as d, timestamp_trunc(t, hour) as h from unnest([timestamp '2026-01-02 03:04:05.678901+00', timestamp '2026-01-02 03:04:05+00',
      timestamp '1900-01-01 00:00:00.000001+00', timestamp '1969-12-31 23:59:59.9+00', timestamp '2299-12-31 23:59:59.999999+00', null]) as t`,
  ],
  ['random timestamps', 'select timestamp_micros(n * 86399999 * 1009) as t from unnest(generate_array(-2000, 2000)) as n'],
  ['intervals', 'select interval n day as i, make_interval(1, 2, n, 4, 5, 6) as j from unnest([0, -1, 3]) as n'],
  ['awkward names', 'select 1 as `a b`, 2, 3 as `$x`, 4 as `x"y`, 5 as `a`, "s" as `it\'s`, 6, 7 as `,`, 8 as `é`'],
  ['names that repeat or hide each other', 'select b as a, a as b, a as a from (select 1 as a, "x" as b)'],
  ['three hundred columns', `select ${Array.from({ length: 300 }, (_, i) => (i % 2 === 0 ? i : `"${i}"`)).join(', ')}`],
  ['an order', 'select n, cast(n as string) as s from unnest(generate_array(1, 50000)) as n order by n desc'],
];

/** Types that quern's own writers print. */
const DECODED: readonly (readonly [string, string])[] = [
  ['arrays', "select [1, 2] as a, ['x', 'y\"'] as b, cast([] as array<int64>) as c, [timestamp '2026-01-02 00:00:00+00'] as d"],
  ['structs', 'select struct(1 as a, "x" as b, [1.5] as c) as s, struct(2, 3) as t from unnest([1, 2])'],
  ['JSON', `select json '{"a": [1, "x"], "b": null}' as j, to_json_string(struct(1 as a)) as k`],
];

describe.each(formats)('%s', (format) => {
  test.each(PRINTED)('of %s is the same text from the engine as from the writers', async (_, sql) => {
    const prepared = preparedOf(sql);
    const expected = await wholeText(prepared, format);
    const rows = (await held(prepared)).rows.length;
    expect(await written(prepared, format)).toEqual({ text: expected, rows, truncated: false });
    expect(await streamed(prepared, format)).toEqual({ text: expected, rows, truncated: false });
    expect(await streamed(prepared, format, distant())).toEqual({ text: expected, rows, truncated: false });
  });

  test.each(DECODED)('of %s is printed row by row', async (_, sql) => {
    const prepared = preparedOf(sql);
    expect((await opened(prepared, format)).write).toBeUndefined();
    expect((await streamed(prepared, format)).text).toBe(await wholeText(prepared, format));
  });

  test('of ClickHouse SQL is printed row by row', async () => {
    const prepared = clickhouse(
      "SELECT toUUID('5f0c2f0e-6d3a-4c43-9a53-0d6c4d0f7a11') AS u, toUInt256(7) AS n, map('a', 1) AS m, now() > 0 AS b, 0.1::Float32 AS f",
    );
    expect((await streamed(prepared, format)).text).toBe(await wholeText(prepared, format));
  });

  test('of many rows by quern itself is whole', async () => {
    const prepared = preparedOf('select [n] as a, n from unnest(generate_array(1, 140000)) as n');
    const { text, rows } = await streamed(prepared, format);
    expect([rows, text === (await wholeText(prepared, format))]).toEqual([140_000, true]);
  });

  test.each([
    [2, 2, true],
    [3, 3, false],
    [4, 3, false],
  ])('with at most %i of three rows has %i, and knows whether there were more', async (maxRows, rows, truncated) => {
    const prepared = preparedOf('select n, "a\\nb" as s from unnest([1, 2, 3]) as n order by n', maxRows);
    const text = await wholeText(prepared, format);
    for (const way of [written(prepared, format), streamed(prepared, format), streamed(prepared, format, distant())]) {
      expect(await way).toEqual({ text, rows, truncated });
    }
    const own = preparedOf('select [n] as n from unnest([1, 2, 3]) as n order by n[offset(0)]', maxRows);
    expect(await streamed(own, format)).toEqual({ text: await wholeText(own, format), rows, truncated });
  });
});

describe.each(['parquet', 'arrow'] as const)('%s', (format) => {
  const reader = format === 'parquet' ? 'Parquet' : 'Arrow';
  test('has the values under the names shown, with their types', async () => {
    const prepared = preparedOf(
      'select n, cast(n as string) as s, timestamp_micros(n) as t, n / 2 as f, n from unnest([1, 2]) as n order by n',
    );
    const file = join(folder, `typed.${format}`);
    const out = await opened(prepared, format);
    await out.write?.(file);
    expect(await out.end()).toMatchObject({ rows: 2, truncated: false });
    const { columns, rows } = await engine.execute({ sql: 'SELECT 1', bindings: [], settings: {} }).then(async () => ({
      columns: (await engine.rows(`DESCRIBE file('${file}', '${reader}')`)).map(([name]) => name),
      rows: await engine.rows(`SELECT n, s, t, f, n_1 FROM file('${file}', '${reader}')`),
    }));
    expect(columns).toEqual(['n', 's', 't', 'f', 'n_1']);
    expect(
      decodeRows(
        (prepared.columns ?? []).map((column) => column),
        { columns: [], rows, statistics: { elapsedMs: 0 } },
      ),
    ).toEqual((await held(prepared)).rows);
  });

  test('ends at the row limit, and knows that there were more', async () => {
    const prepared = preparedOf('select n from unnest([1, 2, 3]) as n', 2);
    const file = join(folder, `cut.${format}`);
    const out = await opened(prepared, format);
    await out.write?.(file);
    expect(await out.end()).toMatchObject({ rows: 2, truncated: true });
    expect(await engine.rows(`SELECT count() FROM file('${file}', '${reader}')`)).toEqual([[2]]);
  });

  test('has the columns wanted, in the order wanted, also of ClickHouse SQL', async () => {
    const file = join(folder, `chosen.${format}`);
    const out = await opened(clickhouse('SELECT 1 AS a, 2 AS `b c`, 3 AS d'), format, engine, [2, 1]);
    await out.write?.(file);
    expect((await engine.rows(`DESCRIBE file('${file}', '${reader}')`)).map(([name]) => name)).toEqual(['d', 'b c']);
  });
});
