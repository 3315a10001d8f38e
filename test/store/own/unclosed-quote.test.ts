// A quote in CSV that is never closed: what follows it is one bad line, found in one pass.
import { expect, test } from 'vitest';
import { type AddBad, readCsvRecords } from '../../../src/sources/files/csv-records.ts';
import { processorTime } from '../../support/processor-time.ts';
import { tempStore } from '../../support/temp-store.ts';

const FORM = { delimiter: ',', skip: 0, header: false, cells: undefined };

async function read(text: string) {
  const bad: Parameters<AddBad>[] = [];
  const records = [];
  const bytes = async function* () {
    yield Buffer.from(text);
  };
  for await (const some of readCsvRecords(bytes(), FORM, (...one) => void bad.push(one))) records.push(...some);
  return { records, bad };
}

test('lines behind it are read once each', async () => {
  const before = processorTime();
  const { records, bad } = await read(`a,"b\n${'some more text, in a line of its own\n'.repeat(100_000)}`);
  expect([records, bad]).toEqual([[], [[1, 'a quoted cell is not closed', expect.stringMatching(/^a,"b\nsome more/)]]]);
  expect(processorTime() - before).toBeLessThan(5000);
});

test('a record of several lines, with quotes on each, is one', async () => {
  const text = '1,"two\n""three"" and\nfour"';
  expect(await read(`a,b\n${text}\n5,6\n`)).toEqual({
    records: [
      { line: 1, text: 'a,b' },
      { line: 2, text },
      { line: 5, text: '5,6' },
    ],
    bad: [],
  });
});

test('in a load the rows before it are kept, and it is told', async () => {
  const { store, folder } = await tempStore();
  const file = folder.write('open.csv', `id,text\n1,one\n2,"two\n${'3,three\n'.repeat(1000)}4`);
  const { rows, files } = await store.loadTable('open', [file], { mostBadLines: 1 });
  expect([rows, files[0]?.badLines.first.map(({ line, reason }) => `${line}: ${reason}`)]).toEqual([1, ['3: a quoted cell is not closed']]);
});
