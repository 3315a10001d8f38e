// Two shards of ClickHouse servers on 127.0.0.1, over which the tables of a batch are spread.
import { setTimeout as sleep } from 'node:timers/promises';
import { openServer } from '../../src/engine/server/server.ts';
import { type ClickHouseServer, freePort, startClickHouse } from '../../test/support/clickhouse-server.ts';
import { DATABASE, type Place, sourceOf } from './place.ts';

/** How queries name the tables of all shards: as Distributed tables, which every node has or the initiator alone, or by `cluster:` of their source. */
export const FORMS = ['distributed', 'initiator', 'cluster'] as const;
export type Form = (typeof FORMS)[number];

const SHARDS = 2;
/** What is said of a server that dies, which takes some time. */
const OF_DYING = /does not respond|Connection re(?:set|fused)|fatal error|fetch failed/;
const DYING_MS = 5000;
const CLUSTER = 'pair';
/** The database of the Distributed tables; the shards' own are in `x`. */
const EVERYWHERE = 'd';

interface Node {
  readonly shard: number;
  readonly ports: { readonly httpPort: number; readonly tcpPort: number };
  server: ClickHouseServer;
}

/** Starts the servers. The first one is the initiator. */
export async function clusterPlace(form: Form, replicas: number): Promise<Place> {
  const places: { readonly shard: number; readonly ports: Node['ports'] }[] = [];
  for (let shard = 0; shard < SHARDS; shard++)
    for (let replica = 0; replica < replicas; replica++)
      places.push({ shard, ports: { httpPort: await freePort(), tcpPort: await freePort() } });
  const shards = Array.from({ length: SHARDS }, (_, at) =>
    places.filter(({ shard }) => shard === at).map(({ ports }) => ({ host: '127.0.0.1', port: ports.tcpPort })),
  );
  const start = async (ports: Node['ports'], attempts = 5): Promise<ClickHouseServer> => {
    try {
      return await startClickHouse({ ...ports, clusters: { [CLUSTER]: shards } });
    } catch (error) {
      if (attempts <= 1) throw error;
      // Another process may use one of the ports for a moment.
      await sleep(500);
      return start(ports, attempts - 1);
    }
  };
  const nodes: readonly Node[] = await Promise.all(places.map(async (place) => ({ ...place, server: await start(place.ports) })));
  const [initiator] = nodes;
  if (initiator === undefined) throw new RangeError('a cluster has nodes');
  // As connection/server-engine.ts opens it.
  const engine = openServer({ url: initiator.server.url, preferences: { distributed_product_mode: 'global' } });
  /** Runs the statements for each node, one after the other on each. */
  const onNodes = async (statements: (node: Node) => readonly string[]): Promise<void> => {
    await Promise.all(
      nodes.map(async (node) => {
        for (const statement of statements(node)) await runWhole(node.server, statement);
      }),
    );
  };
  const hasDistributed = (node: Node): boolean => form !== 'initiator' || node === initiator;

  return {
    engine,
    clear: () =>
      onNodes(() => [DATABASE, EVERYWHERE].flatMap((name) => [`DROP DATABASE IF EXISTS ${name} SYNC`, `CREATE DATABASE ${name}`])),
    async make(table) {
      const { name, columnsOf, statements, spread } = table;
      if (statements.length > 0) {
        const parts = spread?.(SHARDS) ?? [];
        const distributed = `CREATE TABLE ${EVERYWHERE}.${name} AS ${DATABASE}.${name} ENGINE = Distributed('${CLUSTER}', '${DATABASE}', '${name}')`;
        await onNodes((node) => [
          ...[EVERYWHERE, DATABASE].map((database) => `DROP TABLE IF EXISTS ${database}.${name} SYNC`),
          ...(parts[node.shard] ?? []),
          ...(hasDistributed(node) ? [distributed] : []),
        ]);
      }
      const described = await engine.rows(`DESCRIBE TABLE ${DATABASE}.${columnsOf ?? name}`);
      // No cluster has wildcards: they are read from the Distributed tables.
      const byCluster = form === 'cluster' && columnsOf === undefined;
      const options = { ...table.options, ...(byCluster ? { cluster: CLUSTER } : {}) };
      return { ...sourceOf({ ...table, options }, described, byCluster ? DATABASE : EVERYWHERE), sharded: true };
    },
    async revive(message) {
      const dying = (): readonly Node[] => nodes.filter(({ server }) => !isAlive(server.pid));
      for (const end = Date.now() + DYING_MS; OF_DYING.test(message) && dying().length === 0 && Date.now() < end; ) await sleep(20);
      const dead = dying();
      for (const node of dead) {
        await node.server.stop();
        node.server = await start(node.ports);
      }
      if (dead.length === 0) return undefined;
      return OF_DYING.test(message) ? 'of it' : 'afterwards';
    },
    async close() {
      await engine.close();
      await Promise.all(nodes.map(({ server }) => server.stop()));
    },
  };
}

/** Runs one statement, whatever is in its texts. */
async function runWhole({ url }: ClickHouseServer, statement: string): Promise<void> {
  const response = await fetch(url, { method: 'POST', body: statement, headers: { Connection: 'close' } });
  const answer = await response.text();
  if (!response.ok) throw new Error(answer);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
