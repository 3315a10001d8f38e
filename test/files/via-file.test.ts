// Bytes by way of a temporary file.
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { tempFolder } from '../support/temp-store.ts';

// The folder is made once in a process, which another file of tests may have done.
vi.resetModules();
const { viaFile } = await import('../../src/files/via-file.ts');

const folder = tempFolder();
beforeEach(() => void vi.stubEnv('TMPDIR', folder.path));
afterAll(() => {
  vi.unstubAllEnvs();
  folder.remove();
});

/** The bytes, and where the file was. */
async function through(text: string) {
  let file = '';
  const chunks: Uint8Array[] = [];
  const write = async (path: string): Promise<void> => {
    file = path;
    writeFileSync(path, text);
  };
  for await (const chunk of viaFile(write)) chunks.push(chunk);
  return { text: Buffer.concat(chunks).toString(), file };
}

test('a folder that cannot take files is named', async () => {
  const file = join(folder.path, 'a-file');
  writeFileSync(file, '');
  vi.stubEnv('TMPDIR', file);
  await expect(through('x')).rejects.toMatchObject({ code: 'config', message: expect.stringContaining(file) });
});

test.each([1, 1_000_000])('a file of %i bytes is read, and gone', async (size) => {
  const { text, file } = await through('x'.repeat(size));
  expect([text.length, existsSync(file), readdirSync(dirname(file))]).toEqual([size, false, []]);
});

test('a folder that the system has cleared away is made again', async () => {
  const { file } = await through('first');
  rmSync(dirname(file), { recursive: true });
  expect((await through('second')).text).toBe('second');
});

test('a file whose bytes nobody wanted is gone', async () => {
  let file = '';
  const fails = viaFile(async (path) => {
    file = path;
    writeFileSync(path, 'x');
    throw new Error('broken');
  });
  await expect(fails[Symbol.asyncIterator]().next()).rejects.toThrow('broken');
  expect(existsSync(file)).toBe(false);
});
