// A server that dies, is silent, is not there, or is something else than ClickHouse.

import { createServer as createTlsServer } from 'node:https';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Engine, EngineQuery } from '../../src/engine/engine.ts';
import { openServer, type ServerOptions } from '../../src/engine/server.ts';
import { type ClickHouseServer, freePort, startClickHouse } from '../support/clickhouse-server.ts';
import { httpAnswer, type StrangeServer, strangeServer } from '../support/strange-server.ts';
import { ENDLESS, failure, text } from './engine-suite.ts';

const query = (sql: string, more: Partial<EngineQuery> = {}): EngineQuery => ({ sql, bindings: [], settings: {}, ...more });

/** Without waiting between attempts; `pauses` tells how many there were. */
function impatient(url: string, more: Partial<ServerOptions> = {}): { readonly engine: Engine; readonly pauses: number[] } {
  const pauses: number[] = [];
  const engine = openServer({ url, random: () => 0, pause: async (ms) => void pauses.push(ms), ...more });
  onTestFinished(() => engine.close());
  return { engine, pauses };
}

async function strange(handle: Parameters<typeof strangeServer>[0]): Promise<StrangeServer> {
  const server = await strangeServer(handle);
  onTestFinished(() => server.close());
  return server;
}

describe('a server that is killed', () => {
  test('before a query: nothing listens there, and it is tried again', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const { engine, pauses } = impatient(url);
    expect(await failure(engine.execute(query('SELECT 1')))).toBe(
      `unreachable: ClickHouse at ${url} cannot be reached: nothing listens there`,
    );
    expect(pauses).toEqual([50, 100, 200, 400]);
  });

  test('between two queries, and started again: the second query has its answer', async () => {
    const server = await startClickHouse();
    const { engine } = impatient(server.url);
    expect((await engine.execute(query('SELECT 1'))).rows).toEqual([[1]]);
    await server.kill();
    const again = await startClickHouse({ httpPort: server.httpPort, tcpPort: server.tcpPort });
    onTestFinished(() => again.stop());
    expect((await engine.execute(query('SELECT 2'))).rows).toEqual([[2]]);
  });

  test('during a query: the query is not sent to the next server', async () => {
    const server = await startClickHouse();
    const { engine, pauses } = impatient(server.url);
    const running = failure(engine.execute(query(ENDLESS, { limits: { maxExecutionSeconds: 20 } })));
    await expect.poll(() => server.run("SELECT count() FROM system.processes WHERE query LIKE '%sipHash64(number) = 1'")).toBe('1\n');
    await server.kill();
    const again = await startClickHouse({ httpPort: server.httpPort, tcpPort: server.tcpPort });
    onTestFinished(() => again.stop());
    expect(await running).toBe(
      `unreachable: ClickHouse at ${server.url} cannot be reached: the connection was closed before an answer came`,
    );
    expect(pauses).toEqual([]);
    expect(await again.run("SELECT count() FROM system.processes WHERE query LIKE '%sipHash64(number) = 1'")).toBe('0\n');
  });

  test('in the middle of an answer: an error, never a short result', async () => {
    const server = await startClickHouse();
    const { engine } = impatient(server.url);
    const reading = async () => {
      let first = true;
      for await (const chunk of engine.stream(query('SELECT number FROM numbers(1000000000)'), 'TSV')) {
        if (first) await server.kill();
        first = chunk.length === 0;
      }
    };
    expect(await failure(reading())).toBe(`unreachable: the connection to ClickHouse at ${server.url} broke in the middle of the answer`);
  });

  test('a frozen server ends in a timeout, an abort at once', async () => {
    const server = await startClickHouse();
    const { engine } = impatient(server.url);
    server.freeze();
    onTestFinished(() => server.stop());
    const started = performance.now();
    expect(await failure(engine.execute(query('SELECT 1', { limits: { maxExecutionSeconds: 0.5 } })))).toBe(
      `timeout: ClickHouse at ${server.url} did not answer in 0.5 s`,
    );
    expect(performance.now() - started).toBeLessThan(2500);
    const controller = new AbortController();
    const running = failure(engine.execute(query('SELECT 1', { signal: controller.signal })));
    setImmediate(() => controller.abort());
    expect(await running).toBe('interrupted: the query was interrupted');
    expect(await failure(openServer({ url: server.url, controlMs: 300 }).rows('SELECT 1'))).toBe(
      `timeout: ClickHouse at ${server.url} did not answer in 0.3 s`,
    );
  });
});

