// A quote of CSV that is never closed is found in compressed files, too, whose bytes nobody else looks at, and in each of several files.
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
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
