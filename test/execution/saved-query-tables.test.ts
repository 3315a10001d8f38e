// Saved queries as views and table functions of the dataset `queries`, and what names mean in the SQL of a caller.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { oneOffRequest } from '../../src/execution/one-off.ts';
import { prepare } from '../../src/execution/prepare.ts';
import { run } from '../../src/execution/run.ts';
import { quietIo } from '../../src/process-io.ts';
import type { CallerNames } from '../../src/queries/caller-names.ts';
import { openServices } from '../../src/services.ts';
import { cliHome } from '../support/run-cli.ts';

const home = cliHome();
afterAll(() => home.remove());

const saved = (id: number, header: string, sql: string): string =>
  `/*---\nid: 00000000-0000-4000-8000-00000000000${id}\ncache: disabled\n${header}---*/\n${sql}\n`;

beforeAll(async () => {
  home.write('quern.yaml', 'queries: queries\n');
  mkdirSync(join(home.folder, 'queries'));
  const write = (name: string, text: string) => home.write(`queries/${name}.sql`, text);
  write(
    'revenue',
    saved(
      1,
      'params:\n  least: { type: integer, required: true }\n  shop: { type: string, default: north }\n  until: { type: date }\n',
      'select shop, sum(price) as total from orders where price >= @least and shop = @shop and (@until is null or day <= @until) group by shop',
    ),
  );
  write('shop.days', saved(2, '', 'select day, count(*) as n from orders group by day'));
  write('big', saved(3, 'params: { shop: { type: string } }\n', 'select sum(total) as t from `any.queries.revenue`(2, @shop)'));
  write('per-shop', saved(4, 'params: { shop: { type: string } }\n', 'select shop, price from orders where shop = @shop'));
  write(
    'over-per-shop',
    saved(
      5,
      'params: { shop: { type: string } }\n',
      'select max(price) as m from queries.`per-shop`(@shop) union all select sum(price) from orders',
    ),
  );
  for (const [name, csv] of Object.entries({
    orders: 'shop,price,day\nnorth,1,2026-01-01\nnorth,2,2026-01-02\nnorth,4,2026-01-03\nsouth,8,2026-01-03\n',
    'other.orders': 'shop,price,day\nwest,16,2026-01-03\n',
  }))
    expect(await home.run(['load', name, '-', '--format', 'csv'], { stdin: csv })).toMatchObject({ exitCode: 0 });
});

const query = async (sql: string, ...flags: readonly string[]): Promise<string> => {
  const { stdout, stderr } = await home.run(['query', sql, ...flags]);
  return stdout + stderr;
};

test.each([
  ['select total from `queries.revenue`(1)', '{"total":7}\n'],
  ['select total from `my-proj.queries.revenue`(2, "north")', '{"total":6}\n'],
  ['select total from queries.revenue(0 + 1, upper("x") || "", date "2026-01-02")', ''],
  ['select total from revenue(1, "north", date "2026-01-02")', '{"total":3}\n'],
  ['select total from `queries.revenue`(1, "south", null) as r where r.shop = "south"', '{"total":8}\n'],
  ['select a.total + b.total as s from queries.revenue(1) as a, queries.revenue(1, "south") as b', '{"s":15}\n'],
  ['select n from `queries.shop.days` where day = "2026-01-03"', '{"n":2}\n'],
  ['select n from `p.queries.shop_days` where day = "2026-01-03"', '{"n":2}\n'],
  ['select t from `queries.big`("north")', '{"t":6}\n'],
])('%s', async (sql, expected) => {
  expect(await query(sql)).toBe(expected);
});

test('arguments may be parameters, of the same name too', async () => {
  expect(await query('select total, @shop as s from queries.revenue(@price, @shop)', '-p', 'price:INT64:2', '-p', 'shop::south')).toBe(
    '{"total":8,"s":"south"}\n',
  );
});

test.each([
  ['select * from queries.revenue()', 'queries.revenue takes 1 to 3 arguments, not 0\n', 'queries.revenue(least, shop, until)'],
  ['select * from queries.revenue("x")', 'argument least of queries.revenue', 'STRING'],
  ['select * from queries.revenue(least => 1)', 'queries.revenue takes its arguments by position, not by name', 'leave out the name'],
  ['select * from queries.nothing(1)', 'there is no saved query for queries.nothing(…)', ''],
  ['select * from queries.nothing', 'there is no source, saved query or WITH table named queries.nothing', ''],
  ['select * from queries.revenue', '@least: integer', ''],
])('%s is refused', async (sql, message, more) => {
  const said = await query(sql);
  expect(said).toContain(message);
  expect(said).toContain(more);
});

