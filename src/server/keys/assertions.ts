// Tokens that the service account of an API key has signed (JSON Web Tokens, RS256). They are verified with what the key file says now, so that every server
// that reads the file takes them, and none once the key has ended.
// https://www.rfc-editor.org/rfc/rfc7523, https://google.aip.dev/auth/4111

import { createPublicKey, verify } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { LRUCache } from 'lru-cache';
import { jsonIn } from '../../base/json.ts';
import type { Failure } from '../http/failure.ts';
import { isToken } from './credentials.ts';
import { hostOf } from './host.ts';
import type { Key } from './key.ts';
import type { KeyRing } from './key-ring.ts';
import { keyIdOf, TOKEN_PATH } from './service-account.ts';

type Claims = Readonly<Record<string, unknown>>;

const MOST_REMEMBERED = 10_000;
const LONGEST_TOKEN = 16_384;
/** Clocks differ. */
const TOLERANCE_SECONDS = 30;
/** As long as Google lets its tokens live. */
const LONGEST_SECONDS = 3600;

/** Returns the claims of a token that a service account is said to have signed; undefined for any other text. Nothing of it is verified. */
export function claimsIn(token: string): Claims | undefined {
  if (token.length > LONGEST_TOKEN || !isToken(token)) return undefined;
  const claims = partOf(token, 1);
  return claims !== undefined && keyIdOf(claims['iss']) !== undefined ? claims : undefined;
}

function partOf(token: string, part: number): Claims | undefined {
  const value = jsonIn(Buffer.from(token.split('.')[part] ?? '', 'base64url').toString('utf8'));
  return typeof value === 'object' && value !== null ? (value as Claims) : undefined;
}

/** Returns the caller who shows such a token, or why they are not let in; undefined for a text of another kind. Throws what the key ring throws. */
export type ReadAssertion = (token: string, headers: IncomingHttpHeaders) => Key | Failure | undefined;

/** `now`: milliseconds since 1970. */
export function createReadAssertion(ring: Pick<KeyRing, 'signer'>, now: () => number): ReadAssertion {
  /** The public key that has signed a token, which takes longest to find out. */
  const signed = new LRUCache<string, string>({ max: MOST_REMEMBERED });
  return (token, headers) => {
    const claims = claimsIn(token);
    if (claims === undefined) return undefined;
    const signer = ring.signer(keyIdOf(claims['iss']) ?? '');
    const before = signed.get(token);
    const by = signer?.publicKeys.find((one) => one === before) ?? signer?.publicKeys.find((one) => isSignedBy(token, one));
    if (signer === undefined || by === undefined)
      return invalid('it is not signed by the service account of a key, or the key is revoked or expired');
    signed.set(token, by);
    const problem = problemOf(claims, headers, now() / 1000);
    return problem === undefined ? signer.key : invalid(problem);
  };
}

function isSignedBy(token: string, publicKey: string): boolean {
  if (partOf(token, 0)?.['alg'] !== 'RS256') return false;
  const end = token.lastIndexOf('.');
  const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
  return verify('RSA-SHA256', Buffer.from(token.slice(0, end)), key, Buffer.from(token.slice(end + 1), 'base64url'));
}

function problemOf({ exp, iat, aud, sub, iss }: Claims, headers: IncomingHttpHeaders, nowSeconds: number): string | undefined {
  if (typeof exp !== 'number' || typeof iat !== 'number') return 'it has no exp or no iat';
  if (exp + TOLERANCE_SECONDS <= nowSeconds) return 'it has expired';
  if (iat - TOLERANCE_SECONDS > nowSeconds) return 'it is of a time to come: are the clocks right?';
  if (exp - iat > LONGEST_SECONDS + TOLERANCE_SECONDS) return 'it is valid for longer than an hour';
  if (sub !== undefined && sub !== iss) return 'it is for somebody else than its service account';
  // What a library has signed for a request, and not for the token server, has none.
  return aud === undefined || isFor(aud, headers) ? undefined : 'its aud is not the address of this server';
}

/** The name of this server is the one that the client used. */
function isFor(aud: unknown, headers: IncomingHttpHeaders): boolean {
  return [aud].flat().some((one: unknown) => {
    if (typeof one !== 'string' || !URL.canParse(one)) return false;
    const { protocol, host, pathname } = new URL(one);
    const here = `${protocol}//${hostOf(headers) ?? ''}`;
    return pathname === TOKEN_PATH && URL.canParse(here) && new URL(here).host === host;
  });
}

const invalid = (reason: string): Failure => ({
  status: 401,
  code: 'unauthorized',
  message: `the token is not valid here: ${reason}`,
  hint: 'log in again, with a file that `quern keys create --google-credentials` has written',
  headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
});
