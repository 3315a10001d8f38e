// /mcp: endpoints as tools of agents, through the client of the protocol's own SDK and with the rights of a key.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, onTestFinished, test } from 'vitest';
import { eventsEngine, expectError, type Served, type ServedOptions, served } from './server-support.ts';

const engine = eventsEngine();

async function agent(options: ServedOptions = {}): Promise<{ readonly client: Client; readonly world: Served }> {
  const world = await served(engine(), options);
  const address = await world.server.listen('127.0.0.1', 0);
  const client = new Client({ name: 'test', version: '1' });
  const requestInit = world.secret === '' ? {} : { headers: { 'x-api-key': world.secret } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', address), { requestInit }));
  onTestFinished(() => client.close());
  return { client, world };
}

const call = async (client: Client, name: string, given: Record<string, unknown>) => {
  const { content, isError = false } = await client.callTool({ name, arguments: given });
  return { text: (content as readonly { readonly text: string }[])[0]?.text ?? '', isError };
};

describe('/mcp', () => {
  test('offers the endpoints as tools, and runs them through the endpoints', async () => {
    const { client, world } = await agent();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['run_ids', 'run_series', 'explain_query']);
    expect(tools[0]?.inputSchema).toMatchObject({ required: ['area'], properties: { area: { enum: ['rest', 'auth'] } } });
    expect(tools[0]?.inputSchema.properties).not.toHaveProperty('as_of');
    const { text, isError } = await call(client, 'run_series', { rows: 3, word: 'x' });
    expect([isError, JSON.parse(text)]).toEqual([false, { result: [1, 2, 3].map((n) => ({ n, word: 'x' })) }]);
    expect(world.log.map((line) => line['endpoint'])).toContain('series');
  });

  test('what is wrong with a call is said in its result', async () => {
    const { client } = await agent();
    const { text, isError } = await call(client, 'run_ids', { area: 'nope' });
    expect([isError, text]).toEqual([true, expect.stringMatching(/error\[parameter\][\s\S]*invalid area: /)]);
  });

  test('a parameter that the query does not have is refused, not ignored', async () => {
    const { client, world } = await agent();
    expect(await call(client, 'run_series', { rows: 3, wrd: 'x' })).toEqual({
      isError: true,
      text: 'error[usage]: series has no parameter wrd\nhint: did you mean word?',
    });
    expect((await call(client, 'run_series', { rows: 3, as_of: '2026-01-01' })).text).toMatch(/no parameter as_of/);
    expect(world.executed).toEqual([]);
  });

  test('the rows are as large as limits let them', async () => {
    const { client } = await agent();
    expect((await call(client, 'run_series', { rows: 10_000, word: 'x'.repeat(50) })).text).toMatch(/at most 200000 can be returned/);
  });

  test('a key sees what it covers, and its pins are not to be given', async () => {
    const { client, world } = await agent({ key: { scopes: ['series'], pins: { word: 'pinned' } } });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['run_series', 'explain_query']);
    expect(Object.keys(tools[0]?.inputSchema.properties ?? {})).toEqual(['rows']);
    expect(JSON.parse((await call(client, 'run_series', { rows: 1 })).text)).toEqual({ result: [{ n: 1, word: 'pinned' }] });
    expect((await call(client, 'explain_query', { query: 'ids' })).text).toMatch(/unknown-query/);
    expect(world.executed.length).toBe(1);
  });

  test('nobody gets in without a key where one is needed, and other methods are refused', async () => {
    const { ask } = await served(engine(), { key: {} });
    expectError(await ask('/mcp', { method: 'POST', headers: { 'x-api-key': 'wrong' }, payload: '{}' }), 401, 'unauthorized');
    const reply = await ask('/mcp');
    expectError(reply, 405, 'method');
    expect(reply.headers['allow']).toBe('POST');
  });

  test('what is no message of the protocol is an error of the protocol', async () => {
    const { ask } = await served(engine());
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const reply = await ask('/mcp', { method: 'POST', headers, payload: '{"a":1}' });
    expect([reply.statusCode, reply.json()]).toMatchObject([400, { jsonrpc: '2.0', error: { code: expect.any(Number) } }]);
  });
});
