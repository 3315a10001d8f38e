// Where the same rows are: in a store of this process, on a server, and spread over the shards of clusters.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Store } from '../../src/store/store.ts';
import { LOAD_COLUMN } from '../../src/store/tables.ts';
import { type ClickHouseServer, startClickHouse } from '../../test/support/clickhouse-server.ts';
import { runWhole, startNodes } from '../cluster-nodes.ts';
import { OF_STORE } from '../collection/run-group.ts';

/** A table as the store has it. */
export interface StoredTable {
  readonly database: string;
  readonly name: string;
  /** Its CREATE TABLE. */
  readonly statement: string;
  /** A file with its rows in ClickHouse's format Native. */
  readonly file: string;
}

export interface Place {
  readonly name: string;
  /** Of the server that is asked. */
  readonly url: string;
  fill(tables: readonly StoredTable[]): Promise<void>;
  /** Removes the tables. */
  clear(tables: readonly StoredTable[]): Promise<void>;
  close(): Promise<void>;
}

const CLUSTER = 'places';
/** The shards' own tables are in a database of that name. */
const ownOf = (database: string): string => `own_${database}`;

/** Returns the tables of a store, after it has written their rows into `folder`. */
export async function tablesOf({ engine }: Store, folder: string): Promise<readonly StoredTable[]> {
  // As a server has tables of its own: without what the store keeps of its loads.
  const hidden = ['metadata_records', 'metadata_text', LOAD_COLUMN];
  for (const [table, column] of await engine.rows(
    `SELECT table, name FROM system.columns WHERE database = '${OF_STORE}' AND name IN (${hidden.map((name) => `'${name}'`).join(', ')})`,
  ))
    await engine.command(`ALTER TABLE ${OF_STORE}.\`${table}\` DROP COLUMN ${column}`);
  const found = await engine.rows(
    "SELECT database, name, create_table_query FROM system.tables WHERE lower(database) NOT IN ('system', 'information_schema') AND engine LIKE '%MergeTree'",
  );
  const tables = found.map(([database, name, statement], at) => ({
    database: String(database),
    name: String(name),
    statement: String(statement),
    file: join(folder, `${at}.native`),
  }));
  for (const { database, name, file } of tables)
    await engine.command(`SELECT * FROM \`${database}\`.\`${name}\` INTO OUTFILE '${file}' FORMAT Native`);
  return tables;
}

export async function serverPlace(): Promise<Place> {
  const server = await startClickHouse();
  return {
    name: 'one server',
    url: server.url,
    async fill(tables) {
      await makeDatabases(server, tables, (database) => [database]);
      for (const table of tables) {
        await runWhole(server, table.statement);
        await insert(server, table);
      }
    },
    clear: (tables) => dropDatabases(server, tables),
    close: () => server.stop(),
  };
}

/** With several replicas, one of each shard is stopped while the tables are asked: another one in each shard. */
export async function shardsPlace(shards: number, replicas: number): Promise<Place> {
  const nodes = await startNodes({ name: CLUSTER, shards, replicas });
  const [first] = nodes;
  if (first === undefined) throw new RangeError('a cluster has nodes');
  const toStop = replicas === 1 ? [] : nodes.filter(({ shard, replica }) => replica === (shard === 0 ? 1 : shard % replicas));
  const fill = async (tables: readonly StoredTable[]): Promise<void> => {
    for (const node of nodes) if (node.stopped) await node.restart();
    for (const { server } of nodes) {
      await makeDatabases(server, tables, (database) => [database, ownOf(database)]);
      for (const { database, name, statement } of tables) {
        const own = `\`${ownOf(database)}\`.\`${name}\``;
        await runWhole(
          server,
          statement.replace(/^CREATE TABLE \S+/, () => `CREATE TABLE ${own}`),
        );
        const of = `ENGINE = Distributed('${CLUSTER}', '${ownOf(database)}', '${name}', rowNumberInAllBlocks())`;
        await runWhole(server, `CREATE TABLE \`${database}\`.\`${name}\` AS ${own} ${of}`);
      }
    }
    for (const table of tables) await insert(first.server, table);
    for (const node of toStop) await node.stop();
  };
  return {
    name: replicas === 1 ? `${shards} shards` : `${shards} shards, ${replicas - 1} of ${replicas} replicas`,
    url: first.server.url,
    fill,
    async clear(tables) {
      for (const { server, stopped } of nodes) if (!stopped) await dropDatabases(server, tables);
    },
    async close() {
      await Promise.all(nodes.map((node) => node.stop()));
    },
  };
}

const databasesOf = (tables: readonly StoredTable[]): readonly string[] => [
  ...new Set([OF_STORE, ...tables.map(({ database }) => database)]),
];

async function makeDatabases(
  server: ClickHouseServer,
  tables: readonly StoredTable[],
  of: (database: string) => readonly string[],
): Promise<void> {
  for (const name of databasesOf(tables).flatMap(of)) await runWhole(server, `CREATE DATABASE IF NOT EXISTS \`${name}\``);
}

async function dropDatabases(server: ClickHouseServer, tables: readonly StoredTable[]): Promise<void> {
  for (const name of databasesOf(tables).flatMap((database) => [database, ownOf(database)]))
    await runWhole(server, `DROP DATABASE IF EXISTS \`${name}\` SYNC`);
}

async function insert(server: ClickHouseServer, { database, name, file }: StoredTable): Promise<void> {
  const rows = new Uint8Array(readFileSync(file));
  if (rows.length === 0) return;
  await runWhole(server, `INSERT INTO \`${database}\`.\`${name}\` SETTINGS distributed_foreground_insert = 1 FORMAT Native`, rows);
}
