// A real ClickHouse server for tests: HTTP and native TCP, users, profiles, clusters, in a folder of its own.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Elements, freePort, type ProcessOptions, startProcess } from './clickhouse-process.mjs';

export { freePort };

export interface Shard {
  readonly host: string;
  readonly port: number;
}

export interface ServerOptions extends Omit<ProcessOptions, 'path' | 'folder'> {
  /** Name → shards, each of one replica, or of several. */
  readonly clusters?: Readonly<Record<string, readonly (Shard | readonly Shard[])[]>>;
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
  /** kill -9, since an orderly end waits for connections; its folder is removed. Resolves when it is gone. */
  stop(): Promise<void>;
  /** Stops and resumes the process as a whole: a server that accepts connections and says nothing. Resolves when no thread of it runs. */
  freeze(): Promise<void>;
  thaw(): void;
}

/** Starts a server on 127.0.0.1 with a data directory of its own; resolves when it answers. */
export async function startClickHouse({ clusters = {}, config = {}, ...options }: ServerOptions = {}): Promise<ClickHouseServer> {
  const folder = mkdtempSync(join(tmpdir(), 'quern-clickhouse-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const remoteServers = Object.entries(clusters).map(([name, shards]): [string, Elements] => [
    name,
    { shard: shards.map((replicas) => ({ replica: [replicas].flat().map(({ host, port }) => ({ host, port })) })) },
  ]);
  const elements = { ...(remoteServers.length === 0 ? {} : { remote_servers: Object.fromEntries(remoteServers) }), ...config };
  const server = await startProcess({ path: folder, config: elements, ...options }).catch((error: unknown) => {
    remove();
    throw error;
  });
  const url = `http://127.0.0.1:${server.httpPort}`;
  return {
    url,
    httpPort: server.httpPort,
    tcpPort: server.tcpPort,
    pid: server.child.pid ?? 0,
    shard: { host: '127.0.0.1', port: server.tcpPort },
    run: (sql, user = 'default', password = '') => runStatements(url, sql, user, password),
    stop: () => server.kill().then(remove),
    async freeze() {
      server.child.kill('SIGSTOP');
      while (!isStopped(server.child.pid ?? 0)) await sleep(5);
    },
    thaw: () => void server.child.kill('SIGCONT'),
  };
}

/** The signal reaches the threads one after the other. Where the system does not show them, they are taken to be stopped. */
function isStopped(pid: number): boolean {
  try {
    const threads = readdirSync(`/proc/${pid}/task`).map((thread) => readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8'));
    return threads.every((stat) => /^\) [Tt]/.test(stat.slice(stat.lastIndexOf(')'))));
  } catch {
    return true;
  }
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
