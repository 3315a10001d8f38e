// Default folders on each system.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { defaultPaths } from '../../src/config/paths.ts';

test('Linux follows the XDG variables, ignoring relative ones', () => {
  expect(defaultPaths({ HOME: '/home/u' }, 'linux')).toEqual({
    config: '/home/u/.config/quern',
    data: '/home/u/.local/share/quern',
    cache: '/home/u/.cache/quern',
    state: '/home/u/.local/state/quern',
  });
  const env = { HOME: '/home/u', XDG_CONFIG_HOME: '/c', XDG_DATA_HOME: 'relative', XDG_CACHE_HOME: '/k', XDG_STATE_HOME: '/s' };
  expect(defaultPaths(env, 'linux')).toEqual({
    config: '/c/quern',
    data: '/home/u/.local/share/quern',
    cache: '/k/quern',
    state: '/s/quern',
  });
});

test('macOS uses Library', () => {
  expect(defaultPaths({ HOME: '/Users/u', XDG_CACHE_HOME: '/k' }, 'darwin')).toEqual({
    config: '/Users/u/Library/Preferences/quern',
    data: '/Users/u/Library/Application Support/quern',
    cache: '/Users/u/Library/Caches/quern',
    state: '/Users/u/Library/Application Support/quern',
  });
});

test.each([{}, { HOME: '' }])('without a home in the environment (%j), it is that of the account', (env) => {
  expect(defaultPaths(env, 'linux').config).toBe(join(userInfo().homedir, '.config/quern'));
});

describe('an account without a home', () => {
  const temporary = mkdtempSync(join(tmpdir(), 'quern-paths-'));
  afterAll(() => rmSync(temporary, { recursive: true }));
  const nowhere = (TMPDIR: string) => defaultPaths({ TMPDIR }, 'linux', () => undefined);

  test('has a folder among the temporary ones that nobody else may enter', () => {
    const own = join(temporary, `quern-${process.getuid?.()}`);
    expect(nowhere(temporary).config).toBe(join(own, '.config/quern'));
    expect(statSync(own).mode & 0o777).toBe(0o700);
    expect(nowhere(temporary).data).toBe(join(own, '.local/share/quern'));
  });

  test.each([
    [
      'that others may write to',
      (own: string) => {
        mkdirSync(own);
        chmodSync(own, 0o777);
      },
    ],
    ['that is a link', (own: string) => symlinkSync('.', own)],
  ])('does not use a folder %s, where settings may be somebody else’s', (_, make) => {
    const other = mkdtempSync(join(temporary, 'other-'));
    const own = join(other, `quern-${process.getuid?.()}`);
    make(own);
    expect(() => nowhere(other)).toThrow(
      expect.objectContaining({
        code: 'config',
        message: `there is no home folder, and ${own} is not a folder that only you can use`,
        details: { hint: 'set HOME to one of your own folders' },
      }),
    );
  });
});
