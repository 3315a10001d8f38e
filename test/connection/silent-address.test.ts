// A source at an address that takes connections and says nothing: five seconds until it is given up.
import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cliHome } from '../support/run-cli.ts';
import { serveCli } from '../support/serve-cli.ts';

const home = cliHome();
afterAll(() => home.remove());

describe('an address that takes connections and says nothing', () => {
  let silent: Server;
  let connections = 0;
  beforeAll(async () => {
    silent = createServer((socket) => {
      connections++;
      socket.on('error', () => undefined);
    });
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as { readonly port: number };
    const address = `https://127.0.0.1:${port}/a.csv`; // a server on a port has no other address
    home.write('quern.yaml', `sources:\n  fine: { file: fine.csv }\n  far: { file: "${address}" }\n  far_too: { file: "${address}" }\n`);
    home.write('fine.csv', 'id\n1\n');
    home.write('mine/far.sql', '/*---\nid: 7a1c8f10-5c0f-4d8f-9c3a-1f6f5f1b6a01\ncache: disabled\n---*/\nselect count(*) as n from far\n');
    home.write(
      'mine/fine.sql',
      '/*---\nid: 7a1c8f10-5c0f-4d8f-9c3a-1f6f5f1b6a02\ncache: disabled\n---*/\nselect count(*) as n from fine\n',
    );
  });
  afterAll(() => void silent.close());
  const env = { QUERN_TRUST: '1' };

  test('is not even asked for a query that reads others', async () => {
    expect((await home.run(['query', 'select id from fine'], { env })).stdout).toBe('{"id":1}\n');
    expect((await home.run(['query', 'select 1 as one'], { env })).stdout).toBe('{"one":1}\n');
    expect(connections).toBe(0);
  });

  test('is asked once for all who name it, and holds up neither the start of a server nor what reads others', async () => {
    const { address, stop } = await serveCli(home, ['--no-auth', '--queries', 'mine', '--log-level', 'silent'], { env });
    const get = async (name: string) => {
      const reply = await fetch(`${address}/endpoints/query/${name}`);
      return [reply.status, await reply.text()] as const;
    };
    const away = [get('far'), get('far')];
    expect((await get('fine'))[0]).toBe(200);
    expect((await fetch(`${address}/ready`)).status).toBe(200);
    for (const [status, text] of await Promise.all(away)) {
      expect(status).toBe(503);
      expect(text).toContain('sources.far: ');
      expect(text).toContain('its server does not answer');
    }
    await stop();
    expect(connections).toBe(1);
  }, 60_000);
});
