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
const rigidTypes: ReadonlySet<ResultColumn['type']['kind']> = new Set(['TIMESTAMP', 'DATETIME', 'DATE', 'TIME', 'BOOL']);

/** Draws the result; cells are cut with `…` where the terminal is too narrow, never below 6 columns. */
export function* table(result: QueryResult, layout: Layout): Iterable<string> {
  if (result.columns.length === 0) return;
  const head = columnNames(result.columns).map((name): Cell => cell(visible(name), 'head'));
  const body = result.rows.map((row) => result.columns.map((column, i) => valueCell(row[i] ?? null, column)));
  const natural = head.map((title, i) => body.reduce((most, row) => Math.max(most, row[i]?.width ?? 0), title.width));
  const widths = layout.width === undefined ? natural : fitted(natural, result.columns, layout.width - (3 * natural.length + 1));
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

/** Free text gives way before numbers and times, of which every character counts. */
function fitted(natural: readonly number[], columns: readonly ResultColumn[], available: number): readonly number[] {
  const text = shrunk(natural, available, (i) => !rigid(columns[i]));
  return shrunk(text, available, () => true);
}

function rigid(column: ResultColumn | undefined): boolean {
  return column !== undefined && (isNumber(column.type) || rigidTypes.has(column.type.kind));
}

/** Widths that sum up to at most `available` where possible: the widest of the columns that may shrink give way first. */
function shrunk(natural: readonly number[], available: number, mayShrink: (column: number) => boolean): readonly number[] {
  const widths = [...natural];
  for (let excess = sum(widths) - available; excess > 0; ) {
    const candidates = widths.flatMap((width, i) => (mayShrink(i) && width > narrowest ? [i] : []));
    const widest = Math.max(...candidates.map((i) => widths[i] ?? 0));
    const group = candidates.filter((i) => widths[i] === widest);
    if (group.length === 0) break;
    const next = Math.max(narrowest, ...candidates.map((i) => widths[i] ?? 0).filter((width) => width < widest));
    const step = Math.max(1, Math.min(widest - next, Math.floor(excess / group.length)));
    for (const i of group.slice(0, Math.ceil(excess / step))) {
      widths[i] = widest - step;
      excess -= step;
    }
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
