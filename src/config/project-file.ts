// The project file `quern.yaml`: found upwards from the working directory, read with the position of every key.
import { closeSync, existsSync, fstatSync, lstatSync, openSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { QuernError } from '../base/errors.ts';
import type { SourceText } from '../base/source-text.ts';
import { ofKnownVersion, type SettingsFile, VERSION_KEY } from './file-version.ts';
import { withoutSecrets } from './hidden-text.ts';
import type { Environment } from './paths.ts';

export const PROFILES = 'profiles';
/** The names in a project file that are no settings. */
export const SECTIONS: readonly string[] = ['sources', 'names', PROFILES];

export const FILE_NAME = 'quern.yaml';

interface ProjectFile extends SettingsFile {
  /** As it was read. */
  readonly text: string;
}

export interface ProjectPlace {
  readonly cwd: string;
  readonly env: Environment;
}

/** Path of the nearest `quern.yaml` in `folder` or above it. */
export function findProjectFile(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const path = join(at, FILE_NAME);
    if (existsSync(path)) return path;
    if (dirname(at) === at) return undefined;
  }
}

/**
 * The nearest project file, if there is one. Throws QuernError `config` when it is somebody else's and the user does not trust it, cannot be
 * read, is not a YAML mapping, or is of a version that is not known.
 */
export async function openProjectFile({ cwd, env }: ProjectPlace): Promise<ProjectFile | undefined> {
  const path = findProjectFile(cwd);
  if (path === undefined) return undefined;
  const { text, stranger } = readText(path, cwd, env);
  if (stranger !== undefined) await refuseUntrusted({ path, text }, stranger, env);
  return parseProjectFile(path, text);
}

/** The project file at `path`, whosever it is. Throws QuernError `config` as openProjectFile does. */
export function readProjectFile(path: string, place: ProjectPlace): Promise<ProjectFile> {
  return parseProjectFile(path, readText(path, place.cwd, place.env).text);
}

async function refuseUntrusted(
  project: Pick<ProjectFile, 'path' | 'text'>,
  stranger: NonNullable<OwnedText['stranger']>,
  env: Environment,
): Promise<void> {
  const { howToTrust, trustIn } = await import('./trust.ts');
  const trust = trustIn(project, env);
  if (trust === 'trusted') return;
  const { path } = project;
  const what = stranger.path === path ? path : `${path} is in a folder that`;
  const changed = trust === 'changed' ? ' and has changed since you trusted it' : '';
  throw new QuernError('config', `${what} belongs to ${nameOfOwner(stranger.uid)}, not to you${changed}, so it was not used`, {
    hint: howToTrust(path),
  });
}

async function parseProjectFile(path: string, text: string): Promise<ProjectFile> {
  let shown: string | undefined;
  const source: SourceText = {
    name: path,
    get text() {
      shown ??= withoutSecrets(text, [...SECTIONS, VERSION_KEY], ['sources', 'names']);
      return shown;
    },
  };
  const [{ readYaml }, { isMapping }] = await Promise.all([import('../fields/yaml.ts'), import('../fields/value-at.ts')]);
  const section = readYaml(text, source, FILE_NAME);
  const value = section.value ?? {};
  if (isMapping(value)) return ofKnownVersion({ ...section, path, text, value });
  throw new QuernError('config', `${FILE_NAME} must contain settings, one \`name: value\` per line`, {
    source,
    span: { start: 0, end: 0 },
  });
}

function readText(path: string, cwd: string, env: Environment): OwnedText {
  try {
    return readOwned(path, cwd, env);
  } catch (cause) {
    const isAbsent = (cause as NodeJS.ErrnoException).code === 'ENOENT'; // reading a file throws these
    throw isAbsent
      ? new QuernError('config', `there is no file ${path}`, { cause, hint: 'check the path; `quern init` creates a quern.yaml' })
      : new QuernError('config', `${path} cannot be read`, { cause, hint: 'check its permissions' });
  }
}

interface OwnedText {
  readonly text: string;
  /** The file, or the folder it was found in, that does not belong to the user. */
  readonly stranger?: { readonly path: string; readonly uid: number } | undefined;
}

/**
 * The text of the file at `path`, and whose it is: the file's own owner counts, that of a link to it, and that of its folder when the user
 * works in another one, `cwd`. Throws what the file system throws.
 */
function readOwned(path: string, cwd: string, env: Environment): OwnedText {
  const fd = openSync(path, 'r');
  try {
    const folder = dirname(path);
    const stranger = [
      { path, uid: fstatSync(fd).uid },
      { path, uid: lstatSync(path).uid },
      ...(folder === cwd ? [] : [{ path: folder, uid: statSync(folder).uid }]),
    ].find(({ uid }) => !isOwn(uid, env));
    const text = readFileSync(fd, 'utf8');
    return { text, stranger };
  } finally {
    closeSync(fd);
  }
}

/** For root, what belongs to the user who called sudo is root's own, as it is for git. */
function isOwn(uid: number, env: Environment): boolean {
  const user = process.geteuid?.(); // Windows has none
  return user === undefined || uid === user || (user === 0 && String(uid) === env['SUDO_UID']);
}

/** `builder (uid 1001)` */
function nameOfOwner(uid: number): string {
  try {
    const accounts = readFileSync('/etc/passwd', 'utf8').split('\n');
    const name = accounts.map((line) => line.split(':')).find((fields) => fields[2] === String(uid))?.[0];
    if (name !== undefined) return `${name} (uid ${uid})`;
  } catch {
    // The number says enough.
  }
  return `uid ${uid}`;
}
