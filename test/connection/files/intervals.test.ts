// Columns of Parquet's type INTERVAL are not read, wherever they stand: ClickHouse has only their bytes.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Field, Int32, IntervalDayTime, IntervalYearMonth, makeData, Struct, Table, tableToIPC, Vector } from 'apache-arrow';
import { Table as ParquetTable, writeParquet } from 'parquet-wasm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FilesHome, filesHome } from './support.ts';

const home: FilesHome = filesHome();
afterAll(() => home.remove());

/** id INT64, wait INTERVAL, job STRUCT<took INTERVAL>. */
function fileOfIntervals(): Uint8Array {
  const id = makeData({ type: new Int32(), length: 2, nullCount: 0, data: new Int32Array([1, 2]) });
  const wait = makeData({ type: new IntervalDayTime(), length: 2, nullCount: 0, data: new Int32Array([1, 2000, 3, 4]) });
  const took = makeData({ type: new IntervalYearMonth(), length: 2, nullCount: 0, data: new Int32Array([5, 6]) });
  const job = makeData({ type: new Struct([new Field('took', took.type, true)]), length: 2, nullCount: 0, children: [took] });
  const table = new Table({ id: new Vector([id]), wait: new Vector([wait]), job: new Vector([job]) });
  return writeParquet(ParquetTable.fromIPCStream(tableToIPC(table, 'stream')));
}

beforeAll(() => {
  writeFileSync(join(home.folder, 'waits.parquet'), fileOfIntervals());
  home.write(
    'quern.yaml',
    'sources:\n  waits: { file: waits.parquet }\n  bytes: { file: waits.parquet, schema: [{ name: wait, type: BYTES }] }\n',
  );
});

test('a source leaves them out, and says why', async () => {
  expect(await home.rows('select * from waits order by id')).toBe('{"id":1}\n{"id":2}\n');
  expect((await home.query('select wait from waits')).stderr).toContain(
    "which queries cannot read: it holds values of Parquet's type INTERVAL, which is not supported",
  );
  const { stdout } = await home.run(['sources', 'waits', '--format', 'json']);
  expect(stdout.match(/which is not supported/g)).toHaveLength(2);
});

test('a source whose schema says BYTES has the bytes', async () => {
  expect(await home.rows('select to_hex(wait) as wait from bytes where id = 1')).toBe('{"wait":"0000000001000000d0070000"}\n');
});

test('quern load leaves the columns out where it is told to, and says so', async () => {
  const refused = await home.run(['load', 'waits_table', 'waits.parquet']);
  expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining('leave the column out with --ignore-unknown-fields')]);
  const { stderr, exitCode } = await home.run(['load', 'waits_table', 'waits.parquet', '--ignore-unknown-fields']);
  expect([exitCode, stderr]).toEqual([
    0,
    expect.stringMatching(
      /note: the column wait of waits\.parquet was left out: it holds values of Parquet's type INTERVAL, which is not supported\n.*new table waits_table: id INT64\n/s,
    ),
  ]);
});
