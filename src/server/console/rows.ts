// The rows of a reply as the page holds them.
import type { ConsoleColumn } from './contract.ts';
import { type Cell, field, isFields, isNumber, JsonReader } from './exact-json.ts';

type ColumnKind = 'number' | 'time' | 'text' | 'other';

export interface Column {
  readonly name: string;
  readonly kind: ColumnKind;
  /** Its numbers are rounded for the eye, as in the terminal. */
  readonly isFloat?: true;
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
  const { rows: read, names: own, uneven, rest } = readReply(text, described);
  const names = described === undefined ? [...new Set([...own, ...[...uneven.values()].flatMap((row) => [...row.keys()])])] : own;
  const rows = uneven.size === 0 ? read : read.map((row, i) => evened(row, uneven.get(i), names));
  const columns = names.map((name, i) => {
    const type = described?.[i]?.type;
    const cells = rows.map((row) => row[i] ?? null);
    const kind = type === undefined || type === 'DYNAMIC' ? kindOf(cells) : (KINDS[type] ?? 'other');
    return type === 'FLOAT64' ? { name, kind, isFloat: true as const } : { name, kind };
  });
  return { columns, rows, truncated: field(rest.get('meta'), 'truncated') === true };
}

const evened = (row: readonly Cell[], fields: ReadonlyMap<string, Cell> | undefined, names: readonly string[]): readonly Cell[] =>
  fields === undefined ? row : names.map((name) => fields.get(name) ?? null);

/** Reads a reply: rows with the fields of the columns, or of the first row, become their cells at once; `uneven` has the others by their number. */
function readReply(text: string, described: readonly ConsoleColumn[] | undefined) {
  const reader = new JsonReader(text);
  const rest = new Map<string, Cell>();
  const uneven = new Map<number, ReadonlyMap<string, Cell>>();
  let names = described?.map(({ name }) => name);
  let quoted = names?.map((name) => JSON.stringify(name));
  let rows: (readonly Cell[])[] | undefined;
  let count = 0;
  const row = (): readonly Cell[] => {
    const at = count++;
    const cells = quoted && reader.cells(quoted);
    if (cells !== undefined) return cells;
    const value = reader.value();
    const fields = isFields(value) ? value.fields : [];
    if (names !== undefined) {
      uneven.set(at, new Map(fields));
      return [];
    }
    names = fields.map(([name]) => name);
    quoted = names.map((name) => JSON.stringify(name));
    return fields.map(([, cell]) => cell);
  };
  reader.fields((name) => {
    if (name === 'result') rows = reader.list(row);
    else rest.set(name, reader.value());
  });
  reader.end();
  if (rows === undefined) throw new SyntaxError('the reply has no rows');
  return { rows, names: names ?? [], uneven, rest };
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
