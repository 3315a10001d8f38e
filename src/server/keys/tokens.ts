// Callers who have signed in at an identity provider: a JSON Web Token in place of an API key, whose claims say what its bearer may do.
// https://openid.net/specs/openid-connect-discovery-1_0.html, https://www.rfc-editor.org/rfc/rfc9068

import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import { messageOf } from '../../base/errors.ts';
import { type Failure, isFailure } from '../http/failure.ts';
import { claimsIn } from './assertions.ts';
import { bearerIn, isLoopback, isToken } from './credentials.ts';
import type { Key } from './key.ts';

export interface TokenRules {
  /** As it stands in tokens, and where the provider describes itself. */
  readonly issuer: string;
  /** The audience of tokens for this server. */
  readonly audience: string;
  /** The claim with the saved queries that a bearer may run: words such as `quern:usage.*`. */
  readonly scopesClaim: string;
  /** Parameters that tokens set, each with the claim that its value is in. */
  readonly pins: Readonly<Record<string, string>>;
}

interface TokensOptions {
  readonly rules: TokenRules;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Called with the reason why the provider cannot be reached. */
  readonly onTrouble: (message: string) => void;
  /** Between two looks for keys that are not known yet; default: 30 seconds. */
  readonly cooldownMs?: number;
}

type Found = { readonly result: Key | Failure; readonly untilMs: number };

/** Signatures that anybody can check and only the provider can make. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'];
const MOST_REMEMBERED = 10_000;
const LONGEST_TOKEN = 16_384;
const REFUSED_MS = 10_000;
const TOLERANCE_SECONDS = 30;
const TIMEOUT_MS = 5000;
const COOLDOWN_MS = 30_000;
const PREFIX = 'quern:';
const EXPIRED = 'it has expired';

export type Tokens = ReturnType<typeof openTokens>;

export function openTokens({ rules, now, onTrouble, cooldownMs = COOLDOWN_MS }: TokensOptions) {
  const remembered = new LRUCache<string, Found>({ max: MOST_REMEMBERED });
  const underWay = new Map<string, Promise<void>>();
  let keys: Promise<JWTVerifyGetKey> | undefined;

  const providersKeys = (): Promise<JWTVerifyGetKey> => {
    keys ??= discover(rules.issuer, cooldownMs).catch((error: unknown) => {
      keys = undefined; // the next token asks again
      throw error;
    });
    return keys;
  };

  const verify = async (token: string): Promise<Found> => {
    const refused = (result: Failure): Found => ({ result, untilMs: now() + REFUSED_MS });
    try {
      const { payload } = await jwtVerify(token, await providersKeys(), {
        issuer: rules.issuer,
        audience: rules.audience,
        algorithms: ALGORITHMS,
        clockTolerance: TOLERANCE_SECONDS,
        requiredClaims: ['sub', 'exp'],
        currentDate: new Date(now()),
      });
      const caller = callerIn(payload, rules);
      return isFailure(caller) ? refused(caller) : { result: caller, untilMs: ((payload.exp ?? 0) + TOLERANCE_SECONDS) * 1000 };
    } catch (error) {
      const reason = reasonOf(error);
      if (reason !== undefined) return refused(invalidToken(reason));
      onTrouble(`the identity provider ${rules.issuer} cannot be asked for its keys: ${messageOf(error)}`);
      return { result: providerAway, untilMs: now() };
    }
  };

  return {
    /** Verifies the token of a request, if it has one that has not been seen before. Never rejects. */
    async look(headers: IncomingHttpHeaders) {
      const token = tokenIn(headers);
      if (token === undefined || (remembered.get(token)?.untilMs ?? 0) > now()) return;
      const work =
        underWay.get(token) ??
        verify(token)
          .then((found) => void remembered.set(token, found))
          .finally(() => underWay.delete(token));
      underWay.set(token, work);
      await work;
    },
    /** Returns what came of it, until the token ends; undefined for a request without a token. Asked again, it says what is true then. */
    callerOf(headers: IncomingHttpHeaders) {
      const token = tokenIn(headers);
      const found = token === undefined ? undefined : remembered.get(token);
      if (found === undefined || isFailure(found.result) || now() < found.untilMs) return found?.result;
      return invalidToken(EXPIRED);
    },
  };
}

