// Servers of a cluster on 127.0.0.1, so many shards of so many replicas.
import { setTimeout as sleep } from 'node:timers/promises';
import { type ClickHouseServer, freePort, startClickHouse } from '../test/support/clickhouse-server.ts';

export interface Node {
  readonly shard: number;
  readonly replica: number;
  server: ClickHouseServer;
  stopped: boolean;
  /** Ends it for good, with its tables, or until it is started again without them. */
  stop(): Promise<void>;
  restart(): Promise<void>;
}

interface Cluster {
  readonly name: string;
  readonly shards: number;
  readonly replicas: number;
}

const ATTEMPTS = 20;

/** Starts the servers, in the order of shards and replicas. Whoever writes to a Distributed table of the cluster writes to all replicas. */
export async function startNodes({ name, shards, replicas }: Cluster): Promise<readonly Node[]> {
  const places: { readonly shard: number; readonly replica: number; readonly ports: { httpPort: number; tcpPort: number } }[] = [];
  for (let shard = 0; shard < shards; shard++)
    for (let replica = 0; replica < replicas; replica++)
      places.push({ shard, replica, ports: { httpPort: await freePort(), tcpPort: await freePort() } });
  const definition = Array.from({ length: shards }, (_, at) =>
    places.filter(({ shard }) => shard === at).map(({ ports }) => ({ host: '127.0.0.1', port: ports.tcpPort })),
  );
  const start = async (ports: { httpPort: number; tcpPort: number }, attempts = ATTEMPTS): Promise<ClickHouseServer> => {
    try {
      return await startClickHouse({ ...ports, clusters: { [name]: definition } });
    } catch (error) {
      if (attempts <= 1) throw error;
      // Another process may use one of the ports for a moment.
      await sleep(500);
      return start(ports, attempts - 1);
    }
  };
  return Promise.all(
    places.map(async ({ shard, replica, ports }) => {
      const node: Node = {
        shard,
        replica,
        server: await start(ports),
        stopped: false,
        async stop() {
          node.stopped = true;
          await node.server.stop();
        },
        async restart() {
          await node.stop();
          node.server = await start(ports);
          node.stopped = false;
        },
      };
      return node;
    }),
  );
}

/** Tables may have columns of these types. */
const TYPES = 'enable_nullable_tuple_type=1&enable_time_time64_type=1';

/** Runs one statement, whatever is in its texts; `data` is that of an INSERT. Throws what the server says. */
export async function runWhole({ url }: ClickHouseServer, statement: string, data?: Uint8Array<ArrayBuffer>): Promise<void> {
  const address = `${url}/?${TYPES}${data === undefined ? '' : `&query=${encodeURIComponent(statement)}`}`;
  const response = await fetch(address, { method: 'POST', body: data ?? statement, headers: { Connection: 'close' } });
  const answer = await response.text();
  if (!response.ok) throw new Error(answer);
}

export function isAlive({ pid }: ClickHouseServer): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
