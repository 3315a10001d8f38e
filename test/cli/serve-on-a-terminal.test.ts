// What quern serve prints at a terminal: where it listens first, what it serves, and a line for each request.
import { afterAll, expect, test, vi } from 'vitest';
import { cliHome } from '../support/run-cli.ts';

const home = cliHome();
afterAll(() => home.remove());

const HEAD = (id: string): string => `/*---\nid: ${id}\nparams: { n: { type: integer } }\ncache: 1m\n---*/\n`;

test('people read lines of text', async () => {
  home.write('queries/one.sql', `${HEAD('51a3e2de-50b4-4d0c-8f4e-1a6c6f1f7b21')}select @n as n, 1 as one`);
  home.write('queries/broken.sql', `${HEAD('51a3e2de-50b4-4d0c-8f4e-1a6c6f1f7b22')}select nothing`);
  // The translator is loaded, so that no query takes long to prepare.
  await home.run(['query', 'select 1 as one']);
  let interrupt: () => void = () => undefined;
  let said = '';
  const ended = home.run(['serve', '--no-auth', '--port', '0', '--queries', 'queries'], {
    terminal: 100,
    onStderr: (text) => {
      said += text;
    },
    onListen: (listener) => {
      interrupt = listener;
    },
  });
  await vi.waitFor(() => expect(said).toContain('Ctrl-C'), { timeout: 30_000, interval: 50 });
  const lines = said.split('\n');
  const address = /^listening on (http:\/\/127\.0\.0\.1:\d+)$/.exec(lines[0] ?? '')?.[1];
  expect(lines.slice(1)).toEqual([
    expect.stringMatching(/^\d+ saved quer/),
    'broken:3:11: a saved query has errors: it is not served: n is declared but never used',
    'open the address in a browser, or ask for a saved query; Ctrl-C stops the server',
    '',
  ]);
  const { endpoints } = (await (await fetch(`${address}/api/console`)).json()) as { endpoints: { name: string }[] };
  expect(endpoints.map(({ name }) => name)).toEqual(['one', 'functions.invocation-stats', 'logs.all', 'usage.api-counts']);
  said = '';
  for (const path of ['one?n=1', 'one?n=1', 'one?n=x', 'nothing']) await fetch(`${address}/api/endpoints/${path}`).then((r) => r.text());
  expect((await home.run(['query', 'select 1 as one'])).exitCode).toBe(0);
  await vi.waitFor(() => expect(said.split('\n')).toHaveLength(6));
  expect(
    said
      .replaceAll(/\d\d:\d\d:\d\d/g, 'TIME')
      .replaceAll(/[\d.]+ ms/g, 'MS')
      .split('\n'),
  ).toEqual([
    'TIME  200  GET one  MS, 1 row',
    'TIME  200  GET one  MS, 1 row, from the cache',
    expect.stringMatching(/^TIME {2}400 {2}GET one {2}MS, .*n/),
    expect.stringMatching(/^TIME {2}404 {2}GET .*nothing/),
    `TIME       quern query  for another process, in ${home.folder}`,
    '',
  ]);
  interrupt();
  expect((await ended).exitCode).toBe(0);
});
