// Login to BigQuery's API: a key as the bearer, a token that Google's library has signed, and one from /token.
import { createSign, generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BigQuery } from '@google-cloud/bigquery';
import { BigQuery as BigQuery7 } from 'bigquery7';
import { OAuth2Client } from 'google-auth-library';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { tokenRoute } from '../../../../src/server/doors/bigquery/token.ts';
import { isFailure } from '../../../../src/server/http/failure.ts';
import { json } from '../../../../src/server/http/reply.ts';
import { ANYBODY, barredFromBigQuery } from '../../../../src/server/keys/authentication.ts';
import { createKey, type NewKey, revokeKey, rotateKey } from '../../../../src/server/keys/change-keys.ts';
import { newServiceAccount } from '../../../../src/server/keys/service-account.ts';
import type { Route } from '../../../../src/server/routes/route.ts';
import { folderOf } from '../../../queries/support.ts';
import { eventsEngine, served } from '../../server-support.ts';

const engine = eventsEngine();
afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

/** The list of datasets, one with the name of the caller. */
const datasets: Route = {
  method: 'GET',
  path: '/projects/:project/datasets',
  access: 'key',
  open:
    () =>
    ({ caller }) => {
      const name = caller === ANYBODY ? ANYBODY : caller.name;
      const dataset = { id: `demo:${name}`, datasetReference: { projectId: 'demo', datasetId: name } };
      return barredFromBigQuery(caller) ?? json({ datasets: [dataset] });
    },
};

interface Credentials {
  readonly client_email: string;
  readonly private_key: string;
  readonly private_key_id: string;
  readonly token_uri: string;
  readonly universe_domain: string;
}

/** A server that listens, a key with a service account, and its file. */
async function login(rights: Partial<NewKey> = {}) {
  const { publicKey, fileText } = await newServiceAccount();
  const running = await served(engine(), { key: {}, options: { routes: [tokenRoute, datasets] } });
  const { clock, keysFile, server } = running;
  const store = { file: keysFile, now: clock.now };
  const key = { name: 'reports', scopes: ['bigquery'], pins: {}, mayRefresh: false, publicKey, ...rights };
  const issued = await createKey(store, key);
  const url = await server.listen('127.0.0.1', 0);
  const file = join(folderOf({}), 'reports.json');
  writeFileSync(file, fileText({ keyId: issued.key.id, url }));
  const credentials = JSON.parse(readFileSync(file, 'utf8')) as Credentials;
  // Libraries sign for their own time.
  vi.useFakeTimers({ toFake: ['Date'], now: clock.now() });
  const later = (by: number): void => {
    clock.advance(by);
    vi.setSystemTime(clock.now());
  };
  return { ...running, ...issued, store, url, file, credentials, later };
}

const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
function signed(
  claims: object,
  { private_key: key }: Pick<Credentials, 'private_key'>,
  header: object = { alg: 'RS256', typ: 'JWT' },
): string {
  const text = `${base64url(header)}.${base64url(claims)}`;
  return `${text}.${createSign('RSA-SHA256').update(text).sign(key, 'base64url')}`;
}

const seconds = () => Math.floor(Date.now() / 1000);
const claimsOf = ({ client_email: iss, token_uri: aud }: Credentials, changes: object = {}) => ({
  iss,
  scope: 'https://www.googleapis.com/auth/bigquery',
  aud,
  iat: seconds(),
  exp: seconds() + 3600,
  ...changes,
});
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
async function tokenFor(url: string, assertion: string, form = true) {
  const fields = { grant_type: GRANT, assertion };
  const body = form ? new URLSearchParams(fields) : JSON.stringify(fields);
  const reply = await fetch(`${url}/token`, { method: 'POST', body, headers: form ? {} : { 'content-type': 'application/json' } });
  return {
    status: reply.status,
    ...((await reply.json()) as {
      readonly access_token?: string;
      readonly error?: string;
      readonly error_description?: string;
      readonly expires_in?: number;
    }),
  };
}
async function statusWith(url: string, token: string) {
  return (await fetch(`${url}/projects/demo/datasets`, { headers: { authorization: `Bearer ${token}` } })).status;
}

