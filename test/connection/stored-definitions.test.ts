// Sources of quern.yaml whose table is one that was loaded, under other names.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cliHome } from '../support/run-cli.ts';

const home = cliHome();
afterAll(() => home.remove());

const load = async (table: string, csv: string, flags: readonly string[] = []) => {
  const { stderr, exitCode } = await home.run(['load', table, '-', '--format', 'csv', ...flags], { stdin: csv });
  if (exitCode !== 0) throw new Error(stderr);
};

beforeAll(async () => {
  await load('events_20260101', 'id,name\n1,a\n');
  await load('events_20260102', 'id,name,extra\n2,b,5\n');
  await load('events_20260203', 'id,name\n3,c\n');
  await load('shop.sales_eu', 'amount,code\n1.5,1\n');
  await load('carts', 'id,at,note\n1,2026-01-02 03:00:00,"{""a"": 1}"\n2,2026-01-03 00:00:00,null\n', [
    '--schema',
    'id:NUMERIC,at:DATETIME,note:JSON',
  ]);
  home.write('quern.yaml', NAMED);
});

const NAMED = `
names:
  "my-proj.any.*": "{3}"
sources:
  baskets: { table: carts, aliases: [shop.baskets], partition: at }
  my-proj.shop.ev_*: { table: events_* }
  Sales: { table: shop.sales_eu }
`;

const rows = async (sql: string): Promise<string> => {
  const { stdout, stderr } = await home.run(['query', sql]);
  return stdout + stderr;
};

test.each([
  [
    'have the types of the load',
    'select id / 2 as half, `at`, json_value(note, "$.a") as a from shop.baskets order by id',
    '{"half":0.5,"at":"2026-01-02T03:00:00","a":"1"}\n{"half":1,"at":"2026-01-03T00:00:00","a":null}\n',
  ],
  ['and what the project says of them', "select id from baskets where _PARTITIONDATE = '2026-01-03'", '{"id":2}\n'],
  ['show no column of the store', 'select * from baskets where id = 2', '{"id":2,"at":"2026-01-03T00:00:00","note":null}\n'],
  ['a name with a dot', 'select amount from sales', '{"amount":1.5}\n'],
  ['a wildcard', 'select sum(id) as s, max(_table_suffix) as m from `my-proj.shop.ev_*`', '{"s":6,"m":"20260203"}\n'],
  ['some of a wildcard', 'select sum(id) as s from `my-proj.shop.ev_202601*`', '{"s":3}\n'],
  ['one of a wildcard', 'select id from `my-proj.shop.ev_20260203`', '{"id":3}\n'],
  [
    'INFORMATION_SCHEMA of a dataset that a rule leads to the store',
    "select table_schema, column_name, data_type from `my-proj.any`.INFORMATION_SCHEMA.COLUMNS where table_name = 'carts' order by ordinal_position",
    '{"table_schema":"any","column_name":"id","data_type":"NUMERIC"}\n{"table_schema":"any","column_name":"at","data_type":"DATETIME"}\n{"table_schema":"any","column_name":"note","data_type":"JSON"}\n',
  ],
])('%s', async (_, sql, expected) => {
  expect(await rows(sql)).toBe(expected);
});

test('types are those of the last load', async () => {
  await load('shop.sales_eu', 'amount,code\nnone,1\n', ['--replace']);
  expect(await rows('select amount from sales')).toBe('{"amount":"none"}\n');
});

test.each([
  ['one.two.carts', 'if it is carts, say so in quern.yaml: names: { "one.two.*": "{3}" }'],
  ['`one-1.two.events_*`', 'if it is events_20260101, say so in quern.yaml: names: { "one-1.two.*": "{3}" }'],
])('the rule that would lead %s there is told', async (name, hint) => {
  expect(await rows(`select * from ${name}`)).toContain(`   = hint: ${hint}\n`);
});

test('a table that was not loaded is told', async () => {
  home.write('quern.yaml', 'sources:\n  none: { table: nothing }\n');
  expect(await rows('select * from none')).toContain('sources.none: there is no table nothing in the store\n');
});
