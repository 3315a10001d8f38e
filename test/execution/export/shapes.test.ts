// Parquet and Arrow have the shape of the rows, whoever reads them: each type with values, NULL and nothing, alone, in arrays and in structs.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { structFieldNames } from '../../../src/base/column-names.ts';
import type { Value } from '../../../src/base/result.ts';
import { type EmbeddedEngine, openEmbedded } from '../../../src/engine/embedded/embedded.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import { openExport } from '../../../src/execution/export/export.ts';
import type { PreparedQuery } from '../../../src/execution/prepared-query.ts';
import { executePrepared } from '../../../src/execution/run.ts';
import { ndjsonRows } from '../../../src/output/json.ts';
import type { Type } from '../../../src/sql/base/types.ts';
import { translate } from '../../../src/sql/index.ts';
import { parquetLeaves, type ReadFile, readArrowFile, readParquetFile } from '../../support/read-columns.ts';

const folder = mkdtempSync(join(tmpdir(), 'quern-shapes-'));
let engine: EmbeddedEngine;
beforeAll(async () => {
  engine = await openEmbedded({ path: join(folder, 'data') });
});
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});
/** Without `writeFile`, as an engine on another machine is. */
const distant = (): Engine => ({ ...engine, writeFile: undefined }) as unknown as Engine;

function preparedOf(sql: string): PreparedQuery {
  const { sql: text, columns, settings } = translate(sql, { bytes: 'text' });
  const given = { name: 'q', id: '', ttlSeconds: 0, sandbox: false, redactPii: false, limits: {}, source: { name: 'q.sql', text: '' } };
  return {
    ...given,
    parameters: [],
    bound: [],
    sources: [],
    uses: [],
    dialect: 'bigquery',
    maxRows: 100_000,
    sql: text,
    columns,
    settings,
  };
}

const opened = (prepared: PreparedQuery, format: 'parquet' | 'arrow', through: Engine) =>
  openExport(
    prepared,
    { arguments: {}, instant: '2026-01-02T00:00:00.000000' },
    {
      format,
      choose: (columns) => ({ positions: columns.map((_, i) => i), names: columns.map(({ name }) => name) }),
      printer: ndjsonRows,
    },
    { engine: async () => through, limits: {} },
  );

async function written(prepared: PreparedQuery, format: 'parquet' | 'arrow', through: Engine = engine): Promise<Uint8Array> {
  const out = await opened(prepared, format, through);
  if (out.write === undefined) return streamed(prepared, format, through);
  const file = join(folder, `out.${format}`);
  await out.write(file);
  await out.end();
  return readFileSync(file);
}

async function streamed(prepared: PreparedQuery, format: 'parquet' | 'arrow', through: Engine): Promise<Uint8Array> {
  const out = await opened(prepared, format, through);
  const chunks: Uint8Array[] = [];
  for await (const chunk of out.chunks()) chunks.push(chunk);
  await out.end();
  return Buffer.concat(chunks);
}

/** The rows of the query, with structs as the readers show them. */
async function expected(prepared: PreparedQuery): Promise<readonly (readonly Value[])[]> {
  const { rows } = await executePrepared(
    prepared,
    { arguments: {}, instant: '2026-01-02T00:00:00.000000' },
    { engine: async () => engine, limits: {} },
  );
  return rows.map((row) => row.map((value, i) => named(prepared.columns?.[i]?.type, value)));
}

function named(type: Type | undefined, value: Value): Value {
  if (value === null || !Array.isArray(value)) return value;
  if (type?.kind === 'ARRAY') return value.map((item) => named(type.element, item));
  if (type?.kind !== 'STRUCT') return value;
  const names = structFieldNames(type.fields);
  return Object.fromEntries(type.fields.map((field, i) => [names[i] ?? '', named(field.type, value[i] ?? null)]));
}

