// Where the tables of our side are: an embedded engine of this process, or a cluster.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbedded } from '../../src/engine/embedded/embedded.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { readDefinitions } from '../../src/sources/definition.ts';
import { sourceFromTable } from '../../src/sources/table/table-source.ts';
import type { Source } from '../../src/sql/source.ts';

/** What a table is in ClickHouse: the statements that make it, and what quern.yaml says of it. */
export interface EngineTable {
  /** The name of the source, and with `x.` in front that of the table. */
  readonly name: string;
  readonly statements: readonly string[];
  /** Returns the statements that make the table on each of so many shards, with some of the rows. */
  readonly spread?: (shards: number) => readonly (readonly string[])[];
  readonly options?: Readonly<Record<string, unknown>>;
  /** The table whose columns it has, where it is a wildcard over several. */
  readonly columnsOf?: string;
}

export interface Place {
  readonly engine: Engine;
  /** Removes all tables. */
  clear(): Promise<void>;
  /** Makes a table anew, and returns its source. */
  make(table: EngineTable): Promise<Source>;
  /** Starts servers that have died, without tables, after a query has failed with `message`. Returns true if one has. */
  revive(message: string): Promise<boolean>;
  close(): Promise<void>;
}

/** Returns the table as one that can be spread over shards; `rows` are dealt in turn, and made into a table by `engine`. */
export function spreadable<T>(rows: readonly T[], engine: (rows: readonly T[]) => EngineTable): EngineTable {
  const spread = (shards: number): readonly (readonly string[])[] =>
    Array.from({ length: shards }, (_, shard) => engine(rows.filter((_row, at) => at % shards === shard)).statements);
  return { ...engine(rows), spread };
}

export const DATABASE = 'x';

/** `described`: the rows of DESCRIBE TABLE. */
export function sourceOf({ name, options = {} }: EngineTable, described: readonly (readonly unknown[])[], database = DATABASE): Source {
  const [definition] = readDefinitions({ value: { [name]: { table: `${database}.${name}`, ...options } } });
  if (definition === undefined) throw new RangeError('a definition is read');
  return sourceFromTable(
    definition,
    described.map(([column, type]) => ({ name: String(column), type: String(type) })),
  );
}

export async function embeddedPlace(): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'quern-differential-'));
  const engine = await openEmbedded({ path: join(folder, 'data') });
  return {
    engine,
    async clear() {
      await engine.command(`DROP DATABASE IF EXISTS ${DATABASE} SYNC`);
      await engine.command(`CREATE DATABASE ${DATABASE}`);
    },
    async make(table) {
      if (table.statements.length > 0) await engine.command(`DROP TABLE IF EXISTS ${DATABASE}.${table.name} SYNC`);
      for (const statement of table.statements) await engine.command(statement);
      return sourceOf(table, await engine.rows(`DESCRIBE TABLE ${DATABASE}.${table.columnsOf ?? table.name}`));
    },
    revive: async () => false,
    async close() {
      await engine.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
