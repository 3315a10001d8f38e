// A file of keys that grows by a line for each change: what other processes leave of it, what servers read of it, and how much of it there may be.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, readFileSync, renameSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { bundle } from '../../../scripts/bundle.mjs';
import { createKey, findKey, listKeys, revokeKey, rotateKey } from '../../../src/server/keys/change-keys.ts';
import { openKeyRing } from '../../../src/server/keys/key-ring.ts';
import { failure } from '../../support/told.ts';
import { rights, type TestKeys, testKeys } from './support.ts';

const HASH = 'ab'.repeat(32);
const idOf = (i: number): string => String(i).padStart(8, '0');
const record = (i: number) => ({
  id: idOf(i),
  name: `customer-${i}`,
  scopes: ['usage.*'],
  pins: { project: `p${i}` },
  mayRefresh: false,
  createdAt: '2026-01-02T00:00:00.000Z',
  hash: HASH,
});

/** A file as older versions of quern wrote it. */
function oldFile(count: number, version = 3): TestKeys {
  const keys = testKeys();
  mkdirSync(dirname(keys.file), { mode: 0o700 });
  const all = Array.from({ length: count }, (_, i) => record(i));
  writeFileSync(keys.file, `${JSON.stringify(version < 4 ? { version, keys: all } : { version, changes: all }, null, 2)}\n`, {
    mode: 0o600,
  });
  return keys;
}

const names = (keys: TestKeys) => listKeys(keys).map(({ name }) => name);
const sizeOf = ({ file }: TestKeys): number => statSync(file).size;

test('a change adds a line to the file, whatever else is in it, and the file is JSON', async () => {
  const keys = oldFile(2000);
  await createKey(keys, rights('first')); // which writes the file anew, in its shape of today
  const { ino, size } = statSync(keys.file);
  const { key } = await createKey(keys, rights('Zoë "quoted" ☃', { maxScanPerHour: 5, expiresInSeconds: 60 }));
  await revokeKey(keys, 'customer-7');
  await rotateKey(keys, 'customer-8');
  const after = statSync(keys.file);
  expect([after.ino, after.size - size < 1000]).toEqual([ino, true]);
  const { version, changes } = JSON.parse(readFileSync(keys.file, 'utf8'));
  expect([version, changes.length, changes.at(-2)]).toEqual([5, 2004, { revoked: idOf(7) }]);
  expect(findKey(keys, 'Zoë "quoted" ☃')).toEqual(key);
  expect(names(keys)).toEqual(
    [...Array.from({ length: 2000 }, (_, i) => `customer-${i}`), 'first', key.name].filter((name) => name !== 'customer-7'),
  );
});

test.each([1, 2, 3, 4])('a file of version %i is read, and stays as it is until it changes', async (version) => {
  const keys = oldFile(3, version);
  const before = readFileSync(keys.file, 'utf8');
  expect([names(keys), await openKeyRing(keys).count()]).toEqual([['customer-0', 'customer-1', 'customer-2'], 3]);
  expect(readFileSync(keys.file, 'utf8')).toBe(before);
});

test('lines that others have put out of force do not pile up', async () => {
  const keys = testKeys();
  await createKey(keys, rights('stays'));
  await createKey(keys, rights('turns'));
  for (let i = 0; i < 600; i++) await rotateKey(keys, 'turns');
  const size = sizeOf(keys);
  for (let i = 0; i < 600; i++) await rotateKey(keys, 'turns');
  expect(sizeOf(keys)).toBeLessThan(size);
  expect(names(keys)).toEqual(['stays', 'turns']);
});

test('a line that a process was killed over is nothing, wherever it was cut, and costs no other line', async () => {
  const keys = testKeys();
  await createKey(keys, rights('one'));
  const before = sizeOf(keys);
  await createKey(keys, rights('two'));
  const whole = readFileSync(keys.file);
  for (let cut = before - 2; cut <= whole.length; cut++) {
    // What is written takes the place of the two bytes behind the last line.
    writeFileSync(keys.file, whole.subarray(0, cut));
    const kept = cut >= whole.length - 2 ? ['one', 'two'] : ['one'];
    expect(names(keys)).toEqual(kept);
    if (cut % 10 !== 0) continue;
    await createKey(keys, rights('three'));
    expect(names(keys)).toEqual([...kept, 'three']);
    expect(JSON.parse(readFileSync(keys.file, 'utf8')).changes).toHaveLength(kept.length + 1);
  }
});

