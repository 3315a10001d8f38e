// Finds the caller of a request by its API key, wherever the secret stands.
import type { IncomingHttpHeaders } from 'node:http';
import { EVERYBODY, type Tenant } from '../answers/tenant.ts';
import { type Failure, isFailure } from '../http/failure.ts';
import { consoleOnly, misplacedToken, noBigQuery, noKey, noKeyOrToken, noSqlPage, strangeHost, unknownKey } from '../http/refusal.ts';
import type { ReadAssertion } from './assertions.ts';
import { bearerIn, isLoopback, isToken } from './credentials.ts';
import { hostOf } from './host.ts';
import { type Credential, credentialOf, type Key, keyOpensSqlPage, keyOversees, keyUsesBigQuery } from './key.ts';
import type { KeyRing } from './key-ring.ts';
import type { Tokens } from './tokens.ts';

/** The caller of a server without keys. */
export const ANYBODY = 'anybody';
export type Caller = Key | typeof ANYBODY;

/** Returns whether the caller is one of those who run the server. */
export const oversees = (caller: Caller): boolean => caller === ANYBODY || keyOversees(caller);

/** Returns why a caller may not use BigQuery's API; undefined for one who may. */
export const barredFromBigQuery = (caller: Caller): Failure | undefined =>
  caller === ANYBODY || keyUsesBigQuery(caller) ? undefined : noBigQuery(shownBy(caller));

/** Returns why a caller may not send SQL over all tables from the console; undefined for one who may. */
export const barredFromSqlPage = (caller: Caller): Failure | undefined =>
  caller === ANYBODY || keyOpensSqlPage(caller) ? undefined : noSqlPage(shownBy(caller));

/** Returns the word for the caller's credential in messages. */
export const shownBy = (caller: Caller): Credential => (caller === ANYBODY ? 'API key' : credentialOf(caller));

export const tenantOf = (caller: Caller): Tenant => (caller === ANYBODY ? EVERYBODY : caller);

/**
 * The console's requests have it, so that a key meant for people is not built into programs by habit. Who has the key can send the header too: what
 * the key may see is bounded by its scopes.
 */
const CONSOLE_HEADER = 'x-quern-console';

interface Credentials {
  readonly headers: IncomingHttpHeaders;
  /** Text of `?api_key=`, where the server takes keys from there. */
  readonly apiKey?: string;
}

/** Throws what the key ring throws. */
export type Authenticate = (credentials: Credentials) => Caller | Failure;

interface Proofs {
  /** Callers who have signed in elsewhere. */
  readonly tokens?: Pick<Tokens, 'callerOf'> | undefined;
  /** Service accounts of keys. */
  readonly readAssertion?: ReadAssertion | undefined;
}

/** Without a ring anybody may ask, if they ask for this machine by a name of its own. */
export function createAuthenticate(ring: Pick<KeyRing, 'verify'> | undefined, { tokens, readAssertion }: Proofs = {}): Authenticate {
  if (ring === undefined) return ({ headers }) => (isLoopback(hostName(hostOf(headers))) ? ANYBODY : strangeHost);
  return (credentials) => {
    const { headers, apiKey } = credentials;
    const secret = plainKeyIn(headers) ?? bearerIn(headers) ?? (apiKey === '' ? undefined : apiKey);
    if (secret === undefined) return tokens === undefined ? noKey : noKeyOrToken;
    const isBearer = secret === bearerIn(headers);
    const signed = isBearer ? (readAssertion?.(secret, headers) ?? tokens?.callerOf(headers)) : undefined;
    const key = signed ?? ring.verify(secret);
    if (key === undefined) return tokens !== undefined && isToken(secret) ? misplacedToken : unknownKey;
    return !isFailure(key) && key.role === 'console' && headers[CONSOLE_HEADER] === undefined ? consoleOnly : key;
  };
}

function plainKeyIn({ 'x-api-key': key }: IncomingHttpHeaders): string | undefined {
  return typeof key === 'string' && key !== '' ? key : undefined;
}

/** The name in `Host`, without the port. */
const hostName = (host: string | undefined): string => (host ?? 'localhost').replace(/:\d*$/, '');
