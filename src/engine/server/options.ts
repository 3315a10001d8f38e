// How a ClickHouse server is reached: the options of openServer, and the check of its address.
import { QuernError } from '../../base/errors.ts';
import type { Settings } from '../session-settings.ts';

/** Certificates as text or bytes, never as paths. */
interface TlsOptions {
  /** Authorities to trust instead of those that Node knows. */
  readonly ca?: string | Buffer | undefined;
  readonly cert?: string | Buffer | undefined;
  readonly key?: string | Buffer | undefined;
}

export interface ServerOptions {
  /** `http://host:8123` or `https://host:8443`; a path is kept, for proxies. No user, password or question mark. */
  readonly url: string;
  /** By default the login's own. */
  readonly database?: string | undefined;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  /** Instead of user and password. */
  readonly accessToken?: string | undefined;
  readonly tls?: TlsOptions;
  readonly headers?: Readonly<Record<string, string>>;
  /** ClickHouse settings of every query; a query's own come after them. */
  readonly settings?: Settings;
  /** ClickHouse settings of every query that are left out where the login may not set them. */
  readonly preferences?: Settings;
  /** The server compresses its answers; for slow networks. */
  readonly compression?: boolean;
  /** 10 by default. */
  readonly maxConnections?: number;
  /** The name that the server's log shows. */
  readonly application?: string;
  /** Milliseconds to wait for the answer to a query of quern's own. */
  readonly controlMs?: number;
  /** From 0 to 1; spreads repeated attempts. */
  readonly random?: () => number;
  /** Waits before an attempt is repeated; ends early, without an error, when the signal aborts. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Reads an address that has neither user nor password, so that messages may show it. */
export function readAddress(text: string): URL {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw badAddress('is not an address');
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw badAddress(`starts with ${url.protocol}`);
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw badAddress('contains more than protocol, host, port and path');
  }
  return url;
}

/** The message leaves out the text itself, which may hold a password. */
function badAddress(what: string): QuernError {
  return new QuernError('config', `the address of the ClickHouse server ${what}`, {
    hint: 'write it as http://host:8123 or https://host:8443; user, password and database have settings of their own',
  });
}

/** `http://host:8123/path`, without a slash at the end. */
export function placeOf(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname.replace(/\/$/, '')}`;
}
