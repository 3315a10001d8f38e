// Chooses columns of a result, in the order in which they are wanted.

import { columnNames } from '../base/column-names.ts';
import { nearest, QuernError } from '../base/errors.ts';
import type { QueryResult, ResultColumn } from '../base/result.ts';

interface ChosenColumns {
  readonly positions: readonly number[];
  /** The names under which they are shown. */
  readonly names: readonly string[];
}

/** Chooses all columns when `wanted` is undefined. Throws `usage` for a name that is not one of the names shown. */
export function chooseColumns(columns: readonly ResultColumn[], wanted: readonly string[] | undefined): ChosenColumns {
  const shown = columnNames(columns);
  const positions = wanted?.map((name) => positionOf(name, shown, '--columns')) ?? shown.map((_, at) => at);
  // Names are made distinct once more: one column may be wanted twice.
  return { positions, names: columnNames(positions.map((at) => ({ name: shown[at] ?? '' }))) };
}

/** The result with those columns only. */
export function withColumns(result: QueryResult, wanted: readonly string[]): QueryResult {
  const { positions, names } = chooseColumns(result.columns, wanted);
  return {
    ...result,
    columns: positions.flatMap((at, i) => (result.columns[at] === undefined ? [] : { ...result.columns[at], name: names[i] ?? '' })),
    rows: result.rows.map((row) => positions.map((at) => row[at] ?? null)),
  };
}

/** Throws `usage`, in the name of the flag, for a column that does not exist. */
export function positionOf(name: string, shown: readonly string[], flag: string): number {
  const at = shown.indexOf(name);
  if (at !== -1) return at;
  const near = nearest(name, shown);
  throw new QuernError('usage', `${flag}: there is no column ${JSON.stringify(name)}`, {
    hint: `${near === undefined ? 'the' : `did you mean ${near}? The`} columns are ${shown.join(', ')}`,
  });
}
