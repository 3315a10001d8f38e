// The default paths of quern's own files.
import { lstatSync, mkdirSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { QuernError } from '../base/errors.ts';

/** Environment variables as given to the process. */
export type Environment = Readonly<Record<string, string | undefined>>;

export interface DefaultPaths {
  /** The user's settings file lives here. */
  readonly config: string;
  /** The embedded store and the demo's store live here. */
  readonly data: string;
  readonly cache: string;
  /** The folder of what was typed in the shell. */
  readonly state: string;
}

/** Returns the home of the account as the system knows it, for a process without HOME. An account may be nothing but a number. */
function accountHome(): string | undefined {
  try {
    return userInfo().homedir;
  } catch {
    return undefined;
  }
}

/** A folder among the temporary ones, for an account without a home. Others could have put settings there, so it must be ours alone. */
function temporaryHome(env: Environment): string {
  const uid = process.getuid?.();
  const temporary = env['TMPDIR'] || tmpdir();
  if (uid === undefined) return temporary; // on Windows it is the account's own
  const folder = join(temporary, `quern-${uid}`);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch {
    // What is there is looked at.
  }
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found?.isDirectory() === true && found.uid === uid && (found.mode & 0o077) === 0) return folder;
  throw new QuernError('config', `there is no home folder, and ${folder} is not a folder that only you can use`, {
    hint: 'set HOME to one of your own folders',
  });
}

/**
 * The folders each system expects; on Linux by https://specifications.freedesktop.org/basedir-spec/latest/
 * Throws QuernError `config` when there is no folder that is the account's own.
 */
export function defaultPaths(
  env: Environment,
  platform: NodeJS.Platform = process.platform,
  homeOfAccount: () => string | undefined = accountHome,
): DefaultPaths {
  const home = env['HOME'] || env['USERPROFILE'] || homeOfAccount() || temporaryHome(env);
  if (platform === 'darwin') {
    const library = join(home, 'Library');
    return {
      config: join(library, 'Preferences', 'quern'),
      data: join(library, 'Application Support', 'quern'),
      cache: join(library, 'Caches', 'quern'),
      state: join(library, 'Application Support', 'quern'),
    };
  }
  if (platform === 'win32') {
    const local = env['LOCALAPPDATA'] || join(home, 'AppData', 'Local');
    const roaming = env['APPDATA'] || join(home, 'AppData', 'Roaming');
    return {
      config: join(roaming, 'quern'),
      data: join(local, 'quern', 'Data'),
      cache: join(local, 'quern', 'Cache'),
      state: join(local, 'quern', 'State'),
    };
  }
  const folder = (variable: string, ...fallback: string[]) => {
    const value = env[variable];
    // The specification says that a relative path there must be ignored.
    return join(value !== undefined && isAbsolute(value) ? value : join(home, ...fallback), 'quern');
  };
  return {
    config: folder('XDG_CONFIG_HOME', '.config'),
    data: folder('XDG_DATA_HOME', '.local', 'share'),
    cache: folder('XDG_CACHE_HOME', '.cache'),
    state: folder('XDG_STATE_HOME', '.local', 'state'),
  };
}
