// Between which bounds the numbers of a query lie, as far as literals, the widths of columns and the functions' own facts say it.
import { PART_MICROS } from '../civil.ts';
import { layoutOf } from '../layouts/index.ts';
import type { AnyDefinition } from '../logical/function.ts';
import type { Column, Expr, LogicalPlan, ScanColumn } from '../logical/nodes.ts';
import { learnFrom } from '../logical/walk.ts';
import { COUNT, type Range, rangeOfType, unionRange } from '../number-range.ts';
import type { Source } from '../source.ts';
import type { Type } from '../types.ts';

/** Bounds of an expression of the query; undefined where nothing is known. */
export type ValueRanges = (expr: Expr) => Range | undefined;

export function valueRanges(query: LogicalPlan): ValueRanges {
  const columns = new Map<number, Range>();
  const found = new Map<Expr, Range | undefined>();
  let knownThen = 0;
  // Expressions are shared; what was found is asked again once more columns are known.
  const of: ValueRanges = (expr) => {
    if (columns.size !== knownThen) found.clear();
    knownThen = columns.size;
    return rangeOf(expr, columns, found);
  };
  const add = ({ id, type }: Column, range: Range | undefined): void => {
    const widest = rangeOfType(type);
    if (range !== undefined && !columns.has(id) && (widest === undefined || range[0] > widest[0] || range[1] < widest[1]))
      columns.set(id, range);
  };
  const all = (made: readonly { readonly column: Column; readonly value: Expr }[]): void => {
    for (const { column, value } of made) add(column, of(value));
  };
  const calls = (made: readonly { readonly column: Column; readonly call: Call }[]): void => {
    for (const { column, call } of made) add(column, rangeOfCall(call, of));
  };
  const known = ({ id, type }: Column): Range | undefined => columns.get(id) ?? rangeOfType(type);
  learnFrom(query, columns, (rel, definedBy) => {
    switch (rel.kind) {
      case 'source_scan':
        for (const scanned of rel.columns) add(scanned.column, stored(scanned, rel.source));
        break;
      case 'cte_scan':
        for (const [i, column] of rel.columns.entries()) add(column, columns.get(definedBy(rel)[i]?.id ?? 0));
        break;
      case 'project':
        all(rel.items);
        break;
      case 'aggregate':
        all(rel.keys);
        calls(rel.aggregates);
        for (const { column } of rel.groupings) add(column, [0, 1]);
        break;
      case 'window':
        calls(rel.items);
        break;
      case 'unnest':
        add(rel.element, of(rel.array));
        if (rel.offset !== null) add(rel.offset, COUNT);
        break;
      case 'set_operation':
        for (const [i, column] of rel.columns.entries())
          add(column, unionRange(rel.inputs.map((input) => known(input.columns[i] ?? column))));
        break;
      default:
    }
  });
  return of;
}

/** Events have been recorded since 1973. */
const RECORDED: Range = [1e14, 2.6e17];
/** Seconds that 32 bits hold, in microseconds. */
const OF_SECONDS: Range = [0, 4.3e15];

function stored({ part, from, column }: ScanColumn, { columns }: Source): Range | undefined {
  const layout = layoutOf(from.read);
  if (column.type.kind === 'TIMESTAMP') {
    if (from.read.layout === 'column' && /\bDateTime\b(?!64)/.test(from.read.clickhouseType)) return OF_SECONDS;
    return from.name === 'timestamp' && columns.some(({ read }) => layoutOf(read).records) ? RECORDED : undefined;
  }
  return part.kind === 'whole' && !layout.records ? layout.range?.(from.read) : undefined;
}

function rangeOf(expr: Expr, columns: ReadonlyMap<number, Range>, found: Map<Expr, Range | undefined>): Range | undefined {
  // Of a part of a date: how many microseconds it has at least.
  if (expr.kind === 'date_part') return ofLiteral(PART_MICROS[expr.part] ?? PART_MICROS['DAY']);
  if (!isNumber(expr.type)) return undefined;
  if (found.has(expr)) return found.get(expr);
  const range = clipped(look(expr, columns, found), rangeOfType(expr.type));
  found.set(expr, range);
  return range;
}

/** Times too, by their microseconds since 1970. */
const isNumber = (type: Type): boolean =>
  type.kind === 'ARRAY'
    ? isNumber(type.element)
    : ['FLOAT64', 'TIMESTAMP', 'DATETIME'].includes(type.kind) || rangeOfType(type) !== undefined;

function look(expr: Expr, columns: ReadonlyMap<number, Range>, found: Map<Expr, Range | undefined>): Range | undefined {
  const of = (part: Expr): Range | undefined => rangeOf(part, columns, found);
  switch (expr.kind) {
    case 'literal':
      return ofLiteral(expr.value);
    case 'column':
    case 'subquery':
      return expr.type.kind === expr.column.type.kind ? columns.get(expr.column.id) : undefined;
    case 'cast': {
      if (expr.operand.type.kind === 'BOOL') return [0, 1];
      if (expr.timeZone !== null) return undefined;
      const range = of(expr.operand);
      // Rounded, at most to the next whole number.
      return range === undefined ? undefined : [Math.floor(range[0]), Math.ceil(range[1])];
    }
    case 'case':
      return unionRange([...expr.whens.map((w) => of(w.then)), ...(expr.otherwise === null ? [] : [of(expr.otherwise)])]);
    case 'array':
      return unionRange(expr.elements.map(of));
    case 'call':
      return rangeOfCall(expr, of);
    default:
      return undefined;
  }
}

interface Call {
  readonly fn: AnyDefinition;
  readonly args: readonly (Expr | null)[];
}

function rangeOfCall({ fn: { range }, args }: Call, of: ValueRanges): Range | undefined {
  if (typeof range !== 'function') return range;
  return range(...args.map((arg) => (arg === null ? undefined : of(arg))));
}

function ofLiteral(value: unknown): Range | undefined {
  if (value === null) return [0, 0];
  const number = typeof value === 'bigint' || typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? [number, number] : undefined;
}

/** What leaves the type's range fails: there are no such values. */
function clipped(range: Range | undefined, widest: Range | undefined): Range | undefined {
  if (range === undefined || widest === undefined) return range ?? widest;
  return [Math.max(range[0], widest[0]), Math.min(range[1], widest[1])];
}
