// A proxy between quern and its server loses, repeats or replaces parts of answers: all rows, or an error, and nothing kept of it.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SESSION_SETTINGS } from '../../src/engine/session-settings.ts';
import { SETTINGS } from '../../src/sql/target/settings.ts';
import { type ClickHouseServer, startClickHouse } from '../support/clickhouse-server.ts';
import { type OldAnswer, oldProxy, type Spoil } from '../support/old-proxy.ts';
import { cliHome } from '../support/run-cli.ts';
import { type ServingCli, serveCli } from '../support/serve-cli.ts';

const home = cliHome();
const ROWS = 12_000;
const head = (id: string) => `id: ${id}-5b1a-4c39-9d7f-0f6f6a2b7c11\ncache: 15m\nmax_rows: ${ROWS}\n`;
const PAGE = '<html><body>Welcome</body></html>';
let server: ClickHouseServer;
let proxy: Awaited<ReturnType<typeof oldProxy>>;
let serving: ServingCli;

beforeAll(async () => {
  const user = { password: '', networks: { ip: '127.0.0.1' }, quota: 'default' };
  server = await startClickHouse({
    profiles: { ready: { readonly: 1, ...SESSION_SETTINGS, ...SETTINGS } },
    users: { default: { ...user, profile: 'default' }, reader: { ...user, profile: 'ready' } },
  });
  await server.run('CREATE DATABASE web');
  await server.run('CREATE TABLE web.hits (n Int64, s String) ENGINE = MergeTree ORDER BY n');
  await server.run(`INSERT INTO web.hits SELECT number, concat('text ', toString(number)) FROM numbers(${ROWS})`);
  proxy = await oldProxy(server.httpPort);
  home.write('quern.yaml', 'sources:\n  hits: { table: web.hits }\n');
  home.write('queries/hits.sql', `/*---\n${head('5b1d1f0e')}---*/\nselect n, s from hits order by n`);
  const parameter = 'params: { word: { type: string } }\n';
  home.write('served/hits.sql', `/*---\n${head('5b1d1f0f')}${parameter}---*/\nselect n, s, @word as word from hits order by n`);
  serving = await serveCli(home, ['--no-auth', '--queries', 'served', '--url', proxy.url, '--timeout', '5s', '--log-level', 'silent']);
});
afterAll(async () => {
  await serving.stop();
  await proxy.close();
  await server.stop();
  home.remove();
});

const whole = ({ head, body }: OldAnswer): Buffer => Buffer.concat([head, body]);
const cutTo =
  (bytes: (answer: OldAnswer) => number): ((answer: OldAnswer) => Buffer) =>
  (answer) =>
    whole(answer).subarray(0, bytes(answer));
/** After so many bytes of the body, or before so many of its end. */
const inBody = (bytes: number) =>
  cutTo(({ head, body }) => head.length + (bytes < 0 ? Math.max(0, body.length + bytes) : Math.min(bytes, body.length - 1)));
const inLine = (more: number) => cutTo(({ head, body }) => head.length + body.indexOf('\n', body.length >> 1) + 1 + more);
const withHead = (head: string, body: Buffer | string) => Buffer.concat([Buffer.from(head), Buffer.from(body)]);
const chunked = ({ head }: OldAnswer, bytes: Buffer): Buffer =>
  withHead(
    head.toString('latin1').replace('\r\n\r\n', '\r\nTransfer-Encoding: chunked\r\n\r\n').replace('HTTP/1.0', 'HTTP/1.1'),
    Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n0\r\n\r\n')]),
  );
const sized = ({ head, body }: OldAnswer, length: number, bytes: Buffer = body): Buffer =>
  withHead(head.toString('latin1').replace('\r\n\r\n', `\r\nContent-Length: ${length}\r\n\r\n`), bytes);
const half = (body: Buffer): Buffer => body.subarray(0, body.indexOf('\n', body.length >> 1) + 1);

