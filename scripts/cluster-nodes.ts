// Servers of a cluster on 127.0.0.1, so many shards of so many replicas.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
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

interface Ports {
  readonly httpPort: number;
  readonly tcpPort: number;
}

/** Starts the servers, in the order of shards and replicas. Whoever writes to a Distributed table of the cluster writes to all replicas. */
export async function startNodes({ name, shards, replicas }: Cluster): Promise<readonly Node[]> {
  const places: { readonly shard: number; readonly replica: number; readonly ports: Ports; readonly door: number }[] = [];
  for (let shard = 0; shard < shards; shard++)
    for (let replica = 0; replica < replicas; replica++) {
      const ports = { httpPort: await freePort(), tcpPort: await freePort() };
      places.push({ shard, replica, ports, door: await openDoor(ports.tcpPort) });
    }
  // By its own port a server knows which shard it is.
  const definition = (own: Ports) =>
    Array.from({ length: shards }, (_, at) =>
      places
        .filter(({ shard }) => shard === at)
        .map(({ ports, door }) => ({ host: '127.0.0.1', port: ports.tcpPort === own.tcpPort ? own.tcpPort : door })),
    );
  const start = async (ports: Ports, attempts = ATTEMPTS): Promise<ClickHouseServer> => {
    try {
      return await startClickHouse({ ...ports, clusters: { [name]: definition(ports) } });
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

/**
 * Opens a port in front of a server's own, and returns it. Other servers reset their connections when a query is cut off, by LIMIT or an error. libchdb
 * has nothing that catches that, and the server ends, as ClickHouse's own program would not: behind the door it sees a connection that is closed.
 */
async function openDoor(tcpPort: number): Promise<number> {
  const door = createServer((client) => {
    const server = connect(tcpPort, '127.0.0.1');
    client.pipe(server).pipe(client);
    client.on('error', () => client.destroy());
    client.on('close', () => server.resume().end());
    server.on('error', () => client.destroy());
  }).listen(0, '127.0.0.1');
  await once(door, 'listening');
  door.unref();
  return (door.address() as AddressInfo).port; // it listens on a port
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
