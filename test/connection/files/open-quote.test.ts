// A quote of CSV that is never closed is found in compressed files, too, whose bytes nobody else looks at, and in each of several files.
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { lineNotClosed } from '../../../src/sources/files/failing-row.ts';
import { hasOddQuotes } from '../../../src/sources/files/known-utf8.ts';
import { type FilesHome, filesHome } from './support.ts';

const home: FilesHome = filesHome();
afterAll(() => home.remove());

const GOOD = 'id,text\n1,"a ""word"""\n2,b\n';
const OPEN = 'id,text\n1,a\n2,"b\n3,c\n';

test.each([
  ['compressed', 'z.csv.gz', { 'z.csv.gz': gzipSync(OPEN) }, 'z.csv.gz:3'],
  ['one of several', 's/*.csv.gz', { 's/a.csv.gz': gzipSync(GOOD), 's/b.csv.gz': gzipSync(OPEN) }, 's/b.csv.gz:3'],
  ['two of several', 't/*.csv.gz', { 't/a.csv.gz': gzipSync(OPEN), 't/b.csv.gz': gzipSync(OPEN) }, 't/a.csv.gz:3'],
])('%s', async (_, pattern, files, place) => {
  for (const [name, content] of Object.entries(files)) home.write(name, content);
  home.write('quern.yaml', `sources:\n  t: { file: "${pattern}" }\n`);
  const { stderr, exitCode } = await home.query('select * from t');
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`${place}: a quoted cell is not closed`)]);
});

test('files whose quotes are closed are read', async () => {
  home.write('good.csv.gz', gzipSync(GOOD));
  home.write('quern.yaml', 'sources:\n  t: { file: good.csv.gz }\n');
  expect(await home.rows('select * from t order by id')).toBe('{"id":1,"text":"a \\"word\\""}\n{"id":2,"text":"b"}\n');
});

test('one whose cell is larger than the memory is told by its line, in queries and loads', async () => {
  home.write('large.csv', `id,text\n1,a\n2,"b\n${'3,more of the same\n'.repeat(4_000_000)}`);
  const [queried, loaded] = [
    await home.run(['query', 'select count(*) from `large.csv`', '--max-memory', '100MB']),
    await home.run(['load', 'large', 'large.csv', '--max-memory', '100MB']),
  ];
  const told = 'large.csv:3: a quoted cell is not closed';
  expect([queried.stderr, loaded.stderr]).toEqual([expect.stringContaining(told), expect.stringContaining(told)]);
});

test.each<readonly [text: string, skip: number, line: number | undefined]>([
  ['a,"b\n', 0, 1],
  ['a,"b"\nc,"d""\ne,f\n', 0, 2],
  ['a,"b\n""c""\n",d\ne,x"y\n', 0, undefined],
  ['\ufeff"a\n', 0, 1],
  ['"what stands above\na,b\n"c"d,"e\nf', 1, 3],
])('%j', async (text, skip, line) => {
  const bytes = async function* () {
    for (const byte of Buffer.from(text)) yield Buffer.of(byte);
  };
  expect(await lineNotClosed(bytes(), { delimiter: ',', skip })).toBe(line);
});

test('quotes are counted wherever they stand', () => {
  const text = Buffer.from('""a,"b",¢Ģ\n"""x"\u00a2"yy"zz""é"'.repeat(3));
  for (let from = 0; from < 12; from++)
    for (let to = from; to <= text.length; to++) {
      const piece = text.subarray(from, to);
      expect(hasOddQuotes(piece)).toBe(piece.filter((byte) => byte === 0x22).length % 2 === 1);
    }
});
