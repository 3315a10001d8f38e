// `quern serve` as a process: what becomes of it when nobody reads its log, and what signals do to it.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { folderOf, queryText } from '../saved-query/support.ts';

const bin = new URL('../../bin/quern.js', import.meta.url).pathname;
const ONE = queryText(1, 'select @n as n', 'params: { n: { type: integer, default: 1 } }');

interface Serving {
  readonly child: ChildProcessWithoutNullStreams;
  readonly address: string;
  /** Lines of standard error, as they come. */
  readonly lines: string[];
}

function started(...flags: readonly string[]): Serving['child'] {
  const home = folderOf({ 'queries/one.sql': ONE });
  const env = { PATH: process.env['PATH'], HOME: home };
  const child = spawn(process.execPath, [bin, 'serve', '--no-auth', '--queries', join(home, 'queries'), ...flags], { env });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

async function serving(): Promise<Serving> {
  const child = started('--port', '0');
  const lines: string[] = [];
  const address = await new Promise<string>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`the server did not start: ${lines.join('\n')}`)));
    createInterface({ input: child.stderr }).on('line', (line) => {
      lines.push(line);
      const found = /^listening on (.*)$/.exec(line)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
  return { child, address, lines };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on a port
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function answersOf(address: string, n: number): Promise<unknown> {
  return (await fetch(`${address}/api/endpoints/one?n=${n}`)).json();
}

async function stopped(child: Serving['child']): Promise<unknown> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  return ended;
}

describe('a server whose log nobody reads any more', () => {
  test.each(['stderr', 'stdout'] as const)('answers as before, and ends with 0 when it is told to (%s is closed)', async (stream) => {
    const { child, address } = await serving();
    child[stream].destroy();
    for (let n = 0; n < 20; n++) expect(await answersOf(address, n)).toEqual({ result: [{ n }] });
    expect((await fetch(`${address}/made/up`)).status).toBe(404);
    expect(await stopped(child)).toEqual([0, null]);
  });

  test('also when there was never a reader', async () => {
    const port = await freePort();
    const child = started('--port', String(port));
    child.stderr.destroy();
    child.stdout.destroy();
    await expect
      .poll(() => answersOf(`http://127.0.0.1:${port}`, 1).catch(() => 'not yet'), { timeout: 20_000 })
      .toEqual({ result: [{ n: 1 }] });
    expect(await stopped(child)).toEqual([0, null]);
  });
});

test.skipIf(!existsSync('/proc/self/net/tcp'))('SIGUSR1 opens no inspector', async () => {
  const { child, address, lines } = await serving();
  expect(portsOf(child)).toHaveLength(1);
  for (let i = 0; i < 3; i++) {
    child.kill('SIGUSR1');
    await pause(100);
  }
  expect(await answersOf(address, 2)).toEqual({ result: [{ n: 2 }] });
  expect(portsOf(child)).toHaveLength(1);
  expect(lines.filter((line) => /debugger/i.test(line))).toEqual([]);
  expect(await stopped(child)).toEqual([0, null]);
});

/** Ports on which the process listens, in hexadecimal, as Linux tells. */
function portsOf({ pid }: Serving['child']): readonly string[] {
  const folder = `/proc/${pid}/fd`;
  const sockets = new Set(readdirSync(folder).map((fd) => /^socket:\[(\d+)\]$/.exec(linkOf(join(folder, fd)))?.[1]));
  return readFileSync(`/proc/${pid}/net/tcp`, 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode]) => state === '0A' && sockets.has(inode))
    .map(([, local = '']) => local.split(':')[1] ?? '')
    .sort();
}

/** A descriptor may be closed meanwhile. */
function linkOf(file: string): string {
  try {
    return readlinkSync(file);
  } catch {
    return '';
  }
}