describe('connections that break', () => {
  test('a server that resets every connection is an error', async () => {
    const server = await strange((socket) => socket.resetAndDestroy());
    const { engine, pauses } = impatient(server.url);
    expect(await failure(engine.execute(query('SELECT 1')))).toBe(
      `unreachable: ClickHouse at ${server.url} cannot be reached: the connection was closed before an answer came`,
    );
    expect(pauses).toEqual([]);
  });

  test('one reset is tried again when the server has been up all along', async () => {
    const rows = '["uptime()"]\n["UInt32"]\n[1000]\n';
    const headers = { 'X-ClickHouse-Summary': '{}' };
    const server = await strange((socket, number) => {
      if (number === 1) socket.resetAndDestroy();
      else socket.end(httpAnswer('200 OK', rows, headers));
    });
    const { engine, pauses } = impatient(server.url);
    expect((await engine.execute(query('SELECT 1'))).rows).toEqual([[1000]]);
    expect([pauses, server.requests.length]).toEqual([[50], 3]);
  });

  test('one reset is not tried again when the server has just started', async () => {
    const server = await strange((socket, number) => {
      if (number === 1) socket.resetAndDestroy();
      else socket.end(httpAnswer('200 OK', '["uptime()"]\n["UInt32"]\n[0]\n', { 'X-ClickHouse-Summary': '{}' }));
    });
    const { engine } = impatient(server.url);
    expect(await failure(engine.execute(query('SELECT 1')))).toBe(
      `unreachable: ClickHouse at ${server.url} cannot be reached: the connection was closed before an answer came`,
    );
    expect(server.requests.length).toBe(2);
  });

  test.each([
    ['a result', '200 OK', {}],
    ['an error', '500 Internal Server Error', { 'X-ClickHouse-Exception-Code': 1 }],
    ['a page', '502 Bad Gateway', {}],
  ])('an answer that begins as %s and never ends is a timeout', async (_, status, headers) => {
    const server = await strange((socket) =>
      socket.write(httpAnswer(status, '["a"]\n', { 'X-ClickHouse-Summary': '{}', ...headers, 'Content-Length': 1000 })),
    );
    const { engine } = impatient(server.url);
    const timeout = `timeout: ClickHouse at ${server.url} did not answer in 0.1 s`;
    expect(await failure(engine.execute(query('SELECT 1', { limits: { maxExecutionSeconds: 0.1 } })))).toBe(timeout);
    expect(await failure(text(engine.stream(query('SELECT 1', { limits: { maxExecutionSeconds: 0.1 } }), 'TSV')))).toBe(timeout);
  });

  test('a server that resets, and then says nothing, is an error within the time', async () => {
    const server = await strange((socket, number) => number === 1 && socket.resetAndDestroy());
    const { engine } = impatient(server.url);
    const started = performance.now();
    expect(await failure(engine.execute(query('SELECT 1', { limits: { maxExecutionSeconds: 1 } })))).toBe(
      `timeout: ClickHouse at ${server.url} did not answer in 1 s`,
    );
    expect(performance.now() - started).toBeLessThan(6000);
  });

  test.each([
    ['less than its length', httpAnswer('200 OK', '["a"]\n["UInt8"]\n[1]\n', { 'X-ClickHouse-Summary': '{}', 'Content-Length': 1000 })],
    [
      'no end of its chunks',
      Buffer.from('HTTP/1.1 200 OK\r\nX-ClickHouse-Summary: {}\r\nTransfer-Encoding: chunked\r\n\r\n6\r\n["a"]\n\r\n'),
    ],
    [
      'half of what was compressed',
      httpAnswer('200 OK', gzipSync('["a"]\n["UInt8"]\n[1]\n').subarray(0, -12), {
        'X-ClickHouse-Summary': '{}',
        'Content-Encoding': 'gzip',
      }),
    ],
    ['no gzip at all', httpAnswer('200 OK', '["a"]\n["UInt8"]\n[1]\n', { 'X-ClickHouse-Summary': '{}', 'Content-Encoding': 'gzip' })],
  ])('an answer with %s is an error', async (_, answer) => {
    const server = await strange((socket) => socket.end(answer));
    const { engine } = impatient(server.url);
    const broken = `unreachable: the connection to ClickHouse at ${server.url} broke in the middle of the answer`;
    expect(await failure(engine.execute(query('SELECT 1')))).toBe(broken);
    expect(await failure(text(engine.stream(query('SELECT 1'), 'TSV')))).toBe(broken);
  });

  test.each([
    [
      'framed',
      'abcdefghijklmnop',
      '\r\n__exception__\r\nabcdefghijklmnop\r\nCode: 395. DB::Exception: boo. (FUNCTION_THROW_IF_VALUE_IS_NON_ZERO) (version 26.7.2.1)\n99 abcdefghijklmnop\r\n__exception__\r\n',
    ],
    [
      'bare, as older servers write it,',
      undefined,
      'Code: 395. DB::Exception: boo. (FUNCTION_THROW_IF_VALUE_IS_NON_ZERO) (version 24.8.1.1)\n',
    ],
  ])('an error %s at the end of what came is that error, however it is cut', async (_, tag, words) => {
    const server = await strange((socket) => {
      socket.setNoDelay(true);
      const head = `HTTP/1.1 200 OK\r\nX-ClickHouse-Summary: {}\r\n${tag === undefined ? '' : `X-ClickHouse-Exception-Tag: ${tag}\r\n`}Transfer-Encoding: chunked\r\n\r\n`;
      const chunks = [...'1\n2\n', ...words].map((letter) => `1\r\n${letter}\r\n`);
      socket.end(head + chunks.join(''));
    });
    const { engine } = impatient(server.url);
    let rows = '';
    const reading = async () => {
      for await (const chunk of engine.stream(query('SELECT 1'), 'TSV')) rows += String(Buffer.from(chunk));
    };
    expect(await failure(reading())).toBe('engine: the query failed: boo');
    if (tag !== undefined) expect(rows).toBe('1\n2\n');
  });
});

