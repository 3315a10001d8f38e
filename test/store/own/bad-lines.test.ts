// Bad lines of NDJSON: each is reported with its number, the others are loaded, and it takes little more than a load without them.
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
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

const row = (i: number): string => `{"id":${i},"name":"user ${i % 1000}","v":${i / 8}}`;
const lines = (count: number, others: Readonly<Record<number, string>> = {}): string =>
  Array.from({ length: count }, (_, i) => `${others[i] ?? row(i)}\n`).join('');
const sums = async (table: string) =>
  (await store.engine.rows(`SELECT count(), sum(id), uniq(name) FROM quern_tables.${table}`))[0]?.map(Number);
const typesOf = (table: string) => store.manifest.tables[table]?.columns.map(({ name, type }) => `${name} ${type.kind}`);

/** What the engine has done since it was opened, by its own count. */
async function work(): Promise<{ readonly queries: number; readonly rows: number }> {
  const events = await store.engine.rows("SELECT event, value FROM system.events WHERE event IN ('Query', 'SelectedRows', 'InsertedRows')");
  const { Query: queries = 0, SelectedRows: read = 0, InsertedRows: written = 0 } = Object.fromEntries(events);
  return { queries: Number(queries), rows: Number(read) + Number(written) };
}

test('one among many costs as many queries however many they are, and reads each a few times', async () => {
  const load = async (rows: number) => {
    const file = folder.write('torn.ndjson', lines(rows, { 7000: '{"id":7000,"name":' }));
    const before = await work();
    const { files } = await store.loadTable(`torn${rows}`, [file], SKIP);
    const after = await work();
    expect(files[0]?.badLines).toEqual({ count: 1, first: [{ line: 7001, reason: 'not JSON', text: '{"id":7000,"name":' }] });
    expect(await sums(`torn${rows}`)).toEqual([rows - 1, (rows * (rows - 1)) / 2 - 7000, 1000]);
    return { queries: after.queries - before.queries, rows: after.rows - before.rows };
  };
  const [some, more] = [await load(10_000), await load(40_000)];
  expect(more.queries).toBeLessThanOrEqual(some.queries + 5);
  expect(more.rows).toBeLessThan(5 * some.rows);
});

test('each is told, in any number, whatever is wrong with it', async () => {
  const wrong: Record<number, string> = { 0: 'oops', 1: '[1]', 2999: '{"id":1,"id":2}', 3000: '"text"', 19999: '{' };
  for (let i = 5000; i < 6000; i += 10) wrong[i] = `{"id":${i}`;
  const { files, rows } = await store.loadTable('many', [folder.write('many.ndjson', lines(20_000, wrong))], {
    ...SKIP,
    keptBadLines: 1000,
  });
  const { count = 0, first = [] } = files[0]?.badLines ?? {};
  const numbers = Object.keys(wrong).map((i) => Number(i) + 1);
  expect([rows, count, first.map(({ line }) => line)]).toEqual([20_000 - numbers.length, numbers.length, numbers]);
  expect([0, 1, 2, 3, 104].map((i) => first[i]?.reason)).toEqual([
    'not JSON',
    'not a JSON object',
    'has id twice',
    'not a JSON object',
    'not JSON',
  ]);
});

test('values far behind the first line say what columns hold, with and without a bad line', async () => {
  const late = { 15000: '{"id":15000.5,"name":"x","v":1}' };
  await store.loadTable('late', [folder.write('late.ndjson', lines(20_000, late))]);
  const { files } = await store.loadTable('both', [folder.write('both.ndjson', lines(20_000, { ...late, 12000: 'oops' }))], SKIP);
  expect([typesOf('late'), typesOf('both')]).toEqual(Array(2).fill(['id FLOAT64', 'name STRING', 'v FLOAT64']));
  expect(files[0]?.badLines).toEqual({ count: 1, first: [{ line: 12_001, reason: 'not JSON', text: 'oops' }] });
});

test('a column that only later rows have is found beside a bad line', async () => {
  const file = folder.write('more.ndjson', lines(12_000, { 11000: '{"id":1,"name":"x","v":1,"more":true}', 11500: 'oops' }));
  const { files, rows } = await store.loadTable('more', [file], SKIP);
  expect([rows, files[0]?.badLines.count, typesOf('more')]).toEqual([11_999, 1, ['id INT64', 'name STRING', 'v FLOAT64', 'more BOOL']]);
});

test('what does not fit a table that is there is a bad line', async () => {
  await store.loadTable('fixed', [folder.write('fixed.ndjson', lines(10))]);
  const file = folder.write('unfit.ndjson', lines(3000, { 1500: '{"id":"x","name":"y","v":1}', 2000: '{"other":1}' }));
  const { files, rows } = await store.loadTable('fixed', [file], SKIP);
  expect([rows, files[0]?.badLines.first.map(({ line, reason }) => `${line}: ${reason}`)]).toEqual([
    2998,
    ['1501: id: "x" is not INT64', '2001: the table has no column other'],
  ]);
});

test('of a JSON document each is told by the line on which its object begins', async () => {
  const document = Buffer.concat([
    Buffer.from(`[${' '.repeat(70_000)}\n{"id":1,\n "name":"{[\\""},\n\n{"id":\n"x"}, {"id":3,"name":"`),
    Buffer.from('é', 'latin1'),
    Buffer.from('"},\n{"id":\r\n4}\n]\n'),
  ]);
  const { files, rows } = await store.loadTable('document', [folder.write('a.json', document)], {
    ...SKIP,
    schema: [{ name: 'id', type: { kind: 'INT64' } }],
  });
  const bad = files[0]?.badLines.first.map(({ line, reason, text }) => `${line}: ${reason}: ${text}`).sort();
  expect([rows, bad]).toEqual([2, ['5: id: "x" is not INT64: {"id": "x"}', '6: not UTF-8: {"id":3,"name":"\\xe9"}']]);
});
