// The format table: a box that fits the terminal, or one block per row where no box does.
import { Chalk } from 'chalk';
import { columnNames } from '../../base/column-names.ts';
import { QuernError } from '../../base/errors.ts';
import type { QueryResult, ResultColumn, Value } from '../../base/result.ts';
import { sparkline } from '../chart/sparkline.ts';
import type { Layout } from '../format.ts';
import { roundedText } from '../rounded.ts';
import { isNumber, textPrinter } from '../value.ts';
import { visible } from '../visible.ts';
import { shorten, widthOf } from '../width.ts';
import { drawBlocks } from './blocks.ts';
import { drawBox } from './box.ts';
import { type Cell, cell } from './cell.ts';
import { columnWidths, headingLines, textLines } from './widths.ts';

const wholeTypes: ReadonlySet<ResultColumn['type']['kind']> = new Set(['TIMESTAMP', 'DATETIME', 'DATE', 'TIME', 'BOOL']);

/**
 * Draws the result. Where the terminal is too narrow headings are wrapped, then texts are cut with `…`; numbers, times and booleans are
 * never cut. Floats are rounded to six decimals.
 */
export function* table(result: QueryResult, layout: Layout): Iterable<string> {
  const { columns } = result;
  if (columns.length === 0) return;
  if (layout.sparklines === true && !columns.some(({ type }) => isNumbers(type))) {
    throw new QuernError('usage', 'this result has no array of numbers to draw as a small chart', {
      hint: 'add one, such as array_agg(n order by hour), or use --format chart',
    });
  }
  const chalk = new Chalk({ level: layout.colour ? 1 : 0 });
  const names = columnNames(columns).map(visible);
  const body = result.rows.map((row) => columns.map((column, i) => valueCell(row[i] ?? null, column, layout)));
  const whole = columns.map(({ name, type }) => isNumber(type) || wholeTypes.has(type.kind) || layout.whole?.includes(name) === true);
  const sizes = names.map((name, i) => ({
    name,
    values: body.reduce((most, row) => Math.max(most, row[i]?.width ?? 0), 0),
    whole: whole[i] ?? false,
  }));
  const widths = columnWidths(sizes, layout.width);
  if (widths === undefined) {
    const shown = body.slice(0, layout.mostBlocks);
    const count = shown.length < body.length ? `, the first ${shown.length} of ${body.length}` : '';
    layout.onNote?.(
      `${columns.length} columns do not fit side by side, so each row is shown as a block${count}; --format json shows values in full`,
    );
    yield* drawBlocks(names, shown, { whole, wrap: layout.wrap === true, width: layout.width ?? 0 }, chalk);
    return;
  }
  const cut = (row: readonly Cell[]) => row.map((one, i) => fitted(one, widths[i] ?? one.width, layout.wrap === true));
  const heading = names.map((name, i) => headingLines(name, widths[i] ?? widthOf(name)));
  yield* drawBox(
    heading,
    body.map(cut),
    columns.map(({ type }) => isNumber(type)),
    chalk,
  );
}

function fitted(one: Cell, width: number, wrap: boolean): readonly Cell[] {
  if (one.width <= width) return [one];
  return wrap ? textLines(one.text, width).map((line) => cell(line)) : [cell(shorten(one.text, width), one.isNull)];
}

const isNumbers = (type: ResultColumn['type']): boolean => type.kind === 'ARRAY' && isNumber(type.element);

function valueCell(value: Value, { type }: ResultColumn, { sparklines }: Layout): Cell {
  if (value === null) return cell('NULL', true);
  if (sparklines === true && isNumbers(type) && Array.isArray(value)) return cell(sparkline(value));
  const text = type.kind === 'FLOAT64' && typeof value === 'number' ? roundedText(value) : visible(textPrinter(type)(value));
  // A string that spells NULL is quoted: without colours it would look like one.
  return cell(text === 'NULL' ? '"NULL"' : text);
}
