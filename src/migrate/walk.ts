// The files of a folder and of those in it, in the order of their paths.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { QuernError } from '../base/errors.ts';

/** Folders that hold what others wrote, or nobody. */
const SKIPPED = /^(\..*|node_modules|dbt_packages|dbt_modules)$/;

/** Paths below `folder`. `except`, a folder in it, is left alone. Throws `usage` when `folder` cannot be read. */
export function filesBelow(folder: string, except?: string): readonly string[] {
  const walk = (below: string): readonly string[] => {
    const entries = readdirSync(join(folder, below), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
    return entries.flatMap((entry) => {
      const path = join(below, entry.name);
      if (!entry.isDirectory()) return [path];
      // dbt compiles the tests of a file of YAML into a folder of that name.
      return SKIPPED.test(entry.name) || /\.ya?ml$/i.test(entry.name) || join(folder, path) === except ? [] : walk(path);
    });
  };
  try {
    return walk('');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException; // readdirSync throws these
    const unreadable = code === 'ENOTDIR' ? `${folder} is not a folder` : `${folder} cannot be read (${code})`;
    const message = code === 'ENOENT' ? `there is no folder ${folder}` : unreadable;
    throw new QuernError('usage', message, { hint: 'name a folder with .sql files, or JSON exports of queries', cause });
  }
}