test('a slow reader hears the reason, too', async () => {
  const tag = 'abcdefghijklmnop';
  const server = await strange((socket) => {
    const chunk = (bytes: string) => `${Buffer.byteLength(bytes).toString(16)}\r\n${bytes}\r\n`;
    socket.write(
      `HTTP/1.1 200 OK\r\nX-ClickHouse-Summary: {}\r\nX-ClickHouse-Exception-Tag: ${tag}\r\nTransfer-Encoding: chunked\r\n\r\n${chunk('1\n')}`,
    );
    const words = `\r\n__exception__\r\n${tag}\r\nCode: 395. DB::Exception: boo. (FUNCTION_THROW_IF_VALUE_IS_NON_ZERO)\n67 ${tag}\r\n__exception__\r\n`;
    socket.end(`${Array.from({ length: 10 }, () => chunk('2\n'.repeat(1000))).join('')}${chunk(words)}`);
    socket.once('close', () => closed.abort());
  });
  const closed = new AbortController();
  const { engine } = impatient(server.url);
  let rows = '';
  const reading = async () => {
    for await (const chunk of engine.stream(query('SELECT 1'), 'TSV')) {
      rows += String(Buffer.from(chunk));
      if (!closed.signal.aborted) await new Promise((resume) => closed.signal.addEventListener('abort', resume));
    }
  };
  expect(await failure(reading())).toBe('engine: the query failed: boo');
  expect(rows.length).toBe(20_002);
});

describe('what is not ClickHouse', () => {
  const html = '<html><body>Welcome</body></html>';
  test.each<[string, Buffer, string, number]>([
    ['a web page', httpAnswer('200 OK', html), 'answers, but not as ClickHouse does', 1],
    ['nothing', httpAnswer('200 OK', ''), 'answers, but not as ClickHouse does', 1],
    ['an unknown page', httpAnswer('404 Not Found', html), 'answers HTTP 404, but not as ClickHouse does', 1],
    [
      'a redirect',
      httpAnswer('302 Found', '', { Location: 'https://login.example/' }),
      'answers with a redirect to https://login.example/',
      1,
    ],
    ['a login page', httpAnswer('401 Unauthorized', html), 'refuses the login (HTTP 401)', 1],
    ['a proxy without its server', httpAnswer('502 Bad Gateway', html), 'cannot answer now (HTTP 502)', 1],
    ['a proxy that is tired', httpAnswer('503 Service Unavailable', html), 'cannot answer now (HTTP 503)', 4],
    ['a proxy that gave up', httpAnswer('504 Gateway Timeout', html), 'cannot answer now (HTTP 504)', 1],
  ])('%s is an error that names the address', async (_, answer, says, attempts) => {
    const server = await strange((socket) => socket.end(answer));
    const { engine } = impatient(server.url, { user: 'me', password: 'secret' });
    expect(await failure(engine.execute(query('SELECT 1')))).toBe(`unreachable: ${server.url} ${says}`);
    expect(server.requests.length).toBe(attempts);
  });

  test('ClickHouse headers over rows that are none', async () => {
    const server = await strange((socket) => socket.end(httpAnswer('200 OK', html, { 'X-ClickHouse-Summary': 'none' })));
    const { engine } = impatient(server.url);
    expect(await failure(engine.execute(query('SELECT 1')))).toBe(`unreachable: ${server.url} answers, but not as ClickHouse does`);
  });

  test('another protocol is an error', async () => {
    const server = await strange((socket) => socket.end('220 mail.example ESMTP\r\n'));
    const { engine } = impatient(server.url);
    expect(await failure(engine.execute(query('SELECT 1')))).toBe(
      `unreachable: ClickHouse at ${server.url} cannot be reached: what answers there does not speak HTTP`,
    );
  });

  test('https where there is none, and http where there is https', async () => {
    const server = await strange((socket) => socket.end(httpAnswer('200 OK', html)));
    const place = server.url.replace('http:', 'https:');
    expect(await failure(impatient(place).engine.execute(query('SELECT 1', { limits: { maxExecutionSeconds: 5 } })))).toBe(
      `unreachable: ClickHouse at ${place} cannot be reached: what answers there does not speak TLS as it should`,
    );
    const tls = createTlsServer({}).listen(0, '127.0.0.1');
    onTestFinished(() => void tls.close());
    await new Promise((ready) => tls.once('listening', ready));
    const address = tls.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
    expect(await failure(impatient(url).engine.execute(query('SELECT 1')))).toBe(
      `unreachable: ClickHouse at ${url} cannot be reached: the connection was closed before an answer came`,
    );
  });

  test('a host that does not exist, and an address that is none', async () => {
    const { engine, pauses } = impatient('http://no-such-host.invalid:8123');
    expect(await failure(engine.execute(query('SELECT 1')))).toMatch(
      /^unreachable: ClickHouse at http:\/\/no-such-host.invalid:8123 cannot be reached: /,
    );
    expect(pauses.length).toBeLessThanOrEqual(4);
    for (const url of ['localhost', 'tcp://localhost:9000', 'http://me:secret@localhost:8123', 'http://localhost:8123/?a=1']) {
      expect(() => openServer({ url })).toThrow(expect.objectContaining({ code: 'config' }));
    }
  });
});

