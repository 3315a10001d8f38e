// Files of texts without a header, and with lines in front of it: the same rows whichever way they are read, and what cannot be is told.
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TableLoadOptions } from '../../../src/store/own/fill.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { type TempFolder, tempFolder } from '../../support/temp-store.ts';

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

let tables = 0;
/** Columns, rows and bad lines of a table that is made of the texts, each a file. */
async function loaded(texts: readonly (string | Buffer)[], options: TableLoadOptions = {}, ending = 'csv', table = `t${++tables}`) {
  const files = texts.map((text, i) => folder.write(`${table}-${i}.${ending}`, text));
  const report = await store.loadTable(table, files, { mostBadLines: Number.POSITIVE_INFINITY, ...options });
  const rows = await store.engine.rows(`SELECT * EXCEPT _quern_load FROM quern_tables.${table} ORDER BY ALL`);
  return {
    columns: report.table.columns.map(({ name, type }) => `${name} ${type.kind}`).join(', '),
    rows: rows.map((row) => row.join('|')),
    bad: report.files.flatMap(({ badLines }) => badLines.first.map(({ line, reason }) => `${line}: ${reason}`)),
  };
}
const failure = (...given: Parameters<typeof loaded>): Promise<unknown> =>
  loaded(...given).then(
    () => 'it was loaded',
    (error: Error) => error.message.replaceAll(`${folder.path}/`, ''),
  );

const NONE = { header: false } as const;
const SCHEMA = [
  { name: 'zip', type: { kind: 'STRING' } },
  { name: 'n', type: { kind: 'INT64' } },
] as const;

describe('without a header', () => {
  test('columns are called by their types, as BigQuery does', async () => {
    expect(await loaded(['1,x,2026-01-02\n2,"y,\nz",\n'], NONE)).toEqual({
      columns: 'int64_field_0 INT64, string_field_1 STRING, date_field_2 DATE',
      rows: ['1|x|2026-01-02', '2|y,\nz|'],
      bad: [],
    });
  });
  test('or as the schema says, which knows that a zip is no number', async () => {
    const expected = { columns: 'zip STRING, n INT64', rows: ['01067|1', '99999|2'], bad: [] };
    expect(await loaded(['01067,1\n99999,2\n'], { ...NONE, schema: SCHEMA })).toEqual(expected);
    expect(await loaded(['01067\t1\n99999\t2\n'], { ...NONE, schema: SCHEMA }, 'tsv')).toEqual(expected);
    expect(await loaded(['01067,1\n99999,2\n'], { skipLeadingRows: 0, schema: SCHEMA })).toEqual(expected);
  });
  test('several files have the columns of the first, and the types of all', async () => {
    expect(await loaded(['1,2\n', '3,4.5\n'], NONE)).toEqual({
      columns: 'int64_field_0 INT64, int64_field_1 FLOAT64',
      rows: ['1|2', '3|4.5'],
      bad: [],
    });
  });
  test('more goes into a table by position', async () => {
    await loaded(['id,name\n1,a\n'], {}, 'csv', 'people');
    expect((await loaded(['2,b\n'], NONE, 'csv', 'people')).rows).toEqual(['1|a', '2|b']);
    expect(await failure(['3,c,d\n'], NONE, 'csv', 'people')).toBe('people-0.csv has 3 columns and no header, and the schema has 2');
  });
  test('bad lines are kept out, with their numbers', async () => {
    expect(await loaded(['1,a\n2\nx,c\n4,d\n'], { ...NONE, schema: [{ name: 'id', type: { kind: 'INT64' } }, SCHEMA[0]] })).toEqual({
      columns: 'id INT64, zip STRING',
      rows: ['1|a', '4|d'],
      bad: ['2: 1 cell, but there are 2 columns', '3: id: "x" is not INT64'],
    });
  });
  test('what comes after the first rows does not change the types that they have shown', async () => {
    const text = `${Array.from({ length: 26_000 }, (_, i) => `${i},1\n`).join('')}0.5,1\nx,1\n`;
    const { columns, rows, bad } = await loaded([text], NONE);
    expect([columns, rows.length, bad]).toEqual([
      'int64_field_0 INT64, int64_field_1 INT64',
      26_000,
      ['26001: int64_field_0: "0.5" is not INT64', '26002: int64_field_0: "x" is not INT64'],
    ]);
  });
  test('a schema names all columns', async () => {
    expect(await failure(['1,2,3\n'], { ...NONE, schema: SCHEMA })).toContain('has 3 columns and no header, and the schema has 2');
  });
});

