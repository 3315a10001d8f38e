// quern mcp as an agent sees it: a process, and the client of the protocol's own SDK.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openQuern } from '../../src/index.ts';

const quern = join(import.meta.dirname, '../../bin/quern.js');
const folder = mkdtempSync(join(tmpdir(), 'quern-mcp-'));
const env = { PATH: process.env['PATH'] ?? '', HOME: folder, QUERN_STORE: join(folder, 'store'), QUERN_CACHE_DIR: join(folder, 'cache') };
const id = (n: number) => `7d6f2f4e-9a34-4e0a-8b7e-${String(n).padStart(12, '0')}`;

interface Agent {
  readonly client: Client;
  call(
    name: string,
    given?: Record<string, unknown>,
  ): Promise<{ readonly text: string; readonly data: unknown; readonly isError: boolean }>;
}

const agents: Client[] = [];
afterAll(async () => {
  for (const client of agents) await client.close();
  rmSync(folder, { recursive: true, force: true });
});

async function agent(files: Readonly<Record<string, string>>, ...flags: readonly string[]): Promise<Agent> {
  const queries = mkdtempSync(join(folder, 'queries-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(queries, name), text);
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [quern, 'mcp', '--queries', queries, ...flags],
      cwd: folder,
      env,
      stderr: 'inherit',
    }),
  );
  agents.push(client);
  return {
    client,
    async call(name, given = {}) {
      const { content, structuredContent, isError = false } = await client.callTool({ name, arguments: given });
      const [first] = content as readonly { readonly type: string; readonly text: string }[];
      return { text: first?.text ?? '', data: structuredContent, isError: isError === true };
    },
  };
}

const SERIES = `/*---
id: ${id(1)}
description: whole numbers up to a bound
max_rows: 3
params:
  most: { type: integer, required: true, description: the last of them }
  word: { type: string, enum: [a, b], default: a }
---*/
select n, @word as word, current_timestamp() as now from unnest(generate_array(1, @most)) as n order by n
`;

beforeAll(async () => {
  writeFileSync(join(folder, 'orders.csv'), 'id,shop\n1,north\n2,south\n3,north\n');
  expect(spawnSync(process.execPath, [quern, 'load', 'orders', 'orders.csv'], { cwd: folder, env }).status).toBe(0);
});

describe('tables', () => {
  let open: Agent;
  beforeAll(async () => {
    open = await agent(
      {
        'by-shop.sql':
          '/*---\nparams: { shop: { type: string, required: true } }\n---*/\nselect id from orders where shop = @shop order by id',
      },
      '--allow-sql',
    );
  });

  test('are listed and described', async () => {
    expect((await open.call('list_sources')).data).toEqual({
      sources: [{ name: 'orders', rows: 3, bytes: expect.any(Number), description: 'id, shop' }],
    });
    expect((await open.call('describe_source', { name: 'orders' })).data).toEqual({
      name: 'orders',
      aliases: [],
      rows: 3,
      bytes: expect.any(Number),
      columns: [
        { name: 'id', type: 'INT64' },
        { name: 'shop', type: 'STRING' },
      ],
    });
    expect((await open.call('describe_source', { name: 'edge_logs' })).text).toContain('timestamp');
    expect((await open.call('describe_source', { name: 'ordrs' })).text).toBe(
      'error[unknown-source]: ordrs is not a source\nhint: did you mean orders?',
    );
  });

  test('are read by SQL where the user allows it', async () => {
    const sql = async (given: Record<string, unknown>) => (await open.call('run_sql', given)).text;
    expect(JSON.parse(await sql({ sql: 'select shop, count(*) as n from orders group by shop order by shop' }))).toEqual({
      result: [
        { shop: 'north', n: 2 },
        { shop: 'south', n: 1 },
      ],
    });
    expect(JSON.parse(await sql({ sql: 'select id from orders order by id', max_rows: 1 }))).toEqual({
      result: [{ id: 1 }],
      meta: { truncated: true, rows: 1 },
    });
    expect(JSON.parse(await sql({ sql: 'select current_date() as d', as_of: '2026-01-15T12:00:00Z' })).result).toEqual([
      { d: '2026-01-15' },
    ]);
    expect(JSON.parse(await sql({ sql: 'select 1 as n; select 2 as n' })).result).toEqual([{ n: 2 }]);
    expect(await sql({ sql: 'select * from `by-shop`' })).toMatch(/shop has no value|error\[parameter\]/);
    expect(await sql({ sql: 'select 1', max_rows: 0 })).toMatch(/max_rows is no whole number from 1 to 10000/);
  });

  test.each([
    ['create table t as select 1 as a', /there to fill t, and quern only reads/],
    ['insert into orders values (1, "x")', /INSERT is not a query/],
    ['drop table orders', /error\[/],
    ['select * from `orders.csv`', /error\[unknown-source\]/],
  ])('%s is refused', async (sql, message) => {
    const { text, isError } = await open.call('run_sql', { sql });
    expect([text, isError]).toEqual([expect.stringMatching(message), true]);
  });
});

test('--pin sets a parameter that the agent neither sees nor chooses', async () => {
  const query = '/*---\nparams: { shop: { type: string, required: true } }\n---*/\nselect id from orders where shop = @shop order by id';
  const { client, call } = await agent(
    { 'by-shop.sql': query, 'all.sql': '/*---\ncache: disabled\n---*/\nselect * from orders' },
    '--pin',
    'shop=south',
  );
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['run_by-shop', 'explain_query', 'translate_sql', 'list_sources', 'describe_source']);
  expect(Object.keys(tools[0]?.inputSchema.properties ?? {})).toEqual(['as_of']);
  expect(JSON.parse((await call('run_by-shop')).text)).toEqual({ result: [{ id: 2 }] });
  expect((await call('run_by-shop', { shop: 'north' })).text).toMatch(/error\[parameter\]: shop is set for you/);
  const refused = spawnSync(process.execPath, [quern, 'mcp', '--allow-sql', '--pin', 'shop=south'], { cwd: folder, env, encoding: 'utf8' });
  expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining('SQL of agents could read past --pin')]);
});

