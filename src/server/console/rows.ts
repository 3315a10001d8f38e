// The rows of a reply as the page holds them.
import type { ConsoleColumn } from './contract.ts';
import { type Cell, field, isFields, isList, isNumber, parseExactJson } from './exact-json.ts';

type ColumnKind = 'number' | 'time' | 'text' | 'other';

export interface Column {
  readonly name: string;
  readonly kind: ColumnKind;
}

export interface Rows {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
  readonly truncated: boolean;
}

const KINDS: Readonly<Record<string, ColumnKind>> = {
  INT64: 'number',
  FLOAT64: 'number',
  NUMERIC: 'number',
  BIGNUMERIC: 'number',
  TIMESTAMP: 'time',
  DATETIME: 'time',
  DATE: 'time',
  STRING: 'text',
  BOOL: 'text',
};
const TIME = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}:\d{2}(\.\d+)?Z?)?$/;
const MICROSECONDS = /^\d{15,16}$/;

/** Reads `{"result": […], "meta"?}`. Columns that the server does not describe are known by their values. Throws SyntaxError. */
export function readRows(text: string, described: readonly ConsoleColumn[] | undefined): Rows {
  const reply = parseExactJson(text);
  const result = field(reply, 'result');
  if (result === undefined || !isList(result)) throw new SyntaxError('the reply has no rows');
  const objects = result.map((row) => (isFields(row) ? row.fields : []));
  const names = described?.map(({ name }) => name) ?? [...new Set(objects.flatMap((row) => row.map(([name]) => name)))];
  const rows = objects.map((row) => {
    if (row.length === names.length && row.every(([name], i) => name === names[i])) return row.map(([, cell]) => cell);
    const byName = new Map(row);
    return names.map((name) => byName.get(name) ?? null);
  });
  const columns = names.map((name, i) => {
    const type = described?.[i]?.type;
    const cells = rows.map((row) => row[i] ?? null);
    return { name, kind: type === undefined || type === 'DYNAMIC' ? kindOf(cells) : (KINDS[type] ?? 'other') };
  });
  return { columns, rows, truncated: field(field(reply, 'meta'), 'truncated') === true };
}

function kindOf(cells: readonly Cell[]): ColumnKind {
  const present = cells.filter((cell) => cell !== null);
  if (present.length === 0) return 'other';
  if (present.every(isNumber)) return 'number';
  if (present.every((cell) => typeof cell === 'string' && TIME.test(cell))) return 'time';
  return present.every((cell) => typeof cell === 'string' || typeof cell === 'boolean') ? 'text' : 'other';
}

/** Seconds since 1970, or null where the cell is no time. Servers for clients of Logflare give microseconds. */
export function secondsOf(cell: Cell): number | null {
  if (cell !== null && isNumber(cell)) return MICROSECONDS.test(cell.number) ? Number(cell.number) / 1e6 : null;
  if (typeof cell !== 'string' || !TIME.test(cell)) return null;
  const ms = Date.parse(cell.length === 10 || cell.endsWith('Z') ? cell : `${cell.replace(' ', 'T')}Z`);
  return Number.isNaN(ms) ? null : ms / 1000;
}

/** For sorting: less than, equal to, or more than 0. Missing values come last in both directions. */
export function compareCells(a: Cell, b: Cell, direction: 1 | -1): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  if (isNumber(a) && isNumber(b)) return direction * compareNumbers(a.number, b.number);
  const [left, right] = [sortText(a), sortText(b)];
  return direction * (Number(left > right) - Number(left < right));
}

const INTEGER = /^-?\d+$/;

function compareNumbers(a: string, b: string): number {
  const difference = Number(a) - Number(b);
  if (difference !== 0 || !INTEGER.test(a) || !INTEGER.test(b)) return difference;
  const exact = BigInt(a) - BigInt(b);
  return Number(exact > 0n) - Number(exact < 0n);
}

const sortText = (cell: Cell): string => (typeof cell === 'string' ? cell : JSON.stringify(cell));
