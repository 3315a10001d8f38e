// Whole BigQuery queries, translated and run on an embedded engine of the test file's own.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import type { Row } from '../../src/base/result.ts';
import { type EmbeddedEngine, openEmbedded } from '../../src/engine/embedded/embedded.ts';
import { decodeRows } from '../../src/execution/decode.ts';
import { translate } from '../../src/sql/index.ts';
import type { TranslateOptions } from '../../src/sql/translation.ts';
import { failure } from './told.ts';

export interface QueryRunner {
  /** The rows in the order in which they come. */
  rows(sql: string, style?: TranslateOptions): Promise<readonly Row[]>;
  /** The same with the names of the columns in front. */
  table(sql: string): Promise<readonly Row[]>;
  /** What the engine says when the query fails. */
  engineFailure(sql: string): Promise<string>;
}

/** Opens the engine before the file's tests and closes it after them. */
export function queryRunner(options: TranslateOptions = {}): QueryRunner {
  let engine: EmbeddedEngine | undefined;
  let folder = '';
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'quern-sql-'));
    engine = await openEmbedded({ path: join(folder, 'data') });
  });
  afterAll(async () => {
    await engine?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const rows = async (sql: string, style: TranslateOptions = {}): Promise<readonly Row[]> => {
    if (engine === undefined) throw new Error('queries run inside tests');
    const { sql: text, columns, settings } = translate(sql, { bytes: 'text', ...options, ...style });
    return decodeRows(columns, await engine.execute({ sql: text, bindings: [], settings }));
  };
  return {
    rows,
    table: async (sql) => [translate(sql).columns.map((c) => c.name), ...(await rows(sql))],
    engineFailure: (sql) =>
      rows(sql).then(
        () => {
          throw new Error('the query did not fail');
        },
        (error: unknown) => String(error),
      ),
  };
}

/** Why a query is not translated: `code: message`. */
export function refusal(sql: string): string {
  const { code, message } = failure(() => translate(sql));
  return `${code}: ${message}`;
}