describe('with few saved queries', () => {
  let open: Agent;
  beforeAll(async () => {
    open = await agent({
      'series.whole.sql': SERIES,
      'slow.sql': `/*---\nid: ${id(2)}\ntimeout: 200ms\n---*/\nselect count(*) as n from unnest(generate_array(1, 100000)) as a cross join unnest(generate_array(1, 1000000)) as b where mod(a * b, 7) = 9`,
    });
  }, 60_000);

  test('each is a tool with the schema of its parameters, which only reads', async () => {
    const { tools } = await open.client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual([
      'describe_source',
      'explain_query',
      'list_sources',
      'run_functions_invocation-stats',
      'run_logs_all',
      'run_series_whole',
      'run_slow',
      'run_usage_api-counts',
      'translate_sql',
    ]);
    const { description, inputSchema, annotations } = tools.find(({ name }) => name === 'run_series_whole') ?? {};
    expect(description).toBe('whole numbers up to a bound. At most 3 rows.');
    expect(inputSchema).toEqual({
      type: 'object',
      properties: {
        most: { type: 'integer', format: 'int64', description: 'the last of them' },
        word: { type: 'string', enum: ['a', 'b'], default: 'a' },
        as_of: { type: 'string', description: expect.any(String) },
      },
      required: ['most'],
      additionalProperties: false,
    });
    expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false });
    expect(open.client.getInstructions()).toMatch(/read-only/);
  });

  test('a call gives the rows, at most max_rows, as of a time', async () => {
    const { text, isError } = await open.call('run_series_whole', { most: 5, as_of: '2026-01-15T12:00:00Z' });
    expect(isError).toBe(false);
    expect(JSON.parse(text)).toEqual({
      result: [1, 2, 3].map((n) => ({ n, word: 'a', now: '2026-01-15T12:00:00Z' })),
      meta: { truncated: true, rows: 3 },
    });
  });

  test.each([
    ['run_series_whole', { word: 'c' }, /error\[parameter\].*\nmissing most: .*\ninvalid word: "c" is not one of: a, b/],
    ['run_slow', {}, /error\[timeout\]/],
    ['explain_query', { query: 'series.hole' }, /error\[unknown-query\].*\nhint: did you mean series\.whole\?/],
    ['translate_sql', { sql: 5 }, /sql is not text/],
    ['translate_sql', { query: 'select 1' }, /translate_sql has no argument query\nhint: its arguments are sql/],
    ['explain_query', { qury: 'series.whole' }, /explain_query has no argument qury\nhint: did you mean query\?/],
  ])('what is wrong with %s %j is said in its result', async (name, given, message) => {
    const { text, isError } = await open.call(name, given);
    expect([text, isError]).toEqual([expect.stringMatching(message), true]);
  });

  test('a tool that there is not is an error of the protocol', async () => {
    // The client puts the words before the colon there.
    await expect(open.call('run_nothing')).rejects.toThrow(/^MCP error -32602: there is no tool run_nothing$/);
    await expect(open.client.readResource({ uri: 'quern://sources/nothing' })).rejects.toThrow(/^MCP error -32602: there is no source /);
  });

  test('explains a saved query', async () => {
    const { data } = await open.call('explain_query', { query: 'series.whole' });
    expect(data).toMatchObject({
      query: 'series.whole',
      sql: expect.stringMatching(/^SELECT|^WITH/),
      parameters: [
        { name: 'most', type: 'integer', required: true },
        { name: 'word', type: 'string', required: false },
      ],
      columns: [
        { name: 'n', type: 'INT64' },
        { name: 'word', type: 'STRING' },
        { name: 'now', type: 'TIMESTAMP' },
      ],
      sources: [],
    });
  });

  test('translates SQL, or says what is wrong and where', async () => {
    expect(
      (await open.call('translate_sql', { sql: 'select countif(x > cast(@n as int64)) as n from unnest([1]) as x' })).data,
    ).toMatchObject({
      ok: true,
      sql: expect.stringMatching(/countIf/),
      columns: [{ name: 'n', type: 'INT64' }],
      parameters: [{ name: 'n', type: 'string', assumed: true }],
    });
    expect((await open.call('translate_sql', { sql: 'select\n  contif(1)' })).data).toMatchObject({
      ok: false,
      error: { code: 'unknown-function', line: 2, column: 3, hint: expect.stringMatching(/countif/i) },
    });
    expect((await open.call('translate_sql', { sql: `select * from \`${join(folder, 'x.csv')}\`` })).data).toMatchObject({ ok: false });
  });

  test('sources are resources, with their columns', async () => {
    const { resources } = await open.client.listResources();
    // Log sources without rows can be read, and are not listed.
    expect(resources).toMatchObject([
      { uri: 'quern://sources/orders', name: 'orders', description: 'id, shop', mimeType: 'application/json' },
    ]);
    const { contents } = await open.client.readResource({ uri: 'quern://sources/edge_logs' });
    const [one] = contents;
    const { columns } = JSON.parse(one !== undefined && 'text' in one ? one.text : '{}');
    expect(columns).toEqual(expect.arrayContaining([{ name: 'timestamp', type: 'TIMESTAMP' }]));
    await expect(open.client.readResource({ uri: 'quern://sources/nothing' })).rejects.toThrow('there is no source');
  });

  test('the store is free for others a while after a call', async () => {
    await open.call('run_series_whole', { most: 1 });
    const other = openQuern({ store: join(folder, 'store'), cacheDir: join(folder, 'cache') });
    await expect
      .poll(
        () =>
          other.run({ sql: 'select 1 as one' }).then(
            ({ rows }) => rows,
            () => undefined,
          ),
        { timeout: 20_000, interval: 300 },
      )
      .toEqual([[1]]);
    await other.close();
    expect((await open.call('run_series_whole', { most: 1 })).isError).toBe(false);
  });
});

