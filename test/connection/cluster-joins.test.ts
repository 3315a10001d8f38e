// Joins over a cluster of two shards give the rows of one node: what matches nothing comes once, and not from each shard.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ClickHouseServer, freePort, startClickHouse } from '../support/clickhouse-server.ts';
import { cliHome } from '../support/run-cli.ts';

const home = cliHome();
let servers: readonly ClickHouseServer[];

const PLACES = {
  'a Distributed table': (name: string) => `table: shop.${name}_all`,
  'a named cluster': (name: string) => `table: shop.${name}, cluster: pair`,
  'one node': (name: string) => `table: shop.${name}_here`,
};

const QUERIES = [
  'select l.k, l.a, r.k as rk, r.b from l right join r on l.k = r.k',
  'select l.k, l.a, r.k as rk, r.b from l full join r on l.k = r.k',
  'select l.a, r.b from l right join r on l.k > r.k and l.k = r.b',
  'select l.k, r.k as rk from l full join r on l.a = 5',
  'select count(*) as n, sum(r.b) as s from l right join r using (k)',
  'select l.k, r.k as rk, m.k as mk from l left join r on l.k = r.k right join r as m on l.k = m.k',
  'select l.k, r.k as rk, m.k as mk from l inner join r on l.k = r.k full join l as m on l.k = m.k',
  'select l.k, r.k as rk, m.k as mk from l full join r on l.k = r.k left join l as m on r.k = m.k',
  'select l.k, q.k as qk from l right join (select r.k from l as x full join r on x.k = r.k) as q on l.k = q.k',
  'select l.k, q.k as qk from l left join (select r.k from l as x right join r on x.k = r.k) as q on l.k = q.k',
  'select k from r where k in (select r.k from l right join r on l.k = r.k where l.k is null)',
  'with j as (select l.a, r.b from l right join r on l.k = r.k) select x.a, y.b from j as x full join j as y on x.a = y.b',
  'select r.k, (select count(*) from l full join r as z on l.k = z.k) as n from r',
  'select l.k, u as e, r.k as rk from l cross join unnest([l.k, l.k + 1]) as u right join r on u = r.k',
  'select x.k, r.k as rk from (select k from l where a = 5) as x right join r on x.k = r.k',
  'select x.n, r.k as rk from (select k, count(*) as n from l group by k) as x right join (select * from r where b = 5) as r on x.k = r.k',
];

beforeAll(async () => {
  const ports = [await freePort(), await freePort()];
  const clusters = { pair: ports.map((port) => ({ host: '127.0.0.1', port })) };
  servers = await Promise.all(ports.map((tcpPort) => startClickHouse({ tcpPort, clusters })));
  const table = (name: string, value: string) => `CREATE TABLE shop.${name} (k Int64, ${value} Int64) ENGINE = MergeTree ORDER BY k`;
  const rows = [
    { l: '(0, 0), (2, 5)', r: '(3, 0), (10, 5)' },
    { l: '(1, 1), (3, 5)', r: '(2, 1), (11, 5)' },
  ];
  for (const [i, server] of servers.entries()) {
    await server.run('CREATE DATABASE shop');
    for (const [name, value] of [['l', 'a'] as const, ['r', 'b'] as const]) {
      await server.run(`${table(name, value)};\nINSERT INTO shop.${name} VALUES ${rows[i]?.[name]}`);
      await server.run(`CREATE TABLE shop.${name}_all AS shop.${name} ENGINE = Distributed('pair', 'shop', '${name}')`);
      const all = rows.map((each) => each[name]).join(', ');
      await server.run(`${table(`${name}_here`, value)};\nINSERT INTO shop.${name}_here VALUES ${all}`);
    }
  }
});

afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  home.remove();
});

const rowsAt = async (left: keyof typeof PLACES, right: keyof typeof PLACES, sql: string): Promise<readonly string[]> => {
  home.write('quern.yaml', `sources:\n  l: { ${PLACES[left]('l')} }\n  r: { ${PLACES[right]('r')} }\n`);
  const file = `./${home.write('q.sql', sql)}`;
  const { stdout, stderr } = await home.run(['run', file, '--no-cache', '--url', servers[0]?.url ?? '', '--timeout', '60s']);
  expect([sql, stderr]).toEqual([sql, '']);
  return stdout.trimEnd().split('\n').sort();
};

const expected: (readonly string[])[] = [];
beforeAll(async () => {
  for (const sql of QUERIES) expected.push(await rowsAt('one node', 'one node', sql));
});

test.each([
  ['a Distributed table', 'a Distributed table'],
  ['a named cluster', 'a named cluster'],
  ['a named cluster', 'a Distributed table'],
] as const)('%s and %s give the rows of one node', async (left, right) => {
  for (const [i, sql] of QUERIES.entries()) expect({ sql, rows: await rowsAt(left, right, sql) }).toEqual({ sql, rows: expected[i] });
});
