// A real ClickHouse server for tests, out of the library that the package chdb ships: HTTP and native TCP, users, profiles, clusters.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { childScript } from './child-script.ts';
import { type Elements, printXml } from './clickhouse-xml.ts';

export interface Shard {
  readonly host: string;
  readonly port: number;
}

export interface ServerOptions {
  /** Elements of `users`; by default `default` without a password, who may do everything. Profile `default` unless said otherwise. */
  readonly users?: Elements;
  /** Elements of `profiles`, beside `default`. */
  readonly profiles?: Elements;
  /** Name → shards, of one replica each. */
  readonly clusters?: Readonly<Record<string, readonly Shard[]>>;
  /** More elements of the server's configuration. */
  readonly config?: Elements;
  /** For a server that takes the place of one that was killed. */
  readonly httpPort?: number;
  readonly tcpPort?: number;
}

export interface ClickHouseServer {
  readonly url: string;
  readonly httpPort: number;
  readonly tcpPort: number;
  readonly pid: number;
  /** The native port, as an element of a cluster. */
  readonly shard: Shard;
  /** Runs statements as `user`, one by one, and gives the text of the last answer (TSV). Throws what the server says. */
  run(sql: string, user?: string, password?: string): Promise<string>;
  /** An orderly end; its folder is removed. */
  stop(): Promise<void>;
  /** kill -9; its folder is removed. Resolves when it is gone. */
  kill(): Promise<void>;
  /** Stops and resumes the process as a whole: a server that accepts connections and says nothing. */
  freeze(): void;
  thaw(): void;
}

const READY_MS = 30_000;
const STOP_MS = 8_000;

/** Starts a server on 127.0.0.1 with a data directory of its own; resolves when it answers. */
export async function startClickHouse(options: ServerOptions = {}): Promise<ClickHouseServer> {
  const folder = mkdtempSync(join(tmpdir(), 'quern-clickhouse-'));
  const httpPort = options.httpPort ?? (await freePort());
  const tcpPort = options.tcpPort ?? (await freePort());
  const child = spawn(process.execPath, [childScript('clickhouse-process'), ...serverArguments(folder, httpPort, tcpPort, options)], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.on('error', () => undefined); // the pipe breaks when the server is killed
  const output = collect(child);
  const url = `http://127.0.0.1:${httpPort}`;
  const gone = once(child, 'exit').then(() => rmSync(folder, { recursive: true, force: true }));
  let ending = false;
  child.once('exit', (code, signal) => {
    if (!ending) process.stderr.write(`the ClickHouse server on ${url} ended by itself (${signal ?? code}): ${output()}\n`);
  });
  const kill = async (): Promise<void> => {
    ending = true;
    child.kill('SIGKILL');
    await gone;
  };
  for (const deadline = performance.now() + READY_MS; !(await answers(httpPort)); await pause(20)) {
    if (child.exitCode === null && child.signalCode === null && performance.now() < deadline) continue;
    await kill();
    throw new Error(`the ClickHouse server did not start: ${output()}`);
  }
  return {
    url,
    httpPort,
    tcpPort,
    pid: child.pid ?? 0,
    shard: { host: '127.0.0.1', port: tcpPort },
    run: (sql, user = 'default', password = '') => runStatements(url, sql, user, password),
    async stop() {
      ending = true;
      child.kill('SIGCONT');
      child.stdin.end();
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      await gone;
      clearTimeout(timer);
    },
    kill,
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
  };
}

/** A port that nothing listened on a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  await new Promise((closed) => server.close(closed));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function serverArguments(folder: string, httpPort: number, tcpPort: number, options: ServerOptions): readonly string[] {
  const users = join(folder, 'users.xml');
  const config = join(folder, 'config.xml');
  writeFileSync(
    users,
    printXml({
      profiles: { default: { log_queries: 0 }, ...options.profiles },
      quotas: { default: {} },
      users: options.users ?? { default: { password: '', networks: { ip: '127.0.0.1' }, profile: 'default', quota: 'default' } },
    }),
  );
  const remoteServers = Object.entries(options.clusters ?? {}).map(([name, shards]) => [
    name,
    { shard: shards.map(({ host, port }) => ({ replica: { host, port } })) },
  ]);
  writeFileSync(
    config,
    printXml({
      logger: { level: 'none' },
      users_config: users,
      user_files_path: join(folder, 'user_files'),
      keep_alive_timeout: 30,
      shutdown_wait_unfinished: 0,
      ...(remoteServers.length === 0 ? {} : { remote_servers: Object.fromEntries(remoteServers) as Elements }),
      ...options.config,
    }),
  );
  return [
    `--path=${folder}`,
    `--config-file=${config}`,
    '--listen_host=127.0.0.1',
    `--http_port=${httpPort}`,
    `--tcp_port=${tcpPort}`,
    // The last statement reads standard input to its end: the server lives until this process ends, or closes the pipe.
    "--query=SYSTEM START LISTEN HTTP; SYSTEM START LISTEN TCP; SELECT count() FROM file('-', 'LineAsString', 'line String') SETTINGS max_execution_time = 0 FORMAT Null",
  ];
}

/** What the process wrote last. */
function collect(child: ChildProcess): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (bytes: Buffer) => {
      text = `${text}${bytes.toString()}`.slice(-10_000);
    });
  }
  return () => text;
}

/** No connection is kept alive: one that is open makes the server wait when it stops. */
function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    get({ host: '127.0.0.1', port, path: '/ping', agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    }).on('error', () => resolve(false));
  });
}

async function runStatements(url: string, sql: string, user: string, password: string): Promise<string> {
  let answer = '';
  for (const statement of sql.split(/;\s*(?:\n|$)/).filter((text) => text.trim() !== '')) {
    const response = await fetch(url, {
      method: 'POST',
      body: statement,
      headers: { 'X-ClickHouse-User': user, 'X-ClickHouse-Key': password, Connection: 'close' },
    });
    answer = await response.text();
    if (!response.ok) throw new Error(answer);
  }
  return answer;
}
