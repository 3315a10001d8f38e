// The file of keys among several processes, and when it is not what quern wrote.
import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { bundle } from '../../../scripts/bundle.mjs';
import { createKey, listKeys, revokeKey } from '../../../src/server/keys/change-keys.ts';
import { openKeyRing } from '../../../src/server/keys/key-ring.ts';
import { failure, failureOf } from '../../support/told.ts';
import { rights, testKeys } from './support.ts';

const WORKERS = ['a', 'b', 'c', 'd'];

async function makeKeysAtOnce(file: string): Promise<readonly string[]> {
  const script = await bundle(join(import.meta.dirname, 'create-keys-worker.ts'));
  const runs = WORKERS.map((worker) => promisify(execFile)(process.execPath, [script, file, worker, '20']));
  return (await Promise.all(runs)).flatMap(({ stdout }) => JSON.parse(stdout) as readonly string[]);
}

/** A process id that no process has any more. */
const deadPid = (): number => spawnSync(process.execPath, ['-e', '']).pid;

test('processes that make keys at once lose none', async () => {
  const keys = testKeys();
  const secrets = await makeKeysAtOnce(keys.file);
  const expected = WORKERS.flatMap((worker) => Array.from({ length: 20 }, (_, i) => `${worker}-${i}`)).sort();
  expect(
    listKeys(keys)
      .map(({ name }) => name)
      .sort(),
  ).toEqual(expected);
  const ring = openKeyRing(keys);
  expect((await Promise.all(secrets.map(async (secret) => (await ring.verify(secret))?.name))).sort()).toEqual(expected);
  expect(readdirSync(dirname(keys.file))).toEqual(['keys.json']);
});

test('a lock that a dead process left is taken over, by one process at a time', async () => {
  const keys = testKeys();
  mkdirSync(dirname(keys.file), { mode: 0o700 });
  writeFileSync(`${keys.file}.lock`, `${deadPid()} ${hostname()}\n`);
  await makeKeysAtOnce(keys.file);
  expect(listKeys(keys).length).toBe(80);
  expect(readdirSync(dirname(keys.file))).toEqual(['keys.json']);
});

test('a lock older than a minute is nobody’s, whatever process has its number', async () => {
  const keys = testKeys();
  await createKey(keys, rights('one'));
  writeFileSync(`${keys.file}.lock`, `${process.pid} ${hostname()}\n`);
  utimesSync(`${keys.file}.lock`, new Date(Date.now() - 61_000), new Date(Date.now() - 61_000));
  await createKey(keys, rights('two'));
  expect(listKeys(keys).map(({ name }) => name)).toEqual(['one', 'two']);
});

test('a failed change gives the lock back and leaves the file as it was', async () => {
  const keys = testKeys();
  await createKey(keys, rights('one'));
  const before = readFileSync(keys.file, 'utf8');
  await failureOf(createKey(keys, rights('one')));
  await failureOf(revokeKey(keys, 'two'));
  expect([readFileSync(keys.file, 'utf8'), readdirSync(dirname(keys.file))]).toEqual([before, ['keys.json']]);
});

test('a link to the file stays a link', async () => {
  const keys = testKeys();
  await createKey(keys, rights('one'));
  const link = join(keys.folder, 'link.json');
  symlinkSync(keys.file, link);
  await createKey({ ...keys, file: link }, rights('two'));
  expect(listKeys(keys)).toEqual(listKeys({ file: link }));
  expect(listKeys(keys).map(({ name }) => name)).toEqual(['one', 'two']);
});

test('a folder that cannot be written is an error that names the file', async () => {
  const keys = testKeys();
  writeFileSync(join(keys.folder, 'config'), 'a file where the folder should be');
  expect(await failureOf(createKey(keys, rights('one')))).toEqual({
    code: 'config',
    message: `keys cannot be saved in ${keys.file}: EEXIST: file already exists`,
    hint: 'name another file with keys_file',
  });
});

