// Making, rotating and revoking keys: what each does to the file and to the secrets.
import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { createKey, listKeys, revokeKey, rotateKey } from '../../../src/server/keys/change-keys.ts';
import { openKeyRing } from '../../../src/server/keys/key-ring.ts';
import { failureOf } from '../../support/told.ts';
import { rights, testKeys } from './support.ts';

test('a secret has 256 random bits behind a prefix that is shown; the file holds its hash only', async () => {
  const keys = testKeys();
  const { key, secret } = await createKey(keys, rights('one', { scopes: ['usage.*'], pins: { project: 'abc' }, maxRows: 5 }));
  expect(secret).toMatch(/^quern_[0-9A-Za-z]{8}_[0-9A-Za-z]{43}$/);
  expect(secret.startsWith(`${key.prefix}_`)).toBe(true);
  expect(key).toEqual({
    id: key.id,
    prefix: `quern_${key.id}`,
    name: 'one',
    scopes: ['usage.*'],
    pins: { project: 'abc' },
    maxRows: 5,
    mayRefresh: false,
    createdAt: '2026-01-02T00:00:00.000Z',
  });
  expect(listKeys(keys)).toEqual([key]);
  expect(readFileSync(keys.file, 'utf8').includes(secret.slice(-43))).toBe(false);
});

test('the file is its owner’s alone, and so is its folder', async () => {
  const keys = testKeys();
  await createKey(keys, rights('one'));
  expect([keys.file, dirname(keys.file)].map((path) => (statSync(path).mode & 0o777).toString(8))).toEqual(['600', '700']);
});

test('a thousand secrets differ in every part', async () => {
  const { newId, newSecret } = await import('../../../src/server/keys/secret.ts');
  const secrets = Array.from({ length: 1000 }, () => newSecret(newId()));
  expect(new Set(secrets.map((secret) => secret.slice(6, 14))).size).toBe(1000);
  expect(new Set(secrets.map((secret) => secret.slice(15))).size).toBe(1000);
  expect(new Set(secrets.flatMap((secret) => [...secret.slice(15)])).size).toBe(62);
});

test('a name means one key', async () => {
  const keys = testKeys();
  const { key } = await createKey(keys, rights('one'));
  for (const name of ['one', key.id, key.prefix]) {
    expect(await failureOf(createKey(keys, rights(name)))).toEqual({
      code: 'usage',
      message: `the key ${name} already exists`,
      hint: `choose another name, or give the key a new secret with \`quern keys rotate ${key.prefix}\``,
    });
  }
});

test('a key is revoked by its name, id, prefix or secret', async () => {
  const keys = testKeys();
  for (const by of ['name', 'id', 'prefix'] as const) {
    const { key } = await createKey(keys, rights('one'));
    expect(await revokeKey(keys, key[by])).toEqual(key);
  }
  const { key, secret } = await createKey(keys, rights('one'));
  const other = await createKey(keys, rights('two'));
  expect(await revokeKey(keys, secret)).toEqual(key);
  expect(listKeys(keys)).toEqual([other.key]);
});

test('an unknown key is an error that does not repeat a secret', async () => {
  const keys = testKeys();
  await createKey(keys, rights('dashboard'));
  expect(await failureOf(revokeKey(keys, 'dashbord'))).toEqual({
    code: 'usage',
    message: 'there is no key dashbord',
    hint: 'did you mean dashboard?',
  });
  for (const secret of [`quern_AAAAAAAA_${'x'.repeat(43)}`, `quern_AAAAAAAA_${'x'.repeat(20)}`]) {
    expect((await failureOf(rotateKey(keys, secret)))['message']).toBe('there is no key quern_AAAAAAAA');
  }
});

test('rotating without grace ends every older secret; the rights stay', async () => {
  const keys = testKeys();
  const { key, secret } = await createKey(keys, rights('one', { pins: { project: 'abc' }, maxConcurrent: 2 }));
  const graced = await rotateKey(keys, 'one', { graceSeconds: 3600 });
  const last = await rotateKey(keys, 'one');
  expect(last.key).toEqual(key);
  const ring = openKeyRing(keys);
  expect(await Promise.all([secret, graced.secret, last.secret].map((one) => ring.verify(one)))).toEqual([undefined, undefined, key]);
});

test('rotating with grace lets older secrets work until it is over, each for its own time', async () => {
  const keys = testKeys();
  const first = await createKey(keys, rights('one'));
  const second = await rotateKey(keys, 'one', { graceSeconds: 3600 });
  keys.clock.now += 1_800_000;
  const third = await rotateKey(keys, 'one', { graceSeconds: 3600 });
  const working = async () => {
    const ring = openKeyRing(keys);
    return Promise.all([first, second, third].map(async ({ secret }) => (await ring.verify(secret))?.name));
  };
  expect(await working()).toEqual(['one', 'one', 'one']);
  keys.clock.now += 1_800_000;
  expect(await working()).toEqual([undefined, 'one', 'one']);
  keys.clock.now += 1_800_000;
  expect(await working()).toEqual([undefined, undefined, 'one']);
});

test('an expired key is not rotated unless it gets a new time to expire', async () => {
  const keys = testKeys();
  await createKey(keys, rights('one', { expiresInSeconds: 60 }));
  keys.clock.now += 60_000;
  expect(await failureOf(rotateKey(keys, 'one'))).toEqual({
    code: 'usage',
    message: 'the key one has expired: a new secret would not work',
    hint: 'add --expires, such as --expires 90d',
  });
  const { key, secret } = await rotateKey(keys, 'one', { expiresInSeconds: 60 });
  expect(key.expiresAt).toBe('2026-01-02T00:02:00.000Z');
  expect(await openKeyRing(keys).verify(secret)).toEqual(key);
});

test('a time to expire that no calendar has is refused, and nothing is written', async () => {
  const keys = testKeys();
  expect(await failureOf(createKey(keys, rights('one', { expiresInSeconds: 1e15 })))).toEqual({
    code: 'usage',
    message: 'that is after the year 9999',
    hint: 'leave out --expires for a key that does not expire',
  });
  expect(listKeys(keys)).toEqual([]);
});
