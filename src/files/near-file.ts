// Files that may have been meant by a path at which there is none.
import { readdirSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { nearest } from '../base/errors.ts';

/** Returns the file in the same folder whose name is nearly that, written as the path was. */
export function nearFile(path: string, cwd: string): string | undefined {
  const name = basename(path);
  try {
    const near = nearest(name, readdirSync(dirname(resolve(cwd, path))));
    return near && path.slice(0, path.length - name.length) + near;
  } catch {
    return undefined; // a folder that is not there has no files
  }
}

/** Returns the hint that asks for that file. */
export function didYouMeanFile(path: string, cwd: string): string | undefined {
  const near = nearFile(path, cwd);
  return near && `did you mean ${near}?`;
}