describe('beside a process that uses the store', () => {
  const query = '/*---\nparams: { shop: { type: string, required: true } }\n---*/\nselect id from orders where shop = @shop order by id';

  test('calls are done by that process, with what the user allows here', async () => {
    const { client, call } = await agent({ 'by-shop.sql': query }, '--allow-sql', '--scope', 'by-*');
    const pinned = await agent({ 'by-shop.sql': query }, '--pin', 'shop=south');
    const shell = spawn(process.execPath, [quern, 'shell'], { cwd: folder, env });
    shell.stdin.write('select count(*) as opened from orders;\n');
    await once(shell.stdout, 'data');
    await expect.poll(() => existsSync(join(folder, 'store/serve.sock')), { timeout: 20_000 }).toBe(true);
    const begun = performance.now();
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('run_by-shop');
    expect(JSON.parse((await call('run_by-shop', { shop: 'north' })).text)).toEqual({ result: [{ id: 1 }, { id: 3 }] });
    expect(JSON.parse((await call('run_sql', { sql: 'select count(*) as n from orders', max_rows: 5 })).text)).toEqual({
      result: [{ n: 3 }],
    });
    expect((await call('run_sql', { sql: 'select shap from orders' })).text).toBe(
      'error[unknown-column]: there is no column or table shap here\nat 1:8 of <query>\nhint: did you mean shop?',
    );
    expect((await call('explain_query', { query: 'logs.all' })).text).toMatch(/unknown-query/);
    expect((await call('list_sources')).data).toEqual({
      sources: [{ name: 'orders', rows: 3, bytes: expect.any(Number), description: 'id, shop' }],
    });
    expect(JSON.parse((await pinned.call('run_by-shop')).text)).toEqual({ result: [{ id: 2 }] });
    expect((await pinned.call('run_by-shop', { shop: 'north' })).text).toMatch(/shop is set for you/);
    // Waiting for the store would take five seconds for each.
    expect(performance.now() - begun).toBeLessThan(15_000);
    shell.stdin.end();
    await once(shell, 'exit');
    expect(JSON.parse((await call('run_by-shop', { shop: 'south' })).text)).toEqual({ result: [{ id: 2 }] });
  });
});

