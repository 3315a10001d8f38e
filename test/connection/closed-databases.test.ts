// What the store and the engine keep for themselves is reached neither by rules nor by sources nor by ClickHouse SQL, and no path of a file is a table.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cliHome } from '../support/run-cli.ts';

const home = cliHome();

beforeAll(async () => {
  home.write('secret.csv', 'a\nsecret\n');
  home.write('mine.ndjson', '{"n": 1}\n');
  expect(await home.run(['load', 'mine', 'mine.ndjson'])).toMatchObject({ exitCode: 0 });
});
afterAll(() => home.remove());

async function asked(project: string, sql: string, header = ''): Promise<readonly [number, string]> {
  home.write('quern.yaml', `${project}\n`);
  const { stdout, stderr, exitCode } = await home.run(['run', `./${home.write('q.sql', `${header}${sql}`)}`]);
  return [exitCode, `${stdout}${stderr}`];
}

test.each([
  ['select * from `p.quern_tables.mine`', 'p.quern_tables.mine: names: p.*.* cannot lead to the database quern_tables'],
  ['select * from `p.quern_tables.m*`', 'p.quern_tables.m*: names: p.*.* cannot lead to the database quern_tables'],
  ['select * from `p.Quern_Tables.mine`', 'p.Quern_Tables.mine: names: p.*.* cannot lead to the database Quern_Tables'],
  ['select * from `p.quern_tables`.INFORMATION_SCHEMA.TABLES', 'cannot lead to the database quern_tables'],
  ['select * from `f.mine`', 'f.mine: names: f.* cannot lead to the database quern_tables'],
])('a rule: %s', async (sql, words) => {
  const [exitCode, said] = await asked('names: { "p.*.*": "{2}.{3}", "f.*": "quern_tables.{2}" }', sql);
  expect([exitCode, said]).toEqual([2, expect.stringContaining(words)]);
  if (sql.includes('quern_tables.mine'))
    expect(said).toContain('hint: a table that was loaded has a name and no database: write the name alone');
});

test.each([
  ['quern_tables.mine', 'the database quern_tables holds no tables of yours'],
  ['quern_tables.m*', 'the database quern_tables holds no tables of yours'],
  ['quern.edge_logs', 'the database quern holds no tables of yours'],
  ['system.one', 'the database system holds no tables of yours'],
  ['INFORMATION_SCHEMA.TABLES', 'the database INFORMATION_SCHEMA holds no tables of yours'],
  ['_temporary_and_external_tables.x', 'the database _temporary_and_external_tables holds no tables of yours'],
  [`default.\`${home.folder}/secret.csv\``, 'the database default holds no tables of yours'],
  [`\`${home.folder}/secret.csv\``, 'secret.csv in the store'],
  ['`secret.csv`', 'there is no table secret.csv in the store'],
  ['nowhere', 'there is no table nowhere in the store'],
])('a source: table: %s', async (table, words) => {
  const wildcard = table.endsWith('*');
  for (const name of wildcard ? ['s_*', 's_ine'] : ['s']) {
    const project = `sources:\n  "s${wildcard ? '_*' : ''}": { table: ${JSON.stringify(table)} }`;
    const [exitCode, said] = await asked(project, `select * from \`${name}\``);
    expect([exitCode, said]).toEqual([2, expect.stringContaining(words)]);
  }
});

test.each(['quern_tables.mine', 'Quern_Tables.`mine`', 'system.one', '_temporary_and_external_tables.x'])(
  'ClickHouse SQL: %s',
  async (table) => {
    const header = '/*---\nid: 5e7b7bb7-0b0e-4d17-9c4c-0f0b5c8a2a13\ndialect: clickhouse\n---*/\n';
    const [exitCode, said] = await asked('', `select * from ${table}`, header);
    expect([exitCode, said]).toEqual([2, expect.stringContaining(`a saved query cannot read tables in ${table.split('.')[0]}`)]);
  },
);

test('a table that was loaded is read by its name', async () => {
  expect(
    await asked('sources: { s: { table: mine } }\nnames: { "p.*": "{2}" }', 'select s.n, m.n as m from s join `p.mine` as m using (n)'),
  ).toEqual([0, '{"n":1,"m":1}\n']);
});