describe("Google's library", () => {
  test.each([
    ['8', BigQuery],
    ['7', BigQuery7 as unknown as typeof BigQuery], // the same calls
  ])('of version %s signs a token itself with the file', async (_, Client) => {
    const { url, file, credentials } = await login();
    vi.stubEnv('BIGQUERY_EMULATOR_HOST', url);
    vi.stubEnv('GOOGLE_CLOUD_UNIVERSE_DOMAIN', credentials.universe_domain);
    const [found] = await new Client({ projectId: 'demo', keyFilename: file }).getDatasets();
    expect(found.map(({ id }) => id)).toEqual(['reports']);
  });

  test('sends a key, or what /token gave, as the access token', async () => {
    const { url, secret, credentials } = await login();
    vi.stubEnv('BIGQUERY_EMULATOR_HOST', url);
    const { access_token: token = '' } = await tokenFor(url, signed(claimsOf(credentials), credentials));
    for (const access_token of [secret, token]) {
      const authClient = new OAuth2Client();
      authClient.setCredentials({ access_token });
      const [found] = await new BigQuery({ projectId: 'demo', authClient: authClient as never }).getDatasets(); // of the same library in another place
      expect(found.map(({ id }) => id)).toEqual(['reports']);
    }
  });

  test('is told what a key without the scope lacks', async () => {
    const { url, file, credentials } = await login({ scopes: ['*'] });
    vi.stubEnv('BIGQUERY_EMULATOR_HOST', url);
    vi.stubEnv('GOOGLE_CLOUD_UNIVERSE_DOMAIN', credentials.universe_domain);
    await expect(new BigQuery({ projectId: 'demo', keyFilename: file }).getDatasets()).rejects.toThrow(
      "the API key does not cover BigQuery's API",
    );
  });
});

describe('POST /token', () => {
  test.each([true, false])('takes a form (%s) or JSON, and gives a token for as long as was asked', async (form) => {
    const { url, credentials } = await login();
    const {
      status,
      access_token: token = '',
      expires_in: expires,
      ...rest
    } = await tokenFor(url, signed(claimsOf(credentials), credentials), form);
    expect([status, rest]).toEqual([200, { token_type: 'Bearer' }]);
    expect(expires).toBeGreaterThan(3500);
    expect(expires).toBeLessThanOrEqual(3600);
    expect(await statusWith(url, token)).toBe(200);
  });

  test('takes an assertion whose parts are padded, as Python’s library pads them up to 1.5', async () => {
    const { url, credentials } = await login();
    const pad = (part: string) => part.padEnd(4 * Math.ceil(part.length / 4), '=');
    const head = [{ alg: 'RS256', typ: 'JWT' }, claimsOf(credentials)].map((part) => pad(base64url(part))).join('.');
    const token = `${head}.${pad(createSign('RSA-SHA256').update(head).sign(credentials.private_key, 'base64url'))}`;
    expect(token).toContain('=');
    expect((await tokenFor(url, token)).status).toBe(200);
    expect(await statusWith(url, token)).toBe(200);
  });

  test('knows the server by the name that the client used', async () => {
    const { url, credentials } = await login();
    const { port } = new URL(url);
    const ask = async (aud: unknown) =>
      (await tokenFor(`http://localhost:${port}`, signed(claimsOf(credentials, { aud }), credentials))).status;
    expect(await ask(`http://localhost:${port}/token`)).toBe(200);
    expect(await ask(`https://localhost:${port}/token`)).toBe(200); // TLS ends at a proxy
    expect(await ask(['https://elsewhere.example/token', `http://localhost:${port}/token`])).toBe(200);
    expect(await ask(credentials.token_uri)).toBe(400);
  });

  const other = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  test.each<[what: string, changes: (now: number) => object, told: string]>([
    ['expired', (now) => ({ iat: now - 7200, exp: now - 3600 }), 'it has expired'],
    ['of a time to come', (now) => ({ iat: now + 600, exp: now + 1200 }), 'it is of a time to come'],
    ['valid for a day', (now) => ({ exp: now + 86_400 }), 'it is valid for longer than an hour'],
    ['without an end', () => ({ exp: undefined }), 'it has no exp or no iat'],
    ['for another server', () => ({ aud: 'https://oauth2.googleapis.com/token' }), 'its aud is not the address of this server'],
    ['for nobody', () => ({ aud: undefined }), 'the assertion has no aud'],
    ['of another account', () => ({ iss: 'AAAAAAAA@keys.quern.internal' }), 'it is not signed by the service account of a key'],
    ['of Google', () => ({ iss: 'robot@project.iam.gserviceaccount.com' }), 'the assertion is not of a service account that'],
    ['for somebody else', () => ({ sub: 'admin@example.com' }), 'it is for somebody else'],
  ])('refuses an assertion %s', async (_, changes, told) => {
    const { url, credentials } = await login();
    const reply = await tokenFor(url, signed(claimsOf(credentials, changes(seconds())), credentials));
    expect(reply).toEqual({ status: 400, error: 'invalid_grant', error_description: expect.stringContaining(told) });
  });

  test('refuses signatures of others, of none, and by shared secrets', async () => {
    const { url, credentials } = await login();
    const claims = claimsOf(credentials);
    const good = signed(claims, credentials);
    const forged = [
      signed(claims, { private_key: other.privateKey }),
      signed(claims, credentials, { alg: 'none' }),
      `${base64url({ alg: 'none' })}.${base64url(claims)}.`,
      signed(claims, credentials, { alg: 'HS256' }),
      `${good.slice(0, -10)}AAAAAAAAAA`,
    ];
    for (const one of forged) {
      expect(await tokenFor(url, one)).toMatchObject({ status: 400, error: 'invalid_grant' });
      expect(await statusWith(url, one)).toBe(401);
    }
    const [header = '', , signature = ''] = good.split('.');
    expect(await statusWith(url, `${header}.${base64url({ ...claims, exp: seconds() + 3000 })}.${signature}`)).toBe(401);
  });

  test('says in OAuth’s form what is missing', async () => {
    const { url } = await login();
    const ask = async (body: URLSearchParams) => {
      const reply = await fetch(`${url}/token`, { method: 'POST', body });
      return [reply.status, reply.headers.get('cache-control'), ((await reply.json()) as { readonly error: string }).error];
    };
    expect(await ask(new URLSearchParams({ grant_type: 'client_credentials' }))).toEqual([400, 'no-store', 'unsupported_grant_type']);
    expect(await ask(new URLSearchParams({ grant_type: GRANT }))).toEqual([400, 'no-store', 'invalid_request']);
  });

  test('takes forms at no other address', async () => {
    const { url, secret } = await login();
    const reply = await fetch(`${url}/projects/demo/datasets`, {
      method: 'POST',
      body: new URLSearchParams({ a: 'b' }),
      headers: { 'x-api-key': secret },
    });
    expect(reply.status).toBe(405);
  });
});

