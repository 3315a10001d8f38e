// Files of which another is made: those of processes that are dead go, and no others.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { replaceFileSync } from '../../src/files/replace-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'quern-temporary-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const bin = join(import.meta.dirname, '../../bin/quern.js');
const env = { PATH: process.env['PATH'], HOME: folder };
const hidden = () => readdirSync(folder).filter((name) => /^\..*\.tmp$/.test(name));

test('an export that is killed leaves a file, which the next one of its name removes', async () => {
  const sql = 'select a, b from unnest(generate_array(1, 10000)) as a, unnest(generate_array(1, 100000)) as b';
  const child = spawn(process.execPath, [bin, 'query', sql, '--output', 'rows.csv.gz'], { cwd: folder, env, stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  await expect.poll(hidden, { timeout: 30_000 }).toEqual([expect.stringMatching(new RegExp(`^\\.rows\\.csv\\.gz\\.${child.pid}\\.`))]);
  child.kill('SIGKILL');
  await ended;
  expect(hidden()).toHaveLength(1);
  const next = spawnSync(process.execPath, [bin, 'query', 'select 1 as one', '--output', 'rows.csv.gz'], { cwd: folder, env });
  expect([next.status, hidden()]).toEqual([0, []]);
});

test('only those beside the same file, of processes that are dead, go', () => {
  const dead = spawnSync(process.execPath, ['-e', '']).pid;
  const stays = [
    `.f.json.${process.ppid}.tmp`, // alive
    `.f.json.${dead}.0123abcd.tmp`, // of another machine, and new
    `.g.json.${dead}.tmp`,
    `.f.json.x.tmp`,
  ];
  const old = `.f.json.${dead}.01234567.tmp`;
  for (const name of [...stays, old, `.f.json.${dead}.tmp`]) writeFileSync(join(folder, name), '');
  utimesSync(join(folder, old), new Date(0), new Date(0));
  replaceFileSync(join(folder, 'f.json'), 'new');
  expect([hidden().sort(), readFileSync(join(folder, 'f.json'), 'utf8')]).toEqual([[...stays].sort(), 'new']);
  for (const name of stays) rmSync(join(folder, name));
});
