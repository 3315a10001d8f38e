// Files that no table could be made of are refused in words, as sources and in loads, before they take the memory and the time of everybody.
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { type FilesHome, filesHome } from './support.ts';

const home: FilesHome = filesHome();
afterAll(() => home.remove());

const object = (count: number): string => `${JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, i])))}\n`;
const LONG = 'n'.repeat(1e6);
const SHORT = `${'n'.repeat(40)}…`;

describe.each([
  ['columns.ndjson', object(10_001), 'has 10001 columns and fields, and there can be 10000 at most'],
  ['columns.csv', `${Array(10_001).fill('a').join(',')}\n`, 'has 10001 columns and fields, and there can be 10000 at most'],
  ['name.ndjson', `{"${LONG}":1}\n`, `has a column whose name is 1000000 characters long, and there can be 300 at most: ${SHORT}`],
  ['name.csv', `${LONG},b\n1,2\n`, `has a column whose name is 1000000 characters long, and there can be 300 at most: ${SHORT}`],
  ['line.ndjson.gz', gzipSync(`{"a":"${'x'.repeat(65 * 2 ** 20)}"}\n`), 'has a line that is longer than 64 MB'],
  ['line.csv.gz', gzipSync(`a,b\n1,${'x'.repeat(65 * 2 ** 20)}\n`), 'has a line that is longer than 64 MB'],
])('%s', (name, content, why) => {
  test('as a source', async () => {
    home.write(name, content);
    home.write('quern.yaml', `sources:\n  t: { file: ${name} }\n`);
    const { stderr, exitCode } = await home.query('select * from t');
    expect([exitCode, stderr.split('\n')[0]]).toEqual([2, `error[config]: sources.t: ${name} ${why}`]);
    expect(stderr.length).toBeLessThan(1000);
  });

  test('in a load', async () => {
    home.write(name, content);
    const { stderr, exitCode } = await home.run(['load', 'taken', name]);
    expect([exitCode, stderr.split('\n')[0]]).toEqual([1, expect.stringMatching(/^error\[load\]: /)]);
    expect(stderr).toContain(`${name} ${why}`);
    expect(stderr.length).toBeLessThan(1000);
  });
});

test('fields within a column count, in a source and in a load', async () => {
  home.write('deep.ndjson', `{"m":${object(10_001).trim()}}\n`);
  home.write('quern.yaml', 'sources:\n  t: { file: deep.ndjson }\n');
  const { stderr } = await home.query('select * from t');
  expect(stderr.split('\n')[0]).toBe('error[config]: sources.t: deep.ndjson has 10001 columns and fields, and there can be 10000 at most');
  const loaded = await home.run(['load', 'deep', 'deep.ndjson']);
  expect(loaded.stderr.split('\n')[0]).toMatch(
    /^error\[load\]: \S+deep\.ndjson has 10001 columns and fields, and there can be 10000 at most$/,
  );
});

test('as many columns as there can be', async () => {
  home.write('most.ndjson', object(10_000));
  home.write('quern.yaml', 'sources:\n  t: { file: most.ndjson }\n');
  expect(await home.rows('select f0, f9999 from t')).toBe('{"f0":0,"f9999":9999}\n');
});