describe('a token ends', () => {
  test('with its key, also on a server that has known it', async () => {
    const { url, store, credentials, later } = await login();
    const own = signed({ ...claimsOf(credentials), aud: undefined }, credentials);
    const { access_token: token = '' } = await tokenFor(url, signed(claimsOf(credentials), credentials));
    expect([await statusWith(url, own), await statusWith(url, token)]).toEqual([200, 200]);
    await revokeKey(store, 'reports');
    later(1);
    expect([await statusWith(url, own), await statusWith(url, token)]).toEqual([401, 401]);
    expect((await tokenFor(url, signed(claimsOf(credentials), credentials))).error).toBe('invalid_grant');
  });

  test('when its time is over', async () => {
    const { url, credentials, later } = await login();
    const token = signed(claimsOf(credentials), credentials);
    expect(await statusWith(url, token)).toBe(200);
    later(3700);
    expect(await statusWith(url, token)).toBe(401);
  });

  test('when the key gets another secret, or after its grace', async () => {
    const { url, credentials, store, later } = await login();
    const next = await newServiceAccount();
    const token = () => signed(claimsOf(credentials), credentials);
    const { key } = await rotateKey(store, 'reports', { graceSeconds: 600, publicKey: next.publicKey });
    later(1);
    const renewed = JSON.parse(next.fileText({ keyId: key.id, url })) as Credentials;
    expect([await statusWith(url, token()), await statusWith(url, signed(claimsOf(renewed), renewed))]).toEqual([200, 200]);
    later(601);
    expect([await statusWith(url, token()), await statusWith(url, signed(claimsOf(renewed), renewed))]).toEqual([401, 200]);
    await rotateKey(store, 'reports');
    later(1);
    expect(await statusWith(url, signed(claimsOf(renewed), renewed))).toBe(401);
  });

  test('with the expiry of its key', async () => {
    const { url, credentials, later } = await login({ expiresInSeconds: 60 });
    expect(await statusWith(url, signed(claimsOf(credentials), credentials))).toBe(200);
    later(61);
    expect(await statusWith(url, signed(claimsOf(credentials), credentials))).toBe(401);
  });
});

test('a key’s rate holds for its tokens, and its secret and tokens count together', async () => {
  const { url, secret, credentials } = await login({ rate: { count: 2, perSeconds: 600 } });
  expect(await statusWith(url, secret)).toBe(200);
  expect(await statusWith(url, signed(claimsOf(credentials), credentials))).toBe(200);
  expect(await statusWith(url, signed({ ...claimsOf(credentials), aud: undefined }, credentials))).toBe(429);
});

test('* does not cover the API, and the scope covers no saved query', async () => {
  const caller = { id: 'x', name: 'x', prefix: 'x', pins: {}, mayRefresh: false, createdAt: '' };
  expect(isFailure(barredFromBigQuery({ ...caller, scopes: ['*'] }))).toBe(true);
  expect(barredFromBigQuery({ ...caller, scopes: ['usage.*', 'bigquery'] })).toBeUndefined();
});

test('a server without keys gives a token, too', async () => {
  const { server } = await served(engine(), { options: { routes: [tokenRoute, datasets] } });
  const { fileText } = await newServiceAccount();
  const url = await server.listen('127.0.0.1', 0);
  const credentials = JSON.parse(fileText({ keyId: 'AAAAAAAA', url })) as Credentials;
  const { access_token: token = '' } = await tokenFor(url, signed(claimsOf(credentials), credentials));
  expect(await statusWith(url, token)).toBe(200);
});
