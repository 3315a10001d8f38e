// From rows as the page holds them to what is drawn of them, by the rules that hold in the terminal too.
import { QuernError } from '../../base/errors.ts';
import type { QueryResult, Value } from '../../base/result.ts';
import { type Drawing, drawingOf } from '../../output/chart/drawing.ts';
import { type Cell, isNumber } from './exact-json.ts';
import { type Column, type Rows, secondsOf } from './rows.ts';
import { plainText } from './shown-text.ts';

export type Drawn = Exclude<Drawing, { readonly kind: 'nothing' }>;

/** Or why there is nothing to draw. */
export function drawingOfRows({ columns, rows }: Rows): Drawn | { readonly reason: string } {
  if (rows.length === 0) return { reason: 'There are no rows to draw.' };
  const result: QueryResult = {
    columns: columns.map(({ name, kind }) => ({ name, type: TYPES[kind] })),
    rows: rows.map((row) => columns.map(({ kind }, i) => asValue(row[i] ?? null, kind))),
    truncated: false,
  };
  try {
    const drawing = drawingOf(result, {});
    if (drawing.kind !== 'nothing') return drawing;
    return { reason: 'No row has a time, so there is nothing to draw.' };
  } catch (error) {
    if (error instanceof QuernError) return { reason: 'A chart needs a column of numbers; these rows have none.' };
    throw error;
  }
}

const TYPES: Readonly<Record<Column['kind'], QueryResult['columns'][number]['type']>> = {
  number: { kind: 'FLOAT64' },
  time: { kind: 'TIMESTAMP' },
  text: { kind: 'STRING' },
  // Nothing that a chart could name.
  other: { kind: 'ARRAY', element: { kind: 'JSON' } },
};

function asValue(cell: Cell, kind: Column['kind']): Value {
  if (cell === null || kind === 'other') return null;
  if (kind === 'text') return plainText(cell);
  if (kind === 'number') return isNumber(cell) ? Number(cell.number) : Number(plainText(cell));
  const seconds = secondsOf(cell);
  return seconds === null ? null : new Date(seconds * 1000).toISOString();
}
