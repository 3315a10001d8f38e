// Whole BigQuery queries over real tables of an embedded engine. Over constants ClickHouse computes much before a query runs, and some mistakes never show.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { QuernError } from '../../src/base/errors.ts';
import { type EmbeddedEngine, openEmbedded } from '../../src/engine/embedded/embedded.ts';
import { decodeRows } from '../../src/execution/decode.ts';
import { readDefinitions } from '../../src/sources/definition.ts';
import { sourceFromTable } from '../../src/sources/table/table-source.ts';
import { translate } from '../../src/sql/index.ts';
import type { Source } from '../../src/sql/source.ts';
import { type TempFolder, tempFolder } from './temp-store.ts';

/** ClickHouse's columns of a table, and its rows as VALUES. */
export interface RealTable {
  readonly columns: string;
  readonly rows: string;
}
/** A query and its rows, in any order. */
export type RowsOfQuery = readonly [bigquery: string, rows: readonly (readonly unknown[])[]];
/** A query, and how the message begins with which it fails, in the translation or when it runs. */
export type FailureOfQuery = readonly [bigquery: string, message: string];

export function testRealTables(
  tables: Readonly<Record<string, RealTable>>,
  queries: Readonly<Record<string, readonly RowsOfQuery[]>>,
  failures: readonly FailureOfQuery[] = [],
): void {
  let folder: TempFolder;
  let engine: EmbeddedEngine;
  const sources: Source[] = [];
  beforeAll(async () => {
    folder = tempFolder();
    engine = await openEmbedded({ path: folder.path });
    await engine.command('CREATE DATABASE real');
    for (const [name, { columns, rows }] of Object.entries(tables)) {
      await engine.command(`CREATE TABLE real.${name} (${columns}) ENGINE = MergeTree ORDER BY tuple()`);
      await engine.command(`INSERT INTO real.${name} VALUES ${rows}`);
      const described = await engine.rows(`DESCRIBE TABLE real.${name}`);
      const [definition] = readDefinitions({ value: { [name]: { table: `real.${name}` } } });
      if (definition === undefined) throw new RangeError('a definition is read');
      sources.push(
        sourceFromTable(
          definition,
          described.map(([column, type]) => ({ name: String(column), type: String(type) })),
        ),
      );
    }
  });
  afterAll(async () => {
    await engine.close();
    folder.remove();
  });
  const rowsOf = async (query: string): Promise<readonly (readonly unknown[])[]> => {
    const catalog = { names: sources.map((s) => s.name), find: (name: string) => sources.find((s) => s.name === name) };
    const { sql, columns, settings } = translate(query, { sources: catalog });
    return decodeRows(columns, await engine.execute({ sql, bindings: [], settings }));
  };
  const sorted = (rows: readonly (readonly unknown[])[]): readonly string[] => rows.map((row) => JSON.stringify(row)).sort();

  describe.each(Object.entries(queries))('%s', (_, rows) => {
    test.each(rows)('%s', async (bigquery, expected) => {
      expect(sorted(await rowsOf(bigquery))).toEqual(sorted(expected));
    });
  });
  if (failures.length === 0) return;
  describe('failures', () => {
    test.each(failures)('%s', async (bigquery, message) => {
      const told = await rowsOf(bigquery).then(
        (rows) => `no failure: ${JSON.stringify(rows)}`,
        (error: unknown) => (error instanceof QuernError ? error.message : String(error)),
      );
      expect(told.slice(0, message.length)).toBe(message);
    });
  });
}
