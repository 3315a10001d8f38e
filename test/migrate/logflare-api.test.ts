// quern import logflare: answers that are none.

import { existsSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../support/clickhouse-server.ts';
import { cliHome } from '../support/run-cli.ts';
import { endpoint, type LogflareServer, startLogflare, TOKEN } from './logflare-server.ts';

const home = cliHome();
let logflare: LogflareServer;
beforeAll(async () => {
  logflare = await startLogflare();
});
afterAll(async () => {
  await logflare.stop();
  home.remove();
});

const run = (flags: readonly string[] = [], env: Readonly<Record<string, string>> = { LOGFLARE_TOKEN: TOKEN }) =>
  home.run(['import', 'logflare', '--url', logflare.url, '--out', 'out', ...flags], { env });
const told = (text: string): string => text.replaceAll(logflare.url, 'URL');
type Answer = (request: unknown, response: ServerResponse) => void;
const body =
  (text: string, status = 200, headers: Readonly<Record<string, string>> = {}): Answer =>
  (_, response) => {
    response.writeHead(status, headers).end(text);
  };

describe('nothing is written, and the reason is told', () => {
  test('where the token is wrong, or missing', async () => {
    logflare.answer([]);
    expect(await run([], { LOGFLARE_TOKEN: 'wrong' }).then(({ stderr, exitCode }) => [told(stderr), exitCode])).toEqual([
      'error[unreachable]: URL/api/endpoints refused the token (401)\n   = hint: create a private access token in Logflare, and set LOGFLARE_TOKEN to it\n',
      3,
    ]);
    expect(await run([], {})).toEqual({
      stdout: '',
      stderr: 'error[usage]: the Logflare token is missing\n   = hint: set LOGFLARE_TOKEN to a private access token\n',
      exitCode: 2,
    });
    const split = await run([], { LOGFLARE_TOKEN: 'one\r\nX-Other: two' });
    expect([split.stderr.includes('X-Other'), split.exitCode]).toEqual([false, 2]);
  });

  test.each<[string, Answer, string, number]>([
    [
      'a page',
      body('<!DOCTYPE html><html>', 200, { 'content-type': 'text/html' }),
      'error[result]: URL/api/endpoints answered with an HTML page instead of a list of endpoints',
      1,
    ],
    ['text', body('hello\u001b[2J'), 'error[result]: URL/api/endpoints answered with "hello\\u001b[2J" instead of a list of endpoints', 1],
    ['nothing', body(''), 'error[result]: URL/api/endpoints answered with nothing instead of a list of endpoints', 1],
    ['an error', body('{"error":"no"}'), 'error[result]: URL/api/endpoints answered with the error "no" instead of a list of endpoints', 1],
    ['half of it', body('[{"name":'), 'error[result]: URL/api/endpoints answered with "[{\\"name\\":" instead of a list of endpoints', 1],
    ['no such page', body('', 404), 'error[unreachable]: URL/api/endpoints answered with status 404', 3],
    ['a failure', body('', 502), 'error[unreachable]: URL/api/endpoints answered with status 502', 3],
    [
      'another place',
      body('', 302, { location: 'http://elsewhere.example/login' }),
      'error[unreachable]: URL/api/endpoints redirects to http://elsewhere.example/login',
      3,
    ],
    [
      'a line that breaks',
      (_, response) => void response.socket?.destroy(),
      'error[unreachable]: URL/api/endpoints cannot be reached: UND_ERR_SOCKET',
      3,
    ],
  ])('where the answer is %s', async (_, answer, first, exitCode) => {
    logflare.answer(answer);
    const { stderr, ...rest } = await run();
    expect([told(stderr).split('\n')[0], rest]).toEqual([first, { stdout: '', exitCode }]);
    expect(existsSync(join(home.folder, 'out'))).toBe(false);
  });

  test('where the answer has no end', async () => {
    const megabyte = ' '.repeat(2 ** 20);
    logflare.answer((_: unknown, response: ServerResponse) => {
      const more = (): void => {
        if (!response.destroyed) response.write(megabyte, more);
      };
      more();
    });
    const { stderr, exitCode } = await run();
    expect([told(stderr).split('\n')[0], exitCode]).toEqual([
      'error[result]: URL/api/endpoints answered with more than 64 MiB, which is not a list of endpoints',
      1,
    ]);
  });

  test('where no answer comes in time, or half of one', async () => {
    for (const beginning of [undefined, '[{"name":']) {
      logflare.answer((_: unknown, response: ServerResponse) => {
        if (beginning !== undefined) response.writeHead(200).write(beginning);
      });
      const { stderr, exitCode } = await run(['--timeout', '300ms']);
      expect([told(stderr), exitCode]).toEqual([
        'error[timeout]: URL/api/endpoints did not answer within 0.3 s\n   = hint: try again, or raise --timeout\n',
        4,
      ]);
    }
  });

  test('where the user has enough', async () => {
    let interrupt: () => void = () => undefined;
    logflare.answer(() => interrupt());
    const argv = ['import', 'logflare', '--url', logflare.url, '--out', 'out'];
    const answer = await home.run(argv, {
      env: { LOGFLARE_TOKEN: TOKEN },
      onListen: (listener) => {
        interrupt = listener;
      },
    });
    expect([answer.stderr, answer.exitCode]).toEqual(['error[interrupted]: interrupted\n', 130]);
  });

  test.each([
    ['ftp://x', 'error[usage]: the URL of Logflare is not an http:// or https:// address'],
    ['nowhere', 'error[usage]: the URL of Logflare is not an http:// or https:// address'],
    ['http://me:secret@localhost:1', 'error[usage]: the URL of localhost:1 contains a password'],
  ])('where the URL is %s', async (url, first) => {
    const { stderr, exitCode } = await home.run(['import', 'logflare', '--url', url, '--out', 'out'], { env: { LOGFLARE_TOKEN: TOKEN } });
    expect([stderr.split('\n')[0], exitCode, stderr.includes('secret')]).toEqual([first, 2, false]);
  });

  test('where nobody listens, the address is named', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const { stderr, exitCode } = await home.run(['import', 'logflare', '--url', url, '--out', 'out'], { env: { LOGFLARE_TOKEN: TOKEN } });
    expect([stderr, exitCode]).toEqual([
      `error[unreachable]: ${url}/api/endpoints cannot be reached: ECONNREFUSED\n   = hint: check --url\n`,
      3,
    ]);
  });
});

test('an endpoint that is none does not hide the others', async () => {
  logflare.answer([
    null,
    endpoint({ name: 'good' }),
    endpoint({ name: 'none', query: null }),
    endpoint({ name: 'odd', max_limit: 'many', sandboxable: 1 }),
  ]);
  const { stdout, exitCode } = await run(['--dry-run']);
  expect([stdout, exitCode]).toEqual([
    `left out   endpoint 1
             null is not an endpoint
ok         good
left out   none
             it has no query
left out   odd
             max_limit is "many", not a whole number; sandboxable is 1, not true or false
`,
    1,
  ]);
});

test('the URL may end in what the API adds, and the token may be a flag, with a note', async () => {
  logflare.answer([endpoint({})]);
  for (const end of ['/', '/api', '/api/endpoints', '/api/endpoints/'])
    expect(
      (await home.run(['import', 'logflare', '--url', `${logflare.url}${end}`, '--token', TOKEN, '--out', 'out', '--dry-run'])).stderr,
    ).toBe(
      'note: others on this machine can see a token on the command line; set LOGFLARE_TOKEN instead\n1 file would be written to out\n1 of 1 query translates\n',
    );
});
