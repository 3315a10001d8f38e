// Says in the user's terms why a server cannot be reached.
import { QuernError } from '../../base/errors.ts';

/** `never-sent`: the request did not reach a server. `maybe-sent`: a server may have begun to work on it. */
type Reach = 'never-sent' | 'maybe-sent';

interface ConnectionFailure {
  readonly error: QuernError;
  readonly reach: Reach;
  /** True when a later attempt may do better. */
  readonly passing: boolean;
}

interface Meaning {
  readonly says: string;
  readonly hint: string;
  readonly reach: Reach;
  readonly passing: boolean;
}

const UP = 'check that the server is running, and its address and port';
const NAME = 'check the host name';
const CERTIFICATE = "set ca_file to the authority that signed the server's certificate, or use the host name that the certificate is for";

const MEANINGS: Readonly<Record<string, Meaning>> = {
  ECONNREFUSED: { says: 'nothing is listening there', hint: UP, reach: 'never-sent', passing: true },
  EHOSTUNREACH: { says: 'there is no route to the host', hint: UP, reach: 'never-sent', passing: true },
  ENETUNREACH: { says: 'there is no route to the network', hint: UP, reach: 'never-sent', passing: true },
  ETIMEDOUT: { says: 'the host does not respond', hint: UP, reach: 'never-sent', passing: true },
  EAI_AGAIN: { says: 'the host name cannot be looked up at the moment', hint: NAME, reach: 'never-sent', passing: true },
  ENOTFOUND: { says: 'there is no host with that name', hint: NAME, reach: 'never-sent', passing: false },
  ECONNRESET: { says: 'the connection was closed before there was an answer', hint: UP, reach: 'maybe-sent', passing: true },
  EPIPE: { says: 'the connection was closed before there was an answer', hint: UP, reach: 'maybe-sent', passing: true },
  CERT_HAS_EXPIRED: { says: "the server's certificate has expired", hint: 'renew it', reach: 'never-sent', passing: false },
};

/** Returns QuernError `unreachable` for an error of Node's network while a request was sent to `place`. */
export function connectionFailure(cause: unknown, place: string): ConnectionFailure {
  const code = codeOf(cause);
  if (code.startsWith('ERR_OSSL')) return { error: unusableCertificate(cause), reach: 'never-sent', passing: false };
  const known = MEANINGS[code] ?? unknownMeaning(code);
  return {
    error: new QuernError('unreachable', `ClickHouse at ${place} cannot be reached: ${known.says}`, { hint: known.hint, cause }),
    reach: known.reach,
    passing: known.passing,
  };
}

function unknownMeaning(code: string): Meaning {
  if (code.startsWith('HPE_')) {
    return {
      says: 'what answers there is not an HTTP server',
      hint: 'check the port: 8123 is for http',
      reach: 'maybe-sent',
      passing: false,
    };
  }
  if (code === 'EPROTO' || code.startsWith('ERR_SSL')) {
    const hint = 'check the port: 8443 is for https, 8123 for http';
    return { says: 'what answers there does not speak TLS correctly', hint, reach: 'never-sent', passing: false };
  }
  if (/CERT|SELF_SIGNED|ISSUER|ALTNAME/.test(code)) {
    return { says: `its certificate is not trusted (${code})`, hint: CERTIFICATE, reach: 'never-sent', passing: false };
  }
  return { says: code === '' ? 'the connection failed' : code, hint: UP, reach: 'maybe-sent', passing: false };
}

function unusableCertificate(cause: unknown): QuernError {
  return new QuernError('config', 'the certificate or key for ClickHouse cannot be used', {
    hint: 'both must be PEM files that belong together; a key with a passphrase is not supported',
    notes: [cause instanceof Error ? cause.message : String(cause)],
    cause,
  });
}

/** A host with several addresses fails with an error that has one for each. */
function codeOf(cause: unknown): string {
  if (cause instanceof AggregateError && cause.errors.length > 0) return codeOf(cause.errors[0]);
  return cause instanceof Error && 'code' in cause ? String(cause.code) : '';
}
