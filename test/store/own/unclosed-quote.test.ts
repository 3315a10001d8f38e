// A quote in CSV that is never closed: what follows it is one bad line, found in one pass.
import { expect, test } from 'vitest';
import { createCsvReader } from '../../../src/store/csv.ts';
import { processorTime } from '../../support/processor-time.ts';
import { tempStore } from '../../support/temp-store.ts';

test('lines behind it are read once each', () => {
  const before = processorTime();
  const reader = createCsvReader();
  expect(reader.push('a,"b', 1)).toBeUndefined();
  for (let i = 2; i <= 100_000; i++) reader.push('some more text, in a line of its own', i);
  expect(reader.unfinished).toMatchObject({ number: 1, text: expect.stringMatching(/^a,"b\nsome more/) });
  expect(processorTime() - before).toBeLessThan(5000);
});

test('a record of several lines, with quotes on each, is one', () => {
  const reader = createCsvReader();
  expect([reader.push('1,"two', 5), reader.push('""three"" and', 6), reader.push('four"', 7)]).toEqual([
    undefined,
    undefined,
    { number: 5, text: '1,"two\n""three"" and\nfour"' },
  ]);
  expect(reader.unfinished).toBeUndefined();
});

test('in a load the rows before it are kept, and it is told', async () => {
  const { store, folder } = await tempStore();
  const file = folder.write('open.csv', `id,text\n1,one\n2,"two\n${'3,three\n'.repeat(1000)}4`);
  const { rows, files } = await store.loadTable('open', [file], { mostBadLines: 1 });
  expect([rows, files[0]?.badLines.first.map(({ line, reason }) => `${line}: ${reason}`)]).toEqual([1, ['3: a quoted cell is not closed']]);
});
