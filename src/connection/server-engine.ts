// Opens the engine of a server as the settings describe it: address, login, certificates.

import { type ExecFileException, execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { QuernError } from '../base/errors.ts';
import type { Settings } from '../config/load.ts';
import type { Engine } from '../engine/engine.ts';
import { hideSecrets } from './hide-secrets.ts';

export interface ServerEngineOptions extends Pick<Settings, 'values' | 'origins'>, Omit<Asking, 'where'> {
  /** As the settings give it; it may hold user and password. */
  readonly url: string;
  /** Hears before anything is sent where to, and whether the address brings its own password. */
  readonly onLogin: (server: URL, ownPassword: boolean) => Promise<void>;
}

const CONTROL_MS = 30_000;
/** Bytes for a query where nothing is set: the memory of a server is shared with others. */
export const QUERY_MEMORY = 4 * 1024 ** 3;
/** For orders to stop a query, and for questions whether the server is there: they must not wait behind queries. */
const CONTROL_CONNECTIONS = 5;
const FEWEST_CONNECTIONS = 10;
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** The address without what belongs to the login. */
function addressOf(text: string): URL {
  const url = new URL(text);
  url.username = '';
  url.password = '';
  return url;
}

/** Returns the name of the login, for cache keys: rows may depend on it. Never a secret. */
export function loginName({ values, url }: Pick<ServerEngineOptions, 'values' | 'url'>): string {
  return values.access_token === undefined ? loginIn(url).user || values.user || 'default' : `token ${subjectOf(values.access_token)}`;
}

/** Returns whether the password of this server can only come from a command. */
export function needsCommand({ values, url }: Pick<ServerEngineOptions, 'values' | 'url'>): boolean {
  const { access_token: token, password, password_command: command } = values;
  return token === undefined && password === undefined && command !== undefined && loginIn(url).password === '';
}

/**
 * Throws QuernError `config` for files that cannot be read, for a password command that gives none, and for server_settings that are not the
 * user's to change.
 */
export async function serverEngine(options: ServerEngineOptions): Promise<Engine> {
  const { values, origins, url } = options;
  if (values.server_settings['readonly'] !== undefined) {
    throw new QuernError(
      'config',
      `server_settings of ${origins.server_settings.where}: readonly cannot be set, since queries never write`,
      {
        hint: 'leave it out',
      },
    );
  }
  const { openServer } = await import('../engine/server/server.ts');
  const login = loginIn(url);
  const token = values.access_token;
  const asking = { ...options, where: origins.password_command.where };
  const password = token === undefined ? login.password || (await readPassword(values, asking)) : undefined;
  await options.onLogin(addressOf(url), login.password !== '');
  const user = login.user || values.user;
  const [ca, cert, key] = await Promise.all([
    certificate('ca_file', values.ca_file),
    certificate('client_cert_file', values.client_cert_file),
    certificate('client_key_file', values.client_key_file),
  ]);
  if ((cert === undefined) !== (key === undefined)) {
    throw new QuernError('config', 'client_cert_file and client_key_file must be set together, and one of them is missing', {
      hint: 'set both, or neither',
    });
  }
  const engine = openServer({
    url: addressOf(url).href,
    database: values.database,
    user,
    password,
    accessToken: token,
    tls: { ca, cert, key },
    headers: values.headers,
    preferences: {
      // A cluster's tables may stand in subqueries, too; without it ClickHouse refuses those.
      distributed_product_mode: 'global',
      // Rows of replicas that are far behind would be short of some without a word.
      fallback_to_stale_replicas_for_distributed_queries: 0,
      max_memory_usage: QUERY_MEMORY,
    },
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
  const sent = [password, token, ...Object.values(values.headers)].filter((secret) => secret !== undefined);
  const encoded =
    password === undefined ? [] : [encodeURIComponent(password), Buffer.from(`${user ?? 'default'}:${password}`).toString('base64')];
  return hideSecrets(engine, [...sent, ...encoded]);
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

interface PasswordSettings {
  readonly password: string | undefined;
  /** A shell command whose output is the password. */
  readonly password_command: string | undefined;
}

/** Long enough for a person who has to unlock a vault. */
const COMMAND_MS = 60_000;

/**
 * Throws QuernError `config` when the command does not print a password, and what `permit` throws. Neither what it printed is shown nor the
 * command, which may hold a secret itself.
 */
async function readPassword({ password, password_command: command }: PasswordSettings, ask: Asking): Promise<string | undefined> {
  if (password !== undefined || command === undefined) return password;
  await ask.permit();
  return printedBy(command, ask);
}

interface Asking {
  /** Resolves when password_command may be run; rejects when not. */
  readonly permit: () => Promise<void>;
  /** Where the settings have the command from: a file, or a variable. */
  readonly where: string;
  /** Hears what the command says on standard error: it may ask its user for something. */
  readonly onText: (text: string) => void;
  readonly signal: AbortSignal;
}

const SHELL = '/bin/sh';

/** Leaves out the lines in which the shell itself complains: it repeats what it cannot run, which may be the secret. They come in parts. */
function withoutShell(onText: (text: string) => void): (text: string) => void {
  const prefix = `${SHELL}: `;
  let held = '';
  let begins = true;
  return (text) => {
    for (const line of (held + text).split(/(?<=\n)/)) {
      const ends = line.endsWith('\n');
      const isShell = begins && line.startsWith(prefix);
      held = !ends && begins && (isShell || prefix.startsWith(line)) ? line : '';
      if (held !== '') return;
      begins = ends;
      if (!isShell) onText(line);
    }
  };
}

/** The exit codes of shells themselves, whatever programs mean by theirs. */
const MEANINGS: Readonly<Record<string, string>> = { 126: 'does not start with a program', 127: 'names a program that cannot be found' };

function whyNone(error: ExecFileException | null): string {
  if (error === null) return 'printed nothing';
  if (error.killed === true) return 'took longer than a minute';
  return MEANINGS[error.code ?? ''] ?? `ended with ${error.code ?? 'an error'}`;
}

function printedBy(command: string, { where, onText, signal }: Asking): Promise<string> {
  const [shell, flag] = process.platform === 'win32' ? ['cmd.exe', '/c'] : [SHELL, '-c'];
  return new Promise((resolve, reject) => {
    const child = execFile(shell, [flag, command], { timeout: COMMAND_MS, signal }, (error, stdout) => {
      const password = stdout.replace(/\r?\n$/, '');
      if (error === null && password !== '') {
        resolve(password);
        return;
      }
      reject(
        new QuernError('config', `the password_command of ${where} ${whyNone(error)}`, {
          hint: 'run it in a shell: it must print the password, and nothing else, to standard output',
        }),
      );
    });
    child.stderr?.setEncoding('utf8').on('data', withoutShell(onText));
  });
}
