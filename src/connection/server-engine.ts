// Opens the engine of a server as the settings describe it: address, login, certificates.
import { readFile } from 'node:fs/promises';
import type { SettingValues } from '../config/settings.ts';
import type { Engine } from '../engine/engine.ts';
import { QuernError } from '../errors.ts';
import { type Asking, readPassword } from './password.ts';

export interface ServerEngineOptions extends Asking {
  readonly values: SettingValues;
  /** As the settings give it; it may hold user and password. */
  readonly url: string;
}

const CONTROL_MS = 30_000;
/** For orders to stop a query, and for questions whether the server is there: they must not wait behind queries. */
const CONTROL_CONNECTIONS = 5;
const FEWEST_CONNECTIONS = 10;
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** The address without what belongs to the login. */
export function addressOf(text: string): URL {
  const url = new URL(text);
  url.username = '';
  url.password = '';
  return url;
}

/** Who asks, for cache keys: rows may depend on it. Never a secret. */
export function loginName({ values, url }: Pick<ServerEngineOptions, 'values' | 'url'>): string {
  return values.access_token === undefined ? loginIn(url).user || values.user || 'default' : `token ${subjectOf(values.access_token)}`;
}

/** Throws QuernError `config` for files that cannot be read and for a password command that gives none. */
export async function serverEngine(options: ServerEngineOptions, id: string): Promise<Engine> {
  const { values, url } = options;
  const { openServer } = await import('../engine/server/server.ts');
  const login = loginIn(url);
  const token = values.access_token;
  const password = token === undefined ? login.password || (await readPassword(values, options)) : undefined;
  const user = login.user || values.user;
  const [ca, cert, key] = await Promise.all([
    certificate('ca_file', values.ca_file),
    certificate('client_cert_file', values.client_cert_file),
    certificate('client_key_file', values.client_key_file),
  ]);
  if ((cert === undefined) !== (key === undefined)) {
    throw new QuernError('config', 'client_cert_file and client_key_file belong together, and one of them is not set', {
      hint: 'set both, or neither',
    });
  }
  return openServer({
    id,
    url: addressOf(url).href,
    ...(values.database === undefined ? {} : { database: values.database }),
    ...(user === undefined ? {} : { user }),
    ...(password === undefined ? {} : { password }),
    ...(token === undefined ? {} : { accessToken: token }),
    tls: { ...(ca === undefined ? {} : { ca }), ...(cert === undefined ? {} : { cert }), ...(key === undefined ? {} : { key }) },
    headers: values.headers,
    // A cluster's tables may stand in subqueries, too; without it ClickHouse refuses those.
    preferences: { distributed_product_mode: 'global' },
    settings: {
      ...(values.skip_unavailable_shards ? { skip_unavailable_shards: 1 } : {}),
      ...values.server_settings,
    },
    // Over loopback it costs twice the time of a large result.
    compression: values.compression ?? !LOOPBACK.test(addressOf(url).hostname),
    maxConnections: Math.max(FEWEST_CONNECTIONS, values.engine_queries + CONTROL_CONNECTIONS),
    // Who has little time has little time for the questions before a query, too.
    controlMs: Math.min(CONTROL_MS, values.timeout * 1000),
  });
}

function loginIn(text: string): { readonly user: string; readonly password: string } {
  const { username, password } = new URL(text);
  return { user: decodeURIComponent(username), password: decodeURIComponent(password) };
}

async function certificate(setting: string, file: string | undefined): Promise<Buffer | undefined> {
  if (file === undefined) return undefined;
  try {
    return await readFile(file);
  } catch (cause) {
    throw new QuernError('config', `${setting}: ${file} cannot be read`, { hint: 'check the path and its permissions', cause });
  }
}

/** The subject that a JSON Web Token names; its signature is the server's business. */
function subjectOf(token: string): string {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    const { sub } = Object(claims);
    return typeof sub === 'string' ? sub : '';
  } catch {
    return '';
  }
}
