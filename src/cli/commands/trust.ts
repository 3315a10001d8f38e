// quern trust: decides which project files may act for the user.
import { readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { QuernError } from '../../base/errors.ts';
import type { Io } from '../../base/io.ts';
import { readProfiles, readSettings } from '../../config/fields.ts';
import { FILE_NAME, findProjectFile, type ProjectPlace, readProjectFile } from '../../config/project-file.ts';
import { printableValue, programOf } from '../../config/shown-value.ts';
import { readTrust, revokeTrust, trust, trustIn } from '../../config/trust.ts';
import { filesOutside } from '../../sources/files/outside.ts';
import type { Parts } from '../parts.ts';

interface Flags {
  readonly list?: true;
  readonly revoke?: true;
}

export function register(command: Command, { io, terminal }: Parts): void {
  command
    .argument('[file]', 'the quern.yaml; by default the one in the current folder or above it')
    .option('--list', 'list what is trusted, and the servers that quern has told you about')
    .option('--revoke', 'stop trusting the file')
    .addHelpText(
      'after',
      `
Examples:
  quern trust
  quern trust ./quern.yaml
  quern trust --list
  quern trust --revoke

A quern.yaml that belongs to someone else is not used until you trust it. Until then, no quern.yaml, not even your own, runs
a password_command or opens a store that came with it. Read the file before you trust it; trust lasts until the file changes.
QUERN_TRUST=1 trusts every quern.yaml, for CI jobs and containers, which run what is checked out anyway.`,
    )
    .action(async (file: string | undefined, { list, revoke }: Flags) => {
      if (list === true && (revoke === true || file !== undefined))
        throw new QuernError('usage', `--list lists everything and takes no ${revoke === true ? '--revoke' : 'file'}`, {
          hint: 'leave one of them out',
        });
      if (list === true) {
        for (const row of listTrusted(io)) await io.stdout.write(`${row.join('\t')}\n`);
      } else if (revoke === true) {
        const { path, was } = revokeProject(file, io);
        await terminal.note(was ? `${path} is no longer trusted` : `${path} was not trusted`);
      } else {
        const { path, rights } = await trustProject(file, io);
        await terminal.note(`${path} is trusted until it changes`);
        for (const right of rights) await terminal.note(right);
      }
    });
}

/** Trusts the file as it is now; returns its path, and its rights. Throws QuernError `usage` where there is no file, and `config` for one that is wrong. */
async function trustProject(name: string | undefined, io: Io): Promise<{ readonly path: string; readonly rights: readonly string[] }> {
  const project = await readProjectFile(pathOf(name, io), io);
  const sets = [readSettings(project, 'project'), ...readProfiles(project).values()];
  const all = (setting: 'password_command' | 'url' | 'store' | 'audit_log') =>
    [...new Set(sets.flatMap(({ values }) => values[setting] ?? []))].map(String);
  trust(project, io.env, Date.now());
  return {
    path: project.path,
    rights: [
      // The reader of a terminal sees the whole command; a log does not.
      ...all('password_command').map((command) => `it may run: ${io.stderr.isTerminal ? command : programOf(command)}`),
      ...all('store').map((folder) => `it may open the store: ${folder}`),
      ...filesOutside(project.value['sources'], dirname(project.path)).map((file) => `it may read: ${file}`),
      ...all('audit_log').map((file) => `quern serve may write an audit log to: ${file}`),
      ...all('url').map((url) => `your password may be sent to: ${printableValue('url', url)}`),
    ],
  };
}

function revokeProject(name: string | undefined, io: Io): { readonly path: string; readonly was: boolean } {
  const path = pathOf(name, io);
  return { path, was: revokeTrust(path, io.env) };
}

/** Lists the kind and name of what is trusted, with a remark. */
function listTrusted({ env }: Io): readonly (readonly [string, string, string])[] {
  const { files, hosts } = readTrust(env);
  return [
    ...files.map(({ path, trustedAt }) => ['file', path, `${stateOf(path, env)} ${trustedAt}`] as const),
    ...hosts.map((host) => ['server', host, 'quern has told you that it sends secrets there'] as const),
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
