// What no column can hold: in JSON it is a text for queries and loads alike, elsewhere a query leaves it out, and a load says so and stops.
import { afterAll, expect, test } from 'vitest';
import { filesHome } from '../../connection/files/support.ts';

const home = filesHome();
afterAll(() => home.remove());

const rows = async (from: string) => (await home.run(['query', `select * from ${from} order by 1`])).stdout;

test('lists of lists in JSON, in records too, are texts', async () => {
  home.write('l.ndjson', '{"id":1,"m":[[1],[2]],"o":{"m":[[1]],"x":1}}\n{"id":2,"m":[],"o":null}\n');
  const { stderr, exitCode } = await home.run(['load', 'lists', 'l.ndjson']);
  expect([exitCode, stderr]).toEqual([0, expect.stringContaining('new table lists: id INT64, m STRING, o STRING\n')]);
  expect(await rows('lists')).toBe('{"id":1,"m":"[[1],[2]]","o":"{\\"m\\":[[1]],\\"x\\":1}"}\n{"id":2,"m":"[]","o":null}\n');
  expect(await rows('`l.ndjson`')).toBe(await rows('lists'));
  const { stdout } = await home.run(['query', 'select json_value(m, "$[1][0]") as second from lists order by id limit 1']);
  expect(stdout).toBe('{"second":"2"}\n');
});

test('fields without a name', async () => {
  home.write('n.ndjson', '{"id":1,"":5}\n');
  const { stderr, exitCode } = await home.run(['load', 'named', 'n.ndjson']);
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('n.ndjson:1: the table has no column without a name')]);
  expect((await home.run(['load', 'named', 'n.ndjson', '--ignore-unknown-fields'])).exitCode).toBe(0);
  expect(await rows('named')).toBe('{"id":1}\n');
});

test('lists of lists in files with types stop a load, which can leave them out', async () => {
  await home.make('l.parquet', 'Parquet', 'SELECT 1::Int64 AS id, [[1], [2]] AS m');
  const { stderr, exitCode } = await home.run(['load', 'typed', 'l.parquet']);
  expect([exitCode, stderr.replace(`${home.folder}/`, '')]).toEqual([
    1,
    'error[load]: the column m of l.parquet cannot be loaded: BigQuery has no arrays of arrays\n' +
      '   = hint: nothing was loaded; leave the column out with --ignore-unknown-fields\n',
  ]);
  const left = await home.run(['load', 'typed', 'l.parquet', '--ignore-unknown-fields']);
  expect([left.exitCode, left.stderr]).toEqual([
    0,
    expect.stringContaining('note: the column m of l.parquet was left out: BigQuery has no arrays of arrays\n'),
  ]);
  expect(await rows('typed')).toBe('{"id":1}\n');
  expect(await rows('`l.parquet`')).toBe(await rows('typed'));
});

test('a column that is declared as JSON', async () => {
  home.write('j.ndjson', '{"id":1,"m":[[1],[2]]}\n');
  expect((await home.run(['load', 'documents', 'j.ndjson', '--schema', 'm:JSON'])).exitCode).toBe(0);
  expect(await rows('documents')).toBe('{"id":1,"m":[[1],[2]]}\n');
});
