// Every format and compression gives the same table; and files that cannot be loaded, each with its reason, leave nothing.
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { QuernError } from '../../../src/base/errors.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { type TempFolder, tempFolder } from '../../support/temp-store.ts';

/** Bad lines are left out. */
const SKIP = { mostBadLines: Number.POSITIVE_INFINITY };

let folder: TempFolder;
let store: Store;
beforeAll(async () => {
  folder = tempFolder();
  store = await openStore({ dir: join(folder.path, 'store') });
});
afterAll(async () => {
  await store.close();
  folder.remove();
});

const rowsOf = async (table: string) =>
  (await store.engine.rows(`SELECT * EXCEPT _quern_load FROM quern_tables.${table} ORDER BY 1`)).map((row) => row.map(String));
const WHOLE =
  "SELECT * FROM (SELECT 1::Int64 AS a, 'x,\"y\"' AS b, toDateTime64('2026-01-02 03:04:05.5', 6, 'UTC') AS t UNION ALL SELECT 2, NULL, NULL) ORDER BY a";
const ROWS = [
  ['1', 'x,"y"', '2026-01-02 03:04:05.500000'],
  ['2', 'null', 'null'],
];

const bzip2OfLogs = Buffer.from(
  'QlpoOTFBWSZTWRtGP8gAACxbgAAQEAZ/EAQQNiJMCiAAVCVNCaGBGRmgVVMgA0GQaVbpPE0WKqlNE26ThBRocsULC9CJ0XHmI8KJk0NHDio80KQFENi7kinChIDaMf5A',
  'base64',
);

/** bzip2 of a CSV file with these rows. */
const BZIP2 = Buffer.from(
  'QlpoOTFBWSZTWZ4lLWgAABRbgAAQEAd/EAQQMAAEYCAAIin6UxoRmp+p6oUwmmgNMQzRVcABZ8pxGp1ASaSNP0xjifMQ0t+LuSKcKEhPEpa0AA==',
  'base64',
);

const changed = (bytes: Buffer, at: number): Buffer => Buffer.from(bytes.map((byte, i) => (i === at ? byte ^ 1 : byte)));

test('bzip2, of one stream and of several, from a file and from standard input', async () => {
  await store.loadTable('packed', [folder.write('packed.csv.bz2', BZIP2)]);
  expect(await rowsOf('packed')).toEqual(ROWS);
  const twice = Buffer.concat([bzip2OfLogs, bzip2OfLogs]);
  const { rows } = await store.loadTable('packed_logs', [Readable.from([twice.subarray(0, 50), twice.subarray(50)])]);
  expect([rows, await rowsOf('packed_logs')]).toEqual([
    4,
    [
      ['2026-01-02 03:04:05.000000', 'a'],
      ['2026-01-02 03:04:05.000000', 'a'],
      ['2026-01-02 03:04:06.000000', 'b'],
      ['2026-01-02 03:04:06.000000', 'b'],
    ],
  ]);
});

describe('the same rows in', () => {
  test.each([
    ['CSVWithNames', 'csv', ''],
    ['CSVWithNames', 'csv.gz', 'gzip'],
    ['CSVWithNames', 'csv.zst', 'zstd'],
    ['CSVWithNames', 'csv.ZSTD', 'zstd'],
    ['CSVWithNames', 'csv.xz', 'xz'],
    ['CSVWithNames', 'csv.lz4', 'lz4'],
    ['CSVWithNames', 'csv.br', 'br'],
    ['JSONEachRow', 'ndjson', ''],
    ['JSONEachRow', 'noending', ''],
    ['JSONEachRow', 'ndjson.zst', 'zstd'],
    ['Parquet', 'parquet', ''],
    ['Parquet', 'odd*name', ''],
    ['Arrow', 'arrow', ''],
    ['ORC', 'orc', ''],
    ['Avro', 'avro', ''],
  ])('%s as %s', async (format, ending, compression) => {
    const file = join(folder.path, `f.${ending}`);
    const packed = compression === '' ? '' : `COMPRESSION '${compression}' `;
    await store.engine.command(
      `${WHOLE} INTO OUTFILE '${file}' TRUNCATE ${packed}FORMAT ${format} SETTINGS format_csv_null_representation = '', date_time_output_format = 'simple'`,
    );
    const report = await store.loadTable('same', [file], { replace: true });
    const types = report.table.columns.map(({ name, type }) => `${name} ${type.kind}`);
    expect(types).toEqual(['a INT64', 'b STRING', 't TIMESTAMP']);
    expect(await rowsOf('same')).toEqual(ROWS);
  });

  test('JSON arrays, and objects over several lines', async () => {
    const file = folder.write('a.json', '[{"a": 1,\n  "b": "x,\\"y\\"", "t": "2026-01-02T03:04:05.5Z"},\n {"a": 2}]');
    await store.loadTable('same', [file], { replace: true });
    expect(await rowsOf('same')).toEqual(ROWS);
    const bad = await store.loadTable('same', [folder.write('b.json', '[{"a": 3},\n{"a": "x"},\n{"a": 4}]')], SKIP);
    expect(bad.files[0]?.badLines).toEqual({
      count: 1,
      first: [{ line: 2, reason: 'a: "x" is not INT64', text: '{"a": "x"}', schema: 'a:STRING' }],
    });
  });

  test('TSV, CSV with another delimiter, with a mark in front and with Windows’ ends of lines', async () => {
    await store.loadTable('same', [folder.write('a.tsv', 'a\tb\tt\n1\t"x,""y"""\t2026-01-02 03:04:05.5\n2\t\\N\t\n')], { replace: true });
    expect(await rowsOf('same')).toEqual(ROWS);
    await store.loadTable('same', [folder.write('w.csv', '\ufeffa;b;t\r\n1;"x,""y""";2026-01-02 03:04:05.5\r\n2;;\r\n')], {
      replace: true,
      delimiter: ';',
    });
    expect(await rowsOf('same')).toEqual(ROWS);
  });
});

