// What `quern trust` does: names the project files that may act for the user, by path and content.
import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileValues } from '../config/file-values.ts';
import { profilesOf } from '../config/profiles.ts';
import { FILE_NAME, findProjectFile, PROFILES, type ProjectPlace, readProjectFile, SOURCES } from '../config/project-file.ts';
import { printableValue, programOf } from '../config/shown-value.ts';
import { readTrust, revokeTrust, trust, trustIn } from '../config/trust.ts';
import { QuernError } from '../errors.ts';
import type { Io } from '../io.ts';

/** Throws QuernError `usage` where there is no file, and `config` for one that is wrong. */
export async function trustProject(
  name: string | undefined,
  io: Io,
): Promise<{ readonly path: string; readonly rights: readonly string[] }> {
  const project = await readProjectFile(pathOf(name, io), io);
  const sets = [fileValues(project, 'project', { sections: [SOURCES, PROFILES] }), ...profilesOf(project).values()];
  const all = (setting: 'password_command' | 'url' | 'store') =>
    [...new Set(sets.flatMap((set) => set.get(setting)?.value ?? []))].map(String);
  trust(project, io.env, Date.now());
  return {
    path: project.path,
    rights: [
      // Whoever looks at a terminal is to see what is run; a log is not.
      ...all('password_command').map((command) => `it may run: ${io.stderr.isTerminal ? command : programOf(command)}`),
      ...all('store').map((folder) => `it may open the store: ${folder}`),
      ...all('url').map((url) => `your password may be sent to: ${printableValue('url', url)}`),
    ],
  };
}

export async function revokeProject(name: string | undefined, io: Io): Promise<{ readonly path: string; readonly was: boolean }> {
  const path = pathOf(name, io);
  return { path, was: revokeTrust(path, io.env) };
}

export async function listTrusted({ env }: Io): Promise<readonly (readonly [string, string, string])[]> {
  const { files, hosts } = readTrust(env);
  return [
    ...files.map(({ path, trustedAt }) => ['file', path, `${stateOf(path, env)} ${trustedAt}`] as const),
    ...hosts.map((host) => ['server', host, 'you have been told that secrets are sent there'] as const),
  ];
}

function stateOf(path: string, env: Io['env']): string {
  try {
    return trustIn({ path, text: readFileSync(path, 'utf8') }, env) === 'trusted' ? 'trusted' : 'changed since';
  } catch {
    return 'gone, trusted';
  }
}

function pathOf(name: string | undefined, { cwd }: Pick<ProjectPlace, 'cwd'>): string {
  if (name !== undefined) {
    const path = resolve(cwd, name);
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true ? join(path, FILE_NAME) : path;
  }
  const path = findProjectFile(cwd);
  if (path !== undefined) return path;
  throw new QuernError('usage', `there is no ${FILE_NAME} here or above`, { hint: 'name the file: quern trust FILE' });
}
