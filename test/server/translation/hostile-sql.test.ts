// Callers' SQL that takes as long as it can be made to, sent to `quern serve` while others are answered.

import { once } from 'node:events';
import { Agent, type ClientRequest, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { queryText } from '../../queries/support.ts';
import { serveProcess } from '../../support/serve-process.ts';

const FILES = {
  'open.sql': queryText(
    1,
    'with t as (select n, cast(n as string) as s from unnest(generate_array(1, 5)) as n) select n from t',
    'sandbox: enabled',
  ),
  'kept.sql': queryText(2, 'select 1 as a', 'cache: 1h'),
};

/** Each about as long as SQL of callers may be. */
const SHAPES: readonly ((i: number) => string)[] = [
  (i) => `from t ${'|> where true '.repeat(2300)}|> limit ${i + 1}`,
  (i) => `from t ${'|> where n > 0 '.repeat(2100)}|> limit ${i + 1}`,
  (i) => `select ${Array.from({ length: 1600 }, () => 'r.*').join(',')} from t as r limit ${i + 1}`,
  (i) => `select ${'('.repeat(15_000)}${i}${')'.repeat(15_000)} as a`,
  (i) => `select ${'1 + '.repeat(8000)}${i} as a`,
];

interface Told {
  readonly status: number;
  readonly body: string;
}

async function replyTo(sent: ClientRequest): Promise<Told> {
  const [reply] = await once(sent, 'response');
  let body = '';
  for await (const chunk of reply) body += chunk;
  return { status: reply.statusCode, body };
}

const sandboxed = (address: string, sql: string): Promise<Told> =>
  replyTo(
    request(`${address}/api/endpoints/open`, { method: 'POST', headers: { 'content-type': 'application/json' }, agent: false }).end(
      JSON.stringify({ sql }),
    ),
  );

const rowsOf = async (told: Promise<Told>): Promise<unknown> => JSON.parse((await told).body).result;

test('fifty hostile texts at once delay no answer of another endpoint, and each of them is answered', { timeout: 180_000 }, async () => {
  const { address } = await serveProcess(FILES);
  const agent = new Agent({ keepAlive: true });
  const kept = () => replyTo(request(`${address}/api/endpoints/kept`, { agent }).end());
  expect(await rowsOf(kept())).toEqual([{ a: 1 }]);
  expect(await rowsOf(sandboxed(address, 'select sum(n) as n from t'))).toEqual([{ n: 15 }]);

  let left = 50;
  const hostile = Array.from({ length: left }, (_, i) =>
    sandboxed(address, SHAPES[i % SHAPES.length]?.(i) ?? '').finally(() => {
      left--;
    }),
  );
  let meanwhile = 0;
  for (; left > 0; meanwhile++) {
    expect((await kept()).status).toBe(200);
    await pause(2);
  }
  agent.destroy();
  for (const { status, body } of await Promise.all(hostile)) expect([200, 422], body.slice(0, 500)).toContain(status);
  // Answers that had to wait for the texts would be one or two.
  expect(meanwhile).toBeGreaterThan(hostile.length);
  expect(await rowsOf(sandboxed(address, 'select max(n) as n from t'))).toEqual([{ n: 5 }]);
});

test('a text is given the time that the setting says, and its caller told so in words', { timeout: 60_000 }, async () => {
  const { address } = await serveProcess(FILES, { QUERN_TRANSLATE_TIMEOUT: '1ms' });
  const { status, body } = await sandboxed(address, `select ${Array.from({ length: 300 }, () => 'r.*').join(',')} from t as r`);
  expect([status, JSON.parse(body)]).toEqual([
    422,
    {
      error: {
        code: 'too-complex',
        message: 'this SQL takes longer than 1ms to translate',
        hint: 'write it with fewer steps, or ask for less at once',
        position: { file: 'sql', line: 1, column: 1 },
      },
    },
  ]);
});

test('told to stop, the server ends its threads', async () => {
  const { address, child } = await serveProcess(FILES);
  expect((await sandboxed(address, 'select min(n) as n from t')).status).toBe(200);
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});
