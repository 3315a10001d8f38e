// Two shards of ClickHouse servers on 127.0.0.1, over which the tables of a batch are spread.
import { setTimeout as sleep } from 'node:timers/promises';
import { openServer } from '../../src/engine/server/server.ts';
import { isAlive, type Node, runWhole, startNodes } from '../cluster-nodes.ts';
import { DATABASE, type Place, sourceOf } from './place.ts';

/** How queries name the tables of all shards: as Distributed tables, which every node has or the initiator alone, or by `cluster:` of their source. */
export const FORMS = ['distributed', 'initiator', 'cluster'] as const;
export type Form = (typeof FORMS)[number];

const SHARDS = 2;
/** What is said of a server that dies, which takes some time. */
const OF_DYING = /does not respond|Connection re(?:set|fused)|fatal error|fetch failed/;
const DYING_MS = 60_000;
const CLUSTER = 'pair';
/** The database of the Distributed tables; the shards' own are in `x`. */
const EVERYWHERE = 'd';

/** Starts the servers. The first one is the initiator. */
export async function clusterPlace(form: Form, replicas: number): Promise<Place> {
  const nodes = await startNodes({ name: CLUSTER, shards: SHARDS, replicas });
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
      const dead = (): readonly Node[] => nodes.filter(({ server }) => !isAlive(server));
      const isTold = OF_DYING.test(message);
      for (const end = Date.now() + DYING_MS; isTold && dead().length === 0 && Date.now() < end; ) await sleep(20);
      const died = dead();
      for (const node of died) await node.restart();
      return died.length > 0;
    },
    async close() {
      await engine.close();
      await Promise.all(nodes.map(({ server }) => server.stop()));
    },
  };
}
