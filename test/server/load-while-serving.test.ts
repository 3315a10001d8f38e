// `quern load` while `quern serve` uses the store: the server does it, and goes on answering.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { listenForCommands } from '../../src/cli/hand-over/listen.ts';
import { withAddress } from '../../src/cli/hand-over/protocol.ts';
import { packageVersion } from '../../src/package-file.ts';
import { createLog } from '../../src/server/observe/log.ts';
import { folderOf, queryText } from '../queries/support.ts';
import { type Result, resultOf } from '../support/process-result.ts';
import { startServe } from '../support/serve-process.ts';

const bin = new URL('../../bin/quern.js', import.meta.url).pathname;
const FILES = {
  'count.sql': queryText(1, 'select count(*) as n from orders'),
  'one.sql': queryText(2, 'select 1 as one'),
  'kept.sql': queryText(3, 'select count(*) as n from orders', 'cache: 1h'),
  'later.sql': queryText(4, 'select count(*) as n from notes'),
};

function shop() {
  const home = folderOf({});
  const store = join(home, 'a-folder-with-a-name-that-is-as-long-as-some-paths-of-real-machines-are', 'below-another-one', 'store');
  mkdirSync(store, { recursive: true });
  writeFileSync(join(home, 'orders.csv'), `id,total\n${Array.from({ length: 1000 }, (_, i) => `${i},${i / 10}`).join('\n')}\n`);
  const start = (...argv: readonly string[]) => {
    const child = spawn(process.execPath, [bin, ...argv], {
      cwd: home,
      env: { PATH: process.env['PATH'], HOME: home, QUERN_STORE: store },
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  };
  const run = async (argv: readonly string[], stdin = ''): Promise<Result> => {
    const child = start(...argv);
    child.stdin.on('error', () => undefined).end(stdin); // a command may not want all of it
    return resultOf(child);
  };
  return { home, store, start, run };
}

async function serving(store: string) {
  const child = startServe(FILES, ['--port', '0'], { QUERN_STORE: store });
  let said = '';
  const address = await new Promise<string>((resolve) => {
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const found = /^listening on (.*)$/m.exec(said)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
  return { child, address, said: () => said };
}

async function countAt(address: string, name = 'count'): Promise<number | undefined> {
  const reply = await fetch(`${address}/api/endpoints/${name}`);
  const { result } = (await reply.json()) as { readonly result?: readonly { readonly n: number }[] };
  return result?.[0]?.n;
}

test('a load, its undoing and a dropped table are done by the server, with the words and exit codes of the command', {
  timeout: 120_000,
}, async () => {
  const { home, store, run } = shop();
  expect((await run(['load', 'orders', 'orders.csv'])).exitCode).toBe(0);
  const { child, address, said } = await serving(store);
  expect(statSync(join(store, 'serve.sock')).mode & 0o777).toBe(0o600);
  expect([await countAt(address), await countAt(address, 'kept'), await countAt(address, 'kept')]).toEqual([1000, 1000, 1000]);

  writeFileSync(join(home, 'more.csv'), 'id,total\n1,2.5\n2,3.5\n');
  const more = await run(['load', 'orders', 'more.csv']);
  expect([more.exitCode, more.stderr]).toEqual([0, expect.stringMatching(/^more\.csv: 2 rows into orders /)]);
  await expect.poll(() => countAt(address), { timeout: 10_000 }).toBe(1002);
  const piped = await run(['load', 'orders', '-', '--format', 'csv'], 'id,total\n3,4.5\n');
  expect([piped.exitCode, piped.stderr]).toEqual([0, expect.stringMatching(/^standard input: 1 row into orders /)]);
  // What is cached of the data before is not given for those of now, and a new table is there.
  await expect.poll(() => countAt(address, 'kept'), { timeout: 10_000 }).toBe(1003);
  writeFileSync(join(home, 'notes.csv'), 'id,note\n1,a\n2,b\n');
  expect((await run(['load', 'notes', 'notes.csv'])).exitCode).toBe(0);
  await expect.poll(() => countAt(address, 'later'), { timeout: 10_000 }).toBe(2);
  const again = await run(['load', 'orders', 'more.csv']);
  expect([again.exitCode, again.stderr]).toEqual([1, expect.stringMatching(/^error\[load\]: .*more\.csv was loaded into orders before/)]);
  const listed = await run(['loads', '--format', 'ndjson']);
  expect(listed.stdout.trim().split('\n')).toHaveLength(4);
  const missing = await run(['load', 'orders', 'nothing.csv']);
  expect(missing.exitCode).toBe(1);
  expect(missing.stderr).toContain(join(home, 'nothing.csv'));
  expect((await run(['loads', 'undo', '2'])).exitCode).toBe(0);
  await expect.poll(() => countAt(address), { timeout: 10_000 }).toBe(1001);
  expect(said()).toContain('"a command for the store"');

  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  expect(existsSync(join(store, 'serve.sock'))).toBe(false);
  expect((await run(['query', 'select count(*) as n from orders', '--scalar'])).stdout).toBe('1001\n');
});

test('answers go on while a large load is under way, and Ctrl-C of its caller leaves nothing of it', { timeout: 120_000 }, async () => {
  const { home, store, run, start } = shop();
  await run(['load', 'orders', 'orders.csv']);
  const { address, said } = await serving(store);
  const large = join(home, 'large.csv');
  writeFileSync(large, `id,total\n${Array.from({ length: 2_000_000 }, (_, i) => `${i},${i / 10}`).join('\n')}\n`);
  const loading = start('load', 'orders', 'large.csv');
  const ended = resultOf(loading);
  await expect.poll(said, { timeout: 20_000 }).toContain('"a command for the store"');
  for (let answers = 0; answers < 4; answers++) expect((await fetch(`${address}/api/endpoints/one`)).status).toBe(200);
  loading.kill('SIGINT');
  const { exitCode, stderr } = await ended;
  // Said once nothing of it can come any more, or all of it is in: a fast machine may be that far.
  const loads = (await run(['loads', '--format', 'ndjson'])).stdout.trim().split('\n').length;
  expect([exitCode, stderr, loads, await countAt(address)]).toEqual(
    exitCode === 0
      ? [0, expect.stringMatching(/^large\.csv: 2,000,000 rows into orders/), 2, 2_001_000]
      : [
          130,
          expect.stringMatching(
            /^(?:waiting for the server.*\n)?error\[interrupted\]: the load of \S*large\.csv was interrupted\n {3}= hint: nothing of it was loaded\n$/,
          ),
          1,
          1000,
        ],
  );
});

test('whenever Ctrl-C comes, the caller ends with 0 if all rows are in, and with 130 if none is', { timeout: 240_000 }, async () => {
  const { home, store, run, start } = shop();
  await run(['load', 'orders', 'orders.csv']);
  const { address } = await serving(store);
  const rows = Array.from({ length: 100_000 }, (_, i) => `${i},${i / 10}`).join('\n');
  let made = 0;
  const load = async (name: string, interruptAfterMs?: number) => {
    writeFileSync(join(home, name), `id,total\n1,${made++}\n2,${interruptAfterMs ?? 0}\n${rows}\n`);
    const begun = performance.now();
    const loading = start('load', 'orders', name);
    const ended = resultOf(loading);
    if (interruptAfterMs !== undefined) setTimeout(() => loading.kill('SIGINT'), interruptAfterMs);
    return { ...(await ended), ms: performance.now() - begun };
  };
  const whole = await load('whole.csv');
  expect(whole.exitCode).toBe(0);
  let expected = (await countAt(address)) ?? 0;
  const seen = new Set<number | null>();
  for (let i = 0; i < 12; i++) {
    const { exitCode, stderr } = await load(`part-${i}.csv`, Math.round((whole.ms * (i + 1)) / 11));
    seen.add(exitCode);
    // Node is killed without a word before quern listens, and after it has said what it has done.
    const isSaid = /100,002 rows into orders/.test(stderr);
    if (exitCode === 0 || isSaid) expected += 100_002;
    expect([exitCode, stderr]).toEqual(
      exitCode === 0
        ? [0, expect.stringContaining('100,002 rows into orders')]
        : [130, expect.stringMatching(/^$|error\[interrupted\]|rows into/)],
    );
    expect([i, await countAt(address)]).toEqual([i, expected]);
  }
  expect(seen).toContain(130);
});

test('Ctrl-C while another command is under way takes the order back at once; while a commit is under way the caller waits for it', {
  timeout: 120_000,
}, async () => {
  const { store, start } = shop();
  const log = createLog({ level: 'silent', write: () => undefined });
  let release: (exitCode: number) => void = () => undefined;
  const begun: string[] = [];
  const server = { env: {}, cwd: '/', peakMemoryBytes: () => 0 } as never;
  const listening = await listenForCommands({
    store,
    io: server,
    log,
    runCommand: (argv) => {
      begun.push(argv[3] ?? '');
      return new Promise((resolve) => {
        release = resolve;
      });
    },
  });
  onTestFinished(() => {
    release(0);
    return listening.stop();
  });
  const first = start('load', 'first', 'x.csv');
  const firstEnded = resultOf(first);
  await expect.poll(() => begun, { timeout: 20_000 }).toEqual(['first']);
  const second = start('load', 'second', 'x.csv');
  const secondEnded = resultOf(second);
  await new Promise((resolve) => setTimeout(resolve, 2000));
  second.kill('SIGINT');
  expect(await secondEnded).toEqual({
    exitCode: 130,
    stdout: '',
    stderr: 'error[interrupted]: interrupted before its turn came\n   = hint: nothing was done\n',
  });
  // What is being committed is not interrupted any more.
  first.kill('SIGINT');
  let said = '';
  first.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  await expect.poll(() => said, { timeout: 20_000 }).toMatch(/^waiting for the server/);
  release(0);
  expect(await firstEnded).toEqual({
    exitCode: 0,
    stdout: '',
    stderr:
      'waiting for the server to take the command back; Ctrl-C again leaves at once\nthe command was already being completed when Ctrl-C came, and is done\n',
  });

  const third = start('load', 'third', 'x.csv');
  const thirdEnded = resultOf(third);
  await expect.poll(() => begun, { timeout: 20_000 }).toEqual(['first', 'third']);
  third.kill('SIGINT');
  setTimeout(() => third.kill('SIGINT'), 100);
  expect(await thirdEnded).toEqual({
    exitCode: 130,
    stdout: '',
    stderr:
      'error[interrupted]: interrupted before the server said whether the command is done\n   = hint: it is done as a whole or not at all: `quern loads` tells which\n',
  });
});

test('a refused load of standard input ends although nobody has read the input', { timeout: 60_000 }, async () => {
  const { store, run } = shop();
  await run(['load', 'orders', 'orders.csv']);
  await serving(store);
  const { exitCode, stderr } = await run(['load', 'edge_log', '-', '--format', 'csv'], 'id,total\n'.repeat(1_000_000));
  expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/^error\[unknown-source\]: edge_log is neither/)]);
});

test('a socket that a killed server has left behind stops nobody', { timeout: 120_000 }, async () => {
  const { home, store, run } = shop();
  await run(['load', 'orders', 'orders.csv']);
  const { child } = await serving(store);
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  expect(existsSync(join(store, 'serve.sock'))).toBe(true);
  writeFileSync(join(home, 'more.csv'), 'id,total\n1,2.5\n');
  expect((await run(['load', 'orders', 'more.csv'])).exitCode).toBe(0);
  const { address } = await serving(store);
  expect(await countAt(address)).toBe(1001);
});

test('the server does no command of another kind for whoever opens its socket, whatever words stand behind it', {
  timeout: 120_000,
}, async () => {
  const { home, store, run } = shop();
  await run(['load', 'orders', 'orders.csv']);
  await serving(store);
  const ordered = async (...argv: readonly string[]) => {
    const socket = await withAddress(store, async (address) => {
      const connected = connect(address);
      await once(connected, 'connect');
      return connected;
    });
    let said = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    const env = { PATH: process.env['PATH'], HOME: home };
    const order = { version: packageVersion(), argv, cwd: home, env, terminals: {}, isTyped: false, isChange: true, id: randomUUID() };
    socket.end(`${JSON.stringify(order)}\n`);
    await once(socket, 'close');
    const replies = said
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly err?: string; readonly exit?: number });
    return {
      stderr: replies.map(({ err = '' }) => Buffer.from(err, 'base64').toString()).join(''),
      exitCode: replies.at(-1)?.exit,
    };
  };
  for (const argv of [
    ['keys', 'create', '--name', 'load', '--scope', '*'],
    ['serve', '--', 'loads'],
    // Commander takes the second flag as the folder.
    ['--store', '--timeout', 'mcp', 'drop'],
  ]) {
    const { stderr, exitCode } = await ordered(...argv);
    expect(exitCode, argv.join(' ')).toBe(2);
    expect(stderr).toMatch(/^error\[usage\]: other processes do only these commands: load, loads, drop, query/);
  }
  expect(await ordered('--timeout', '30s', 'loads', '--store', store)).toEqual({ stderr: expect.anything(), exitCode: 0 });
});

