// On a terminal a query that takes longer than a second shows its time, what it has read, and how to stop it.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { cliHome } from '../support/run-cli.ts';

const home = cliHome();
afterAll(() => home.remove());

home.write('numbers.csv', `n\n${Array.from({ length: 3000 }, (_, i) => i).join('\n')}\n`);
/** It ends by its timeout. */
const SLOW = [
  'query',
  'select sum(a * b * c * d.n) as s from unnest(generate_array(1, 9000)) a, unnest(generate_array(1, 9000)) b, unnest(generate_array(1, 9000)) c cross join `numbers.csv` d',
  '--timeout',
  '2s',
];

test('it is drawn again and again, and erased before anything else is printed', async () => {
  const { stdout, stderr, exitCode } = await home.run(SLOW, { terminal: 100 });
  expect([stdout, exitCode]).toEqual(['', 4]);
  const [drawn = '', error = ''] = stderr.split(/(?=error)/);
  const [before, ...lines] = drawn.split('\r\u001b[2K');
  const after = lines.pop();
  expect([before, after, lines.length > 0]).toEqual(['', '', true]);
  for (const line of lines) expect(line).toMatch(/^\d+ s(?:, [\d,]+ rows and \d+(?:\.\d)? [kMG]?B read)?; Ctrl-C stops it$/);
  expect(error).toMatch(/^error\[timeout\]: /);
});

test('no line where nobody looks, or for a query that is quick', async () => {
  expect((await home.run([...SLOW, '--quiet'], { terminal: 100 })).stderr).toMatch(/^error\[timeout\]: /);
  expect((await home.run(['query', 'select 1 as one'], { terminal: 100 })).stderr).not.toContain('Ctrl-C');
});

const SLOW_SQL = SLOW[1];

test.each([
  ['a check', ['check', 'checks/slow.yaml']],
  ['an export', ['query', SLOW_SQL ?? '', '--output', 'rows.csv']],
])('%s shows its line', async (_, argv) => {
  home.write(
    'queries/slow.sql',
    `/*---\ncache: disabled\n---*/\n${SLOW_SQL?.replace('`numbers.csv` d', 'unnest(generate_array(1, 9000)) as n')?.replace('d.n', 'n')}`,
  );
  home.write('checks/slow.yaml', 'checks:\n  - query: slow\n    assertions: [s > 0]\n');
  const flags = ['--timeout', '2s', '--queries', 'queries'];
  const seen = await home.run([...flags.slice(2), ...argv, ...flags.slice(0, 2)], { terminal: 100 });
  expect(seen.stderr).toMatch(/K\d+ s(?:, [^;]*)?; Ctrl-C stops it/);
});

test('a load shows how far it is', async () => {
  async function* slowly(): AsyncGenerator<string> {
    for (let line = 0; line < 4; line++) {
      yield `{"id":${line}}\n`;
      await sleep(500);
    }
  }
  const { stderr, exitCode } = await home.run(['load', 'many', '-'], { terminal: 100, stdin: slowly() });
  const [last = ''] = stderr.split('\r\u001b[2K').at(-1)?.split('\n') ?? [];
  expect([last.replace(/[\d.]+ s/, 'TIME'), exitCode]).toEqual(['standard input: 4 rows into many (ndjson, TIME)', 0]);
  expect(stderr).toMatch(/K\d+ s(?:, [^;]*)?; Ctrl-C stops it/);
});
