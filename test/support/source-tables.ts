// Tables of an embedded engine of the test file's own, as sources of queries.
import { afterAll, beforeAll } from 'vitest';
import { QuernError } from '../../src/base/errors.ts';
import { type EmbeddedEngine, openEmbedded } from '../../src/engine/embedded/embedded.ts';
import { decodeRows } from '../../src/execution/decode.ts';
import { translate } from '../../src/sql/index.ts';
import type { SourceCatalog } from '../../src/sql/source.ts';
import { projectCatalog } from './project-catalog.ts';
import { type TempFolder, tempFolder } from './temp-store.ts';

interface SourceTable {
  /** As between the parentheses of CREATE TABLE; the first is the key. */
  readonly columns: string;
  /** As after INSERT INTO. */
  readonly rows: string;
  /** What quern.yaml says of the source besides its table. */
  readonly source?: Readonly<Record<string, unknown>>;
  readonly settings?: string;
}

interface SourceTables {
  /** The rows, in the order of their texts; or why there are none: `code: message`. */
  outcome(sql: string): Promise<string | readonly unknown[]>;
  /** The ClickHouse SQL. */
  sql(sql: string): string;
  readonly catalog: () => SourceCatalog;
}

/** Rows without an order, in that of their texts. */
export const byText = <T>(rows: string | readonly T[]): string | readonly T[] =>
  typeof rows === 'string' ? rows : [...rows].sort((a, b) => (printJson(a) < printJson(b) ? -1 : 1));

const printJson = (value: unknown): string => JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part));

/** Makes the tables before the file's tests, and drops them after these. */
export function sourceTables(tables: Readonly<Record<string, SourceTable>>): SourceTables {
  let engine: EmbeddedEngine | undefined;
  let catalog: SourceCatalog | undefined;
  let folder: TempFolder | undefined;
  const opened = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('queries run inside tests');
    return value;
  };
  beforeAll(async () => {
    folder = tempFolder();
    const made = await openEmbedded({ path: folder.path });
    engine = made;
    for (const [name, { columns, rows, settings }] of Object.entries(tables)) {
      const more = settings === undefined ? '' : ` SETTINGS ${settings}`;
      await made.command(`CREATE TABLE default.${name} (${columns}) ENGINE = MergeTree ORDER BY ${columns.split(' ')[0]}${more}`);
      await made.command(`INSERT INTO default.${name} ${rows}`);
    }
    const section = { value: Object.fromEntries(Object.entries(tables).map(([name, { source }]) => [name, { table: name, ...source }])) };
    catalog = await projectCatalog(section, async (table) =>
      (await made.rows(`DESCRIBE TABLE default.${table}`)).map(([name, type]) => ({ name: String(name), type: String(type) })),
    );
  });
  afterAll(async () => {
    await engine?.close();
    folder?.remove();
  });
  return {
    catalog: () => opened(catalog),
    sql: (sql) => translate(sql, { sources: opened(catalog) }).sql,
    async outcome(sql) {
      try {
        const { sql: text, columns, settings } = translate(sql, { sources: opened(catalog), bytes: 'text' });
        return byText(decodeRows(columns, await opened(engine).execute({ sql: text, bindings: [], settings })));
      } catch (error) {
        if (error instanceof QuernError) return `${error.code}: ${error.message}`;
        throw error;
      }
    },
  };
}
