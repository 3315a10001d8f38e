// Our side: a query is translated, and runs where the tables are.
import { QuernError } from '../../src/base/errors.ts';
import type { Value } from '../../src/base/result.ts';
import type { BoundValue } from '../../src/engine/engine.ts';
import { decodeRows } from '../../src/execution/decode.ts';
import { bind } from '../../src/sql/compile/specialize.ts';
import { translateSpecializable } from '../../src/sql/index.ts';
import type { Source } from '../../src/sql/source.ts';
import type { SpecializableTranslation, TranslateOptions } from '../../src/sql/translation.ts';
import type { Argument, Outcome } from './outcome.ts';
import type { EngineTable, Place } from './place.ts';

export interface Ours {
  setTables(tables: readonly EngineTable[]): Promise<void>;
  /** Other rows in one of the tables. */
  refill(table: EngineTable): Promise<void>;
  /** What it becomes, or why it is refused. */
  translate(sql: string, args?: readonly Argument[]): SpecializableTranslation | Extract<Outcome, { kind: 'refused' }>;
  evaluate(sql: string, args?: readonly Argument[]): Promise<Outcome>;
  close(): Promise<void>;
}

/** A time as parameters are bound: without the letters of ISO 8601. */
const boundValue = (value: Value): BoundValue =>
  (typeof value === 'string' && /^\d{4}-\d\d-\d\dT.*Z$/.test(value) ? value.replace('T', ' ').slice(0, -1) : value) as BoundValue;

/** Seconds that a query of a few rows may take. */
const LIMITS = { maxExecutionSeconds: 10, maxMemoryBytes: 2 ** 30, maxThreads: 2, maxResultBytes: 2 ** 21 };

export const optionsOver = (sources: readonly Source[], args: readonly Argument[] = []): TranslateOptions => ({
  sources: { names: sources.map(({ name }) => name), find: (wanted) => sources.find(({ name }) => name === wanted) },
  parameters: Object.fromEntries(args.map(({ name, type }) => [name, type])),
  instant: 'parameter',
  bytes: 'text',
});

export function openOurs(place: Place): Ours {
  let current: readonly EngineTable[] = [];
  let sources: readonly Source[] = [];

  const translated: Ours['translate'] = (sql, args = []) => {
    try {
      return translateSpecializable(sql, optionsOver(sources, args));
    } catch (error) {
      const code = error instanceof QuernError ? error.code : 'crash';
      return { kind: 'refused', code, message: error instanceof Error ? error.message : String(error) };
    }
  };
  const makeTables = async (tables: readonly EngineTable[]): Promise<void> => {
    current = tables;
    await place.clear();
    const made: Source[] = [];
    for (const table of tables) made.push(await place.make(table));
    sources = made;
  };
  /** Makes them again where a server was dying. */
  const setTables: Ours['setTables'] = (tables) =>
    makeTables(tables).catch(async (error: unknown) => {
      if (!(await place.revive(String(error)))) throw error;
      await makeTables(tables);
    });

  return {
    translate: translated,
    setTables,
    async refill(table) {
      current = current.map((one) => (one.name === table.name ? table : one));
      await place.make(table);
    },
    async evaluate(sql, args = []) {
      const translation = translated(sql, args);
      return 'kind' in translation ? translation : run(translation, args);
    },
    close: () => place.close(),
  };

  async function run(translation: SpecializableTranslation, args: readonly Argument[]): Promise<Outcome> {
    try {
      const values = Object.fromEntries(args.map(({ name, value }) => [name, value]));
      const folded = bind(translation, values);
      const bindings = folded.parameters.map(({ name, type }) => ({ name, type, value: boundValue(values[name] ?? null) }));
      const { settings, columns } = translation;
      const result = await place.engine.execute({ sql: folded.sql, bindings, settings, limits: LIMITS });
      return { kind: 'rows', types: columns.map(({ type }) => type), rows: decodeRows(columns, result) };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const code = error instanceof QuernError ? error.code : '';
      if (await place.revive(message)) {
        await setTables(current);
        return { kind: 'died', message };
      }
      // More than a test of a few rows should ask for.
      if (code === 'limit' || code === 'timeout') return { kind: 'unable', message: `too large: ${message}` };
      return { kind: code === 'data' ? 'error' : 'engine', message };
    }
  }
}
