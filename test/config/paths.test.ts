// Default folders on each system.
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { defaultPaths } from '../../src/config/paths.ts';

test('Linux follows the XDG variables, ignoring relative ones', () => {
  expect(defaultPaths({ HOME: '/home/u' }, 'linux')).toEqual({
    config: '/home/u/.config/quern',
    data: '/home/u/.local/share/quern',
    cache: '/home/u/.cache/quern',
  });
  const env = { HOME: '/home/u', XDG_CONFIG_HOME: '/c', XDG_DATA_HOME: 'relative', XDG_CACHE_HOME: '/k' };
  expect(defaultPaths(env, 'linux')).toEqual({ config: '/c/quern', data: '/home/u/.local/share/quern', cache: '/k/quern' });
});

test('macOS uses Library', () => {
  expect(defaultPaths({ HOME: '/Users/u', XDG_CACHE_HOME: '/k' }, 'darwin')).toEqual({
    config: '/Users/u/Library/Preferences/quern',
    data: '/Users/u/Library/Application Support/quern',
    cache: '/Users/u/Library/Caches/quern',
  });
});

test.each([{}, { HOME: '' }])('without a home in the environment (%j), it is that of the account', (env) => {
  expect(defaultPaths(env, 'linux').config).toBe(join(userInfo().homedir, '.config/quern'));
});