test('an order that comes while the process leaves the store is not begun there', async () => {
  const { home, store } = shop();
  const io = { env: {}, cwd: home, peakMemoryBytes: () => 0 } as never;
  const log = createLog({ level: 'silent', write: () => undefined });
  const begun: string[] = [];
  const listening = await listenForCommands({
    store,
    io,
    log,
    runCommand: async (argv) => {
      begun.push(argv.join(' '));
      return 0;
    },
  });
  const socket = await withAddress(store, async (address) => {
    const connected = connect(address);
    await once(connected, 'connect');
    return connected;
  });
  await new Promise((resolve) => setTimeout(resolve, 50)); // the other side has the connection
  await listening.finish();
  let said = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const order = {
    version: packageVersion(),
    argv: ['load'],
    cwd: home,
    env: {},
    terminals: {},
    isTyped: false,
    isChange: true,
    id: randomUUID(),
  };
  socket.end(`${JSON.stringify(order)}\n`);
  await once(socket, 'close');
  expect([said, begun]).toEqual(['{"refused":true}\n', []]);
});

test('nobody else could ever open the socket: it comes to its place with its mode', async () => {
  const { home, store } = shop();
  const socket = join(store, 'serve.sock');
  const io = { env: {}, cwd: home, peakMemoryBytes: () => 0 } as never;
  const log = createLog({ level: 'silent', write: () => undefined });
  const umask = process.umask(0);
  onTestFinished(() => void process.umask(umask));
  const starting = listenForCommands({ store, io, log, runCommand: async () => 0 });
  // Here it takes connections already.
  const open = readdirSync(store, { recursive: true, withFileTypes: true }).filter((entry) => entry.isSocket());
  expect(open).toHaveLength(1);
  for (const { parentPath, name } of open) {
    const modes = [join(parentPath, name), ...(parentPath === store ? [] : [parentPath])].map((path) => statSync(path).mode & 0o077);
    expect(modes).toContain(0);
  }
  const listening = await starting;
  expect(statSync(socket).mode & 0o777).toBe(0o600);
  expect(readdirSync(store)).toEqual(['serve.sock']);
  await listening.stop();
  expect(readdirSync(store)).toEqual([]);
});
