// Compares the rows of a run with rows recorded elsewhere, and says how they differ.
import { QuernError } from '../base/errors.ts';
import type { ResultColumn, Row, Value } from '../base/result.ts';
import { jsonPrinter, jsonString, plainJson } from '../output/value.ts';
import { type ColumnOptions, chooseColumns } from './columns.ts';
import { type ComparedColumn, type Comparison, compareRows, type Difference } from './compare.ts';
import { type QueryShape, shapeOf } from './query-shape.ts';
import type { Recorded, RecordedRow } from './recorded.ts';

interface VerifyOptions extends Omit<ColumnOptions, 'isEstimate'> {
  /** Absent: as the query says. */
  readonly order?: 'any' | 'exact' | undefined;
}

interface Verdict {
  readonly differences: readonly ShownDifference[];
  /** Recorded rows with a difference, and rows that only one side has. */
  readonly differentRows: number;
  readonly estimates: readonly string[];
  /** A sentence on how the order of the rows was compared. */
  readonly order: string;
}

export interface ShownDifference {
  /** Undefined for a whole column. */
  readonly row?: number;
  /** Undefined for a whole row. */
  readonly column?: string;
  /** The recorded value as JSON; undefined for nothing. */
  readonly expected?: string;
  readonly got?: string;
}

interface Verified {
  readonly query: { readonly text: string; readonly dialect: 'bigquery' | 'clickhouse' };
  readonly result: { readonly columns: readonly ResultColumn[]; readonly rows: readonly Row[] };
  readonly recorded: Recorded;
}

/** Throws `usage` for options that name no column. */
export function verify({ query, result, recorded }: Verified, { order, ...options }: VerifyOptions): Verdict {
  const shape = query.dialect === 'bigquery' ? shapeOf(query.text) : NO_SHAPE;
  const chosen = chooseColumns(result, recorded, { ...options, isEstimate: shape.isEstimate });
  if (chosen.columns.length === 0 && recorded.rows.length > 0 && result.rows.length > 0)
    throw new QuernError('usage', 'no column is left to compare', {
      hint: `the result has ${chosen.onlyGot.join(', ') || 'none'}; the recording has ${chosen.onlyExpected.join(', ') || 'none'}`,
    });
  const compared: Comparison = { columns: chosen.columns, order: order ?? orderOf(shape, chosen.columns) };
  const differences = compareRows(result.rows, recorded, compared);
  const printers = result.columns.map(({ type }) => jsonPrinter(type));
  const sides = { rows: result.rows, recorded: recorded.rows, printers, columns: chosen.columns };
  const wholeColumns: readonly ShownDifference[] = [
    ...chosen.onlyExpected.map((column) => ({ column, expected: 'a column' })),
    ...chosen.onlyGot.map((column) => ({ column, got: 'a column' })),
  ];
  return {
    differences: [...wholeColumns, ...differences.map((difference) => shown(difference, sides))],
    differentRows: new Set(differences.map(({ kind, row }) => `${kind === 'unexpected'} ${row}`)).size,
    estimates: chosen.estimates,
    order: orderText(compared.order),
  };
}

/** ClickHouse SQL is not analyzed. */
const NO_SHAPE: QueryShape = { ordered: false, sortKeys: [], isEstimate: () => false };

/** Rows that are alike in what they are ordered by may come in any order; where nothing is known of that, each has its place. */
function orderOf({ ordered, sortKeys }: QueryShape, columns: readonly ComparedColumn[]): Comparison['order'] {
  if (!ordered) return 'any';
  const keys: ComparedColumn[] = [];
  for (const key of sortKeys) {
    const column = columns.find(({ name, at }) => (typeof key === 'number' ? at === key - 1 : name.toLowerCase() === key));
    if (column === undefined) break;
    keys.push(column);
  }
  return keys.length === 0 ? 'exact' : keys;
}

function orderText(order: Comparison['order']): string {
  if (order === 'any') return 'in any order';
  return order === 'exact' ? 'in the same order' : `in the order of ${order.map(({ name }) => name).join(', ')}`;
}

interface Compared {
  readonly rows: readonly Row[];
  readonly recorded: readonly RecordedRow[];
  readonly printers: readonly ((value: Value) => string)[];
  readonly columns: readonly ComparedColumn[];
}

function shown({ row, kind, column, expected, got }: Difference, { rows, recorded, printers, columns }: Compared): ShownDifference {
  const theirs = (one: ComparedColumn): string => plainJson(recorded[expected ?? 0]?.[one.recorded] ?? null);
  const mine = (one: ComparedColumn): string => printers[one.at]?.(rows[got ?? 0]?.[one.at] ?? null) ?? 'null';
  const whole = (print: (one: ComparedColumn) => string): string =>
    `{${columns.map((one) => `${jsonString(one.name)}:${print(one)}`).join(',')}}`;
  if (kind === 'missing') return { row, expected: whole(theirs) };
  if (kind === 'unexpected') return { row, got: whole(mine) };
  if (column === undefined) throw new RangeError('a value has a column');
  return { row, column: kind === 'order' ? `${column.name} (order)` : column.name, expected: theirs(column), got: mine(column) };
}
