// How many bytes a row has in the columns that a query reads.
import { QuernError } from '../base/errors.ts';
import { quoteString } from '../clickhouse/quote.ts';
import type { Engine } from '../engine/engine.ts';

interface ReadTable {
  readonly database: string;
  readonly name: string;
}

/** The columns that the plan of a query reads, by table. */
type ReadColumns = ReadonlyMap<string, ReadonlySet<string>>;

/** So that columns of conditions are in the plan, whatever is read before what. */
export const WITHOUT_PREWHERE = { optimize_move_to_prewhere: 0 };

/** Reads the text of `EXPLAIN PLAN json = 1, header = 1`. */
export function readColumnsOf(plan: string): ReadColumns {
  const found = new Map<string, Set<string>>();
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { 'Node Type': type, Description: table, Header: header, Plans: inner, Plan: plan } = node as Readonly<Record<string, unknown>>;
    if (type === 'ReadFromMergeTree' && typeof table === 'string' && Array.isArray(header)) {
      const columns = found.get(table) ?? new Set<string>();
      found.set(table, columns);
      for (const { Name: name } of header as readonly { readonly Name?: unknown }[]) columns.add(String(name));
    }
    visit(plan);
    if (Array.isArray(inner)) inner.forEach(visit);
  };
  const nodes: unknown = JSON.parse(plan);
  if (Array.isArray(nodes)) nodes.forEach(visit);
  return found;
}

/** Returns the bytes that a row has in memory, by table: in the columns that are read, or in all where the plan does not say them. */
export async function bytesPerRow(engine: Engine, tables: readonly ReadTable[], read: ReadColumns): Promise<ReadonlyMap<string, number>> {
  if (tables.length === 0) return new Map();
  const names = tables.map(({ database, name }) => `(${quoteString(database)}, ${quoteString(name)})`).join(', ');
  const ofTables = new Map<string, StoredColumn[]>();
  try {
    const rows = await engine.rows(
      `SELECT concat(c.database, '.', c.table), c.name, c.type, c.data_uncompressed_bytes / p.count, p.bytes / p.count
       FROM system.columns AS c
       JOIN (SELECT database, table, sum(data_uncompressed_bytes) AS bytes, sum(rows) AS count FROM system.parts
             WHERE active AND rows > 0 AND (database, table) IN (${names}) GROUP BY database, table) AS p
       ON p.database = c.database AND p.table = c.table WHERE (c.database, c.table) IN (${names})`,
    );
    for (const [table, name, type, bytes, ofRow] of rows) {
      const columns = ofTables.get(String(table)) ?? [];
      ofTables.set(String(table), columns);
      columns.push({ name: String(name), type: String(type), bytes: Number(bytes), ofRow: Number(ofRow) });
    }
  } catch (error) {
    // Not every login may look into system tables.
    if (error instanceof QuernError && error.code === 'engine') return new Map();
    throw error;
  }
  return new Map([...ofTables].map(([table, columns]) => [table, sumOf(columns, read.get(table))]));
}

interface StoredColumn {
  readonly name: string;
  readonly type: string;
  /** Of one row, on the average. ClickHouse does not know it of columns in small parts. */
  readonly bytes: number;
  /** Those of all columns. */
  readonly ofRow: number;
}

function sumOf(columns: readonly StoredColumn[], read: ReadonlySet<string> | undefined): number {
  const isRead = ({ name }: StoredColumn): boolean =>
    read === undefined || [...read].some((one) => one === name || one.startsWith(`${name}.`));
  const widths = widthsOf(columns);
  return columns.reduce((sum, column, i) => sum + (isRead(column) ? (widths[i] ?? 0) : 0), 0);
}

/** Bytes that a text, an array or a map has in memory beside its own: where it ends. */
const END_BYTES = 8;
/** ClickHouse has told the bytes of all columns if they make so much of the row. */
const NEARLY_ALL = 0.95;

function widthsOf(columns: readonly StoredColumn[]): readonly number[] {
  const fixed = columns.map(({ type }) => fixedWidth(type));
  const [{ ofRow } = { ofRow: 0 }] = columns;
  const areKnown = columns.reduce((sum, { bytes }) => sum + bytes, 0) >= NEARLY_ALL * ofRow;
  const others = fixed.filter((width) => width === undefined).length;
  // The others have the rest of a row; which of them is the longer is not known.
  const rest = Math.max(0, ofRow - fixed.reduce<number>((sum, width) => sum + (width ?? 0), 0)) / Math.max(1, others);
  return columns.map(({ type, bytes }, i) => {
    const ends = END_BYTES * (type.match(/String|Array|Map|JSON|Dynamic/g)?.length ?? 0);
    return fixed[i] ?? (areKnown ? bytes : rest) + ends;
  });
}

const WIDTHS: Readonly<Record<string, number>> = {
  Bool: 1,
  Date: 2,
  Date32: 4,
  DateTime: 4,
  DateTime64: 8,
  Enum8: 1,
  Enum16: 2,
  Float32: 4,
  Float64: 8,
  IPv4: 4,
  IPv6: 16,
  UUID: 16,
};

/** Undefined for a type whose values differ in length. */
function fixedWidth(type: string): number | undefined {
  const inner = /^Nullable\((.*)\)$/.exec(type)?.[1];
  if (inner !== undefined) {
    const width = fixedWidth(inner);
    return width === undefined ? undefined : width + 1;
  }
  const [, bits] = /^U?Int(\d+)$/.exec(type) ?? [];
  if (bits !== undefined) return Number(bits) / 8;
  const [, digits] = /^Decimal\((\d+), \d+\)$/.exec(type) ?? [];
  if (digits !== undefined) return decimalWidth(Number(digits));
  const [, length] = /^FixedString\((\d+)\)$/.exec(type) ?? [];
  return length === undefined ? WIDTHS[/^\w+/.exec(type)?.[0] ?? ''] : Number(length);
}

const decimalWidth = (digits: number): number => [9, 18, 38].reduce((width, most) => (digits > most ? 2 * width : width), 4);
