// quern cache warm on a real store.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cliHome } from '../../support/run-cli.ts';
import { byMethod, ndjson } from './events.ts';

const home = cliHome();
afterAll(() => home.remove());

const QUIET = ['--queries', 'mine', '--quiet'];
const header = (digit: number, ...fields: string[]) =>
  ['/*---', `id: 4c01dc9a-90f3-4c81-99e0-1e85e62aab2${digit}`, ...fields, '---*/'].join('\n');

const warm = async (...words: string[]) => {
  const { stdout, stderr, exitCode } = await home.run(['cache', 'warm', ...words, '--format', 'tsv', '--queries', 'mine']);
  return { stdout: stdout.replace(/\t\d+\t\\N$/gm, '\t<ms>\t\\N'), stderr, exitCode };
};

beforeAll(async () => {
  home.write('edge.ndjson', ndjson);
  home.write('mine/by-method.sql', byMethod);
  home.write('mine/one.sql', `${header(1, 'cache: 900s', 'params: { least: { type: integer, default: 1 } }')}\nselect @least as one`);
  home.write('mine/never.sql', `${header(2)}\nselect 1 as one`);
  await home.run(['load', 'edge_logs', 'edge.ndjson', ...QUIET]);
});

test('results are made again for the arguments they were asked with, and for the defaults where there are none', async () => {
  await home.run(['run', 'by-method', '--project', 'demo', ...QUIET]);
  await home.run(['run', 'by-method', '--project', 'other', '--least', '2', ...QUIET]);
  await home.run(['run', 'by-method', '--project', 'past', '--as-of', '2026-01-15T12:00:00Z', ...QUIET]);
  expect(await warm('by-method', '4c01dc9a-90f3-4c81-99e0-1e85e62aab21')).toEqual({
    stdout: [
      'query\targuments\trows\tmilliseconds\terror',
      'by-method\t{"project":"other","least":2}\t0\t<ms>\t\\N',
      'by-method\t{"project":"demo","least":0}\t2\t<ms>\t\\N',
      'one\t{}\t1\t<ms>\t\\N',
      '',
    ].join('\n'),
    stderr: '',
    exitCode: 0,
  });
  const { stderr } = await home.run(['run', 'one', '--queries', 'mine'], { terminal: 100 });
  expect(stderr).toMatch(/^1 row, cached \d s ago; --refresh runs it again\n$/);
});

test('a query without a cache has nothing to warm, and an unknown one is told', async () => {
  expect(await warm('never')).toEqual({
    stdout: '',
    stderr: 'error[usage]: never is not cached\n   = hint: add `cache: 15m` to its header\n',
    exitCode: 2,
  });
  expect((await warm('by-methode')).exitCode).toBe(2);
});

test('a query that needs arguments nobody gave yet is noted', async () => {
  await home.run(['cache', 'clear', ...QUIET]);
  expect(await warm('by-method')).toEqual({
    stdout: 'query\targuments\trows\tmilliseconds\terror\n',
    stderr: 'note: by-method needs --project: run it once, and quern remembers its arguments\n',
    exitCode: 0,
  });
});

test('one result that cannot be had does not keep the others from being made', async () => {
  home.write('mine/failing.sql', `${header(3, 'cache: 900s', 'params: { n: { type: integer, default: 1 } }')}\nselect 10 / @n as n`);
  await home.run(['run', 'failing', ...QUIET]);
  home.write('mine/failing.sql', `${header(3, 'cache: 900s', 'params: { n: { type: integer, enum: [2] } }')}\nselect 10 / @n as n`);
  expect(await warm('failing', 'one')).toEqual({
    stdout: [
      'query\targuments\trows\tmilliseconds\terror',
      'failing\t{"n":1}\t\\N\t\\N\tfailing takes 1 parameter, 1 is invalid',
      'one\t{}\t1\t<ms>\t\\N',
      '',
    ].join('\n'),
    stderr:
      'error[parameter]: 1 of 2 results could not be refreshed\n   = hint: the `error` column says why; `quern cache clear` removes entries whose arguments are no longer valid\n',
    exitCode: 2,
  });
});
