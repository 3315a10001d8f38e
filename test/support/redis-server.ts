// A real Redis (or Valkey) server for tests, on 127.0.0.1 with a port of its own and nothing on the disk.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, onTestFinished } from 'vitest';
import { folderOf } from '../queries/support.ts';
import { freePort } from './clickhouse-process.mjs';

const SERVER = ['/usr/bin/redis-server', '/usr/bin/valkey-server', '/usr/local/bin/redis-server', '/opt/homebrew/bin/redis-server'].find(
  (file) => existsSync(file),
);

/** Where there is no server the tests are left out, unless somebody counts on them. */
export const describeWithRedis = (name: string, tests: () => void): void => {
  if (SERVER === undefined && process.env['REDIS_TESTS'] !== 'required') {
    describe.skip(`${name} (left out: there is no Redis; apt-get install redis-server)`, tests);
  } else describe(name, tests);
};

export interface RedisServer {
  readonly port: number;
  readonly url: string;
  /** Asks as a client that knows nothing: the reply as it comes, or what arrived of it. */
  send(...words: readonly string[]): Promise<string>;
  /** kill -9. Resolves when it is gone. */
  kill(): Promise<void>;
  /** On the same port, with what the disk holds: nothing. */
  start(): Promise<void>;
  freeze(): void;
  thaw(): void;
}

interface Options {
  readonly tls?: boolean;
  readonly flags?: readonly string[];
  readonly password?: string;
}

/** It is killed when the test ends. */
export async function startRedis({ flags = [], password, tls = false }: Options = {}): Promise<RedisServer> {
  const port = await freePort();
  const folder = folderOf({});
  const plainPort = tls ? await freePort() : port;
  if (tls) {
    const words = [
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '2',
      '-subj',
      '/CN=localhost',
      '-addext',
      'subjectAltName=IP:127.0.0.1',
    ];
    execFileSync('openssl', ['req', ...words, '-keyout', `${folder}/key.pem`, '-out', `${folder}/cert.pem`], { stdio: 'ignore' });
  }
  const tlsFlags = ['--tls-port', String(port), '--tls-cert-file', `${folder}/cert.pem`, '--tls-key-file', `${folder}/key.pem`];
  const own = [
    ...['--port', String(plainPort), '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--appendonly', 'no'],
    ...(tls ? [...tlsFlags, '--tls-auth-clients', 'no'] : []),
    ...(password === undefined ? [] : ['--requirepass', password]),
    ...flags,
  ];
  let child: ChildProcess | undefined;
  const send = (...words: readonly string[]) => ask(plainPort, password, words);
  const start = async (): Promise<void> => {
    if (SERVER === undefined) throw new Error('there is no Redis: apt-get install redis-server');
    child = spawn(SERVER, own, { stdio: 'ignore' });
    const begun = child;
    while (!(await send('PING').catch(() => '')).startsWith('+PONG')) {
      if (begun.exitCode !== null) throw new Error(`redis-server ended with ${begun.exitCode}`);
      await sleep(20);
    }
  };
  onTestFinished(() => void child?.kill('SIGKILL'));
  await start();
  return {
    port,
    url: `${tls ? 'rediss' : 'redis'}://127.0.0.1:${port}`,
    send,
    start,
    async kill() {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
  };
}

/** The certificate of a server that was started with TLS is its own authority. */
export const certificateOf = async (server: RedisServer): Promise<string> => {
  const folder = (await server.send('CONFIG', 'GET', 'dir')).split('\r\n').at(-2) ?? '';
  readFileSync(`${folder}/cert.pem`);
  return `${folder}/cert.pem`;
};

function ask(port: number, password: string | undefined, words: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.setTimeout(2000, () => socket.destroy(new Error('no reply')));
    socket.on('error', reject);
    socket.on('data', (data) => (text += data.toString('latin1')));
    socket.on('close', () => resolve(password === undefined ? text.replace(/\+OK\r\n$/, '') : text.replace(/^\+OK\r\n|\+OK\r\n$/g, '')));
    const commands = [...(password === undefined ? [] : [['AUTH', password]]), words, ['QUIT']];
    for (const command of commands)
      socket.write(`*${command.length}\r\n${command.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`);
  });
}