test('--scope leaves out the others, also where they are named', async () => {
  const { client, call } = await agent({ 'series.whole.sql': SERIES }, '--scope', 'series.*');
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
    'run_series_whole',
    'explain_query',
    'translate_sql',
    'list_sources',
    'describe_source',
  ]);
  expect((await call('explain_query', { query: 'logs.all' })).text).toMatch(/unknown-query/);
});

test('with a hundred saved queries the list stays below 20 KB, and a tool finds them', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 100 }, (_, i) => [
      `area${i % 10}.query-${i}.sql`,
      `/*---\nid: ${id(100 + i)}\ndescription: number ${i} of many, about ${i === 42 ? 'storage latency' : 'other things'}\nparams:\n  project: { type: string, required: true, description: project reference }\n  interval: { type: string, enum: [hourly, daily], default: hourly }\n---*/\nselect @project as project, @interval as i, ${i} as n\n`,
    ]),
  );
  const { client, call } = await agent(many);
  const { tools } = await client.listTools();
  expect(JSON.stringify(tools).length).toBeLessThan(20_000);
  expect(tools.map(({ name }) => name)).toEqual([
    'search_queries',
    'run_query',
    'explain_query',
    'translate_sql',
    'list_sources',
    'describe_source',
  ]);
  const { data } = await call('search_queries', { words: 'latency of storage' });
  const [found] = (data as { readonly queries: readonly unknown[] }).queries;
  expect(found).toMatchObject({ name: 'area2.query-42', parameters: { required: ['project'] } });
  expect(await call('search_queries', {})).toMatchObject({ data: { more: 93 } });
  const { text } = await call('run_query', { query: 'area2.query-42', parameters: { project: 'p' } });
  expect(JSON.parse(text)).toEqual({ result: [{ project: 'p', i: 'hourly', n: 42 }] });
  expect((await call('run_query', { query: 'area2.query-42', parameters: [] })).text).toMatch(/parameters is not an object/);
  expect((await call('run_query', { query: 'area2.query-42', arguments: { project: 'p' } })).text).toMatch(
    /run_query has no argument arguments\nhint: its arguments are query, parameters, as_of/,
  );
}, 60_000);

test('a saved query that cannot be used is no tool, and keeps none of the others from being one', async () => {
  mkdirSync(join(folder, 'x'), { recursive: true });
  const { client } = await agent({
    'broken.sql': `/*---\nid: ${id(3)}\n---*/\nselect nope(1)`,
    'header.sql': '/*---\nnope: 1\n---*/\nselect 1',
    'series.whole.sql': SERIES,
  });
  const names = (await client.listTools()).tools.map(({ name }) => name);
  expect(names).toContain('run_series_whole');
  expect(names.some((name) => /broken|header/.test(name))).toBe(false);
});
