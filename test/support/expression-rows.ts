// Rows of BigQuery expressions: the ClickHouse text they become, and the value that text has on the embedded engine.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { QuernError } from '../../src/base/errors.ts';
import { type EmbeddedEngine, openEmbedded } from '../../src/engine/embedded/embedded.ts';
import { type TranslateOptions, type Translation, translate } from '../../src/sql/index.ts';
import { type TempFolder, tempFolder } from './temp-store.ts';

/** BigQuery expression, its ClickHouse text on one line (null: a long one, whose value is enough), its value as the engine gives it. */
export type ExpressionRow = readonly [bigquery: string, clickhouse: string | null, value: unknown];
/** BigQuery expression and the message it fails with, in the translation or when it runs. */
export type FailureRow = readonly [bigquery: string, message: string];

let folder: TempFolder;
let engine: EmbeddedEngine;

/** The ClickHouse text of an expression without the SELECT around it, on one line. */
export function clickhouseText(bigquery: string): string {
  const { sql } = translate(`SELECT ${bigquery} AS x`, { helpers: 'inline' });
  // A value without columns may be written ahead of the SELECT.
  return sql.replace(/\s+/g, ' ').replace(/^(?:WITH (.*) AS (x_2) SELECT \2 AS x|SELECT (.*) AS x)$/, '$1$3');
}

const translated = (bigquery: string, options: TranslateOptions = {}): Translation => translate(`SELECT ${bigquery} AS x`, options);

async function engineValue({ sql, settings }: Translation): Promise<unknown> {
  const { rows } = await engine.execute({ sql, bindings: [], settings });
  return rows[0]?.[0];
}

export const evaluate = (bigquery: string): Promise<unknown> => engineValue(translated(bigquery));

async function failureOf(bigquery: string): Promise<string> {
  try {
    return `no failure: ${JSON.stringify(await evaluate(bigquery))}`;
  } catch (error) {
    return error instanceof QuernError ? error.message : String(error);
  }
}

/** One engine for the calling test file. */
export function useEngine(): void {
  beforeAll(async () => {
    folder = tempFolder();
    engine = await openEmbedded({ path: folder.path });
  });
  afterAll(async () => {
    await engine.close();
    folder.remove();
  });
}

/** Tests of one file: what expressions become and give, by theme, and what fails. */
export function testExpressions(groups: Readonly<Record<string, readonly ExpressionRow[]>>, failures: readonly FailureRow[] = []): void {
  useEngine();
  describe.each(Object.entries(groups))('%s', (_, rows) => {
    test.each(rows)('%s', async (bigquery, clickhouse, value) => {
      if (clickhouse !== null) expect(clickhouseText(bigquery)).toBe(clickhouse);
      const translation = translated(bigquery);
      const inPlace = translated(bigquery, { helpers: 'inline' });
      expect(await engineValue(translation)).toEqual(value);
      // With helpers in place a text means the same. Short ones show it: long ones cost the engine many times as much, and prove no more.
      if (clickhouse !== null && inPlace.sql !== translation.sql) expect(await engineValue(inPlace)).toEqual(value);
    });
  });
  if (failures.length === 0) return;
  describe('failures', () => {
    test.each(failures)('%s fails', async (bigquery, message) => {
      expect(await failureOf(bigquery)).toBe(message);
    });
  });
}
