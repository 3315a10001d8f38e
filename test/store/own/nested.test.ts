// Dates, exact numbers and bytes inside of STRUCTs and ARRAYs of JSON, whose types the schema or the table says.
import { afterAll, expect, test } from 'vitest';
import { cliHome } from '../../support/run-cli.ts';

const home = cliHome();
afterAll(() => home.remove());

const SCHEMA =
  'days:ARRAY<DATE>,s:STRUCT<at TIMESTAMP, price NUMERIC, raw BYTES>,items:ARRAY<STRUCT<k STRING, day DATE, exact ARRAY<BIGNUMERIC>>>';
const rows = async (sql: string) => (await home.run(['query', sql])).stdout.trim().split('\n');

test('are read as in columns of their own, in any year', async () => {
  home.write(
    'x.ndjson',
    '{"days":["0999-12-31","2026-01-02"],"s":{"at":"2026-01-02T03:04:05+02:00","price":1.10,"raw":"YWJj"},"items":[{"k":"a","day":"2300-01-01","exact":["1.5",2]}]}\n' +
      '{"days":[],"s":null,"items":[{"k":"b"}]}\n{}\n',
  );
  expect(await home.run(['load', 'nested', 'x.ndjson', '--schema', SCHEMA])).toMatchObject({ exitCode: 0 });
  expect(await rows('select * from nested order by s.at desc, array_length(items) desc')).toEqual([
    '{"days":["0999-12-31","2026-01-02"],"s":{"at":"2026-01-02T01:04:05Z","price":1.1,"raw":"YWJj"},"items":[{"k":"a","day":"2300-01-01","exact":[1.5,2]}]}',
    '{"days":[],"s":null,"items":[{"k":"b","day":null,"exact":[]}]}',
    '{"days":[],"s":null,"items":[]}',
  ]);
});

test('a row with a text that is none of them is a bad line', async () => {
  home.write('y.ndjson', '{"days":["2026-02-30"]}\n{"days":["2026-02-28"]}\n{"s":{"price":"x"}}\n');
  const { stderr } = await home.run(['load', 'nested', 'y.ndjson', '--skip-bad-lines']);
  expect(stderr).toMatch(/^y\.ndjson:1: .*\ny\.ndjson:3: .*\ny\.ndjson: 1 row into nested/);
});

test('of several tables are read by one wildcard, and filtered', async () => {
  home.write('1.ndjson', '{"id":1,"params":[{"key":"a","value":{"n":1}},{"key":"b","value":{"n":0}}]}\n');
  home.write('2.ndjson', '{"id":2,"params":[{"key":"c","value":{"n":3}}]}\n');
  for (const day of [1, 2]) await home.run(['load', `ev_${day}`, `${day}.ndjson`]);
  expect(
    await rows('select id, array_length(params) as size, p.key from `ev_*`, unnest(params) p where p.value.n > 0 order by id'),
  ).toEqual(['{"id":1,"size":2,"key":"a"}', '{"id":2,"size":1,"key":"c"}']);
});