describe("ClickHouse's other answers", () => {
  let server: ClickHouseServer;
  beforeAll(async () => {
    server = await startClickHouse({ clusters: { half: [{ host: '127.0.0.1', port: 1 }] } });
    await server.run('CREATE TABLE t (a Int64) ENGINE = MergeTree ORDER BY a');
  });
  afterAll(() => server.stop());

  test('the port of the native protocol', async () => {
    const url = `http://127.0.0.1:${server.tcpPort}`;
    const error = await impatient(url)
      .engine.execute(query('SELECT 1'))
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: 'unreachable',
      message: `${url} is the port of ClickHouse's native protocol`,
      details: { hint: `use port ${server.httpPort} for HTTP` },
    });
  });

  test('a path that ClickHouse does not know, and a database', async () => {
    const { engine } = impatient(`${server.url}/nope`);
    expect(await failure(engine.execute(query('SELECT 1')))).toBe(
      `unreachable: ${server.url}/nope answers HTTP 404, but not as ClickHouse does`,
    );
    expect(await failure(impatient(server.url, { database: 'nope' }).engine.execute(query('SELECT 1')))).toBe(
      'engine: ClickHouse answered UNKNOWN_DATABASE (81): Database nope does not exist',
    );
    expect(
      (await impatient(server.url, { database: 'system' }).engine.execute(query('SELECT currentDatabase(), count() FROM one'))).rows,
    ).toEqual([['system', 1]]);
  });

  test('a shard that is down is named', async () => {
    const error = await impatient(server.url)
      .engine.execute(query("SELECT * FROM cluster('half', default.t)"))
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: 'unreachable',
      message: 'the shard 127.0.0.1:1 of the cluster does not answer: Connection refused',
    });
  });

  test('an error after signs of life in the headers is that error', async () => {
    const { engine } = impatient(server.url, { settings: { http_headers_progress_interval_ms: 20, max_block_size: 1 } });
    const slow = (guard: number) => query(`SELECT sum(sleepEachRow(0.03)), throwIf(count() > ${guard}, 'boo') FROM numbers(10)`);
    expect(await failure(engine.execute(slow(5)))).toBe('engine: the query failed: boo');
    expect((await engine.execute(slow(10))).rows).toEqual([[0, 0]]);
  });

  test('what was read is told, and the settings of the options hold', async () => {
    const { engine } = impatient(server.url, { settings: { max_threads: 3 }, application: 'quern-test', headers: { 'X-Trace': '1' } });
    const result = await engine.execute(query("SELECT count(), getSetting('max_threads') FROM numbers(1000000) WHERE number % 3 = 1"));
    expect(result.rows).toEqual([[333_333, 3]]);
    expect(result.statistics).toMatchObject({ rowsRead: 1_000_000, bytesRead: 8_000_000 });
  });
});
