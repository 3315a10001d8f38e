// Folders of the store and the cache: made with those above them, or refused at once.
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { makeFolder } from '../../src/files/make-folder.ts';

const home = mkdtempSync(join(tmpdir(), 'quern-folder-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

test('a folder is made with those above it, and may be there already', () => {
  makeFolder(join(home, 'a/b/c'), 0o700);
  makeFolder(join(home, 'a/b/c'));
  expect(['a', 'a/b', 'a/b/c'].map((folder) => statSync(join(home, folder)).mode & 0o777)).toEqual([0o700, 0o700, 0o700]);
});

test('a file in the way is the error', () => {
  writeFileSync(join(home, 'file'), '');
  expect(() => makeFolder(join(home, 'file'))).toThrow(expect.objectContaining({ code: 'EEXIST' }));
  expect(() => makeFolder(join(home, 'file/below'))).toThrow(expect.objectContaining({ code: 'ENOTDIR' }));
});

test.skipIf(!existsSync('/proc/self'))('where no folder can be made, the error comes at once', () => {
  expect(() => makeFolder('/proc/quern/cache')).toThrow(expect.objectContaining({ code: 'ENOENT' }));
});
