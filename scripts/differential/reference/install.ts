// Fetches Google's reference implementation of GoogleSQL, which an npm package ships as a program for Linux on x86-64, into a folder of its own.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const PACKAGE = '@fivetrandevelopers/zetasql';
const VERSION = '1.13.0';

/** There is no reference here: everything else is in order. */
export class NoReference extends Error {}

export interface InstalledReference {
  /** The folder whose node_modules holds the package and what it needs. */
  readonly home: string;
  /** The package's own folder of protocol files and the program. */
  readonly files: string;
}

/** Takes the package from the cache folder of the user, where it is put at first use. */
export function installReference(tell: (line: string) => void): InstalledReference {
  if (process.platform !== 'linux' || process.arch !== 'x64') throw new NoReference('the reference runs on Linux x86-64 only');
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  const home = join(cache, 'quern-differential', `zetasql-${VERSION}`);
  if (!existsSync(home)) {
    tell(`fetching ${PACKAGE}@${VERSION} (111 MB) into ${home}`);
    mkdirSync(join(home, '..'), { recursive: true });
    // Moved into place when it is whole, so that an interrupted download leaves nothing behind.
    const half = mkdtempSync(`${home}-`);
    try {
      writeFileSync(join(half, 'package.json'), '{ "private": true }');
      execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', `${PACKAGE}@${VERSION}`], {
        cwd: half,
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      renameSync(half, home);
    } catch (cause) {
      rmSync(half, { recursive: true, force: true });
      if (!existsSync(home)) throw new NoReference(`${PACKAGE} cannot be fetched`, { cause });
    }
  }
  return { home, files: join(home, 'node_modules', PACKAGE, 'lib/zetasql') };
}
