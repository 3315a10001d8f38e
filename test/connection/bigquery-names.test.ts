// Names of BigQuery's tables without rules of `names:`: what they mean in the store and on a server.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ClickHouseServer, startClickHouse } from '../support/clickhouse-server.ts';
import { cliHome } from '../support/run-cli.ts';

describe('in the store', () => {
  const home = cliHome();
  afterAll(() => home.remove());

  const rows = async (sql: string): Promise<string> => {
    const { stdout, stderr } = await home.run(['query', sql]);
    return stdout + stderr;
  };

  beforeAll(async () => {
    const tables = { orders: 1, 'shop.orders': 2, 'shop.events_20260101': 3, 'shop.events_20260102': 4, 'far.away.stars': 5 };
    for (const [name, value] of Object.entries(tables))
      expect(await home.run(['load', name, '-', '--format', 'csv'], { stdin: `n\n${value}\n` })).toMatchObject({ exitCode: 0 });
  });

  test.each([
    ['shop.orders', 2],
    ['`my-proj.shop.orders`', 2],
    ['`my-proj`.shop.orders', 2],
    ['my-proj.shop.orders', 2],
    ['`example.com:my-proj.shop.orders`', 2],
    ['orders', 1],
    ['main.orders', 1],
    ['`my-proj.main.orders`', 1],
    ['`my-proj.shop.events_20260102`', 4],
    ['`my-proj.shop.events_*`', 7],
    ['`my-proj.shop.events_2026*` where _table_suffix = "0101"', 3],
    ['away.stars', 5],
    ['`my-proj.away.stars`', 5],
    ['far.away.stars', 5],
  ])('%s is read', async (name, sum) => {
    expect(await rows(`select sum(n) as s from ${name}`)).toBe(`{"s":${sum}}\n`);
  });

  test('a table without a dataset stands for none of another dataset, and the hint is the rule that would say so', async () => {
    expect(await rows('select n from `my-proj.sales.orders`')).toContain(
      'hint: if it is orders, say so in quern.yaml: names: { "my-proj.sales.*": "{3}" }',
    );
    expect(await rows('select n from `my-proj.sales.events_20260101`')).toContain(
      'hint: if it is shop.events_20260101, say so in quern.yaml: names: { "my-proj.sales.events_20260101": "shop.events_20260101" }',
    );
  });

  test('a rule goes first, and a source of the project before a table', async () => {
    home.write('quern.yaml', 'names:\n  "my-proj.shop.*": "{3}"\nsources:\n  other.shop.orders: { table: shop.events_20260102 }\n');
    expect(await rows('select n from `my-proj.shop.orders`')).toBe('{"n":1}\n');
    expect(await rows('select n from `other.shop.orders`')).toBe('{"n":4}\n');
    expect(await rows('select n from `third.shop.orders`')).toBe('{"n":2}\n');
  });
});

describe('on a server', () => {
  const home = cliHome();
  let server: ClickHouseServer;
  afterAll(async () => {
    await server.stop();
    home.remove();
  });

  const rows = async (sql: string): Promise<string> => {
    const { stdout, stderr } = await home.run(['query', sql], { env: { CLICKHOUSE_URL: server.url } });
    return stdout + stderr;
  };

  beforeAll(async () => {
    server = await startClickHouse();
    await server.run('CREATE DATABASE shop');
    await server.run('CREATE DATABASE `my-data`');
    for (const [i, table] of ['shop.orders', 'shop.events_20260101', 'shop.events_20260102', '`my-data`.`daily-sales`'].entries())
      await server.run(`CREATE TABLE ${table} (n Int64, items Array(Int64)) ENGINE = MergeTree ORDER BY n AS SELECT ${i + 1}, [1, 2]`);
  });

  test.each([
    ['shop.orders', 1],
    ['`my-proj.shop.orders`', 1],
    ['my-proj.shop.orders', 1],
    ['`my-proj.shop.events_*`', 5],
    ['`shop.events_*` where _table_suffix = "20260102"', 3],
    ['`my-proj.my-data.daily-sales`', 4],
    ['shop.orders as shop, shop.items', 2],
  ])('%s is read', async (name, sum) => {
    expect(await rows(`select sum(n) as s from ${name}`)).toBe(`{"s":${sum}}\n`);
  });

  test.each([
    ['my-proj.shop.ordrs', 'hint: did you mean orders?'],
    ['`my-proj.shop.visits_*`', 'hint: its tables are: events_20260101, events_20260102, orders'],
    ['my-proj.nowhere.orders', 'there is no source, saved query or WITH table named my-proj.nowhere.orders'],
    ['system.one', 'there is no source, saved query or WITH table named system.one'],
    ['p.information_schema.tables_', 'is not supported'],
  ])('%s is not there', async (name, message) => {
    expect(await rows(`select * from ${name}`)).toContain(message);
  });

  test('a table that is made later is found then', async () => {
    expect(await rows('select n from shop.later')).toContain('has no table later');
    await server.run('CREATE TABLE shop.later (n Int64) ENGINE = MergeTree ORDER BY n AS SELECT 9');
    expect(await rows('select n from shop.later')).toBe('{"n":9}\n');
  });
});
