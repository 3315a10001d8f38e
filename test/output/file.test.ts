// Files that --output writes: whole or unchanged, where the user's link points, with the rights they had.
import { chmodSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { writeFileAtomically } from '../../src/output/file.ts';

const folder = mkdtempSync(join(tmpdir(), 'quern-file-'));
const path = (name: string) => join(folder, name);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a new file holds all chunks, and nothing else is left in its folder', async () => {
  await writeFileAtomically(path('a.csv'), ['x\n', 'é\n']);
  expect([readFileSync(path('a.csv'), 'utf8'), readdirSync(folder)]).toEqual(['x\né\n', ['a.csv']]);
});

test('a failure in the middle leaves the old file', async () => {
  writeFileSync(path('a.csv'), 'old');
  const failing = function* () {
    yield 'new';
    throw new Error('no more');
  };
  await expect(writeFileAtomically(path('a.csv'), failing())).rejects.toThrow('no more');
  expect([readFileSync(path('a.csv'), 'utf8'), readdirSync(folder)]).toEqual(['old', ['a.csv']]);
});

test('a link stays a link, and its file keeps its rights', async () => {
  writeFileSync(path('real.csv'), 'old');
  chmodSync(path('real.csv'), 0o600);
  symlinkSync('real.csv', path('link.csv'));
  await writeFileAtomically(path('link.csv'), ['new']);
  expect(lstatSync(path('link.csv')).isSymbolicLink()).toBe(true);
  expect([readFileSync(path('real.csv'), 'utf8'), statSync(path('real.csv')).mode & 0o777]).toEqual(['new', 0o600]);
});

test('a folder is refused', async () => {
  await expect(writeFileAtomically(folder, ['x'])).rejects.toMatchObject({
    code: 'usage',
    message: `${folder} cannot be written: it is a folder`,
    details: { hint: 'choose another file with --output' },
  });
});
