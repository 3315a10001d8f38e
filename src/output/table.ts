// The format table: a box that fits the terminal. cli-table3 draws it; the widths of cells are measured here.
import { Chalk } from 'chalk';
import Table from 'cli-table3';
import type { QueryResult, ResultColumn } from '../result.ts';
import type { Layout } from './format.ts';
import { columnNames, isNumber, textPrinter } from './value.ts';
import { visible } from './visible.ts';
import { shorten, widthOf } from './width.ts';

interface Cell {
  readonly text: string;
  readonly width: number;
  readonly style?: 'head' | 'null';
}

const narrowest = 6;
/** Columns that still tell something: of a text, and of a float. */
const comfortable = 24;
const shortFloat = 8;
const rigidTypes: ReadonlySet<ResultColumn['type']['kind']> = new Set(['TIMESTAMP', 'DATETIME', 'DATE', 'TIME', 'BOOL']);

/** Draws the result; cells are cut with `…` where the terminal is too narrow, never below 6 columns. */
export function* table(result: QueryResult, layout: Layout): Iterable<string> {
  if (result.columns.length === 0) return;
  const head = columnNames(result.columns).map((name): Cell => cell(visible(name), 'head'));
  const body = result.rows.map((row) => result.columns.map((column, i) => valueCell(row[i] ?? null, column)));
  const data = head.map((_, i) => body.reduce((most, row) => Math.max(most, row[i]?.width ?? 0), 0));
  const natural = head.map((title, i) => Math.max(title.width, data[i] ?? 0));
  const widths = layout.width === undefined ? natural : fitted(natural, data, result.columns, layout.width - (3 * natural.length + 1));
  const alignments = result.columns.map((column) => isNumber(column.type));
  const cut = (row: readonly Cell[]) =>
    row.map((one, i) => (one.width > (widths[i] ?? 0) ? cell(shorten(one.text, widths[i] ?? 1), one.style) : one));
  yield drawn(cut(head), body.map(cut), alignments, new Chalk({ level: layout.colour ? 1 : 0 }));
}

function cell(text: string, style?: Cell['style']): Cell {
  return { text, width: widthOf(text), ...(style === undefined ? {} : { style }) };
}

function valueCell(value: QueryResult['rows'][number][number], column: ResultColumn): Cell {
  if (value === null) return cell('NULL', 'null');
  const text = visible(textPrinter(column.type)(value));
  // A string that spells NULL is quoted: without colours it would look like one.
  return cell(text === 'NULL' ? '"NULL"' : text);
}

/**
 * Widths that fit, given up in this order: long texts; headings above narrow values, and the last digits of floats; the rest of texts; and
 * only then what numbers and times show.
 */
function fitted(
  natural: readonly number[],
  data: readonly number[],
  columns: readonly ResultColumn[],
  available: number,
): readonly number[] {
  const rigid = columns.map(({ type }) => isNumber(type) || rigidTypes.has(type.kind));
  const values = columns.map(({ type }, i) =>
    Math.max(narrowest, type.kind === 'FLOAT64' ? Math.min(data[i] ?? 0, shortFloat) : (data[i] ?? 0)),
  );
  const floors = [
    natural.map((width, i) => (rigid[i] ? width : comfortable)),
    natural.map((width, i) => (rigid[i] ? (values[i] ?? width) : comfortable)),
    natural.map((width, i) => (rigid[i] ? (values[i] ?? width) : narrowest)),
    natural.map(() => narrowest),
  ];
  return floors.reduce((widths, floor) => shrunk(widths, floor, available), natural);
}

/** The widest columns give way first, none below its floor, until all fit. */
function shrunk(from: readonly number[], floor: readonly number[], available: number): readonly number[] {
  const widths = [...from];
  for (let excess = sum(widths) - available; excess > 0; excess--) {
    const spare = widths.map((width, i) => (width > (floor[i] ?? 0) ? width : 0));
    const widest = Math.max(...spare);
    if (widest === 0) break;
    widths[spare.indexOf(widest)] = widest - 1;
  }
  return widths;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/**
 * cli-table3 measures text by older Unicode tables than terminals use, so it is given runs of a placeholder one column wide, which are
 * replaced by the real cells in the order they appear.
 */
function drawn(
  head: readonly Cell[],
  body: readonly (readonly Cell[])[],
  alignRight: readonly boolean[],
  chalk: InstanceType<typeof Chalk>,
): string {
  const placeholder = (one: Cell) => '\ue000'.repeat(one.width);
  const box = new Table({
    head: head.map(placeholder),
    colAligns: alignRight.map((right) => (right ? 'right' : 'left')),
    style: { head: [], border: [], compact: true },
  });
  for (const row of body) box.push(row.map(placeholder));
  const cells = [head, ...body].flat().filter((one) => one.width > 0);
  let next = 0;
  const styled = box.toString().replace(/\ue000+/g, () => {
    const one = cells[next++];
    if (one === undefined) return '';
    return one.style === 'head' ? chalk.bold(one.text) : one.style === 'null' ? chalk.dim(one.text) : one.text;
  });
  return `${styled}\n`;
}