const READERS: Readonly<Record<'parquet' | 'arrow', (bytes: Uint8Array) => ReadFile>> = { parquet: readParquetFile, arrow: readArrowFile };

/** The type; what Arrow's library and hyparquet say of it; values. */
const TYPES: readonly (readonly [type: string, arrow: string, parquet: string, ...values: string[]])[] = [
  ['bool', 'Bool', 'BOOLEAN', 'true', 'false'],
  ['int64', 'Int64', 'INT64', '0', '-9223372036854775808', '9223372036854775807'],
  ['float64', 'Float64', 'DOUBLE', '0.1', "cast('nan' as float64)", "cast('-inf' as float64)", '5e-324'],
  ['numeric', 'Decimal[38e+9]', 'FIXED_LEN_BYTE_ARRAY DECIMAL DECIMAL scale=9 precision=38', "numeric '-123.450000001'", "numeric '99999999999999999999999999999.999999999'"],
  ['bignumeric', 'Decimal[76e+38]', 'FIXED_LEN_BYTE_ARRAY DECIMAL DECIMAL scale=38 precision=76', "bignumeric '-0.00000000000000000000000000000000000001'", "bignumeric '1e37'"],
  ['string', 'Utf8', 'BYTE_ARRAY UTF8 STRING', "''", "'é\\n\\U0001F600'"],
  ['bytes', 'Binary', 'BYTE_ARRAY', "b''", "b'\\xff\\x00a'"],
  ['date', 'Date32<DAY>', 'INT32 DATE DATE', "date '0001-01-01'", "date '1969-12-31'", "date '9999-12-31'"],
  ['time', 'Time64<MICROSECOND>', 'INT64 TIME isAdjustedToUTC=false unit=MICROS', "time '00:00:00'", "time '23:59:59.999999'", "time '12:34:56.000001'"],
  ['datetime', 'Timestamp<MICROSECOND>', 'INT64 TIMESTAMP isAdjustedToUTC=false unit=MICROS', "datetime '0001-01-01 00:00:00'", "datetime '1969-12-31 23:59:59.000001'", "datetime '9999-12-31 23:59:59.999999'"],
  ['timestamp', 'Timestamp<MICROSECOND, UTC>', 'INT64 TIMESTAMP_MICROS TIMESTAMP isAdjustedToUTC=true unit=MICROS', "timestamp '0001-01-01 00:00:00+00'", "timestamp '2026-01-02 03:04:05.678901+00'"],
  ['json', 'Utf8', 'BYTE_ARRAY JSON JSON', `json '{"b": [1, null], "a": {}}'`, "json '\"x\"'", "json 'null'"],
  ['interval', 'Utf8', 'BYTE_ARRAY UTF8 STRING', 'interval 1 day', 'make_interval(1, -2, 3, 4, 5, 6)'],
]; // biome-ignore format: a row each