describe('a file that is not what quern wrote is an error, and stays as it is', () => {
  const hash = 'ab'.repeat(32);
  const record = { id: 'AAAAAAAA', name: 'one', scopes: ['*'], pins: {}, mayRefresh: false, createdAt: '2026-01-02T00:00:00.000Z', hash };
  const holding = (...keys: readonly unknown[]) => JSON.stringify({ version: 1, keys });
  test.each<[string, string, string]>([
    ['no JSON', '', 'it is not JSON'],
    ['half of it', holding(record).slice(0, -20), 'it is not JSON'],
    ['a list', '[]', 'it does not contain keys'],
    ['null', 'null', 'it does not contain keys'],
    ['another version', '{"version":0,"keys":[]}', 'it does not contain keys'],
    ['a key that is text', holding('quern'), 'key 1 is not an object'],
    [
      'a field that might be a bound',
      holding(record, { ...record, networks: ['10.0.0.0/8'] }),
      'key 2 has a field "networks", which this version does not know',
    ],
    ['no scopes', holding({ ...record, scopes: [] }), 'key 1 has no usable scopes'],
    ['a scope that is no text', holding({ ...record, scopes: [null] }), 'key 1 has no usable scopes'],
    ['no pins', holding({ ...record, pins: undefined }), 'key 1 has no usable pins'],
    ['a pin that is no text', holding({ ...record, pins: { project: 1 } }), 'key 1 has no usable pins'],
    ['a hash that is too short', holding({ ...record, hash: 'ab' }), 'key 1 has no usable hash'],
    ['a time that is none', holding({ ...record, expiresAt: 'soon' }), 'key 1 has no usable expiresAt'],
    ['half a query at once', holding({ ...record, maxConcurrent: 0.5 }), 'key 1 has no usable maxConcurrent'],
    ['rows below one', holding({ ...record, maxRows: 0 }), 'key 1 has no usable maxRows'],
    ['a rate without a time', holding({ ...record, rate: { count: 1 } }), 'key 1 has no usable rate'],
    ['an id with another form', holding({ ...record, id: '../x' }), 'key 1 has no usable id'],
    ['two keys of an id', holding(record, { ...record, name: 'two' }), 'two keys have the id AAAAAAAA'],
    ['two keys of a name', holding(record, { ...record, id: 'BBBBBBBB' }), 'two keys have the name one'],
  ])('%s', async (_, text, message) => {
    const keys = testKeys();
    mkdirSync(dirname(keys.file));
    writeFileSync(keys.file, text, { mode: 0o600 });
    const expected = {
      code: 'config',
      message: `${keys.file} is damaged: ${message}`,
      hint: 'restore it from a copy, or move it away to start without keys',
    };
    expect(failure(() => listKeys(keys))).toEqual(expected);
    expect(await failureOf(createKey(keys, rights('new')))).toEqual(expected);
    expect(readFileSync(keys.file, 'utf8')).toBe(text);
  });

  test('of a newer quern is told as such', () => {
    const keys = testKeys();
    mkdirSync(dirname(keys.file));
    writeFileSync(keys.file, '{"version":6}', { mode: 0o600 });
    expect(failure(() => listKeys(keys))).toEqual({
      code: 'config',
      message: `${keys.file} was written by a newer quern (version 6, this quern knows 5)`,
      hint: 'update quern, or name another file with keys_file',
    });
  });
});

test.each(['644', '640', '602', '666'])('a file of mode %s is refused with what to do', async (mode) => {
  const keys = testKeys();
  await createKey(keys, rights('one'));
  chmodSync(keys.file, Number.parseInt(mode, 8));
  const expected = {
    code: 'config',
    message: `other users may read or change the keys in ${keys.file}: its mode is ${mode}`,
    hint: `run \`chmod 600 ${keys.file}\`, and check with \`quern keys list\` that all keys are yours`,
  };
  expect(failure(() => listKeys(keys))).toEqual(expected);
  expect(await failureOf(createKey(keys, rights('two')))).toEqual(expected);
});