function tokenIn(headers: IncomingHttpHeaders): string | undefined {
  const token = bearerIn(headers);
  // Those of service accounts are none of the provider's.
  return token !== undefined && token.length <= LONGEST_TOKEN && isToken(token) && claimsIn(token) === undefined ? token : undefined;
}

/** Rejects when the provider cannot be asked, or describes itself as another. */
async function discover(issuer: string, cooldownDuration: number): Promise<JWTVerifyGetKey> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const reply = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'error' });
  if (!reply.ok) throw new Error(`${address} answered with the status ${reply.status}`);
  const described = (await reply.json()) as { readonly issuer?: unknown; readonly jwks_uri?: unknown };
  if (described.issuer !== issuer) throw new Error(`${address} describes ${JSON.stringify(described.issuer)}`);
  if (typeof described.jwks_uri !== 'string' || !URL.canParse(described.jwks_uri)) throw new Error(`${address} names no jwks_uri`);
  const keysAddress = new URL(described.jwks_uri);
  if (!isSafe(keysAddress, issuer))
    throw new Error(`${address} names a jwks_uri that is not an https:// address, so anyone on the network path could forge tokens`);
  // Answers that lead elsewhere are not followed.
  return createRemoteJWKSet(keysAddress, { timeoutDuration: TIMEOUT_MS, cooldownDuration });
}

/** Keys come over TLS, or stay on this machine as their issuer does. */
const isSafe = ({ protocol, hostname }: URL, issuer: string): boolean =>
  protocol === 'https:' || (protocol === 'http:' && new URL(issuer).protocol === 'http:' && isLoopback(hostname));

/** Returns the refusal for a token; undefined if the token is not to blame. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof errors.JWTExpired) return EXPIRED;
  if (error instanceof errors.JWTClaimValidationFailed) return `its claim ${error.claim} is missing or not what this server expects`;
  if (error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid || !(error instanceof errors.JOSEError)) return undefined;
  // What the key set could not be read for, rather than what is wrong with the token.
  if (error.code === 'ERR_JOSE_GENERIC') return undefined;
  return 'it is not signed by the identity provider of this server';
}

function callerIn(payload: JWTPayload, { issuer, scopesClaim, pins }: TokenRules): Key | Failure {
  const scopes = scopesIn(payload[scopesClaim]);
  if (scopes.length === 0) return notCovered(`its claim ${scopesClaim} names no saved queries`, `give it words such as ${PREFIX}usage.*`);
  const pinned: Record<string, string> = {};
  for (const [parameter, claim] of Object.entries(pins)) {
    const value = payload[claim];
    if ((typeof value !== 'string' || value === '') && typeof value !== 'number')
      return notCovered(`it has no claim ${claim}, which sets the parameter ${parameter}`, 'let the identity provider add the claim');
    pinned[parameter] = String(value);
  }
  const subject = String(payload.sub);
  const id = `oidc-${createHash('sha256').update(`${issuer}\n${subject}`).digest('hex').slice(0, 16)}`;
  return {
    id,
    name: subject,
    prefix: id,
    credential: 'token',
    scopes,
    pins: pinned,
    mayRefresh: false,
    createdAt: new Date((payload.iat ?? 0) * 1000).toISOString(),
  };
}

/** A list, or words between spaces as OAuth has them; other words are for others. */
function scopesIn(claim: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(claim) ? claim : [];
  const words = typeof claim === 'string' ? claim.split(' ') : list;
  return words.flatMap((word) =>
    typeof word === 'string' && word.startsWith(PREFIX) && word.length > PREFIX.length ? [word.slice(PREFIX.length)] : [],
  );
}

const invalidToken = (reason: string): Failure => ({
  status: 401,
  code: 'unauthorized',
  message: `the token is not valid here: ${reason}`,
  hint: 'sign in again',
  headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
});

const notCovered = (reason: string, hint: string): Failure => ({
  status: 403,
  code: 'forbidden',
  message: `the token does not cover anything here: ${reason}`,
  hint,
});

const providerAway: Failure = {
  status: 503,
  code: 'unreachable',
  message: 'the identity provider cannot be asked for its keys, so the token cannot be verified',
  hint: 'try again in a while; API keys still work',
  headers: { 'retry-after': '5' },
};