describe.each(TYPES)('%s', (type, arrow, parquet, ...values) => {
  const prepared = () =>
    preparedOf(`select x as v, [x] as a, array<${type}>[] as e, struct(x as f, [struct(x as g)] as h) as s
      from unnest([${values.join(', ')}, cast(null as ${type})]) as x with offset n where x is not null order by n`);
  const nulls = () =>
    preparedOf(`select cast(null as ${type}) as v, array<${type}>[] as a, struct(cast(null as ${type}) as f, 1 as g) as s,
      cast(null as struct<f ${type}>) as t, [struct(cast(null as ${type}) as f)] as u`);
  const extension = { arrow: type === 'json' ? ' arrow.json' : '', parquet: '' };

  test.each(['parquet', 'arrow'] as const)('has its values in %s', async (format) => {
    const query = prepared();
    const bytes = await written(query, format);
    const { columns, rows } = READERS[format](bytes);
    expect(rows).toEqual(await expected(query));
    const inner = `Struct<{f:${arrow}, h:List<Struct<{g:${arrow}}>>}>`;
    expect(columns).toEqual([`v: ${arrow}${extension[format]}`, `a: List<${arrow}>`, `e: List<${arrow}>`, `s: ${inner}`]);
    if (format === 'parquet') {
      const leaf = (path: string, repetition: string) => `${path}: ${parquet.replace(/^(\S+)/, `$1 ${repetition}`)}`;
      expect(parquetLeaves(bytes).map((text) => text.replace(/^(v: \S+) (?:REQUIRED|OPTIONAL)/, '$1 OPTIONAL'))).toEqual([
        leaf('v', 'OPTIONAL'),
        leaf('a.list.element', 'OPTIONAL'),
        leaf('e.list.element', 'OPTIONAL'),
        leaf('s.f', 'OPTIONAL'),
        leaf('s.h.list.element.g', 'OPTIONAL'),
      ]);
    }
  });

  test.each(['parquet', 'arrow'] as const)('has NULL and empty arrays in %s', async (format) => {
    const query = nulls();
    expect(READERS[format](await written(query, format)).rows).toEqual(await expected(query));
  });

  test.each(['parquet', 'arrow'] as const)('is the same from a server, in a file and in a pipe, as %s', async (format) => {
    const query = prepared();
    const { rows, columns } = READERS[format](await written(query, format));
    expect(READERS[format](await written(query, format, distant()))).toEqual({ rows, columns });
    expect(READERS[format](await streamed(query, format, distant()))).toEqual({ rows, columns });
    expect(READERS[format](await streamed(query, format, engine))).toEqual({ rows, columns });
  });
});

describe.each(['parquet', 'arrow'] as const)('%s', (format) => {
  const rowsOf = async (sql: string) => {
    const query = preparedOf(sql);
    const read = READERS[format](await written(query, format));
    return { ...read, expected: await expected(query) };
  };

  test('of no rows has its columns', async () => {
    const { columns, rows } = await rowsOf(
      "select b'x' as y, datetime '2026-01-01' as d, [struct(1 as a)] as s from unnest([1]) n where n > 1",
    );
    expect([rows, columns]).toEqual([[], ['y: Binary', 'd: Timestamp<MICROSECOND>', 's: List<Struct<{a:Int64}>>']]);
  });

  test('of counts has signed integers', async () => {
    const { columns } = await rowsOf('select count(*) as n, countif(x > 1) as m, [length("é")] as l from unnest([1, 2]) as x');
    expect(columns).toEqual(['n: Int64', 'm: Int64', 'l: List<Int64>']);
  });

  test('names the fields of structs, unnamed, alike and awkward', async () => {
    const {
      columns,
      rows,
      expected: want,
    } = await rowsOf("select struct(1, 'x') as s, struct(1 as a, 2 as a, 3 as `b c`, 4 as `é`) as t, struct(struct(null, b'y')) as u");
    expect(rows).toEqual(want);
    expect(columns[0]).toBe('s: Struct<{_field_1:Int64, _field_2:Utf8}>');
    expect(columns[1]).toBe('t: Struct<{a:Int64, a_1:Int64, b c:Int64, é:Int64}>');
    expect(columns[2]).toBe('u: Struct<{_field_1:Struct<{_field_1:Int64, _field_2:Binary}>}>');
  });

  test('keeps the order of fields whatever the names of a cast struct', async () => {
    const { rows, expected: want } = await rowsOf(
      'select cast(s as struct<b int64, a int64>) as s from (select struct(1 as a, 2 as b) as s)',
    );
    expect(rows).toEqual(want);
  });

  test('of many rows and columns that are told what they are', async () => {
    const many = Array.from({ length: 40 }, (_, i) => `json '{"i": ${i}}' as j${i}, cast(cast(n as string) as bytes) as b${i}`).join(', ');
    const { rows, expected: want } = await rowsOf(`select n, ${many} from unnest(generate_array(1, 3000)) as n order by n`);
    expect(rows.length).toBe(3000);
    expect(rows).toEqual(want);
  });
});
