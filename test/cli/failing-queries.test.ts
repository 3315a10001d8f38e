// Every kind of failure that a query can have: what is told, the exit code and the status over HTTP. Each has a place or a parameter and a next step,
// and none has the engine's own text. `npx vitest run test/cli/failing-queries.test.ts -u` writes failing-queries.txt.
import { afterAll, describe, expect, test } from 'vitest';
import { queryText, uuid } from '../queries/support.ts';
import { eventsEngine, served } from '../server/server-support.ts';
import { cliHome } from '../support/run-cli.ts';
import { ENGINES_TEXT, FAILING_QUERIES } from './failing-queries.ts';

const fileOf = (index: number): string => {
  const { sql, params = [] } = FAILING_QUERIES[index] ?? { sql: '' };
  return queryText(1000 + index, sql, ...(params.length === 0 ? [] : ['params:', ...params.map((line) => `  ${line}`)]));
};

describe('over HTTP', () => {
  const engine = eventsEngine();

  test('status, place or parameter, and next step', async () => {
    const cases = FAILING_QUERIES.flatMap(({ given = {}, http }, index) => (http === undefined ? [] : [{ index, given, http }]));
    const { ask, log } = await served(engine(), { files: Object.fromEntries(cases.map(({ index }) => [`q${index}.sql`, fileOf(index)])) });
    for (const { index, given, http } of cases) {
      const reply = await ask(`/api/endpoints/q${index}?${new URLSearchParams(given)}`);
      const { error } = reply.json();
      expect([FAILING_QUERIES[index]?.sql, reply.statusCode], JSON.stringify(log.at(-1))).toEqual([FAILING_QUERIES[index]?.sql, http]);
      expect(JSON.stringify(error)).not.toMatch(ENGINES_TEXT);
      expect(error.position ?? error.problems ?? /column v/.exec(error.message), JSON.stringify(error)).toBeTruthy();
      expect(error.hint).toMatch(/./);
    }
  }, 120_000);
});

describe('at the command line', () => {
  const home = cliHome();
  afterAll(home.remove);

  test('text and exit code', async () => {
    const told: string[] = [];
    for (const [index, { given = {}, flags = [], exit }] of FAILING_QUERIES.entries()) {
      home.write('q.sql', fileOf(index));
      const args = Object.entries(given).map(([name, value]) => `--${name}=${value}`);
      const { stdout, stderr, exitCode } = await home.run(['run', 'q.sql', ...args, ...flags]);
      const command = ['quern run q.sql', ...args, ...flags].join(' ');
      const text = stderr.replaceAll(/\S*quern-cli-\w+\//g, '').replaceAll(uuid(1000 + index), '<uuid>');
      expect([command, stdout, exitCode], text).toEqual([command, '', exit]);
      expect(text).not.toMatch(ENGINES_TEXT);
      expect(text).toMatch(/ --> q\.sql:\d+:\d+|: column v: |= invalid +--x|^error\[(?:timeout|limit)\]/m);
      expect(text, 'a next step').toMatch(/= hint: /);
      told.push(`${FAILING_QUERIES[index]?.sql}\n$ ${command}\n${text}exit ${exitCode}\n`);
    }
    await expect(told.join('\n')).toMatchFileSnapshot('failing-queries.txt');
  }, 120_000);
});
