// Rows of BigQuery expressions over a small table: the ClickHouse text they become, and the values that text gives on the embedded engine.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { QuernError } from '../../src/base/errors.ts';
import { type EmbeddedEngine, openEmbedded } from '../../src/engine/embedded/embedded.ts';
import { type TranslateOptions, translate } from '../../src/sql/index.ts';
import { type TempFolder, tempFolder } from './temp-store.ts';

/** BigQuery expression, its ClickHouse text on one line, its value for each row of the result. */
export type TableRow = readonly [bigquery: string, clickhouse: string | null, ...values: readonly unknown[]];
/** A query over the table and its rows. */
export type QueryRow = readonly [bigquery: string, rows: readonly (readonly unknown[])[]];
/** BigQuery expression and the message it fails with, in the translation or when it runs. */
export type FailureRow = readonly [bigquery: string, message: string];

export interface TableTests {
  /** What defines the table `t`: `SELECT 1 AS id UNION ALL …`. */
  readonly table: string;
  /** What follows `FROM t`, e.g. `ORDER BY id`. */
  readonly rest?: string;
  readonly expressions?: Readonly<Record<string, readonly TableRow[]>>;
  readonly queries?: Readonly<Record<string, readonly QueryRow[]>>;
  readonly failures?: readonly FailureRow[];
}

export function testTable({ table, rest = '', expressions = {}, queries = {}, failures = [] }: TableTests): void {
  let folder: TempFolder;
  let engine: EmbeddedEngine;
  beforeAll(async () => {
    folder = tempFolder();
    engine = await openEmbedded({ path: folder.path });
  });
  afterAll(async () => {
    await engine.close();
    folder.remove();
  });
  const queryOf = (expression: string): string => `SELECT ${expression} AS x FROM t ${rest}`;
  const translated = (query: string, options: TranslateOptions = {}) => translate(`WITH t AS (${table}) ${query}`, options);
  const rowsOf = async (query: string): Promise<readonly (readonly unknown[])[]> => {
    const { sql, settings } = translated(query);
    return (await engine.execute({ sql, bindings: [], settings })).rows;
  };

  for (const [theme, rows] of Object.entries(expressions)) {
    describe(theme, () => {
      for (const [bigquery, clickhouse, ...values] of rows) {
        test(bigquery, async () => {
          if (clickhouse !== null) expect(itemText(translated(queryOf(bigquery), { helpers: 'inline' }).sql)).toBe(clickhouse);
          expect((await rowsOf(queryOf(bigquery))).map((row) => row[0])).toEqual(values);
        });
      }
    });
  }
  for (const [theme, rows] of Object.entries(queries)) {
    describe(theme, () => {
      test.each(rows)('%s', async (bigquery, values) => {
        expect(await rowsOf(bigquery)).toEqual(values);
      });
    });
  }
  if (failures.length === 0) return;
  describe('failures', () => {
    test.each(failures)('%s fails', async (bigquery, message) => {
      await expect(failureOf(() => rowsOf(queryOf(bigquery)))).resolves.toBe(message);
    });
  });
}

/** The text of the SELECT list's one item, on one line. */
export function itemText(sql: string): string {
  const line = sql.replace(/\s+/g, ' ');
  return line.slice(line.startsWith('SELECT ') ? 'SELECT '.length : 0, line.indexOf(' AS x FROM'));
}

async function failureOf(run: () => Promise<unknown>): Promise<string> {
  try {
    return `no failure: ${JSON.stringify(await run())}`;
  } catch (error) {
    return error instanceof QuernError ? error.message : String(error);
  }
}
