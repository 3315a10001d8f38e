// What a running server accepts, and how soon it sees that the file has changed.
import { chmodSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createKey, revokeKey, rotateKey } from '../../../src/server/keys/change-keys.ts';
import { openKeyRing } from '../../../src/server/keys/key-ring.ts';
import { failure, failureOf } from '../../support/told.ts';
import { rights, testKeys } from './support.ts';

test('a key is known by its secret and by nothing that resembles it', async () => {
  const keys = testKeys();
  const { key, secret } = await createKey(keys, rights('one'));
  const ring = openKeyRing(keys);
  expect(ring.verify(secret)).toEqual(key);
  const flipped = secret.slice(0, -1) + (secret.endsWith('A') ? 'B' : 'A');
  const near = [
    '',
    ' ',
    key.id,
    key.name,
    key.prefix,
    flipped,
    secret.slice(0, -1),
    `${secret}A`,
    ` ${secret}`,
    `${secret}\n`,
    secret.toLowerCase(),
    secret.toUpperCase(),
    secret.replace('quern_', ''),
    secret.replace(key.id, 'AAAAAAAA'),
    `${secret.slice(0, 15)}${'é'.repeat(43)}`,
    'x'.repeat(100_000),
    '__proto__',
  ];
  expect(near.map((text) => ring.verify(text))).toEqual(near.map(() => undefined));
});

test('a key that another process makes or revokes counts within a second, without a restart', async () => {
  const keys = testKeys();
  const ring = openKeyRing(keys);
  expect(await ring.count()).toBe(0);
  const { key, secret } = await createKey(keys, rights('one'));
  keys.clock.now += 1000;
  expect([ring.verify(secret), await ring.count()]).toEqual([key, 1]);
  const { secret: second } = await createKey(keys, rights('two'));
  await revokeKey(keys, 'one');
  keys.clock.now += 1000;
  expect([ring.verify(secret), ring.verify(second)?.name, await ring.count()]).toEqual([undefined, 'two', 1]);
});

test('without the file there are no keys, and with it they are back', async () => {
  const keys = testKeys();
  const { secret } = await createKey(keys, rights('one'));
  const ring = openKeyRing(keys);
  expect(ring.verify(secret)?.name).toBe('one');
  renameSync(keys.file, `${keys.file}.away`);
  keys.clock.now += 1000;
  expect([ring.verify(secret), await ring.count()]).toEqual([undefined, 0]);
  renameSync(`${keys.file}.away`, keys.file);
  keys.clock.now += 1000;
  expect(ring.verify(secret)?.name).toBe('one');
});

test('a key works until the very instant it expires', async () => {
  const keys = testKeys();
  const { secret } = await createKey(keys, rights('one', { expiresInSeconds: 60 }));
  const ring = openKeyRing(keys);
  keys.clock.now += 59_999;
  expect([ring.verify(secret)?.name, await ring.count()]).toEqual(['one', 1]);
  keys.clock.now += 1;
  expect([ring.verify(secret), await ring.count()]).toEqual([undefined, 0]);
});

test('a secret that was right before is right only for as long as its key, its grace and the file say so', async () => {
  const keys = testKeys();
  const { key, secret } = await createKey(keys, rights('one'));
  const ring = openKeyRing(keys);
  expect([ring.verify(secret), ring.verify(secret)]).toEqual([key, key]);
  const { secret: next } = await rotateKey(keys, 'one', { graceSeconds: 60 });
  keys.clock.now += 1000;
  expect([ring.verify(secret), ring.verify(next)]).toEqual([key, key]);
  keys.clock.now += 58_999;
  expect([ring.verify(secret), ring.verify(next)]).toEqual([key, key]);
  keys.clock.now += 1;
  expect([ring.verify(secret), ring.verify(next)]).toEqual([undefined, key]);
  await revokeKey(keys, 'one');
  await createKey(keys, rights('one'));
  keys.clock.now += 1000;
  expect([ring.verify(secret), ring.verify(next)]).toEqual([undefined, undefined]);
});

test('a file that is damaged while the server runs lets nobody in, and says so, until it is whole again', async () => {
  const keys = testKeys();
  const { secret } = await createKey(keys, rights('one'));
  const ring = openKeyRing(keys);
  expect(ring.verify(secret)?.name).toBe('one');
  renameSync(keys.file, `${keys.file}.away`);
  writeFileSync(keys.file, '{"version":1,"ke', { mode: 0o600 });
  keys.clock.now += 1000;
  for (const attempt of [() => ring.verify(secret), () => ring.verify(secret), () => ring.count()]) {
    expect(await failureOf(Promise.resolve().then<unknown>(attempt))).toEqual({
      code: 'config',
      message: `${keys.file} is damaged: it is not JSON`,
      hint: 'restore it from a copy, or move it away to start without keys',
    });
  }
  renameSync(`${keys.file}.away`, keys.file);
  keys.clock.now += 1000;
  expect(ring.verify(secret)?.name).toBe('one');
});

test('a file that others may read lets nobody in until its mode is right', async () => {
  const keys = testKeys();
  const { secret } = await createKey(keys, rights('one'));
  const ring = openKeyRing(keys);
  chmodSync(keys.file, 0o644);
  expect(failure(() => ring.verify(secret))['message']).toBe(`other users may read or change the keys in ${keys.file}: its mode is 644`);
  chmodSync(keys.file, 0o600);
  keys.clock.now += 1000;
  expect(ring.verify(secret)?.name).toBe('one');
});

test('a clock that is set back does not stop the look at the file', async () => {
  const keys = testKeys();
  const { secret } = await createKey(keys, rights('one'));
  const ring = openKeyRing(keys);
  expect(ring.verify(secret)?.name).toBe('one');
  rmSync(keys.file);
  keys.clock.now -= 86_400_000;
  expect(ring.verify(secret)).toBeUndefined();
});

test('there are several keys while more than one works, and while nobody can tell', async () => {
  const keys = testKeys();
  await createKey(keys, rights('one'));
  const ring = openKeyRing(keys);
  expect(ring.several()).toBe(false);
  await createKey(keys, rights('two', { expiresInSeconds: 60 }));
  keys.clock.now += 1000;
  expect(ring.several()).toBe(true);
  keys.clock.now += 60_000;
  expect(ring.several()).toBe(false);
  writeFileSync(keys.file, '{');
  keys.clock.now += 1000;
  expect(ring.several()).toBe(true);
});
