// The folder of the sample of `quern demo`, and the time at which it ends.
import { homedir } from 'node:os';
import { join } from 'node:path';
import { defaultPaths, type Environment } from '../../config/paths.ts';

/** The end of the sample. Queries on it run as of this instant, so that their rows never change. */
export const SAMPLE_INSTANT = '2026-01-15T12:00:00Z';

/** The folder of the sample's store, which holds nothing else. */
export const demoStore = (env: Environment): string => join(defaultPaths(env).data, 'demo');

/** Returns a path as the reader would type it. */
export function shellPath(path: string): string {
  const home = homedir();
  const short = path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
  return /^[\w~./-]+$/.test(short) ? short : `'${path.replaceAll("'", "'\\''")}'`;
}