/** What becomes of an answer. All but the first two lose or change something of it. */
const SPOILT: readonly (readonly [string, (answer: OldAnswer) => Buffer])[] = [
  ['nothing at all', () => Buffer.alloc(0)],
  ['half of the status line', cutTo(() => 9)],
  ['half of the headers', cutTo(({ head }) => head.length >> 1)],
  ['all but the end of the headers', cutTo(({ head }) => head.length - 2)],
  ['the headers alone', inBody(0)],
  ['a byte of the body', inBody(1)],
  ['some bytes', inBody(7)],
  ['a line or two', cutTo(({ head, body }) => head.length + body.indexOf('\n', body.indexOf('\n') + 1) + 1)],
  ['a few lines', inBody(200)],
  ['half of the rows', inLine(0)],
  ['half of the rows, and some of one', inLine(3)],
  ['half of the rows, and all of one but its end', inLine(-1)],
  ['all but 1,000 bytes', inBody(-1000)],
  ['all but 50 bytes', inBody(-50)],
  ['all but 8 bytes', inBody(-8)],
  ['all but 7 bytes', inBody(-7)],
  ['all but 2 bytes', inBody(-2)],
  ['all but the last byte', inBody(-1)],
  ['half of the rows in good chunks', (answer) => chunked(answer, half(answer.body))],
  ['half of the rows under their own length', (answer) => sized(answer, half(answer.body).length, half(answer.body))],
  ['more of a length than there is', (answer) => sized(answer, answer.body.length + 10)],
  ['less of a length than there is', (answer) => sized(answer, half(answer.body).length)],
  ['a page', () => withHead('HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n', PAGE)],
  ["a page under ClickHouse's headers", ({ head }) => withHead(head.toString('latin1'), PAGE)],
  ['a page behind half of the rows', ({ head, body }) => withHead(head.toString('latin1'), Buffer.concat([half(body), Buffer.from(PAGE)]))],
  ['words of its own behind half of the rows', ({ head, body }) => withHead(head.toString('latin1'), `${half(body)}upstream timed out\n`)],
  ['all, and words of its own', (answer) => Buffer.concat([whole(answer), Buffer.from('upstream closed\n')])],
  ['an error of its own', () => withHead('HTTP/1.0 200 OK\r\nX-ClickHouse-Summary: {}\r\n\r\n', 'error: no upstream\n')],
];
const COMPRESSED: readonly (readonly [string, (answer: OldAnswer) => Buffer])[] = [
  ['half of what was compressed', ({ head, body }) => withHead(head.toString('latin1'), body.subarray(0, body.length >> 1))],
  ['all but the checksum', inBody(-8)],
  ['its encoding unsaid', ({ head, body }) => withHead(head.toString('latin1').replace(/Content-Encoding: .*\r\n/i, ''), body)],
  ['half of the rows, compressed anew', ({ head, body }) => withHead(head.toString('latin1'), gzipSync(half(gunzipSync(body))))],
];
const twice: Spoil = (socket, { head, body }) => {
  const [from, to] = [body.indexOf('\n', body.length >> 2) + 1, body.indexOf('\n', body.length >> 1) + 1];
  socket.end(Buffer.concat([head, body.subarray(0, to), body.subarray(from)]));
};
const ended =
  (bytes: (answer: OldAnswer) => Buffer): Spoil =>
  (socket, answer) =>
    void socket.end(bytes(answer));
const reset =
  (bytes: (answer: OldAnswer) => Buffer): Spoil =>
  (socket, answer) =>
    void socket.write(bytes(answer), () => setTimeout(() => socket.resetAndDestroy(), 5));