describe('lines of CSV that are kept out', () => {
  test.each([
    ['a,b\n1,2\n3\n4,5\n', [[3, '1 cell, but the header has 2']]],
    ['a,b\n1,2\n3,4,5\n', [[3, '3 cells, but the header has 2']]],
    ['a,b\n1,"x\ny"\nz,1\n', [[4, 'a: "z" is not INT64']]],
  ])('%j', async (text, expected) => {
    const { files, rows } = await store.loadTable('kept', [folder.write('k.csv', text)], {
      replace: true,
      schema: [{ name: 'a', type: { kind: 'INT64' } }],
      ...SKIP,
    });
    expect(files[0]?.badLines.first.map(({ line, reason }) => [line, reason])).toEqual(expected);
    expect(rows).toBeGreaterThan(0);
  });

  test('quotes that are never closed, as in a file that was cut', async () => {
    const cut = [folder.write('cut.csv', 'a,b\n1,"x"\n2,"cut o'), folder.write('cut.csv.gz', 'a,b\n1,"x"\n2,"cut of')];
    const { files, rows } = await store.loadTable('cut', cut, SKIP);
    const bad = files.map(({ badLines }) => badLines.first.map(({ line, reason }) => [line, reason]));
    expect([rows, ...bad]).toEqual([2, [[3, 'a quoted cell is not closed']], [[3, 'a quoted cell is not closed']]]);
  });

  test('what is not UTF-8', async () => {
    const file = folder.write('u.csv', Buffer.concat([Buffer.from('a,b\n1,x\n2,'), Buffer.from([0xff]), Buffer.from('é\n3,y\n')]));
    const { files } = await store.loadTable('kept', [file], { replace: true, ...SKIP });
    expect(files[0]?.badLines.first.map(({ line, reason, text }) => [line, reason, text])).toEqual([[3, 'not UTF-8', '2,\\xffé']]);
    expect(await rowsOf('kept')).toEqual([
      ['1', 'x'],
      ['3', 'y'],
    ]);
  });
  test('what is not UTF-8 far behind the beginning, in CSV and in an escape of JSON', async () => {
    const many = (line: string) => Buffer.from(line.repeat(20_000));
    const csv = folder.write(
      'far.csv',
      Buffer.concat([Buffer.from('a,b\n'), many('1,xyz\n'), Buffer.from([0x32, 0x2c, 0xff, 0x0a]), many('3,é\n')]),
    );
    const json = folder.write('far.ndjson', Buffer.concat([many('{"a": 1, "b": "xyz"}\n'), Buffer.from('{"a": 2, "b": "\\ud83d"}\n')]));
    const { files, rows } = await store.loadTable('far', [csv, json], SKIP);
    const bad = files.map(({ badLines }) => badLines.first.map(({ line, reason }) => [line, reason]));
    expect([rows, bad]).toEqual([60_000, [[[20_002, 'not UTF-8']], [[20_001, 'b contains half of a character']]]]);
  });

  test('times with a month or a day 0', async () => {
    const lines = ['2026-01-02T03:04:05Z', '2026-00-10T03:04:05Z', '2026-10-00 03:04:05', '1969-00-10T03:04:05Z'];
    const file = folder.write('zero.csv', `t,n\n${lines.map((line) => `${line},1\n`).join('')}`);
    const { files } = await store.loadTable('zero', [file], { schema: [{ name: 't', type: { kind: 'TIMESTAMP' } }] });
    expect(files[0]?.badLines.first.map(({ reason }) => reason)).toEqual(lines.slice(1).map((line) => `t: "${line}" is not TIMESTAMP`));
  });
});

