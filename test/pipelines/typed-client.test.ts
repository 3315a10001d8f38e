// examples/client: the typed client compiles, refuses what the endpoints do not have, and reads rows; its types are those of the server's description.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cliHome } from '../support/run-cli.ts';
import { type ServingCli, serveCli } from '../support/serve-cli.ts';
import { root } from './run-action.ts';

const folder = mkdtempSync(join(tmpdir(), 'quern-client-'));
const home = cliHome();
let server: ServingCli;
beforeAll(async () => {
  const request = { url: 'https://demo.example.net/rest/v1/a', path: '/rest/v1/a' };
  const event = {
    id: 'e1',
    timestamp: new Date(Date.now() - 1000).toISOString(),
    project: 'demo',
    event_message: 'GET',
    metadata: { request },
  };
  home.write('events.ndjson', `${JSON.stringify(event)}\n`);
  expect((await home.run(['load', 'edge_logs', 'events.ndjson'])).exitCode).toBe(0);
  server = await serveCli(home, ['--no-auth']);
});
afterAll(async () => {
  await server.stop();
  home.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** What the compiler says of `text`, which imports the client. */
function compiled(text: string): string {
  cpSync(join(root, 'examples/client'), folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'use.ts'), `import { createClient } from './client.ts';\nconst client = createClient('http://x');\n${text}\n`);
  const flags = [
    '--noEmit',
    '--strict',
    '--target',
    'es2022',
    '--lib',
    'es2023,dom',
    '--module',
    'nodenext',
    '--allowImportingTsExtensions',
  ];
  const { stdout } = spawnSync(join(root, 'node_modules/.bin/tsc'), [...flags, '--types', '', 'use.ts'], { cwd: folder, encoding: 'utf8' });
  return stdout;
}

const CALL = "const rows = await client.rows('usage.api-counts', { project: 'demo', interval: 'daily' });\n";

test('names, arguments and columns are checked', () => {
  expect(compiled(`${CALL}export const total: number | null | undefined = rows[0]?.total_rest_requests;`)).toBe('');
  const wrong = compiled(`${CALL}export const total = rows[0]?.total_requests;
await client.rows('usage.api-count', { project: 'demo', interval: 'daily' });
await client.rows('usage.api-counts', { interval: 'daily' });
await client.rows('usage.api-counts', { project: 'demo', interval: 'weekly' });`);
  const places = [...wrong.matchAll(/^use\.ts\((\d+),\d+\): error/gm)].map(([, line]) => Number(line));
  expect(places, wrong).toEqual([4, 5, 6, 7]);
});

test('asks the server, and tells a failure from rows', async () => {
  const { createClient, EndpointError }: typeof import('../../examples/client/client.ts') = await import(
    join(root, 'examples/client/client.ts')
  );
  const client = createClient(server.address);
  const rows = await client.rows('usage.api-counts', { project: 'demo', interval: 'hourly' });
  expect(rows.map((row) => Object.keys(row))[0]).toEqual([
    'timestamp',
    'total_rest_requests',
    'total_storage_requests',
    'total_auth_requests',
    'total_realtime_requests',
  ]);
  const failure = await client.rows('usage.api-counts', { project: '(', interval: 'hourly' }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(EndpointError);
  expect(failure).toMatchObject({ status: 400, code: 'parameter' });
});

test('the types are made of what the server says of itself: each endpoint, parameter and column', async () => {
  const types = readFileSync(join(root, 'examples/client/quern-api.d.ts'), 'utf8');
  const { paths } = Object(await (await fetch(`${server.address}/openapi.json`)).json());
  const endpoints = Object.keys(paths).filter((path) => path.startsWith('/api/endpoints/'));
  expect([...types.matchAll(/^ {4}"(\/api\/endpoints\/[^"]+)": \{/gm)].map(([, path]) => path)).toEqual(endpoints);
  for (const path of endpoints) {
    const { operationId, parameters, responses } = paths[path].get;
    const start = types.indexOf(`    "${operationId}": {`);
    const own = types.slice(start, types.indexOf('\n    };\n', start));
    const written = [...own.matchAll(/^ {16}(\w+)\??: .*;$/gm)].map(([, name]) => name);
    expect(written).toEqual(
      expect.arrayContaining(parameters.map(({ name }: { name: string }) => name).filter((name: string) => name !== 'format')),
    );
    const rows = responses[200].content['application/json'].schema.properties.result.items.properties;
    expect([...own.matchAll(/^ {28}(\w+): /gm)].map(([, name]) => name)).toEqual(Object.keys(rows));
  }
});
