// The record of what the user trusts, in the configuration folder: project files by path and content, stores that were made here, and the servers that
// the user has been told about.

import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { QuernError } from '../base/errors.ts';
import { jsonIn } from '../base/json.ts';
import { makeFolder } from '../files/make-folder.ts';
import { realPath } from '../files/real-path.ts';
import { replaceFileSync } from '../files/replace-file.ts';
import { defaultPaths, type Environment } from './paths.ts';
import { SWITCH } from './setting-kinds.ts';

/** A project file as it was read. */
export interface ProjectText {
  readonly path: string;
  readonly text: string;
}

interface TrustedFile {
  readonly path: string;
  /** The hash of its content. */
  readonly sha256: string;
  /** ISO 8601 in UTC. */
  readonly trustedAt: string;
}

interface TrustRecord {
  readonly files: readonly TrustedFile[];
  /** Folders of stores that project files name, and that this account has made. */
  readonly stores: readonly string[];
  /** `https://db.example:8443`: a secret has been sent there, and the user has been told. */
  readonly hosts: readonly string[];
}

const VERSION = 1;
const VARIABLE = 'QUERN_TRUST';

/** The hint of errors about a project file that is not trusted. */
export const howToTrust = (file: string): string =>
  `read the file, then run \`quern trust ${inShell(file)}\`; in CI and in containers, set ${VARIABLE}=1`;

const inShell = (path: string): string => (/^[\w./~+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`);

function trustFilePath(env: Environment): string {
  return join(defaultPaths(env).config, 'trust.json');
}

/** True if the environment says that project files are trusted. Throws QuernError `config` for a value that is neither yes nor no. */
function trustsAll(env: Environment): boolean {
  const raw = env[VARIABLE];
  if (raw === undefined || raw === '') return false;
  const value = SWITCH.read(raw);
  if (value !== undefined) return value;
  throw new QuernError('config', `the environment variable ${VARIABLE}: ${JSON.stringify(raw)} is not ${SWITCH.expected}`, {
    hint: `set ${VARIABLE}=1, or unset it`,
  });
}

/** `changed`: it was trusted with another content. Throws QuernError `config` when the record cannot be relied on. */
export function trustIn(project: ProjectText, env: Environment): 'trusted' | 'changed' | 'unknown' {
  if (trustsAll(env)) return 'trusted';
  const path = realPath(project.path);
  const known = readTrust(env).files.find((file) => file.path === path);
  if (known === undefined) return 'unknown';
  return known.sha256 === digestOf(project.text) ? 'trusted' : 'changed';
}

/** Throws QuernError `config` when the record cannot be written. */
export function trust({ path, text }: ProjectText, env: Environment, nowMs: number): void {
  const known = readTrust(env);
  const file: TrustedFile = { path: realPath(path), sha256: digestOf(text), trustedAt: new Date(nowMs).toISOString() };
  writeTrust({ ...known, files: [...known.files.filter((other) => other.path !== file.path), file] }, env);
}

/** True when the file was trusted. */
export function revokeTrust(path: string, env: Environment): boolean {
  const known = readTrust(env);
  const paths = [path, realPath(path)]; // a file that is gone may still be trusted
  const files = known.files.filter((file) => !paths.includes(file.path));
  if (files.length === known.files.length) return false;
  writeTrust({ ...known, files }, env);
  return true;
}

/** Records the folder of a store that is trusted, or a server of which nothing is said the next time. Throws QuernError `config` when it cannot. */
export function remember(kind: 'stores' | 'hosts', name: string, env: Environment): void {
  const known = readTrust(env);
  if (!known[kind].includes(name)) writeTrust({ ...known, [kind]: [...known[kind], name] }, env);
}

/** Nothing is trusted without a record. Throws QuernError `config` when it is damaged, or when others may write it. */
export function readTrust(env: Environment): TrustRecord {
  const file = trustFilePath(env);
  const text = readPrivately(file);
  if (text === undefined) return { files: [], stores: [], hosts: [] };
  const { version, files, stores, hosts } = Object(jsonIn(text)) as Readonly<Record<string, unknown>>; // or one without these keys
  if (typeof version === 'number' && version > VERSION)
    throw new QuernError('config', `${file} was written by a newer quern (version ${version}, this quern knows ${VERSION})`, {
      hint: 'update quern, or move the file away to start with nothing trusted',
    });
  if (version === VERSION && isList(files, isTrustedFile) && isList(stores, isText) && isList(hosts, isText))
    return { files, stores, hosts };
  throw new QuernError('config', `${file} is damaged`, { hint: 'remove it to start with nothing trusted' });
}

function readPrivately(file: string): string | undefined {
  let fd: number;
  try {
    fd = openSync(file, 'r');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException; // openSync throws system errors only
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new QuernError('config', `${file} cannot be read (${code})`, { hint: 'check its permissions, and those of its folder', cause });
  }
  try {
    const { mode } = fstatSync(fd);
    if (process.platform !== 'win32' && (mode & 0o022) !== 0)
      throw new QuernError('config', `other users may change what you trust in ${file}: its mode is ${(mode & 0o777).toString(8)}`, {
        hint: `run \`chmod 600 ${file}\`, then check it with \`quern trust --list\``,
      });
    return readFileSync(fd, 'utf8');
  } finally {
    closeSync(fd);
  }
}

function writeTrust(record: TrustRecord, env: Environment): void {
  const file = trustFilePath(env);
  try {
    makeFolder(defaultPaths(env).config, 0o700);
    replaceFileSync(file, `${JSON.stringify({ version: VERSION, ...record }, null, 2)}\n`, { mode: 0o600 });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException; // both calls throw system errors only
    throw new QuernError('config', `${file} cannot be written (${code})`, {
      hint: `check the permissions of its folder, or set ${VARIABLE}=1 instead`,
      cause,
    });
  }
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

const isText = (value: unknown): value is string => typeof value === 'string';
const isTrustedFile = (value: unknown): value is TrustedFile =>
  ['path', 'sha256', 'trustedAt'].every((name) => isText(Object(value)[name]));
const isList = <T>(value: unknown, isItem: (item: unknown) => item is T): value is readonly T[] =>
  Array.isArray(value) && value.every(isItem);
