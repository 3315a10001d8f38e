// examples/grafana: every panel of the dashboard asks for an endpoint that answers, with parameters and columns that it has.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { cliHome } from '../support/run-cli.ts';
import { type ServingCli, serveCli } from '../support/serve-cli.ts';
import { root } from './run-action.ts';

interface Target {
  readonly url: string;
  readonly format: string;
  readonly root_selector: string;
  readonly url_options: { readonly method: string; readonly params: readonly { readonly key: string; readonly value: string }[] };
  readonly columns: readonly { readonly selector: string; readonly text: string; readonly type: string }[];
}

interface Variable {
  readonly name: string;
  readonly query: string;
  readonly type: string;
}

const read = (name: string): string => readFileSync(join(root, 'examples/grafana', name), 'utf8');
const dashboard: {
  readonly panels: readonly { readonly id: number; readonly title: string; readonly targets: readonly Target[] }[];
  readonly templating: { readonly list: readonly Variable[] };
} = JSON.parse(read('dashboard.json'));
const targets = dashboard.panels.flatMap(({ title, targets: all }) => all.map((target) => [title, target] as const));
const variables = new Map(dashboard.templating.list.map((variable) => [variable.name, variable]));

const home = cliHome();
let server: ServingCli;
let described: Record<
  string,
  { get: { parameters: { name: string }[]; responses: Record<string, { content: Record<string, { schema: unknown }> }> } }
>;

beforeAll(async () => {
  const at = new Date(Date.now() - 60_000).toISOString();
  const request = { method: 'GET', path: '/rest/v1/a', url: 'https://demo.example.net/rest/v1/a' };
  home.write(
    'events.ndjson',
    `${JSON.stringify({ id: 'e1', timestamp: at, project: 'demo', event_message: 'GET /rest/v1/a', metadata: { request } })}\n`,
  );
  expect((await home.run(['load', 'edge_logs', 'events.ndjson'])).exitCode).toBe(0);
  server = await serveCli(home, ['--no-auth']);
  described = Object(await json(`${server.address}/openapi.json`)).paths;
});
afterAll(async () => {
  await server.stop();
  home.remove();
});

const json = async (url: string | URL): Promise<unknown> => (await fetch(url)).json();

/** As Grafana puts variables in; throws for one that the dashboard does not have. */
function filled(text: string, chosen: Readonly<Record<string, string>>): string {
  const own: Readonly<Record<string, string>> = {
    '__from:date:iso': new Date(Date.now() - 3_600_000).toISOString(),
    '__to:date:iso': new Date().toISOString(),
    server: server.address,
    ...chosen,
  };
  return text.replaceAll(/\$\{([^}]+)\}/g, (_, name: string) => {
    const value = own[name] ?? variables.get(name)?.query.split(',')[0];
    if (value === undefined) throw new Error(`the dashboard has no variable ${name}`);
    return value;
  });
}

const asked = ({ url, url_options: { params } }: Target, chosen: Readonly<Record<string, string>> = {}): URL => {
  const address = new URL(filled(url, chosen));
  for (const { key, value } of params) address.searchParams.set(key, filled(value, chosen));
  return address;
};

test.each(targets)('%s: the endpoint answers, and has these parameters and columns', async (_, target) => {
  const url = asked(target);
  const reply = await fetch(url);
  const body = Object(await reply.json());
  expect([reply.status, target.url_options.method], JSON.stringify(body)).toEqual([200, 'GET']);
  const { parameters, responses } = described[url.pathname]?.get ?? { parameters: [], responses: {} };
  expect(parameters.map(({ name }) => name)).toEqual(expect.arrayContaining(target.url_options.params.map(({ key }) => key)));
  const { properties } = Object(responses['200']?.content['application/json']?.schema);
  const rows = properties[target.root_selector].items.properties;
  for (const { selector, type } of target.columns) {
    expect(Object.keys(rows)).toContain(selector);
    if (type === 'timestamp') expect(rows[selector].type).toContain('string');
    if (type === 'number') expect(['number', 'integer']).toContain([rows[selector].type].flat()[0]);
  }
  expect(target.format === 'timeseries' ? target.columns.map(({ type }) => type) : ['timestamp', 'number']).toEqual(
    expect.arrayContaining(['timestamp', 'number']),
  );
  for (const row of body[target.root_selector])
    for (const { selector, type } of target.columns) {
      expect(row).toHaveProperty(selector);
      if (type === 'timestamp') expect(Date.parse(row[selector])).not.toBeNaN();
    }
});

test('a panel shows what was loaded', async () => {
  const rows = await Promise.all(targets.map(async ([, target]) => Object(await json(asked(target))).result));
  const sum = rows[0].reduce((total: number, row: Record<string, number>) => total + (row['total_rest_requests'] ?? 0), 0);
  expect([sum, rows[3].map(({ event_message }: Record<string, string>) => event_message)]).toEqual([1, ['GET /rest/v1/a']]);
});

test('every choice of a variable is a value that the endpoints take', async () => {
  const choices = [...variables.values()].filter(({ type }) => type === 'custom');
  expect(choices.length).toBe(3);
  for (const { name, query } of choices) {
    const using = targets.find(([, { url_options: options }]) => options.params.some(({ value }) => value.includes(`\${${name}}`)));
    expect(using, name).toBeDefined();
    for (const choice of query.split(',')) {
      const reply = using === undefined ? undefined : await fetch(asked(using[1], { [name]: choice }));
      expect([name, choice, reply?.status]).toEqual([name, choice, 200]);
    }
  }
});

test('the data source sends the key in the header that the server reads, and only to it', () => {
  const [{ type, jsonData, secureJsonData }] = parse(read('datasource.yaml')).datasources;
  expect(variables.get('datasource')?.query).toBe(type);
  expect(jsonData).toEqual({
    auth_method: 'apiKey',
    apiKeyKey: 'X-API-KEY',
    apiKeyType: 'header',
    allowedHosts: [variables.get('server')?.query],
  });
  expect(secureJsonData).toEqual({ apiKeyValue: '$QUERN_GRAFANA_KEY' });
});
