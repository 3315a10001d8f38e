// `quern serve` as a process: what becomes of it when nobody reads its log, and what signals do to it.
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { queryText } from '../queries/support.ts';
import { type Serving, serveProcess, startServe } from '../support/serve-process.ts';

const ONE = queryText(1, 'select @n as n', 'params: { n: { type: integer, default: 1 } }');

const FILES = { 'one.sql': ONE };
const started = (...flags: readonly string[]) => startServe(FILES, flags);
const serving = () => serveProcess(FILES);

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
