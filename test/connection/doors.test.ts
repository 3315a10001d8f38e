// Every door gives the rows that the data have now, whatever kind of source they come from, although results are cached for an hour.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cliHome } from '../support/run-cli.ts';
import { type ServingCli, serveCli } from '../support/serve-cli.ts';

const home = cliHome();
let server: ServingCli;
let agent: Client;

const load = async (...argv: readonly string[]) => {
  const { stderr, exitCode } = await home.run(['load', ...argv]);
  expect([exitCode, stderr]).toEqual([0, stderr]);
};
const file = (name: string, n: number): string => home.write(name, `n\n${n}\n`);
const event = (id: number): string =>
  `${JSON.stringify({ id: `${id}`, timestamp: '2026-01-02T00:00:00Z', project: 'p', event_message: 'm' })}\n`;

/** A query for each kind of source, and what makes its row another. */
const KINDS: Readonly<Record<string, { readonly sql: string; readonly change: (n: number) => Promise<unknown> | unknown }>> = {
  files: { sql: 'select max(n) as n from of_files', change: (n) => file('data/a.csv', n) },
  a_file_more: { sql: 'select max(n) as n from of_files', change: (n) => file(`data/${n}.csv`, n) },
  loaded: { sql: 'select max(n) as n from loaded', change: (n) => load('loaded', file('x.csv', n), '--replace') },
  table: { sql: 'select max(n) as n from of_table', change: (n) => load('loaded', file('x.csv', n)) },
  rule: { sql: 'select max(n) as n from `p.d.loaded`', change: (n) => load('loaded', file('x.csv', n)) },
  undone: {
    sql: 'select max(n) as n from loaded',
    change: async () => {
      const { stdout } = await home.run(['loads', '--format', 'ndjson']);
      await home.run(['loads', 'undo', String(JSON.parse(stdout.split('\n')[0] ?? '').load)]);
    },
  },
  wildcard: { sql: 'select max(n) as n from `part_*`', change: (n) => load(`part_${n}`, file('x.csv', n)) },
  log: { sql: 'select count(*) as n from edge_logs', change: (n) => load('edge_logs', home.write(`${n}.ndjson`, event(n))) },
  information_schema: {
    sql: "select string_agg(column_name order by column_name) as n from INFORMATION_SCHEMA.COLUMNS where table_name = 'loaded'",
    change: () => load('loaded', home.write('y.csv', 'n,other\n1,2\n'), '--replace'),
  },
};

const get = async (name: string): Promise<string> => {
  const { result } = (await (await fetch(`${server.address}/endpoints/query/${name}`)).json()) as { readonly result: readonly unknown[] };
  return `${JSON.stringify(result[0])}\n`;
};

/** The row behind each door. */
const DOORS: Readonly<Record<string, (name: string) => Promise<string>>> = {
  run: async (name) => (await home.run(['run', name])).stdout,
  query: async (name) => (await home.run(['query', KINDS[name]?.sql ?? '', '--cache', '1h'])).stdout,
  async export(name) {
    await home.run(['run', name, '--output', 'out.ndjson']);
    return readFileSync(join(home.folder, 'out.ndjson'), 'utf8');
  },
  async check(name) {
    home.write('checks/one.yaml', `checks:\n  - query: ${name}\n    assertions: ["min(format('%T', n)) = 'nothing'"]\n`);
    const { stdout } = await home.run(['check', 'checks/one.yaml']);
    return stdout.replace(/ \(.*? s, as of.*/, '');
  },
  serve: get,
  async mcp(name) {
    const { content } = await agent.callTool({ name: `run_${name}`, arguments: {} });
    const [{ text }] = content as readonly [{ readonly text: string }];
    return `${JSON.stringify(JSON.parse(text).result[0])}\n`;
  },
};

beforeAll(async () => {
  home.write(
    'quern.yaml',
    'queries: [queries]\nsources:\n  of_files: { file: "data/*.csv" }\n  of_table: { table: loaded }\nnames: { "p.d.*": "{3}" }\n',
  );
  file('data/a.csv', 1);
  await load('loaded', file('x.csv', 1));
  await load('part_0', file('x.csv', 1));
  await load('edge_logs', home.write('0.ndjson', event(0)));
  for (const [i, [name, { sql }]] of Object.entries(KINDS).entries())
    home.write(`queries/${name}.sql`, `/*---\nid: 5e7b7bb7-0b0e-4d17-9c4c-0f0b5c8a2b${10 + i}\ncache: 1h\n---*/\n${sql}\n`);
  server = await serveCli(home, ['--no-auth', '--log-level', 'silent']);
  agent = new Client({ name: 'test', version: '1' });
  await agent.connect(new StreamableHTTPClientTransport(new URL('/mcp', server.address)));
}, 60_000);

afterAll(async () => {
  await agent.close();
  await server.stop();
  home.remove();
});

let n = 100;
test.each(Object.keys(KINDS))(
  '%s',
  async (name) => {
    const ask = async (): Promise<Readonly<Record<string, string>>> =>
      Object.fromEntries(await Promise.all(Object.entries(DOORS).map(async ([door, open]) => [door, await open(name)] as const)));
    const before = await ask();
    await KINDS[name]?.change(n++);
    // A server asks now and then what its data are.
    let now = await ask();
    for (let tries = 0; tries < 100 && (now['serve'] === before['serve'] || now['mcp'] === before['mcp']); tries++) {
      await new Promise((resume) => setTimeout(resume, 100));
      now = { ...now, serve: await get(name), mcp: (await DOORS['mcp']?.(name)) ?? '' };
    }
    const { run = '', check = '', ...others } = now;
    expect(run).not.toBe(before['run']);
    expect(check).not.toBe(before['check']);
    expect(others).toEqual({ query: run, export: run, serve: run, mcp: run });
  },
  60_000,
);
