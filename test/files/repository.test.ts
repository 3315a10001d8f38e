// The top of the git repository that a folder is in.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from '../../src/files/repository.ts';

test('is the nearest folder with .git, a folder or a file', () => {
  const top = mkdtempSync(join(tmpdir(), 'quern-repository-'));
  try {
    mkdirSync(join(top, 'a/b'), { recursive: true });
    expect(repositoryRoot(join(top, 'a/b'))).toBeUndefined();
    mkdirSync(join(top, '.git'));
    expect(repositoryRoot(join(top, 'a/b'))).toBe(top);
    writeFileSync(join(top, 'a/.git'), 'gitdir: elsewhere\n');
    expect(repositoryRoot(join(top, 'a/b'))).toBe(join(top, 'a'));
  } finally {
    rmSync(top, { recursive: true });
  }
});
