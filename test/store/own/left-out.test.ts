// What queries over a file leave out is left out by a load, too, and told.
import { afterAll, expect, test } from 'vitest';
import { cliHome } from '../../support/run-cli.ts';

const home = cliHome();
afterAll(() => home.remove());

const rows = async (from: string) => (await home.run(['query', `select * from ${from} order by 1`])).stdout;

test('lists of lists, in records too, and fields without a name', async () => {
  home.write('l.ndjson', '{"id":1,"m":[[1],[2]],"o":{"m":[[1]],"x":1},"":5}\n{"id":2,"m":[],"o":null}\n');
  const { stderr, exitCode } = await home.run(['load', 'lists', 'l.ndjson']);
  expect([exitCode, stderr]).toEqual([
    0,
    expect.stringContaining('note: the column m of l.ndjson was left out: BigQuery has no arrays of arrays\n'),
  ]);
  expect(stderr).toContain('note: the column o of l.ndjson was left out: its field m: BigQuery has no arrays of arrays\n');
  expect(await rows('lists')).toBe('{"id":1}\n{"id":2}\n');
  expect(await rows('`l.ndjson`')).toBe(await rows('lists'));
});

test('beside which fields that the table does not have are bad lines as ever', async () => {
  home.write('m.ndjson', '{"id":3,"m":[[3]]}\n{"id":4,"m":[],"more":1}\n');
  const { stderr, exitCode } = await home.run(['load', 'lists', 'm.ndjson']);
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('m.ndjson:2: the table has no column more')]);
  expect((await home.run(['load', 'lists', 'm.ndjson', '--ignore-unknown-fields'])).exitCode).toBe(0);
  expect(await rows('lists')).toBe('{"id":1}\n{"id":2}\n{"id":3}\n{"id":4}\n');
});

test('a column that is declared as JSON is none of them', async () => {
  home.write('j.ndjson', '{"id":1,"m":[[1],[2]]}\n');
  expect((await home.run(['load', 'documents', 'j.ndjson', '--schema', 'm:JSON'])).stderr).not.toContain('left out');
  expect(await rows('documents')).toBe('{"id":1,"m":[[1],[2]]}\n');
});
