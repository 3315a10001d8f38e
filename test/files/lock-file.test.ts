// Locks between processes: who is not alive holds nothing, and who is keeps what it has.
import { spawn, spawnSync } from 'node:child_process';
import { lutimesSync, mkdtempSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { lockHolder, takeLock } from '../../src/files/lock-file.ts';

function testLock(): { readonly lock: string; readonly folder: string } {
  const folder = mkdtempSync(join(tmpdir(), 'quern-lock-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return { lock: join(folder, 'lock'), folder };
}

const deadPid = (): number => spawnSync(process.execPath, ['-e', '']).pid;
const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1000);

test('a lock has one holder at a time, who is named, and leaves nothing when it is given back', () => {
  const { lock, folder } = testLock();
  const giveBack = takeLock(lock);
  expect([takeLock(lock), lockHolder(lock)?.pid]).toEqual([undefined, process.pid]);
  giveBack?.();
  expect([readdirSync(folder), lockHolder(lock)]).toEqual([[], undefined]);
  takeLock(lock)?.();
  expect(readdirSync(folder)).toEqual([]);
});

test('a lock in a folder that is not there cannot be made', () => {
  const { folder } = testLock();
  expect(() => takeLock(join(folder, 'missing', 'lock'))).toThrow('ENOENT');
});

test.each<[string, (lock: string) => void]>([
  ['a dead process', (lock) => symlinkSync(`${deadPid()} ${lockHost()} 1`, lock)],
  ['a process whose number another one has now', (lock) => symlinkSync(`${process.pid} ${lockHost()} 1`, lock)],
  ['a dead process of an older quern', (lock) => writeFileSync(lock, `${deadPid()} ${hostname()}\n`)],
  ['a dead process that was opening a store with an older quern', (lock) => writeFileSync(lock, `PID: ${deadPid()}\n`)],
  [
    'another machine, a minute ago',
    (lock) => {
      symlinkSync('1 elsewhere 1', lock);
      lutimesSync(lock, secondsAgo(61), secondsAgo(61));
    },
  ],
  ['nobody, on a disk that was full', (lock) => emptyFile(lock, '')],
  ['half a name', (lock) => emptyFile(lock, `${process.pid}`)],
])('a lock that was left by %s is taken over', (_, leave) => {
  const { lock, folder } = testLock();
  leave(lock);
  const giveBack = takeLock(lock);
  expect([typeof giveBack, lockHolder(lock)?.pid]).toEqual(['function', process.pid]);
  giveBack?.();
  expect(readdirSync(folder)).toEqual([]);
});

test.each<[string, (lock: string) => void]>([
  ['being made by an older quern at this moment', (lock) => writeFileSync(lock, '')],
  ['of another machine', (lock) => symlinkSync('1 elsewhere 1', lock)],
  ['of a living process of an older quern', (lock) => writeFileSync(lock, `${process.ppid} ${hostname()}\n`)],
])('a lock %s is left alone', (_, leave) => {
  const { lock, folder } = testLock();
  leave(lock);
  expect([takeLock(lock), readdirSync(folder)]).toEqual([undefined, ['lock']]);
});

test.skipIf(process.platform !== 'linux')('a living holder keeps its lock, however old it is', async () => {
  const { lock } = testLock();
  const giveBack = takeLock(lock);
  lutimesSync(lock, secondsAgo(7200), secondsAgo(7200));
  expect(takeLock(lock)).toBeUndefined();
  giveBack?.();
});

test.skipIf(process.platform !== 'linux')('a process that has ended and that nobody has buried holds nothing', async () => {
  const { lock } = testLock();
  // The shell's child ends soon, and what the shell becomes never asks for its end.
  const parent = spawn('bash', ['-c', 'sleep 0.1 & echo $!; exec sleep 60']);
  onTestFinished(() => void parent.kill('SIGKILL'));
  const [pid] = await new Promise<string[]>((resolve) => parent.stdout.once('data', (data: Buffer) => resolve(String(data).split('\n'))));
  await new Promise((resolve) => setTimeout(resolve, 300));
  writeFileSync(lock, `${pid} ${hostname()}\n`);
  expect(typeof takeLock(lock)).toBe('function');
});

test('a lock that was taken over is not given back by who had it before', () => {
  const { lock } = testLock();
  const giveBack = takeLock(lock);
  rmSync(lock);
  symlinkSync('1 elsewhere 1', lock);
  giveBack?.();
  expect(lockHolder(lock)?.pid).toBe(1);
});

/** How locks name this machine. */
function lockHost(): string {
  const { lock } = testLock();
  takeLock(lock);
  return lockHolder(lock)?.host ?? '';
}

function emptyFile(lock: string, text: string): void {
  writeFileSync(lock, text);
  utimesSync(lock, secondsAgo(2), secondsAgo(2));
}
