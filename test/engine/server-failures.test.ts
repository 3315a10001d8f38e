// A server that dies in the middle of work, or is silent.
import { describe, expect, onTestFinished, test } from 'vitest';
import { openServer } from '../../src/engine/server/server.ts';
import { freePort, startClickHouse } from '../support/clickhouse-server.ts';
import { ENDLESS, failure } from './asking.ts';
import { impatient, query } from './impatient.ts';

describe('a server that is killed', () => {
  test('before a query: nothing is listening there, and it is tried again', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const { engine, pauses } = impatient(url);
    expect(await failure(engine.execute(query('SELECT 1')))).toBe(
      `unreachable: ClickHouse at ${url} cannot be reached: nothing is listening there`,
    );
    expect(pauses).toEqual([50, 100, 200, 400]);
  });

  test('between two queries, and started again: the second query has its answer', async () => {
    const server = await startClickHouse();
    const { engine } = impatient(server.url);
    expect((await engine.execute(query('SELECT 1'))).rows).toEqual([[1]]);
    await server.stop();
    const again = await startClickHouse({ httpPort: server.httpPort, tcpPort: server.tcpPort });
    onTestFinished(() => again.stop());
    expect((await engine.execute(query('SELECT 2'))).rows).toEqual([[2]]);
  });

  test('during a query: the query is not sent to the next server', async () => {
    const server = await startClickHouse();
    const { engine, pauses } = impatient(server.url);
    const running = failure(engine.execute(query(ENDLESS, { limits: { maxExecutionSeconds: 20 } })));
    await expect.poll(() => server.run("SELECT count() FROM system.processes WHERE query LIKE '%sipHash64(number) = 1'")).toBe('1\n');
    await server.stop();
    const again = await startClickHouse({ httpPort: server.httpPort, tcpPort: server.tcpPort });
    onTestFinished(() => again.stop());
    expect(await running).toBe(
      `unreachable: ClickHouse at ${server.url} cannot be reached: the connection was closed before there was an answer`,
    );
    expect(pauses).toEqual([]);
    expect(await again.run("SELECT count() FROM system.processes WHERE query LIKE '%sipHash64(number) = 1'")).toBe('0\n');
  });

  test('in the middle of an answer: an error, never a short result', async () => {
    const server = await startClickHouse();
    const { engine } = impatient(server.url);
    const reading = async () => {
      let first = true;
      for await (const chunk of engine.stream(query('SELECT number FROM numbers(1000000000)'), 'TSVRaw')) {
        if (first) await server.stop();
        first = chunk.length === 0;
      }
    };
    expect(await failure(reading())).toBe(
      `unreachable: the connection to ClickHouse at ${server.url} broke before the answer was complete`,
    );
  });

  test('a frozen server ends in a timeout, an abort at once', async () => {
    const server = await startClickHouse();
    const { engine } = impatient(server.url);
    await server.freeze();
    onTestFinished(() => server.stop());
    expect(await failure(engine.execute(query('SELECT 1', { limits: { maxExecutionSeconds: 0.5 } })))).toBe(
      `timeout: ClickHouse at ${server.url} did not answer within 0.5 s`,
    );
    const controller = new AbortController();
    const running = failure(engine.execute(query('SELECT 1', { signal: controller.signal })));
    setImmediate(() => controller.abort());
    expect(await running).toBe('interrupted: the query was interrupted');
    expect(await failure(openServer({ url: server.url, controlMs: 300 }).rows('SELECT 1'))).toBe(
      `timeout: ClickHouse at ${server.url} did not answer within 0.3 s`,
    );
  });
});