describe('lines in front of the rows', () => {
  const PREAMBLE = '# exported, by "us\n\n';
  test('the last of them is the header', async () => {
    expect(await loaded([`${PREAMBLE}zip,n\nA,1\n`], { skipLeadingRows: 3 })).toEqual({
      columns: 'zip STRING, n INT64',
      rows: ['A|1'],
      bad: [],
    });
    expect(await loaded(['some note\r\nzip,n\r\nA,1\r\n'], { skipLeadingRows: 2 })).toMatchObject({ rows: ['A|1'] });
  });
  test('or none is', async () => {
    expect(await loaded([`${PREAMBLE}A,1\n`], { header: false, skipLeadingRows: 2, schema: SCHEMA })).toMatchObject({
      rows: ['A|1'],
      bad: [],
    });
  });
  test('they are counted in the numbers of bad lines', async () => {
    expect(await loaded(['note\nzip,n\nA,1\nB,x\n'], { skipLeadingRows: 2, schema: SCHEMA })).toMatchObject({
      rows: ['A|1'],
      bad: ['4: n: "x" is not INT64'],
    });
  });
  test('a file with fewer lines', async () => {
    expect(await failure(['zip,n\n'], { skipLeadingRows: 3 })).toContain('it is empty, so its columns are unknown');
  });
});

test('a first line with a number or a date in it is a row, as in queries', async () => {
  const text = 'a,2025\nx,1\n';
  const expected = { columns: 'string_field_0 STRING, int64_field_1 INT64', rows: ['a|2025', 'x|1'], bad: [] };
  expect(await loaded([text])).toEqual(expected);
  expect(await loaded([text], NONE)).toEqual(expected);
  expect(await loaded([text], { skipLeadingRows: 1 })).toMatchObject({ rows: ['x|1'] });
});

test('a column without a name is called by its place, as in queries', async () => {
  expect(await loaded(['a,,b\n1,2,3\n'])).toMatchObject({ columns: 'a INT64, column_2 INT64, b INT64', rows: ['1|2|3'] });
});

test('a header may have a byte order mark, quotes and lines', async () => {
  expect(await loaded(['\ufeff"id","two\nlines"\n1,x\n'])).toEqual({ columns: 'id INT64, two\nlines STRING', rows: ['1|x'], bad: [] });
  expect(await failure(['\ufeff1,a\n2,b\n'])).toContain('begins with a byte order mark, and no line names its columns');
});

test('a header that is no text, or ends as no other line does, is refused', async () => {
  expect(await failure([Buffer.from('id,Größe\n1,x\n', 'latin1')])).toMatch(/^t\d+-0\.csv:1: not UTF-8$/);
  expect(await failure([Buffer.from('{"id":1}\n{"id":2,"ä":1}\n', 'latin1')], {}, 'ndjson')).toMatch(/^t\d+-0\.ndjson:2: not UTF-8$/);
  expect(await failure(['id,text\r1,a\r2,b\r'])).toMatch(/^t\d+-0\.csv: its lines end with carriage returns alone$/);
});

test('flags of lines are refused for files that have none', async () => {
  expect(await failure(['{"a": 1}\n'], NONE, 'ndjson')).toContain('--no-header only applies to CSV and TSV, and t');
  expect(await failure(['{"a": 1}\n'], { delimiter: ';' }, 'ndjson')).toContain('--delimiter only applies to CSV and TSV');
});