test('processes that are killed while they make keys lose none that they have told of', async () => {
  const keys = testKeys();
  const script = await bundle(join(import.meta.dirname, 'create-keys-worker.ts'));
  const told: string[] = [];
  for (let round = 0; round < 4; round++) {
    const workers = ['a', 'b'].map((worker) => {
      const child = execFile(process.execPath, [script, keys.file, `${worker}${round}`, '1000', 'tell']);
      const heard = { child, text: '' };
      child.stdout?.on('data', (text: string) => {
        heard.text += text;
      });
      return heard;
    });
    await expect.poll(() => workers.reduce((sum, { text }) => sum + text.length, 0), { timeout: 20_000 }).toBeGreaterThan(150);
    for (const { child } of workers) child.kill('SIGKILL');
    await Promise.all(workers.map(({ child }) => once(child, 'close')));
    for (const { text } of workers) told.push(...text.split('\n').filter((line) => line.endsWith(';')));
  }
  const made = new Set(names(keys));
  expect(told.map((line) => line.slice(0, -1)).filter((name) => !made.has(name))).toEqual([]);
  expect(told.length).toBeGreaterThan(50);
  await createKey(keys, rights('after'));
}, 60_000);

test('a line that is no key, or says what this version does not know, is refused with its file', async () => {
  const keys = testKeys();
  await createKey(keys, rights('one'));
  truncateSync(keys.file, sizeOf(keys) - 2);
  appendFileSync(keys.file, ',{"id":"AAAAAAAA","name":"two","networks":[]}\n]}');
  expect(failure(() => listKeys(keys))['message']).toMatch(/is damaged: the key AAAAAAAA has a field "networks"/);
});

test('a name that a key has, had, or holds in its words is told apart', async () => {
  const keys = testKeys();
  for (const name of ['first', 'second']) await createKey(keys, rights(name));
  const [first] = listKeys(keys);
  await expect(createKey(keys, rights('first'))).rejects.toThrow('the key first already exists');
  await expect(createKey(keys, rights(first?.id ?? ''))).rejects.toThrow('already exists');
  await expect(createKey(keys, rights(first?.prefix ?? ''))).rejects.toThrow('already exists');
  await revokeKey(keys, 'first');
  await createKey(keys, rights('first'));
  expect(names(keys)).toEqual(['second', 'first']);
});

test('an editor may end the last line of the file, too', async () => {
  const keys = testKeys();
  await createKey(keys, rights('first'));
  appendFileSync(keys.file, '\n');
  expect(names(keys)).toEqual(['first']);
  await createKey(keys, rights('second'));
  expect(names(keys)).toEqual(['first', 'second']);
  expect(JSON.parse(readFileSync(keys.file, 'utf8'))).toMatchObject({ version: 5 });
});

test('a server reads what was added, and all of a file that was written anew', async () => {
  const keys = testKeys();
  const { secret } = await createKey(keys, rights('one'));
  const ring = openKeyRing(keys);
  const first = ring.verify(secret);
  const { secret: second } = await createKey(keys, rights('two', { maxScanPerHour: 10 }));
  keys.clock.now += 1000;
  expect([ring.verify(second)?.name, ring.budgeted().map(({ name }) => name)]).toEqual(['two', ['two']]);
  expect(ring.verify(secret)).toBe(first); // whoever is known stays known
  await revokeKey(keys, 'one');
  keys.clock.now += 1000;
  expect(ring.verify(secret)).toBeUndefined();
  // Somebody takes out a line by hand, and another line follows.
  const lines = readFileSync(keys.file, 'utf8').split('\n');
  writeFileSync(keys.file, lines.filter((line) => !line.includes('"two"')).join('\n'));
  for (const name of ['three', 'four', 'five']) await createKey(keys, rights(name));
  keys.clock.now += 1000;
  expect([ring.verify(second), await ring.count()]).toEqual([undefined, 3]);
});

test('a large file that is written anew is read in pieces: nobody waits, and the keys that were right stay right', async () => {
  const keys = oldFile(20_000);
  const { secret } = await createKey(keys, rights('one'));
  const ring = openKeyRing(keys);
  expect(ring.verify(secret)?.name).toBe('one');
  const { secret: next } = await createKey(keys, rights('two'));
  const text = readFileSync(keys.file);
  await revokeKey(keys, 'one');
  writeFileSync(`${keys.file}.new`, Buffer.concat([text.subarray(0, -2), Buffer.from(`,{"revoked":"${findKey(keys, 'two').id}"}\n]}`)]), {
    mode: 0o600,
  });
  renameSync(`${keys.file}.new`, keys.file);
  keys.clock.now += 1000;
  expect(ring.verify(secret)?.name).toBe('one');
  await expect.poll(() => ring.verify(next), { timeout: 20_000 }).toBeUndefined();
  await pause(50);
  expect([ring.verify(secret)?.name, await ring.count()]).toEqual(['one', 20_001]);
});
