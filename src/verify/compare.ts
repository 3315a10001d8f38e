// Finds the differences between the rows of a run and rows recorded elsewhere.

import type { ResultColumn, Row } from '../base/result.ts';
import { equal, type Normal, type NormalRow, normal, type Tolerance } from './normal.ts';
import { pairUp } from './pair-up.ts';
import type { Recorded, RecordedRow } from './recorded.ts';

export interface ComparedColumn {
  /** As it is shown, and as the recorded rows name it. */
  readonly name: string;
  readonly recorded: string;
  /** Place in the rows of the run. */
  readonly at: number;
  readonly type: ResultColumn['type'];
  readonly tolerance?: Tolerance | undefined;
}

export interface Comparison {
  readonly columns: readonly ComparedColumn[];
  /** `any`: as sets. Otherwise rows come in the order of these columns, and of all where it is `exact`. */
  readonly order: 'any' | 'exact' | readonly ComparedColumn[];
}

export interface Difference {
  /** Number of the row, from 1: among the recorded rows, or in the result for one that is only there. */
  readonly row: number;
  /** `missing`: only recorded; `unexpected`: only in the result; `order`: rows are the same, in another order. */
  readonly kind: 'value' | 'missing' | 'unexpected' | 'order';
  /** Undefined for a whole row. */
  readonly column?: ComparedColumn;
  /** Places of the two rows. */
  readonly expected?: number;
  readonly got?: number;
}

export function compareRows(rows: readonly Row[], recorded: Recorded, { columns, order }: Comparison): readonly Difference[] {
  const got = rows.map((row, at): NormalRow => ({ at, values: columns.map((column) => normal(column.type, row[column.at])) }));
  const expected = recorded.rows.map(
    (row, at): NormalRow => ({ at, values: columns.map((column) => recordedValue(row, column, recorded)) }),
  );
  const same = (a: NormalRow, b: NormalRow, column: number): boolean => {
    const [x, y] = [a.values[column] ?? null, b.values[column] ?? null];
    return equal(recorded.text && x === '' ? null : x, y, columns[column]?.tolerance);
  };
  const { pairs, onlyGot, onlyExpected } = pairUp(got, expected, {
    width: columns.length,
    same,
    key: (row) => exactKey(row, columns, recorded.text),
  });
  const differences: Difference[] = [
    ...pairs.flatMap(([mine, theirs]) =>
      columns.flatMap((column, i): Difference[] =>
        same(mine, theirs, i) ? [] : [{ row: theirs.at + 1, kind: 'value', column, expected: theirs.at, got: mine.at }],
      ),
    ),
    ...onlyExpected.map(({ at }): Difference => ({ row: at + 1, kind: 'missing', expected: at })),
    ...onlyGot.map(({ at }): Difference => ({ row: at + 1, kind: 'unexpected', got: at })),
  ].sort((a, b) => a.row - b.row);
  if (differences.length > 0 || order === 'any') return differences;
  const keys = order === 'exact' ? columns : order;
  for (const [at, mine] of got.entries()) {
    const theirs = expected[at];
    const moved = theirs === undefined ? undefined : keys.find((key) => !same(mine, theirs, columns.indexOf(key)));
    if (moved !== undefined) return [{ row: at + 1, kind: 'order', column: moved, expected: at, got: at }];
  }
  return [];
}

/** CSV has no difference between NULL and '' that survives every program. */
function recordedValue(row: RecordedRow, { recorded, type }: ComparedColumn, { text }: Recorded): Normal {
  const value = Object.hasOwn(row, recorded) ? row[recorded] : null;
  return text && value === '' ? null : normal(type, value);
}

/** Types whose values are the same to the last digit, or differ. */
const EXACT: ReadonlySet<string> = new Set(['BOOL', 'INT64', 'STRING', 'BYTES', 'DATE', 'TIME', 'DATETIME', 'TIMESTAMP', 'INTERVAL']);

/** Returns a key that is equal for rows that may be the same. */
function exactKey({ values }: NormalRow, columns: readonly ComparedColumn[], text: boolean): string {
  const parts = columns.flatMap(({ type, tolerance }, i) => {
    const value = values[i] ?? null;
    if (!EXACT.has(type.kind) || tolerance !== undefined) return [];
    if (text && value === '') return [null];
    return [typeof value === 'bigint' ? `${value}n` : value];
  });
  return JSON.stringify(parts, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}
