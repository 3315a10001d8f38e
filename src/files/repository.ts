// The git repository that a folder is in.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Its top folder; undefined outside of one. In a worktree and in a submodule `.git` is a file. */
export function repositoryRoot(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (dirname(at) === at) return undefined;
  }
}
