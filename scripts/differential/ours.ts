// Our side: a query is translated, and runs on an embedded engine of this process.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { QuernError } from '../../src/base/errors.ts';
import type { Value } from '../../src/base/result.ts';
import { openEmbedded } from '../../src/engine/embedded/embedded.ts';
import type { BoundValue } from '../../src/engine/engine.ts';
import { decodeRows } from '../../src/execution/decode.ts';
import { readDefinitions } from '../../src/sources/definition.ts';
import { sourceFromTable } from '../../src/sources/table/table-source.ts';
import { bind } from '../../src/sql/compile/specialize.ts';
import { translateSpecializable } from '../../src/sql/index.ts';
import type { Source } from '../../src/sql/source.ts';
import type { SpecializableTranslation, TranslateOptions } from '../../src/sql/translation.ts';
import type { Argument, Outcome } from './outcome.ts';

/** What a table is in ClickHouse: the statements that make it, and what quern.yaml says of it. */
export interface EngineTable {
  /** The name of the source, and with `x.` in front that of the table. */
  readonly name: string;
  readonly statements: readonly string[];
  readonly options?: Readonly<Record<string, unknown>>;
  /** The table whose columns it has, where it is a wildcard over several. */
  readonly columnsOf?: string;
}

export interface Ours {
  setTables(tables: readonly EngineTable[]): Promise<void>;
  /** Other rows in one of the tables. */
  refill(table: EngineTable): Promise<void>;
  /** What it becomes, or why it is refused. */
  translate(sql: string, args?: readonly Argument[]): SpecializableTranslation | Extract<Outcome, { kind: 'refused' }>;
  evaluate(sql: string, args?: readonly Argument[]): Promise<Outcome>;
  close(): Promise<void>;
}

const DATABASE = 'x';
/** A time as parameters are bound: without the letters of ISO 8601. */
const boundValue = (value: Value): BoundValue =>
  (typeof value === 'string' && /^\d{4}-\d\d-\d\dT.*Z$/.test(value) ? value.replace('T', ' ').slice(0, -1) : value) as BoundValue;

/** Seconds that a query of a few rows may take. */
const LIMITS = { maxExecutionSeconds: 10, maxMemoryBytes: 2 ** 30, maxThreads: 2, maxResultBytes: 2 ** 21 };

/** `described`: the rows of DESCRIBE TABLE. */
export function sourceOf({ name, options = {} }: EngineTable, described: readonly (readonly unknown[])[]): Source {
  const [definition] = readDefinitions({ value: { [name]: { table: `${DATABASE}.${name}`, ...options } } });
  if (definition === undefined) throw new RangeError('a definition is read');
  return sourceFromTable(
    definition,
    described.map(([column, type]) => ({ name: String(column), type: String(type) })),
  );
}

export const optionsOver = (sources: readonly Source[], args: readonly Argument[] = []): TranslateOptions => ({
  sources: { names: sources.map(({ name }) => name), find: (wanted) => sources.find(({ name }) => name === wanted) },
  parameters: Object.fromEntries(args.map(({ name, type }) => [name, type])),
  instant: 'parameter',
  bytes: 'text',
});

export async function openOurs(): Promise<Ours> {
  const folder = mkdtempSync(join(tmpdir(), 'quern-differential-'));
  const engine = await openEmbedded({ path: join(folder, 'data') });
  let sources: readonly Source[] = [];

  const translated: Ours['translate'] = (sql, args = []) => {
    try {
      return translateSpecializable(sql, optionsOver(sources, args));
    } catch (error) {
      const code = error instanceof QuernError ? error.code : 'crash';
      return { kind: 'refused', code, message: error instanceof Error ? error.message : String(error) };
    }
  };

  return {
    translate: translated,
    async setTables(tables) {
      await engine.command(`DROP DATABASE IF EXISTS ${DATABASE} SYNC`);
      await engine.command(`CREATE DATABASE ${DATABASE}`);
      const made: Source[] = [];
      for (const table of tables) {
        for (const statement of table.statements) await engine.command(statement);
        made.push(sourceOf(table, await engine.rows(`DESCRIBE TABLE ${DATABASE}.${table.columnsOf ?? table.name}`)));
      }
      sources = made;
    },
    async refill({ name, statements }) {
      await engine.command(`DROP TABLE IF EXISTS ${DATABASE}.${name} SYNC`);
      for (const statement of statements) await engine.command(statement);
    },
    async evaluate(sql, args = []) {
      const translation = translated(sql, args);
      if ('kind' in translation) return translation;
      try {
        const values = Object.fromEntries(args.map(({ name, value }) => [name, value]));
        const folded = bind(translation, values);
        const bindings = folded.parameters.map(({ name, type }) => ({ name, type, value: boundValue(values[name] ?? null) }));
        const { settings, columns } = translation;
        const result = await engine.execute({ sql: folded.sql, bindings, settings, limits: LIMITS });
        return { kind: 'rows', types: columns.map(({ type }) => type), rows: decodeRows(columns, result) };
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        const code = error instanceof QuernError ? error.code : '';
        // More than a test of a few rows should ask for.
        if (code === 'limit' || code === 'timeout') return { kind: 'unable', message: `too large: ${message}` };
        return { kind: code === 'data' ? 'error' : 'engine', message };
      }
    },
    async close() {
      await engine.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
