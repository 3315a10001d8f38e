// A project that nobody trusts shows no file outside of its folder, whatever takes a file's place between the look at it and the reading of it.
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { QuernError } from '../../../src/base/errors.ts';
import { openPins } from '../../../src/sources/files/pinned-files.ts';

const all = mkdtempSync(join(tmpdir(), 'quern-pinned-'));
const [folder, cache, secret] = [join(all, 'project'), join(all, 'cache'), join(all, 'secret.csv')];
const path = join(folder, 'd/a.csv');
const place = {
  folder,
  permit: async (what: string) => {
    throw new QuernError('config', `${what} was not read`);
  },
};
afterAll(() => rmSync(all, { recursive: true }));
beforeEach(() => {
  rmSync(folder, { recursive: true, force: true });
  writeFileSync(secret, 'secret\n');
  write(path, 'mine\n');
  write(join(all, 'outside/d/a.csv'), 'secret\n');
});

function write(file: string, text: string): void {
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, text);
}

const listed = () => {
  const { size, mtimeMs } = statSync(path);
  return [{ file: { path, bytes: size, modifiedMs: mtimeMs }, as: '/d/a.csv' }];
};

test('a file that was opened stays the one that is read', async () => {
  const pins = openPins(cache, place);
  const end = await pins.provide(listed());
  const read = () => readFileSync(pins.pathOf('/d/a.csv'), 'utf8');
  expect(read()).toBe('mine\n');
  symlinkSync(secret, join(folder, 'd/link'));
  renameSync(join(folder, 'd/link'), path);
  expect(read()).toBe('mine\n');
  rmSync(path);
  expect(read()).toBe('mine\n');
  await end();
  expect(existsSync(pins.pathOf('/d/a.csv'))).toBe(false);
});

test.each([
  [
    'the file',
    () => {
      const file = listed();
      rmSync(path);
      symlinkSync(secret, path);
      return file;
    },
  ],
  [
    'a folder above it',
    () => {
      const file = listed();
      renameSync(join(folder, 'd'), join(folder, 'was'));
      symlinkSync(join(all, 'outside/d'), join(folder, 'd'));
      return file;
    },
  ],
])('a link that took the place of %s is refused', async (_, swap) => {
  await expect(openPins(cache, place).provide(swap())).rejects.toThrow('was not read');
});

test('what is no file is none, and a pipe is not waited for', async () => {
  const file = listed();
  rmSync(path);
  execFileSync('mkfifo', [path]);
  await expect(openPins(cache, place).provide(file)).rejects.toThrow('was changed while it was read');
});

test('several readers share what is open until the last has left', async () => {
  const pins = openPins(cache, place);
  const [first, second] = await Promise.all([pins.provide(listed()), pins.provide(listed())]);
  await first();
  expect(readFileSync(pins.pathOf('/d/a.csv'), 'utf8')).toBe('mine\n');
  await second();
  const third = await pins.provide(listed());
  expect(readFileSync(pins.pathOf('/d/a.csv'), 'utf8')).toBe('mine\n');
  await third();
  expect(readdirSync(join(cache, 'open'))).toEqual([]);
});