describe('in the text of a caller', () => {
  const io = () => ({ ...quietIo(() => undefined), cwd: home.folder, env: { HOME: home.folder } });
  const services = openServices({ io: io(), signal: new AbortController().signal, flags: () => ({}) });
  afterAll(() => services.close());

  const rows = async (sql: string, names: CallerNames, values: Readonly<Record<string, unknown>> = {}): Promise<unknown> => {
    const hints = { stray: () => '', missing: () => '' };
    const request = await oneOffRequest({ text: { name: 'sql', text: sql }, given: [], hints }, { filesAmong: async () => [] });
    return services.running(async (current) => {
      const prepared = await prepare({ ...request, names }, current);
      return (await run(prepared, { arguments: values }, current)).result.rows;
    });
  };

  test('names without a dataset are those of the default dataset, and of the saved queries their own', async () => {
    expect(await rows('select sum(price) from orders', { defaultDataset: 'other' })).toEqual([[16]]);
    expect(await rows('select sum(price) from orders', { defaultDataset: 'my-proj.other' })).toEqual([[16]]);
    expect(await rows('select sum(price) from orders', { defaultDataset: 'none' })).toEqual([[15]]);
    expect(await rows('select t, sum(price) from orders, big("north") group by t', { defaultDataset: 'other' })).toEqual([[6, 16]]);
    expect(await rows('select sum(n) from shop_days', { defaultDataset: 'queries' })).toEqual([[4]]);
  });

  test('INFORMATION_SCHEMA has the project of the request, and no log sources without rows', async () => {
    expect(await rows('select table_catalog, table_name from main.INFORMATION_SCHEMA.TABLES', { project: 'p' })).toEqual([['p', 'orders']]);
    expect(await rows('select schema_name from INFORMATION_SCHEMA.SCHEMATA order by 1', { project: 'p' })).toEqual([
      ['main'],
      ['other'],
      ['queries'],
    ]);
  });

  test('a saved query that is not covered is not there, though one that is covered reads it', async () => {
    const names = { covers: (name: string) => name === 'big' };
    expect(await rows('select t from queries.big("north")', names)).toEqual([[6]]);
    for (const sql of [
      'select * from queries.revenue(1)',
      'select * from queries.big("north"), queries.revenue(1)',
      'select * from revenue',
    ])
      await expect(rows(sql, names)).rejects.toThrow(/revenue/);
    await expect(rows('select * from queries.big("north"), `any.queries.revenue`(2)', names)).rejects.toThrow(
      /there is no saved query for any.queries.revenue/,
    );
  });

  test('a caller whose key sets a parameter reads saved queries that have it, and no rows beyond', async () => {
    const names = { pinned: ['SHOP'] };
    expect(await rows('select total from queries.revenue(1)', names, { shop: 'south' })).toEqual([[8]]);
    expect(await rows('select sum(price) from queries.`per-shop`', names, { shop: 'south' })).toEqual([[8]]);
    expect(await rows('select distinct table_schema from INFORMATION_SCHEMA.TABLES', { ...names, project: 'p' })).toEqual([['queries']]);
    expect(await rows('select * from queries.`over-per-shop`', names, { shop: 'south' })).toEqual([[8], [15]]); // as the query has it
    for (const [sql, message] of [
      ['select * from orders', 'the API key sets SHOP, and your own SQL could read past that in orders'],
      ['select * from queries.`per-shop`, orders', 'the API key sets SHOP, and your own SQL could read past that in orders'],
      ['select * from queries.shop_days', 'the API key sets SHOP, but shop.days has no such parameter'],
      ['select * from queries.`per-shop`("north")', 'takes 0 arguments, not 1'],
      ['select * from queries.`over-per-shop`, queries.`per-shop`("north")', 'takes 0 arguments, not 1'],
    ] as const)
      await expect(rows(sql, names, { shop: 'south' })).rejects.toThrow(message);
  });
});
