// An identity provider of the tests' own, which signs tokens, changes its keys, and goes away; and a server that takes its tokens.
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { onTestFinished } from 'vitest';
import type { EmbeddedEngine } from '../../../src/engine/embedded/embedded.ts';
import { openTokens, type TokenRules } from '../../../src/server/keys/tokens.ts';
import { testClock } from '../answers/answers-support.ts';
import { type ServedOptions, served } from '../server-support.ts';

interface Provider {
  readonly issuer: string;
  /** How often its keys were asked for. */
  readonly asked: () => number;
  /** Signs with the newest key. */
  sign(claims: JWTPayload, header?: object): Promise<string>;
  /** A new key; the ones before it are gone. */
  rotate(): Promise<void>;
  close(): Promise<void>;
}

export async function provider(): Promise<Provider> {
  let asked = 0;
  let count = 0;
  let key: { readonly kid: string; readonly pair: Awaited<ReturnType<typeof generateKeyPair>> } | undefined;
  const server: HttpServer = createServer(async (request, reply) => {
    reply.setHeader('content-type', 'application/json');
    if (request.url === '/.well-known/openid-configuration') reply.end(JSON.stringify({ issuer, jwks_uri: `${issuer}/keys` }));
    else if (request.url === '/keys' && key !== undefined) {
      asked++;
      const { kid, pair } = key;
      reply.end(JSON.stringify({ keys: [{ ...(await exportJWK(pair.publicKey)), kid, alg: 'ES256', use: 'sig' }] }));
    } else reply.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on a port
  const close = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  onTestFinished(close);
  const rotate = async (): Promise<void> => {
    key = { kid: `key-${++count}`, pair: await generateKeyPair('ES256') };
  };
  await rotate();
  return {
    issuer,
    asked: () => asked,
    sign: (claims, header = {}) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: key?.kid ?? '', ...header }).sign(key?.pair.privateKey as SigningKey),
    rotate,
    close,
  };
}

type SigningKey = Awaited<ReturnType<typeof generateKeyPair>>['privateKey'];

export const AUDIENCE = 'https://quern.example';

/** A server that takes tokens and a key, and what asks it with a token. */
export async function signedIn(engine: EmbeddedEngine, rules: Partial<TokenRules> = {}, options: ServedOptions['options'] = {}) {
  const idp = await provider();
  const clock = testClock();
  const troubles: string[] = [];
  const tokens = openTokens({
    rules: { issuer: idp.issuer, audience: AUDIENCE, scopesClaim: 'scope', pins: {}, ...rules },
    now: clock.now,
    onTrouble: (message) => troubles.push(message),
    cooldownMs: 0,
  });
  const world = await served(engine, { key: { scopes: ['*'] }, options: { ...options, tokens } });
  const seconds = () => Math.floor(clock.now() / 1000);
  const claims = (more: JWTPayload = {}): JWTPayload => ({
    iss: idp.issuer,
    aud: AUDIENCE,
    sub: 'mary@example.com',
    iat: seconds(),
    exp: seconds() + 600,
    scope: 'openid quern:ids',
    ...more,
  });
  const ask = (token: string, url = '/api/endpoints/ids?area=rest') =>
    world.server.fastify.inject({ url, headers: { authorization: `Bearer ${token}` } });
  return { idp, tokensClock: clock, troubles, world, claims, ask };
}
