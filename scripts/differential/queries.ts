// The queries of a seed: some dozens share their tables, with rows of small values, on both sides.
import { type Random, seededRandom } from '../../src/cli/demo/random.ts';
import { arrayOf, BOOL, DATE, INT64, STRING } from '../../src/sql/base/types.ts';
import { toleranceOf } from './expressions.ts';
import { type Answer, ask, type Question, type Sides } from './finding.ts';
import { eventTables } from './generate/events.ts';
import { eventTable } from './generate/idioms/event-table.ts';
import { anyIdiom } from './generate/idioms/index.ts';
import { type Generated, generateQuery, type Readable } from './generate/query.ts';
import { columnsOf, engineTable, randomTable, type TablePair } from './generate/tables.ts';
import type { Argument, Table } from './outcome.ts';
import { type EngineTable, spreadable } from './place.ts';
import { leaf, textOf } from './tree.ts';

/** Queries that share tables. */
export const QUERIES_OF_BATCH = 60;
/** Digits of deviations and averages hang on the order of additions. */
const TOLERANCE = 1e-9;

export interface QueryBatch {
  readonly tables: readonly TablePair[];
  readonly queries: readonly (Generated & { readonly args: readonly Argument[] })[];
}

/** Tables of a few rows of small values. */
const plainTables = (random: Random): readonly TablePair[] =>
  [6, 5, 4].map((rows, at): TablePair => {
    const table = randomTable(random, `t${at + 1}`, { mild: true, rows });
    return { table, engine: (some, names) => engineTable({ ...table, rows: some }, names) };
  });

/** The idioms of a seed, the same for the same seed: queries in the forms that people's have. */
export function idiomBatch(seed: number, batch: number) {
  const random = seededRandom(seed * 300_007 + batch);
  const events = eventTables(random, batch);
  const logs = () => random.pick(events.readables)('e', random);
  const tables = [...plainTables(random), eventTable(random), ...events.tables];
  return { tables, queries: Array.from({ length: QUERIES_OF_BATCH }, () => anyIdiom(random, logs)) } satisfies QueryBatch;
}

/** The same for the same seed. */
export function queryBatch(seed: number, batch: number): QueryBatch {
  const random = seededRandom(seed * 200_003 + batch);
  const plain = plainTables(random);
  const events = eventTables(random, batch);
  const readables: Readable[] = [
    ...plain.map(
      ({ table }): Readable =>
        (alias) => ({ node: leaf(`${table.name} AS ${alias}`), columns: columnsOf(alias), key: [`${alias}.id`] }),
    ),
    ...events.readables,
  ];
  const queries = Array.from({ length: QUERIES_OF_BATCH }, () => {
    const args = someArguments(random);
    const generated = generateQuery(random, readables, args);
    const used = args.filter(({ name }) => textOf(generated.query).includes(`@${name}`));
    return { ...generated, args: used };
  });
  return { tables: [...plain, ...events.tables], queries };
}

/** An optional parameter that is not given is NULL. */
const someArguments = (random: Random): readonly Argument[] =>
  random.chance(0.4)
    ? [
        { name: 'n', type: INT64, value: random.pick([null, null, 1n, 2n]) },
        { name: 'text', type: STRING, value: random.pick([null, 'a', 'b']) },
        { name: 'flag', type: BOOL, value: random.pick([null, true, false]) },
        { name: 'day', type: DATE, value: random.pick([null, '2024-02-29', '1970-01-01']) },
        { name: 'ids', type: arrayOf(INT64), value: random.pick([[], [1n, 2n], [1n, null]]) },
      ]
    : [];

/** As ours has them, with a name that stands for several. */
export const engineTables = (tables: readonly TablePair[]): readonly EngineTable[] => [
  ...tables.map(({ table, engine }) => spreadable(table.rows, engine)),
  { name: 't*', statements: [], columnsOf: 't1' },
];

export const setTables = async ({ ours, reference }: Sides, tables: readonly TablePair[]): Promise<void> => {
  await reference.setTables(tables.map(({ table }) => table));
  await ours.setTables(engineTables(tables));
};

export async function askQueries(
  sides: Sides,
  { tables, queries }: QueryBatch,
  tell: (question: Question, answer: Answer, tables: readonly TablePair[]) => Promise<void>,
  more: () => boolean,
): Promise<void> {
  await setTables(sides, tables);
  for (const { query, ordered, unordered, args } of queries) {
    if (!more()) return;
    const comparison = { ...toleranceOf(textOf(query)), ordered, tolerance: TOLERANCE };
    const question = { query, args, comparison, ...(unordered === undefined ? {} : { unordered }) };
    await tell(question, await ask(sides, question), tables);
  }
}

/** The tables that the query reads, with as few rows as still show what `shows` looks for. Both sides have them afterwards. */
export async function fewerRows(
  { ours, reference }: Sides,
  sql: string,
  tables: readonly TablePair[],
  shows: () => Promise<boolean>,
): Promise<readonly TablePair[]> {
  const read = tables.filter(({ table: { name } }) => new RegExp(`\\b${name}\\b`).test(sql));
  let current = read;
  const set = async (pairs: readonly TablePair[], changed: TablePair): Promise<void> => {
    await reference.setTables(pairs.map(({ table }) => table));
    await ours.refill(spreadable(changed.table.rows, changed.engine));
  };
  for (const [which, { table: all }] of read.entries()) {
    const tried = async (rows: Table['rows']): Promise<boolean> => {
      const pair = current[which];
      if (pair === undefined) return false;
      const next = { ...pair, table: { ...pair.table, rows } };
      const pairs = current.map((p) => (p === pair ? next : p));
      await set(pairs, next);
      if (!(await shows())) return false;
      current = pairs;
      return true;
    };
    if (await tried([])) continue;
    let rows = all.rows;
    for (const row of all.rows) {
      const fewer = rows.filter((r) => r !== row);
      if (await tried(fewer)) rows = fewer;
    }
    const kept = current[which];
    if (kept !== undefined) await set(current, kept);
  }
  return current;
}
