// Sweeps of large pools: one at a time, a part at a time, the oldest first as far as that shows; and pools as older versions of quern left them.
import { execFile, spawnSync } from 'node:child_process';
import {
  existsSync,
  promises as fs,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, test, vi } from 'vitest';
import { bundle } from '../../scripts/bundle.mjs';
import { digest } from '../../src/cache/json-memory.ts';
import { temporaryFolder } from '../cache/support.ts';
import { namesOf, swept, testPool } from './pool-support.ts';

/** Files of a kilobyte, each a second younger than the one before. */
function filled(count: number, pathOf: (name: string) => string): { readonly folder: string; readonly names: readonly string[] } {
  const folder = join(temporaryFolder(), 'pool');
  const names = Array.from({ length: count }, (_, i) => digest(`file ${i}`));
  const begin = Date.UTC(2026, 0, 1) / 1000;
  for (const [i, name] of names.entries()) {
    const path = join(folder, pathOf(name));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, 'k'.repeat(1000));
    utimesSync(path, begin + i, begin + i);
  }
  return { folder, names };
}

const inFolders = (name: string) => `${name.slice(0, 2)}/${name}.x`;
const flat = (name: string) => `${name}.x`;

interface Report {
  /** Of the processor, between two turns of the event loop. */
  readonly worstMs: number;
  readonly grownBytes: number;
  /** Steps of sweeps. */
  readonly steps: number;
  readonly troubles: readonly string[];
}

/** Runs processes that each write so many files of their own into a pool at once; they end when it is within its bound. */
async function writeInProcesses(folder: string, processes: number, files: number, maxBytes: number): Promise<readonly Report[]> {
  const script = await bundle(join(import.meta.dirname, 'sweep-worker.ts'));
  const runs = Array.from({ length: processes }, (_, seed) =>
    promisify(execFile)(process.execPath, [script, folder, String(seed), String(files), String(maxBytes)]),
  );
  return (await Promise.all(runs)).map(({ stdout }) => JSON.parse(stdout) as Report);
}

const stepsOf = (reports: readonly Report[]) => reports.reduce((sum, { steps }) => sum + steps, 0);

test('writes into a pool that is not full never look through it', async () => {
  const { pool } = testPool(1e9);
  const [readdir, opendir] = [vi.spyOn(fs, 'readdir'), vi.spyOn(fs, 'opendir')];
  await Promise.all(Array.from({ length: 600 }, (_, i) => pool.write(digest(String(i)), 'tiny')));
  expect([readdir.mock.calls.length, opendir.mock.calls.length]).toEqual([0, 1]); // once, when it is begun
  vi.restoreAllMocks();
});

test('2,500 new files in a full pool cost a few sweeps, and not one each; in four processes no more than in one', async () => {
  const alone = join(temporaryFolder(), 'pool');
  const inOne = await writeInProcesses(alone, 1, 2500, 5e6);
  expect([inOne.flatMap(({ troubles }) => troubles), (await testPool(5e6, alone).pool.measure()).bytes <= 5e6]).toEqual([[], true]);
  expect(stepsOf(inOne)).toBeLessThan(40);
  const shared = join(temporaryFolder(), 'pool');
  const inFour = await writeInProcesses(shared, 4, 625, 5e6);
  expect([inFour.flatMap(({ troubles }) => troubles), (await testPool(5e6, shared).pool.measure()).bytes <= 5e6]).toEqual([[], true]);
  expect(stepsOf(inFour)).toBeLessThan(40);
});

test('a large pool over its bound holds neither the event loop nor memory while it is swept', async () => {
  const { folder } = filled(4000, inFolders);
  const [report] = await writeInProcesses(folder, 1, 300, 16e6);
  expect(report?.troubles).toEqual([]);
  expect(report?.worstMs).toBeLessThan(300);
  expect(report?.grownBytes).toBeLessThan(116e6);
  expect((await testPool(16e6, folder).pool.measure()).bytes).toBeLessThanOrEqual(16e6);
});

test('a large pool drops its oldest files: none that is younger than three quarters of them', async () => {
  const { folder, names } = filled(3500, inFolders);
  const { bytes } = await testPool(0, folder).pool.measure();
  const bounded = testPool(Math.round(bytes * 0.93), folder).pool;
  await bounded.write(digest('one more'), 'tiny');
  await swept(bounded, bytes * 0.93);
  const left = new Set(await namesOf(bounded));
  const dropped = names.flatMap((name, i) => (left.has(name) ? [] : [i]));
  expect(dropped.length).toBeGreaterThan(180);
  expect(dropped.length).toBeLessThan(600);
  expect(Math.max(...dropped)).toBeLessThan(3500 * 0.25);
  expect(left.has(digest('one more'))).toBe(true);
});

test('what a process left that died while it swept is taken over at once', async () => {
  const { folder } = filled(20, inFolders);
  symlinkSync(`${spawnSync(process.execPath, ['-e', '']).pid}`, join(folder, '.sweep'));
  writeFileSync(join(folder, '.sweep.removal'), '');
  utimesSync(join(folder, '.sweep.removal'), 1, 1);
  const { pool } = testPool(50_000, folder);
  await expect
    .poll(async () => {
      await pool.write('aa', 'x');
      return (await pool.measure()).bytes;
    })
    .toBeLessThanOrEqual(50_000);
});

test('a pool that is removed while it is swept stays away until something is written', async () => {
  const { folder } = filled(500, inFolders);
  const { pool, troubles } = testPool(500_000, folder);
  await pool.write(digest('one more'), 'tiny');
  await pause(20);
  rmSync(folder, { recursive: true });
  await pause(300);
  expect([existsSync(folder), troubles]).toEqual([false, []]);
  await pool.write('aa', 'x');
  expect(await pool.read('aa')).toBe('x');
});

test('while another process sweeps, a write goes on without', async () => {
  const { folder } = filled(20, inFolders);
  symlinkSync('1 another-machine 1', join(folder, '.sweep'));
  const { pool, troubles } = testPool(50_000, folder);
  await pool.write('aa', 'x');
  await pause(100);
  expect([(await pool.measure()).files, await pool.read('aa'), troubles]).toEqual([21, 'x', []]);
});

test('what an older quern has left, all in one folder, is counted, dropped when it is the oldest, and read', async () => {
  const { folder, names } = filled(2500, flat);
  writeFileSync(join(folder, '.ledger'), 'total 3000000\n');
  writeFileSync(join(folder, 'mine.txt'), 'mine');
  const { pool } = testPool(6.5e6, folder);
  await pool.write(digest('new'), 'tiny');
  await swept(pool, 6.5e6);
  const left = await namesOf(pool);
  expect([left.length > 1000, left.includes(digest('new')), left.includes(names.at(-1) ?? '')]).toEqual([true, true, true]);
  expect(left.includes(names[0] ?? '')).toBe(false);
  expect(await pool.read(names.at(-1) ?? '')).toBe('k'.repeat(1000));
  const there = readdirSync(folder).filter((name) => name.length > 2);
  expect(there.sort()).toEqual(['.use', 'mine.txt']);
});

test('a file of an older quern never takes the place of a newer one', async () => {
  const { folder, names } = filled(2, flat);
  const [name = ''] = names;
  const { pool } = testPool(1e6, folder);
  await pool.write(name, 'newer');
  expect(await namesOf(pool)).toEqual([...names].sort());
  expect([await pool.read(name), lstatSync(join(folder, flat(name)), { throwIfNoEntry: false })]).toEqual(['newer', undefined]);
  expect(readFileSync(join(folder, inFolders(names[1] ?? '')), 'utf8')).toBe('k'.repeat(1000));
});
