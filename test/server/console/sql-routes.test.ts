// SQL over all tables for the console: who may send it, and what the server makes of it.
import { describe, expect, test } from 'vitest';
import type { ConsoleInfo, ConsoleSql, ConsoleSuggestions, ConsoleTables } from '../../../src/server/console/contract.ts';
import { expectError, type Served } from '../server-support.ts';
import { project } from './project-support.ts';

const { serve, write } = project();

const post = ({ ask }: Served, path: string, payload: object) => ask(`/api/console/${path}`, { method: 'POST', payload });
const BY_SHOP = 'select shop, count(*) as n from orders where total > @least group by shop order by shop';
const LEAST = { parameters: [{ name: 'least', type: 'float' }], values: { least: '40000' } };

describe('SQL over all tables', () => {
  test('is for anybody on a server without keys, and for keys with the scope /sql, which * does not include', async () => {
    const paths = {
      query: { sql: 'select 1 as one' },
      sql: { sql: 'select 1 as one' },
      complete: { sql: 'sel', offset: 3 },
      format: { sql: 'select 1' },
    };
    const statuses = async (server: Served) => {
      const replies = Object.entries(paths).map(([path, body]) => post(server, path, body));
      return (await Promise.all([...replies, server.ask('/api/console/tables')])).map(({ statusCode }) => statusCode);
    };
    expect(await statuses(await serve())).toEqual([200, 200, 200, 200, 200]);
    expect(await statuses(await serve({ key: { scopes: ['/sql'] } }))).toEqual([200, 200, 200, 200, 200]);
    const other = await serve({ key: { scopes: ['*', 'bigquery', '/metrics'] } });
    expect(await statuses(other)).toEqual([403, 403, 403, 403, 403]);
    expect(expectError(await post(other, 'query', { sql: 'select 1' }), 403, 'forbidden')).toEqual({
      code: 'forbidden',
      message: 'the API key does not cover SQL over all tables',
      hint: 'use a key with the scope /sql, which * does not include: quern keys create N --scope /sql',
    });
    const info = async (server: Served) => (await server.ask('/api/console')).json<ConsoleInfo>().mayRunSql;
    expect([await info(await serve()), await info(other)]).toEqual([true, false]);
  });

  test('is taken as JSON alone, which pages of other servers cannot send', async () => {
    const { ask } = await serve();
    const send = async (type: string) =>
      (await ask('/api/console/query', { method: 'POST', headers: { 'content-type': type }, payload: '{"sql":"select 1 as one"}' }))
        .statusCode;
    expect(
      await Promise.all(['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'].map(send)),
    ).toEqual([200, 415, 415, 415]);
    expectError(await ask('/api/console/query?sql=select+1'), 405, 'method');
  });

  test('works on a server that answers as Logflare does', async () => {
    const server = await serve({ options: { compat: 'logflare' } });
    expect((await post(server, 'query', { sql: BY_SHOP, ...LEAST })).json()).toMatchObject({
      result: [{ shop: 'north', n: 4 }, { shop: 'south' }],
    });
    expect((await post(server, 'query', { sql: 'select x from orders' })).json()).toEqual({ error: expect.stringContaining('x') });
  });

  test('has its turns, limits and budgets: a key that has spent its rows is refused', async () => {
    const server = await serve({ key: { scopes: ['/sql'], maxScanPerHour: 40, maxRows: 3 } });
    const first = await post(server, 'query', { sql: 'select id from orders' });
    expect([first.statusCode, first.json<{ result: unknown[] }>().result.length]).toEqual([200, 3]);
    expectError(await post(server, 'query', { sql: 'select id + 1 as id from orders' }), 429, 'budget');
  });

  test('is answered with rows in every format, and its values are bound', async () => {
    const server = await serve();
    const reply = await post(server, 'query', { sql: BY_SHOP, ...LEAST });
    expect([reply.statusCode, reply.json()]).toEqual([
      200,
      {
        result: [
          { shop: 'north', n: 4 },
          { shop: 'south', n: 4 },
        ],
      },
    ]);
    const csv = await post(server, 'query', { sql: BY_SHOP, ...LEAST, format: 'csv' });
    expect(csv.body).toBe('shop,n\n"north",4\n"south",4\n');
    expect(expectError(await post(server, 'query', { sql: BY_SHOP, parameters: LEAST.parameters }), 400, 'parameter').problems).toEqual([
      { kind: 'missing', name: 'least', message: 'float' },
    ]);
    expect(server.log.filter(({ endpoint }) => endpoint === 'console.sql').length).toBe(3);
  });

  test('is cached, runs once for all who want it, and has as many rows as were asked for', async () => {
    const server = await serve();
    const states = async (body: object) => (await post(server, 'query', body)).headers['x-cache'];
    const sql = 'select id from orders order by id';
    expect([await states({ sql }), await states({ sql }), await states({ sql, rows: 10 })]).toEqual(['miss', 'hit', 'miss']);
    const few = await post(server, 'query', { sql, rows: 10 });
    expect([few.json<{ result: unknown[] }>().result.length, few.headers['x-truncated']]).toEqual([10, 'true']);
    for (const rows of [0, 1e9, '5']) expectError(await post(server, 'query', { sql, rows }), 400, 'usage');
  });

  test('is translated with the place of what is wrong', async () => {
    const server = await serve();
    const told = (await post(server, 'sql', { sql: BY_SHOP, parameters: LEAST.parameters })).json<ConsoleSql>();
    expect([told.own, told.bound, told.columns]).toEqual([
      BY_SHOP,
      [{ name: 'least', type: 'Nullable(Float64)' }],
      [
        { name: 'shop', type: 'STRING' },
        { name: 'n', type: 'INT64' },
      ],
    ]);
    expect(told.clickhouse).toContain('{least:Nullable(Float64)}');
    expect(expectError(await post(server, 'sql', { sql: 'select shop\nfrom orders\nwhere shp = 1' }), 422, 'unknown-column')).toMatchObject(
      {
        position: { line: 3, column: 7 },
      },
    );
    expectError(await post(server, 'query', { sql: 'create table t as select 1' }), 422, 'unsupported');
    const doubtful = (await post(server, 'sql', { sql: "select id\nfrom orders where shop = 'a' and shop = 'b'" })).json<ConsoleSql>();
    expect(doubtful.warnings).toEqual([
      expect.objectContaining({ message: expect.stringContaining('this can’t be true'), line: 2, column: 34 }),
    ]);
  });

  test('completes tables of the project, their columns and parameters', async () => {
    const server = await serve();
    const labels = async (sql: string, offset = sql.length) =>
      (await post(server, 'complete', { sql, offset })).json<ConsoleSuggestions>().suggestions.map(({ label }) => label);
    expect(await labels('select * from ')).toEqual(['orders', 'shop.items', 'queries.per_hour', 'queries.per_shop']);
    expect(await labels('select pl from orders', 9)).toContain('placed_at');
    const named = { sql: 'select @le', offset: 10, parameters: LEAST.parameters };
    expect((await post(server, 'complete', named)).json()).toMatchObject({
      suggestions: [{ label: '@least', kind: 'parameter', detail: 'float' }],
    });
  });

  test('is laid out as quern fmt does it', async () => {
    const server = await serve();
    expect((await post(server, 'format', { sql: 'select 1+1 as two from orders' })).json()).toEqual({
      sql: 'select 1 + 1 as two from orders\n',
    });
    expect(expectError(await post(server, 'format', { sql: 'select from' }), 422, 'syntax')).toMatchObject({
      position: { line: 1, column: 8 },
    });
    expectError(await post(server, 'format', { sql: `select ${' '.repeat(50_000)}1` }), 422, 'too-complex');
  });

  test('lists what can be read, own tables first, with rows and sizes', async () => {
    const { tables } = (await (await serve()).ask('/api/console/tables')).json<ConsoleTables>();
    expect(tables.map(({ name, rows, isQuery }) => [name, rows, isQuery === true])).toEqual([
      ['orders', 48, false],
      ['shop.items', 2, false],
      ['queries.per_hour', undefined, true],
      ['queries.per_shop', undefined, true],
    ]);
    expect(tables[0]?.columns).toEqual([
      { name: 'id', type: 'INT64' },
      { name: 'placed_at', type: 'TIMESTAMP' },
      { name: 'shop', type: 'STRING' },
      { name: 'total', type: 'FLOAT64' },
    ]);
  });

  test('reads no table with a key that sets a parameter, and the saved queries that have it', async () => {
    const server = await serve({ key: { scopes: ['/sql', '*'], pins: { shop: 'north' } } });
    expect(expectError(await post(server, 'query', { sql: 'select * from orders' }), 422, 'unknown-source').message).toContain(
      'the API key sets shop',
    );
    const own = await post(server, 'query', { sql: 'select count(*) as n, min(total) as least from `queries.per_hour`' });
    expect(own.json()).toEqual({ result: [{ n: 24, least: 0.30000000000000004 }] });
  });
});

test('queries with errors are listed with the text and the line, for those who run the server', async () => {
  write('queries/broken.sql', '/*---\nid: 00000000-0000-4000-8000-000000000009\n---*/\nselect shop\nfrom orders where shp = 1\n');
  const broken = async (server: Served) => (await server.ask('/api/console')).json<ConsoleInfo>().broken;
  expect(await broken(await serve())).toMatchObject([
    { name: 'broken', served: 'not at all', code: 'unknown-column', position: { line: 5, column: 19 }, text: 'from orders where shp = 1' },
  ]);
  const other = await serve({ key: { scopes: ['per.*'] } });
  expect(await broken(other)).toBeUndefined();
  expect((await other.ask('/api/endpoints/broken')).json().error.message).toBe('there is no endpoint broken');
});
