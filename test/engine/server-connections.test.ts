// Connections that break, before, within and at the end of an answer: never a short result.
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { httpAnswer } from '../support/strange-server.ts';
import { failure, text } from './asking.ts';
import { impatient, query, strange } from './impatient.ts';

describe('connections that break', () => {
  test('a server that resets every connection is an error', async () => {
    const server = await strange((socket) => socket.resetAndDestroy());
    const { engine, pauses } = impatient(server.url);
    expect(await failure(engine.execute(query('SELECT 1')))).toBe(
      `unreachable: ClickHouse at ${server.url} cannot be reached: the connection was closed before there was an answer`,
    );
    expect(pauses).toEqual([]);
  });

  test('one reset is tried again when the server has been up all along', async () => {
    const rows = '["uptime()"]\n["UInt32"]\n[1000]\n';
    const headers = { 'X-ClickHouse-Summary': '{}' };
    const server = await strange((socket, number) => {
      if (number === 1) socket.resetAndDestroy();
      else socket.end(httpAnswer('200 OK', number === 2 ? rows : `${rows}\x04whole\n`, headers));
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
      `unreachable: ClickHouse at ${server.url} cannot be reached: the connection was closed before there was an answer`,
    );
    expect(server.requests.length).toBe(2);
  });

  // They wait at the same time: each takes its time and two seconds.
  test('an answer that begins and never ends is a timeout, and so is silence after a reset', async () => {
    const begins = async (status: string, headers: Readonly<Record<string, unknown>>) => {
      const server = await strange((socket) =>
        socket.write(httpAnswer(status, '["a"]\n', { 'X-ClickHouse-Summary': '{}', ...headers, 'Content-Length': 1000 })),
      );
      const { engine } = impatient(server.url);
      const limits = { maxExecutionSeconds: 0.1 };
      const heard = [
        failure(engine.execute(query('SELECT 1', { limits }))),
        failure(text(engine.stream(query('SELECT 1', { limits }), 'TSVRaw'))),
      ];
      const timeout = `timeout: ClickHouse at ${server.url} did not answer within 0.1 s`;
      return { heard: await Promise.all(heard), expected: [timeout, timeout] };
    };
    const silent = async () => {
      const server = await strange((socket, number) => number === 1 && socket.resetAndDestroy());
      const { engine } = impatient(server.url);
      const heard = await failure(engine.execute(query('SELECT 1', { limits: { maxExecutionSeconds: 1 } })));
      return { heard: [heard], expected: [`timeout: ClickHouse at ${server.url} did not answer within 1 s`] };
    };
    const outcomes = await Promise.all([
      begins('200 OK', {}),
      begins('500 Internal Server Error', { 'X-ClickHouse-Exception-Code': 1 }),
      begins('502 Bad Gateway', {}),
      silent(),
    ]);
    expect(outcomes.map(({ heard }) => heard)).toEqual(outcomes.map(({ expected }) => expected));
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
    const broken = `unreachable: the connection to ClickHouse at ${server.url} broke before the answer was complete`;
    expect(await failure(engine.execute(query('SELECT 1')))).toBe(broken);
    expect(await failure(text(engine.stream(query('SELECT 1'), 'TSVRaw')))).toBe(broken);
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
      for await (const chunk of engine.stream(query('SELECT 1'), 'TSVRaw')) rows += String(Buffer.from(chunk));
    };
    expect(await failure(reading())).toBe('data: the query failed: boo');
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
    for await (const chunk of engine.stream(query('SELECT 1'), 'TSVRaw')) {
      rows += String(Buffer.from(chunk));
      if (!closed.signal.aborted) await new Promise((resume) => closed.signal.addEventListener('abort', resume));
    }
  };
  expect(await failure(reading())).toBe('data: the query failed: boo');
  expect(rows.length).toBe(20_002);
});
