// The place where this package is installed, and its version.
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The package's folder, one above src and dist. */
const root = new URL('..', import.meta.url);

/** The saved queries that ship. */
export const shippedQueries = (): string => fileURLToPath(new URL('queries', `${root}`));

/** True of the file of a saved query that ships. */
export const ships = (file: string): boolean => dirname(file) === shippedQueries();

/** The files of the web console, which the build makes. */
export const consoleFolder = (): string => fileURLToPath(new URL('dist/console', `${root}`));

/** The script that translates callers' SQL in a thread of its own; made by the build. */
export const translationWorker = (): URL => new URL('dist/translation-worker.js', `${root}`);

/** The script that unpacks files in a thread of its own; made by the build. */
export const unpackWorker = (): URL => new URL('dist/unpack-worker.js', `${root}`);

/** Put in by the build: the version, and a hash of everything it was built from. */
declare const VERSION: string | undefined;
declare const BUILD_ID: string | undefined;

export function packageVersion(): string {
  if (typeof VERSION === 'string') return VERSION;
  const { version } = JSON.parse(readFileSync(new URL('package.json', `${root}`), 'utf8')) as { version: string }; // npm refuses a package without one
  return version;
}

/** Returns the address of the repository of which this package is a clone; undefined where it is none, or has no address that everybody can read. */
export function repositoryAddress(): string | undefined {
  let config: string;
  try {
    config = readFileSync(new URL('.git/config', `${root}`), 'utf8');
  } catch {
    return undefined; // the package was installed, or is a worktree
  }
  const [, origin = ''] = /^\[remote "origin"\][^[]*?^\s*url\s*=\s*(\S+)/m.exec(config) ?? [];
  const [, host, path] = /^(?:https:\/\/|(?:ssh:\/\/)?git@)([\w.-]+\.\w+)[:/]([\w./-]+?)(?:\.git)?$/.exec(origin) ?? [];
  return host === undefined ? undefined : `https://${host}/${path}.git`;
}

/** Names this very build, so that what an older translator left on disk is not used. */
export const buildId = (): string => (typeof BUILD_ID === 'string' ? BUILD_ID : `source ${packageVersion()}`);
