// Whose a file is: settings that somebody else has put where a user works must not act in that user's name, as with safe.directory of git.
import { closeSync, fstatSync, lstatSync, openSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Environment } from './paths.ts';

export interface OwnedText {
  readonly text: string;
  /** The file, or the folder it was found in, that does not belong to the user. */
  readonly stranger?: { readonly path: string; readonly uid: number } | undefined;
}

/**
 * The text of the file at `path`, and whose it is: the file's own owner counts, that of a link to it, and that of its folder when the user
 * works in another one, `cwd`. Throws what the file system throws.
 */
export function readOwned(path: string, cwd: string, env: Environment): OwnedText {
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
export function nameOfOwner(uid: number): string {
  try {
    const accounts = readFileSync('/etc/passwd', 'utf8').split('\n');
    const name = accounts.map((line) => line.split(':')).find((fields) => fields[2] === String(uid))?.[0];
    if (name !== undefined) return `${name} (uid ${uid})`;
  } catch {
    // The number says enough.
  }
  return `uid ${uid}`;
}