const out = join(home.folder, 'rows');
const STREAMED = '--no-cache';
/** A login that may not change settings. */
const READER = { CLICKHOUSE_USER: 'reader' };
const run = (argv: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  home.run(['run', 'queries/hits.sql', '--timeout', '2s', ...argv], { env: { CLICKHOUSE_URL: proxy.url, ...env } });
const kept = async () => (await home.run(['cache', 'list', '--format', 'ndjson'])).stdout;

/** What an endpoint says of spoilt answers, and how many rows it has once they are as they should be; nothing of them is kept. */
async function asked(how: Spoil): Promise<readonly unknown[]> {
  const word = proxy.spoilt();
  const ask = async () =>
    (await (await fetch(`${serving.address}/api/endpoints/hits?word=${word}`)).json()) as { error?: { code: string }; result?: unknown[] };
  proxy.spoil(how);
  const spoilt = await ask().finally(() => proxy.spoil());
  expect(await kept()).toBe('');
  const { result } = await ask();
  await home.run(['cache', 'clear']);
  return [spoilt.error?.code, result?.length];
}

/** What a run says of spoilt answers: nothing is printed, written or kept. */
async function refused(argv: readonly string[], how: Spoil, env?: Readonly<Record<string, string>>): Promise<string> {
  const before = proxy.spoilt();
  proxy.spoil(how);
  const { stdout, stderr, exitCode } = await run(argv, env).finally(() => proxy.spoil());
  expect([exitCode, stdout.length, await kept(), readdirSync(home.folder).filter((name) => name.startsWith('rows'))]).toEqual([
    3,
    0,
    '',
    [],
  ]);
  expect(proxy.spoilt()).toBeGreaterThan(before);
  return stderr;
}

const FORMATS = ['csv', 'tsv', 'ndjson', 'parquet', 'arrow'];

describe('all of an answer passes', () => {
  afterAll(async () => {
    await home.run(['cache', 'clear']);
  });

  test.each(FORMATS)('as %s', async (format) => {
    const file = `${out}.${format}`;
    expect(await run([STREAMED, '--output', file])).toMatchObject({ stdout: '', exitCode: 0 });
    const proxied = readFileSync(file);
    rmSync(file);
    expect((await run([STREAMED, '--output', file], { CLICKHOUSE_URL: server.url })).exitCode).toBe(0);
    expect(proxied.equals(readFileSync(file))).toBe(true);
    rmSync(file);
  });

  test('as rows', async () => {
    const { stdout, exitCode } = await run(['--format', 'json']);
    expect([exitCode, (JSON.parse(stdout) as { readonly result: unknown[] }).result.length]).toEqual([0, ROWS]);
  });

  test('for a login that may not change settings', async () => {
    const file = `${out}.csv`;
    expect((await run([STREAMED, '--output', file])).exitCode).toBe(0);
    const usual = readFileSync(file);
    rmSync(file);
    expect(await run([STREAMED, '--output', file], READER)).toMatchObject({ stderr: '', exitCode: 0 });
    expect(readFileSync(file).equals(usual)).toBe(true);
    rmSync(file);
    const { stdout } = await run(['--format', 'json', '--no-cache'], READER);
    expect(stdout).toBe((await run(['--format', 'json', '--no-cache'])).stdout);
  });
});

describe('an answer of which comes, before the connection is closed,', () => {
  test.each(SPOILT)('%s, is an error', async (_, bytes) => {
    expect(await refused(['--format', 'json'], ended(bytes))).toMatch(/^error\[unreachable\]: .*\n/);
    for (const format of ['csv', 'parquet', 'arrow']) await refused([STREAMED, '--output', `${out}.${format}`], ended(bytes));
    await refused(['--format', 'json'], ended(bytes), READER);
    await refused([STREAMED, '--output', `${out}.csv`], ended(bytes), READER);
    expect(await asked(ended(bytes))).toEqual(['unreachable', ROWS]);
  });

  test.each(COMPRESSED)('%s, is an error', async (_, bytes) => {
    await refused(['--format', 'json'], ended(bytes), { QUERN_COMPRESSION: 'true' });
    for (const format of ['csv', 'parquet'])
      await refused([STREAMED, '--output', `${out}.${format}`], ended(bytes), { QUERN_COMPRESSION: 'true' });
  });
});

describe('an answer of which comes, before the connection is reset,', () => {
  test.each(SPOILT)('%s, is an error', async (_, bytes) => {
    await refused(['--format', 'json'], reset(bytes));
    await refused([STREAMED, '--output', `${out}.csv`], reset(bytes));
  });
});

test('rows that come twice are an error', async () => {
  await refused(['--format', 'json'], twice);
  expect(await asked(twice)).toEqual(['unreachable', ROWS]);
});

test('half of the rows, and then nothing, is a timeout', async () => {
  const stalled: Spoil = (socket, { head, body }) => void socket.write(Buffer.concat([head, half(body)]));
  proxy.spoil(stalled);
  expect((await run(['--format', 'json', '--timeout', '1s'])).exitCode).toBe(4);
  expect((await run([STREAMED, '--timeout', '1s', '--output', `${out}.csv`])).exitCode).toBe(4);
  proxy.spoil();
  expect([await kept(), existsSync(`${out}.csv`)]).toEqual(['', false]);
});
