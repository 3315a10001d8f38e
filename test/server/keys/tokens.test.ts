// Callers who have signed in at an identity provider.
import { type JWTPayload, SignJWT } from 'jose';
import { describe, expect, onTestFinished, test } from 'vitest';
import { cliHome } from '../../support/run-cli.ts';
import { eventsEngine, expectError } from '../server-support.ts';
import { provider, signedIn } from './provider.ts';

const engine = eventsEngine();

function withoutSubject({ sub: _, ...rest }: JWTPayload): JWTPayload {
  return rest;
}

describe('a token of the identity provider', () => {
  test('covers the saved queries that its scopes name, and no others', async () => {
    const { idp, claims, ask, world } = await signedIn(engine());
    const token = await idp.sign(claims());
    expect((await ask(token)).json().result).toHaveLength(4);
    expect(expectError(await ask(token, '/api/endpoints/series'), 403, 'forbidden')).toMatchObject({
      message: 'the token does not cover series',
      hint: 'let the identity provider give it the scope quern:series',
    });
    expectError(await ask(token, '/metrics'), 403, 'forbidden');
    expect((await ask(token, '/api/console')).json()).toMatchObject({ key: 'mary@example.com', endpoints: [{ name: 'ids' }] });
    // One look at the provider's keys is enough.
    expect(idp.asked()).toBe(1);
    expect(world.log.find(({ endpoint }) => endpoint === 'ids')?.['key']).toMatch(/^oidc-[0-9a-f]{16}$/);
    expect(JSON.stringify(world.log)).not.toContain('mary');
  });

  test('is what a caller without any is told of, beside a key', async () => {
    const { world } = await signedIn(engine());
    const { message, hint } = expectError(await world.server.fastify.inject({ url: '/api/endpoints/ids' }), 401, 'unauthorized');
    expect([message, hint]).toEqual([
      'this server requires an API key, or a token of its identity provider',
      'send a key in the header X-API-KEY, or a token as Authorization: Bearer',
    ]);
  });

  test('sets the parameters that are pinned to its claims', async () => {
    const { idp, claims, ask } = await signedIn(engine(), { pins: { area: 'team' }, scopesClaim: 'roles' });
    const token = await idp.sign(claims({ team: 'auth', roles: ['admin', 'quern:ids'] }));
    expect((await ask(token, '/api/endpoints/ids')).json().result.every(({ area }: { area: string }) => area === 'auth')).toBe(true);
    expect(expectError(await ask(token, '/api/endpoints/ids?area=rest'), 400, 'parameter').message).toBe(
      'the token does not allow these arguments of ids',
    );
    const without = await idp.sign(claims({ roles: ['quern:*'] }));
    expect(expectError(await ask(without), 403, 'forbidden').message).toBe(
      'the token does not cover anything here: it has no claim team, which sets the parameter area',
    );
  });

  test('is refused with the reason when it is not for this server, expired, forged, or without scopes', async () => {
    const { idp, claims, ask, tokensClock } = await signedIn(engine());
    const other = await provider();
    const token = await idp.sign(claims());
    const [head = '', , signature = ''] = token.split('.');
    const forged = `${head}.${Buffer.from(JSON.stringify(claims({ scope: 'quern:*' }))).toString('base64url')}.${signature}`;
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${token.split('.')[1]}.`;
    const shared = new SignJWT(claims()).setProtectedHeader({ alg: 'HS256', kid: 'key-1' }).sign(new TextEncoder().encode('x'.repeat(32)));
    const reasons = async (text: string | Promise<string>) => expectError(await ask(await text), 401, 'unauthorized').message;
    expect(await reasons(idp.sign(claims({ aud: 'https://other.example' })))).toBe(
      'the token is not valid here: its claim aud is missing or not what this server expects',
    );
    expect(await reasons(idp.sign(claims({ iss: 'https://other.example' })))).toMatch(/its claim iss is missing or not what/);
    expect(await reasons(idp.sign(withoutSubject(claims())))).toMatch(/its claim sub is missing/);
    for (const text of [forged, unsigned, shared, other.sign(claims())])
      expect(await reasons(text)).toBe('the token is not valid here: it is not signed by the identity provider of this server');
    expectError(await ask(await idp.sign(claims({ scope: 'openid' }))), 403, 'forbidden');
    expect((await ask(token)).statusCode).toBe(200);
    tokensClock.advance(700);
    expect(await reasons(token)).toBe('the token is not valid here: it has expired');
    expect((await ask('a.b.c')).statusCode).toBe(401);
  });

  test('is taken when the provider has a new key, and one of the old key no longer once it is forgotten', async () => {
    const { idp, claims, ask } = await signedIn(engine());
    expect((await ask(await idp.sign(claims()))).statusCode).toBe(200);
    await idp.rotate();
    expect((await ask(await idp.sign(claims({ sub: 'john' })))).statusCode).toBe(200);
    expect(idp.asked()).toBe(2);
  });

  test('cannot be verified while the provider is away: that is told as such, and keys still work', async () => {
    const { idp, claims, ask, world, troubles } = await signedIn(engine());
    const token = await idp.sign(claims());
    await idp.close();
    const reply = await ask(token);
    expect(expectError(reply, 503, 'unreachable').message).toBe(
      'the identity provider cannot be asked for its keys, so the token cannot be verified',
    );
    expect(reply.headers['retry-after']).toBe('5');
    expect(troubles[0]).toContain(`the identity provider ${idp.issuer} cannot be asked for its keys: `);
    expect((await world.ask('/api/endpoints/ids?area=rest')).statusCode).toBe(200);
  });

  test('is asked of the provider once, however many requests bring it at the same time', async () => {
    const { idp, claims, ask } = await signedIn(engine());
    const token = await idp.sign(claims());
    const statuses = await Promise.all(Array.from({ length: 20 }, async () => (await ask(token)).statusCode));
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(idp.asked()).toBe(1);
  });
});

describe('at the start', () => {
  test.each([
    [{ QUERN_OIDC_ISSUER: 'https://login.example' }, [], 'oidc_issuer is set, but oidc_audience is not'],
    [
      { QUERN_OIDC_ISSUER: 'http://login.example', QUERN_OIDC_AUDIENCE: 'a' },
      [],
      'oidc_issuer http://login.example is not an https:// address, so anyone on the network path could forge tokens',
    ],
    [
      { QUERN_OIDC_ISSUER: 'https://login.example', QUERN_OIDC_AUDIENCE: 'a' },
      ['--no-auth'],
      'oidc_issuer requires callers to sign in, but --no-auth lets everyone in',
    ],
  ])('%j with %j is an error', async (env, flags, message) => {
    const home = cliHome();
    onTestFinished(() => home.remove());
    const { stderr, exitCode } = await home.run(['serve', '--port', '0', ...flags], { env });
    expect(stderr).toMatch(new RegExp(`^error\\[usage\\]: ${message.replace(/[.*+?^$()[\]{}|\\]/g, '\\$&')}\n   = hint: `));
    expect(exitCode).toBe(2);
  });
});