test('what does not fit the types and fields of the first rows is bad', async () => {
  const first = Array.from({ length: 26_000 }, (_, i) => `{"a": ${i}, "b": ${i}, "s": {"x": 1}}\n`).join('');
  const file = folder.write('late.ndjson', `${first}{"a": 0.5, "s": {"x": 1, "y": "z"}, "late": true}\n{"b": "x"}\n`);
  const { table, rows, files } = await store.loadTable('late', [file], SKIP);
  expect(table.columns.map(({ name, stored }) => `${name} ${stored}`).sort()).toEqual([
    'a Nullable(Int64)',
    'b Nullable(Int64)',
    's Nullable(Tuple(x Nullable(Int64)))',
  ]);
  const bad = files[0]?.badLines.first.map(({ line, reason }) => [line, reason]);
  expect([rows, bad]).toEqual([
    26_000,
    [
      [26_001, 'the table has no field s.y'],
      [26_002, 'b: "x" is not INT64'],
    ],
  ]);
});

test('a field that the table does not have is a bad line, or left out', async () => {
  await store.loadTable('fields', [folder.write('a.ndjson', '{"a": 1, "s": {"x": 1}}\n')]);
  const more = folder.write('b.ndjson', '{"a": 2, "b": 1}\n{"a": 3, "s": {"x": 2, "q": 1}}\n{"a": 4}\n');
  const { files } = await store.loadTable('fields', [more], SKIP);
  expect(files[0]?.badLines.first.map(({ reason }) => reason)).toEqual(['the table has no column b', 'the table has no field s.q']);
  await store.loadTable('fields', [more], { ignoreUnknown: true, again: true });
  expect((await store.engine.rows('SELECT a FROM quern_tables.fields ORDER BY a')).flat().map(Number)).toEqual([1, 2, 3, 4, 4]);
});

describe('a file that cannot be loaded leaves nothing', () => {
  test.each<readonly [string, string | Buffer, string]>([
    ['empty.csv', '', 'empty.csv cannot be read: it is empty, so its columns are unknown'],
    ['twice.csv', 'a,b,A\n1,2,3\n', 'twice.csv has the column A twice'],
    ['what', 'hello\n', 'cannot detect the format of what'],
    ['no.parquet', 'hello\n', 'no.parquet is not a valid Parquet file'],
    ['cut.csv.bz2', BZIP2.subarray(0, 60), 'cut.csv.bz2 cannot be read: the bzip2 data is cut off'],
    ['changed.csv.bz2', changed(BZIP2, 55), 'changed.csv.bz2 cannot be read: the bzip2 data is damaged'],
    ['cut.parquet', 'PAR1....', 'cut.parquet cannot be read: it is incomplete'],
    ['cut.csv.gz', gzipSync('a,b\n1,2\n'.repeat(1000)).subarray(0, 30), 'cut.csv.gz cannot be read'],
    ['reserved.csv', '_quern_load\n1\n', 'a column cannot be called _quern_load'],
    ['none/of.csv', '', 'none/of.csv cannot be read: there is no such file'],
  ])('%s', async (name, content, message) => {
    const file = name.includes('/') ? join(folder.path, name) : join(folder.path, name);
    if (!name.includes('/')) {
      const { writeFileSync } = await import('node:fs');
      writeFileSync(file, content);
    }
    const error = await store.loadTable('nothing', [file]).catch((cause: unknown) => cause);
    if (!(error instanceof QuernError)) throw error;
    expect(error.message.replaceAll(`${folder.path}/`, '')).toContain(message);
    expect(store.manifest.tables['nothing']).toBeUndefined();
    expect(
      (await store.engine.rows("SELECT count() FROM system.tables WHERE database = 'quern_tables' AND name IN ('nothing', '.staging')"))
        .flat()
        .map(Number),
    ).toEqual([0]);
  });

  test('a header without rows makes a table of texts, and adds nothing to one that is there', async () => {
    const file = folder.write('head.csv', 'a,b\n');
    expect((await store.loadTable('headed', [file])).table.columns.map(({ type }) => type.kind)).toEqual(['STRING', 'STRING']);
    expect(await store.loadTable('headed', [file], { again: true })).toMatchObject({ load: undefined, rows: 0 });
  });
});
