// The net as a contributor runs it, over the queries of one layout: what became of a text before is in a list, and a difference is told.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { tempFolder } from '../support/temp-store.ts';

const folder = tempFolder();
afterAll(() => folder.remove());
const list = join(folder.path, 'layouts.txt');

function net(...args: readonly string[]): { readonly stdout: string; readonly exitCode: number | null } {
  const script = join(import.meta.dirname, '../../scripts/net.mjs');
  const { stdout, status } = spawnSync(process.execPath, [script, 'layouts/store', '--lists', folder.path, '--jobs', '1', ...args], {
    encoding: 'utf8',
  });
  return { stdout, exitCode: status };
}

test('a list is written, the same outcomes pass, and a text that becomes something else is shown with its id', () => {
  expect(net('--update')).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/^layouts\/store: (\d+) lines, 0 of them errors, \1 new\n/),
  });
  const written = readFileSync(list, 'utf8');
  expect(net()).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^layouts\/store: \d+ lines, 0 of them errors\n\d+ lines in/) });

  const [first = '', second = '', ...rest] = written.trimEnd().split('\n');
  const [id = '', hash = ''] = first.split(' ');
  const other = 'flat-dotted-names/0123456789 0123456789ab';
  folder.write('layouts.txt', [`${id} 0123456789ab`, ...rest, 'store/0000000000 type@7-9', other, ''].join('\n'));
  const { stdout, exitCode } = net();
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/^layouts\/store: \d+ lines, 0 of them errors, 1 differ, 1 new, 1 gone\n/);
  expect(stdout).toContain(`\nlayouts/${id}: was SQL 0123456789ab, is SQL ${hash}\n    `);
  expect(stdout).toContain(`\nlayouts/${second.split(' ')[0]}: was not there, is SQL `);
  expect(stdout).toContain('\nlayouts/store/0000000000: was type@7-9, is not there\n');

  expect(net('--update').exitCode).toBe(0);
  expect(readFileSync(list, 'utf8')).toBe(`${other}\n${written}`);
}, 180_000);

test('--show prints a text and what it becomes', () => {
  const [id = ''] =
    readFileSync(list, 'utf8')
      .split('\n')
      .find((line) => line.startsWith('store/'))
      ?.split(' ') ?? [];
  const { stdout, exitCode } = net('--show', `layouts/${id}`);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^select .*\n\n(?:WITH|SELECT) [\s\S]*\n\nparameters: .*\n\ncolumns: \w+ [\s\S]*\n\nsettings: \w+ = /i);
});
