// The command `quern serve`: when it starts, when it refuses to, what it prints, how it ends; and bytes that are not requests.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { queryText } from '../queries/support.ts';
import { cliHome } from '../support/run-cli.ts';
import { serveCli } from '../support/serve-cli.ts';

const home = cliHome();
afterAll(() => home.remove());
home.write('mine/one.sql', queryText(1, 'select @n as n', 'cache: 60s', 'params: { n: { type: integer, default: 1 } }'));

const QUERIES = ['--queries', 'mine'];

describe('quern serve', () => {
  test('does not start without keys, and says how to make one', async () => {
    expect(await home.run(['serve', '--port', '0'])).toEqual({
      stdout: '',
      stderr: `error[usage]: there are no API keys, so nobody could use this server
   = hint: create one with quern keys create --name N --scope '*', or serve only this machine with --no-auth
`,
      exitCode: 2,
    });
  });

  test('does not let everybody on the network ask', async () => {
    const { stderr, exitCode } = await home.run(['serve', '--no-auth', '--host', '0.0.0.0']);
    expect([stderr, exitCode]).toEqual([
      `error[usage]: --no-auth would let anyone who can reach 0.0.0.0 read all logs
   = hint: listen on 127.0.0.1, or create keys: quern keys create --name N --scope '*'
`,
      2,
    ]);
  });

  test.each([
    [['--port', '70000'], '--port "70000" is not a port, a whole number from 0 to 65535'],
    [['--compat', 'nginx'], '--compat "nginx" is not one of: logflare'],
    [['--log-level', 'loud'], '--log-level "loud" is not one of: error, warn, info, debug, silent'],
    [['--cors-origin', 'example.com'], '--cors-origin ["example.com"] is not origins such as https://example.com, or *'],
  ])('refuses %j', async (flags, message) => {
    const { stderr, exitCode } = await home.run(['serve', '--no-auth', ...flags]);
    expect([stderr, exitCode]).toEqual([`error[usage]: ${message}\n`, 2]);
  });

  test('answers this machine with --no-auth, and ends with 0 when it is told to', async () => {
    const { address, stop } = await serveCli(home, ['--no-auth', ...QUERIES, '--log-level', 'warn']);
    expect(await (await fetch(`${address}/api/endpoints/one?n=7`)).json()).toEqual({ result: [{ n: 7 }] });
    expect(await stop()).toEqual({ stdout: '', stderr: `listening on ${address}\n`, exitCode: 0 });
    await expect(fetch(address)).rejects.toThrow();
  });

  test('logs where it listens and what it serves, and that it ends', async () => {
    const { address, stop } = await serveCli(home, ['--no-auth', ...QUERIES]);
    const lines = (await stop()).stderr.split('\n').filter((line) => line.startsWith('{'));
    const said = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg !== 'saved queries read');
    expect(said.map(({ level: _, time: __, ...rest }) => rest)).toEqual([
      {
        address,
        version: expect.any(String),
        engine: expect.stringMatching(/store$/),
        queries: expect.arrayContaining([expect.stringMatching(/mine$/)]),
        cache: expect.any(String),
        bounds: {
          timeout: '1m',
          max_memory: expect.stringMatching(/^\d+(?:MiB|GiB)$/),
          max_result_bytes: '256MiB',
          engine_queries: 3,
          engine_queue: 100,
          engine_queue_wait: '10s',
        },
        msg: 'serving',
      },
      { drain: 10, msg: 'stopping: waiting for the requests in progress' },
      { msg: 'stopped' },
    ]);
  });

  test('has what is wrong with the cache in the log, and answers', async () => {
    home.write('no-folder', 'a file');
    const { address, stop } = await serveCli(home, ['--no-auth', ...QUERIES, '--cache-dir', 'no-folder']);
    expect(await (await fetch(`${address}/api/endpoints/one?n=8`)).json()).toEqual({ result: [{ n: 8 }] });
    const { stderr } = await stop();
    expect(stderr.split('\n').filter((line) => line !== '' && !line.startsWith('{'))).toEqual([`listening on ${address}`]);
    const warned = stderr.split('\n').filter((line) => line.includes('"level":"warn"'));
    expect(warned.map((line) => JSON.parse(line).msg)).toEqual([expect.stringMatching(/^results are not cached: .*no-folder: /)]);
  });

  test('takes the keys that `quern keys` makes, while it runs', async () => {
    const first = (await home.run(['keys', 'create', '--name', 'first', '--scope', '*'])).stdout.trim();
    const { address, stop } = await serveCli(home, QUERIES);
    const status = async (key: string) => (await fetch(`${address}/api/endpoints/one`, { headers: { 'x-api-key': key } })).status;
    expect(await status(first)).toBe(200);
    await home.run(['keys', 'revoke', 'first']);
    await expect.poll(() => status(first)).toBe(401);
    expect((await stop()).exitCode).toBe(0);
  });

  test('says when another program has the port', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo; // it listens on a port
    const { stderr, exitCode } = await home.run(['serve', '--no-auth', '--port', String(port), '--log-level', 'silent']);
    other.close();
    expect([stderr, exitCode]).toEqual([
      `error[config]: cannot listen on 127.0.0.1:${port}: another program is listening there
   = hint: choose another --host or --port; --port 0 takes a free one
`,
      2,
    ]);
  });
});

describe('bytes on the connection', () => {
  /** What the server sends back before it closes the connection. */
  const exchange = (address: string, bytes: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(address);
      const chunks: Buffer[] = [];
      const socket = connect(Number(port), hostname);
      socket
        .on('data', (chunk) => chunks.push(chunk))
        .on('end', () => resolve(Buffer.concat(chunks).toString()))
        .on('error', reject);
      socket.write(bytes);
    });
  const parts = (text: string) => [text.split('\r\n')[0], text.split('\r\n\r\n')[1]];

  test('that are no request are answered in JSON', async () => {
    const { address, stop } = await serveCli(home, ['--no-auth', ...QUERIES]);
    expect(parts(await exchange(address, 'hello\r\n\r\n'))).toEqual([
      'HTTP/1.1 400 Bad Request',
      '{"error":{"code":"request","message":"this is not an HTTP/1.1 request"}}',
    ]);
    await stop();
  });

  test('may be an address of 64 KB, and no endless one', async () => {
    const { address, stop } = await serveCli(home, ['--no-auth', ...QUERIES]);
    const get = (length: number) =>
      exchange(address, `GET /api/endpoints/one?${'&'.repeat(length)} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    expect(parts(await get(65_000))).toEqual(['HTTP/1.1 200 OK', '{"result": [\n{"n":1}\n]}\n']);
    expect(parts(await get(100_000))).toEqual([
      'HTTP/1.1 431 Request Header Fields Too Large',
      '{"error":{"code":"too-large","message":"the address or the headers are too long"}}',
    ]);
    await stop();
  });

  test('of HTTP/1.0, without a Host, are answered', async () => {
    const { address, stop } = await serveCli(home, ['--no-auth', ...QUERIES]);
    expect(parts(await exchange(address, 'GET /api/endpoints/one HTTP/1.0\r\n\r\n'))).toEqual([
      'HTTP/1.1 200 OK',
      '{"result": [\n{"n":1}\n]}\n',
    ]);
    await stop();
  });
});
