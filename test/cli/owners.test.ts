// Whose quern.yaml it is: files and folders that belong to others, as only a process of another account meets them.
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, lchownSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';

const bin = join(import.meta.dirname, '../../bin/quern.js');
const root = realpathSync(mkdtempSync(join(tmpdir(), 'quern-owners-')));
const project = join(root, 'project');
const deep = join(project, 'deep');
const file = join(project, 'quern.yaml');
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Without names on any machine. */
const [ME, OTHER] = [54_321, 54_322];
const HINT = `   = hint: read the file, then run \`quern trust ${file}\`; in CI and in containers, set QUERN_TRUST=1\n`;

beforeEach(() => {
  for (const path of [project, join(root, `home-${ME}`), join(root, 'home-0')]) rmSync(path, { recursive: true, force: true });
  mkdirSync(deep, { recursive: true });
  writeFileSync(file, 'timeout: 7s\n');
  chmodSync(root, 0o755);
});

/** `quern ARGV` as the account `uid`, with a home of its own. */
function quern(uid: number, argv: readonly string[], { cwd = project, env = {} }: { cwd?: string; env?: Record<string, string> } = {}) {
  const home = join(root, `home-${uid}`);
  mkdirSync(home, { recursive: true });
  chownSync(home, uid, uid);
  const { stdout, stderr, status } = spawnSync(process.execPath, [bin, ...argv], {
    cwd,
    uid,
    gid: uid,
    env: { PATH: process.env['PATH'], HOME: home, ...env },
    encoding: 'utf8',
  });
  return { stdout, stderr, status };
}
const timeout = (uid: number, options?: Parameters<typeof quern>[2]) => quern(uid, ['config', 'get', 'timeout'], options);
const own = (uid: number, ...paths: readonly string[]) => {
  for (const path of paths) chownSync(path, uid, uid);
};

const USED = { stdout: '7s\n', stderr: '', status: 0 };
const refused = (what: string) => ({
  stdout: '',
  stderr: `error[config]: ${what}, not to you, so it was not used\n${HINT}`,
  status: 2,
});

test.skipIf(process.geteuid?.() !== 0)('a file that the user may not read is told as that, and not in the words of the engine', () => {
  own(ME, project, file);
  writeFileSync(file, 'sources:\n  t: { file: secret.csv }\n');
  writeFileSync(join(project, 'secret.csv'), 'a\n1\n', { mode: 0o600 });
  const { stdout, stderr, status } = quern(ME, ['query', 'select * from t']);
  expect({ stdout, stderr, status }).toEqual({
    stdout: '',
    stderr: `error[config]: sources.t: secret.csv cannot be read: permission denied
  --> ${file}:2:14
   |
 2 |   t: { file: secret.csv }
   |              ^^^^^^^^^^
   = hint: check its permissions, and those of the folders above it
`,
    status: 2,
  });
});

describe.skipIf(process.geteuid?.() !== 0)('a quern.yaml', () => {
  test('of the user is used, also from a folder below it', () => {
    own(ME, project, file);
    expect([timeout(ME), timeout(ME, { cwd: deep })]).toEqual([USED, USED]);
  });

  test.each([
    ['somebody else', OTHER, `uid ${OTHER}`],
    ['root, as for git', 0, 'root (uid 0)'],
  ])('of %s is refused, with the owner and the ways out', (_, owner, name) => {
    own(ME, project);
    own(owner, file);
    expect(timeout(ME)).toEqual(refused(`${file} belongs to ${name}`));
  });

  test('of the user in a folder above that is somebody else’s is refused', () => {
    own(ME, file);
    own(OTHER, project);
    expect(timeout(ME, { cwd: deep })).toEqual(refused(`${file} is in a folder that belongs to uid ${OTHER}`));
  });

  test('is refused when it is somebody else’s link to a file of the user’s, and when it is a link of the user’s to somebody else’s file', () => {
    own(ME, project);
    const target = join(project, 'other.yaml');
    for (const [link, linked] of [
      [OTHER, ME],
      [ME, OTHER],
    ] as const) {
      rmSync(file);
      writeFileSync(target, 'timeout: 7s\n');
      own(linked, target);
      symlinkSync(target, file);
      lchownSync(file, link, link);
      expect(timeout(ME)).toEqual(refused(`${file} belongs to uid ${OTHER}`));
    }
  });

  test('of somebody else is used once it is trusted, until it changes', () => {
    own(OTHER, project, file);
    chmodSync(file, 0o644);
    expect(quern(ME, ['trust'])).toEqual({ stdout: '', stderr: `${file} is trusted until it changes\n`, status: 0 });
    expect([timeout(ME), timeout(ME, { cwd: deep })]).toEqual([USED, USED]);
    writeFileSync(file, 'timeout: 8s\n');
    expect(timeout(ME)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('not to you and has changed since you trusted it, so'),
    });
  });

  test('of somebody else is used where QUERN_TRUST=1 says so', () => {
    own(OTHER, project, file);
    expect(timeout(ME, { cwd: deep, env: { QUERN_TRUST: '1' } })).toEqual(USED);
    expect(timeout(0, { env: { QUERN_TRUST: '1' } })).toEqual(USED);
  });

  test('of the user who called sudo is root’s own, and that of no other', () => {
    own(ME, project, file);
    expect(timeout(0, { cwd: deep, env: { SUDO_UID: String(ME) } })).toEqual(USED);
    const others: readonly Record<string, string>[] = [{}, { SUDO_UID: String(OTHER) }, { SUDO_UID: '' }];
    for (const env of others) {
      expect(timeout(0, { env })).toEqual(refused(`${file} belongs to uid ${ME}`));
    }
    own(OTHER, project, file);
    expect(timeout(ME, { env: { SUDO_UID: String(OTHER) } }).status).toBe(2);
  });

  test('of somebody else completes no words, and keeps nobody from beginning a project of their own', () => {
    own(OTHER, project);
    writeFileSync(file, 'profiles: { theirs: { timeout: 1s } }\n');
    own(OTHER, file);
    expect(quern(ME, ['__complete', '--', 'run', '--profile', '']).stdout).toBe('words\n');
    const mine = join(root, 'project/mine');
    mkdirSync(mine);
    own(ME, mine);
    expect(quern(ME, ['init'], { cwd: mine }).status).toBe(0);
    expect(timeout(ME, { cwd: mine }).stdout).toBe('1m\n');
  });
});
