// quern explain with the plan and the estimate of a server.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ClickHouseServer, startClickHouse } from '../../support/clickhouse-server.ts';
import { cliHome } from '../../support/run-cli.ts';

const home = cliHome();
const id = '/*---\nid: 51a3e2de-50b4-4d0c-8f4e-1a6c6f1f7b21\nparams:\n  n: { type: integer, required: true }\n---*/\n';
let server: ClickHouseServer;

beforeAll(async () => {
  home.write('quern.yaml', 'sources:\n  visits: { table: visits }\n');
  home.write('visits.sql', `${id}select k, count(*) as n from visits where n < @n group by k`);
  server = await startClickHouse();
  await server.run('CREATE TABLE visits (n Int64, k String) ENGINE = MergeTree ORDER BY n SETTINGS index_granularity = 100');
  await server.run("INSERT INTO visits SELECT number, 'k' FROM numbers(1000)");
});
afterAll(async () => {
  await server.stop();
  home.remove();
});

test('with parameters it prints what runs with those, without what they rule out', async () => {
  home.write('spans.sql', `${id}select k from visits where if(@n = 1, k = 'one', n < @n)`);
  const sql = async (...flags: string[]) => {
    const { stdout, stderr, exitCode } = await home.run(['explain', 'spans.sql', '--url', server.url, ...flags]);
    expect([stderr, exitCode]).toEqual(['', 0]);
    return stdout.replaceAll('\n', ' ').trim();
  };
  const n = '{n:Nullable(Int64)}';
  expect([await sql(), await sql('--n', '1'), await sql('--n', '5')]).toEqual([
    `-- ${n} SELECT k FROM visits WHERE if(ifNull(${n} = 1, false), k = 'one', n < ${n})`,
    "SELECT k FROM visits WHERE k = 'one'",
    `-- ${n} SELECT k FROM visits WHERE n < ${n}`,
  ]);
});

test('a server estimates by the values of parameters', async () => {
  const ask = (n: number) => home.run(['explain', 'visits.sql', '--n', String(n), '--dry-run', '--format', 'csv', '--url', server.url]);
  const lines = [await ask(250), await ask(1000)].map(({ stdout }) => stdout.split('\n')[1]?.replace(/\d+$/, 'bytes'));
  expect(lines).toEqual(['"default.visits",1,300,3,bytes', '"default.visits",1,1000,10,bytes']);
  const prepared = await home.run(['explain', 'visits.sql', '--n', '250', '--plan', '--url', server.url]);
  expect(prepared.stdout).toMatch(/Condition: \(n in \(-Inf, 249\]\)/);
});
