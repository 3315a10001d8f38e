// Decides what a project file may do in the user's name: run its password_command and open a store that it brought along once it is trusted, and name the
// server that gets the user's secrets.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { askYes, canAsk } from '../base/ask.ts';
import { QuernError } from '../base/errors.ts';
import type { Io } from '../base/io.ts';
import { isOfProject, type Settings } from '../config/load.ts';
import type { SettingName } from '../config/settings.ts';
import { programOf } from '../config/shown-value.ts';
import { howToTrust, type ProjectText, readTrust, remember, trust, trustIn } from '../config/trust.ts';
import { makeFolder } from '../files/make-folder.ts';
import { realPath } from '../files/real-path.ts';
import { visible } from '../output/visible.ts';
import type { ServerEngineOptions } from './server-engine.ts';

interface ProjectTrustOptions {
  readonly io: Io;
  readonly signal: AbortSignal;
  readonly settings: Settings;
  readonly quiet: boolean;
}

interface TrustQuestion {
  /** The path of the project file. */
  readonly path: string;
  readonly command: string;
  readonly state: 'changed' | 'unknown';
}

export function projectTrust({ io, signal, settings, quiet }: ProjectTrustOptions): Pick<ServerEngineOptions, 'permit' | 'onLogin'> {
  const { values, origins, projectFile: path = '', projectText: text = '' } = settings;
  const project: ProjectText = { path, text };
  const command = values.password_command ?? '';
  const say = (words: string) => io.stderr.write(`${visible(words)}\n`);
  let permitted = !isOfProject(origins.password_command);
  return {
    async permit() {
      if (permitted) return;
      const state = trustIn(project, io.env);
      if (state !== 'trusted') {
        if (!(await userTrusts({ path, command, state }, io, signal)))
          throw untrusted(path, state, `its password_command (${programOf(command)}) was not run`);
        await unlessUnwritable(
          () => trust(project, io.env, Date.now()),
          (why) => say(`note: this cannot be remembered: ${why}`),
        );
      }
      permitted = true;
    },
    async onLogin({ host, origin }, ownPassword) {
      const secrets = isOfProject(origins.url) ? secretsOf(settings, ownPassword) : [];
      if (secrets.length === 0 || quiet || trustIn(project, io.env) === 'trusted' || readTrust(io.env).hosts.includes(origin)) return;
      await say(`note: sending ${secrets.join(' and ')} to ${host}, as ${path} says; this note appears once per server`);
      await unlessUnwritable(() => remember('hosts', origin, io.env)); // else it is said again
    },
  };
}

/** Secrets of the user's that go to a server, in words; those of the project file are no secrets to whoever wrote it. */
function secretsOf({ values, origins }: Settings, ownPassword: boolean): readonly string[] {
  const { access_token: token, password, password_command: command, headers } = values;
  const sent: readonly (readonly [boolean, 'access_token' | 'password' | 'password_command' | 'headers', string])[] = [
    [token !== undefined, 'access_token', 'the token in'],
    [token === undefined && !ownPassword && password !== undefined, 'password', 'the password in'],
    [token === undefined && !ownPassword && password === undefined && command !== undefined, 'password_command', 'the password from'],
    [Object.keys(headers).length > 0, 'headers', 'the headers in'],
  ];
  return sent.filter(([goes, name]) => goes && !isOfProject(origins[name])).map(([, name, words]) => `${words} ${origins[name].where}`);
}

/**
 * A store holds views and tables that read files and addresses, and that act as soon as it is opened: one that a project file names is opened
 * when this account has made it, or now makes it. Throws QuernError `config` for others, unless the file is trusted.
 */
export async function permitStore({ values: { store }, projectFile: path = '', projectText: text = '' }: Settings, io: Io): Promise<void> {
  if (readTrust(io.env).stores.includes(realPath(store)) || trustIn({ path, text }, io.env) === 'trusted') return;
  if (holdsStore(store))
    throw new QuernError('config', `${path} names the store ${store}, which you did not create here, so it was not opened`, {
      hint: `a store can read your files: if you trust where it comes from, ${howToTrust(path)}`,
    });
  try {
    makeFolder(store, 0o700);
  } catch {
    return; // the store says it better
  }
  await unlessUnwritable(
    () => remember('stores', realPath(store), io.env),
    (why) => io.stderr.write(`${visible(`note: the store ${store} cannot be remembered as yours: ${why}`)}\n`),
  );
}

/**
 * What a project names outside of its own folder is read once it is trusted: a checkout that others have written could show their readers what only
 * its user may see. Throws QuernError `config`.
 */
export function permitFile(path: string, { projectFile = '', projectText: text = '' }: Settings, env: Io['env']): void {
  const state = trustIn({ path: projectFile, text }, env);
  if (state !== 'trusted') throw untrusted(projectFile, state, `${path}, which is outside its folder, was not read`);
}

/**
 * Files that a project file names for `quern serve` to write and to read in the user's name are touched once it is trusted. Throws QuernError `config`.
 */
export function permitServing(settings: Settings, env: Io['env']): void {
  permitNamed(settings, env, OF_SERVING, (name) => `the file that its ${name} names was not touched`);
  permitRedis(settings, env);
}

/** A server that a project file names gets results and a password, and gives results: it gets the first request once the file is trusted. Throws QuernError `config`. */
export function permitRedis(settings: Settings, env: Io['env']): void {
  permitNamed(settings, env, OF_REDIS, (name) => `${name} was not used`);
}

function permitNamed<N extends SettingName>(
  { values, origins, projectFile: path = '', projectText: text = '' }: Settings,
  env: Io['env'],
  names: readonly N[],
  leftOut: (name: N) => string,
): void {
  const named = names.find((name) => values[name] !== undefined && isOfProject(origins[name]));
  const state = named === undefined ? 'trusted' : trustIn({ path, text }, env);
  if (named === undefined || state === 'trusted') return;
  throw untrusted(path, state, leftOut(named));
}

const OF_SERVING = ['audit_log', 'tls_cert', 'tls_key'] as const;
const OF_REDIS = ['redis_url', 'redis_ca_file', 'redis_prefix'] as const;

const holdsStore = (folder: string): boolean => ['data', 'manifest.json'].some((name) => existsSync(join(folder, name)));

async function unlessUnwritable(remember: () => void, say: (why: string) => Promise<void> = async () => undefined): Promise<void> {
  try {
    remember();
  } catch (error) {
    if (!(error instanceof QuernError)) throw error;
    await say(error.message);
  }
}

function untrusted(path: string, state: TrustQuestion['state'], leftOut: string): QuernError {
  const why = state === 'changed' ? 'has changed since you trusted it' : 'is not trusted';
  return new QuernError('config', `${path} ${why}, so ${leftOut}`, { hint: howToTrust(path) });
}

/** Returns whether the user says yes; without a terminal there is no question. */
async function userTrusts({ path, command, state }: TrustQuestion, io: Io, signal: AbortSignal): Promise<boolean> {
  if (!canAsk(io)) return false;
  const changed = state === 'changed' ? ' has changed since you trusted it, and' : '';
  const wants = `${visible(path)}${changed} wants to run a command that prints the password for ClickHouse:\n\n    ${visible(command)}`;
  return askYes(`${wants}\n\nTrust this file in its present form?`, io, signal);
}
