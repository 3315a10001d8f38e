// A property of values as a small lattice: it is defined for calls, for columns of sources, and for any of several values. The rest follows.
import type { Type } from '../../base/types.ts';
import { branchesOf } from '../build.ts';
import type { AggregateCall, Column, Expr, FunctionCall, ScanColumn, SourceScan, WindowCall } from '../nodes.ts';
import type { Relations } from '../walk.ts';
import { derive, type Found } from './derive.ts';
import type { Made } from './made.ts';

/** Returns the property of a value; undefined where it is not known. */
type Of<T> = (value: Expr) => T | undefined;

const NONE: ReadonlySet<number> = new Set();

export interface Property<T> {
  /** True of the types whose values differ in it. */
  readonly differs: (type: Type) => boolean;
  /** Returns the property that all values of a type have. */
  readonly all?: (type: Type) => T | undefined;
  /** Combines a property that was found with that of the type; `all` where `found` says no more. */
  readonly both?: (found: T, all: T) => T;
  /** Returns the property of a value that is one of several. */
  readonly any: (values: readonly (T | undefined)[]) => Found<T>;
  readonly scan?: (scanned: ScanColumn, scan: SourceScan) => Found<T>;
  readonly call: (call: FunctionCall | AggregateCall | WindowCall, of: Of<T>) => Found<T>;
  /** The property of expressions of other kinds than columns, CASE and calls. */
  readonly values: { readonly [K in Expr['kind']]?: (expr: Extract<Expr, { readonly kind: K }>, of: Of<T>) => Found<T> };
  /** True if an element of an array has the property of the array. */
  readonly ofElements?: true;
  /** The property of positions in arrays, and that of the numbers which GROUPING returns. */
  readonly offset?: T;
  readonly grouping?: T;
}

/** Derives the property for all columns of the plan but those with the ids in `without`. */
export function propertyIn<T>(plan: Relations, property: Property<T>, without: ReadonlySet<number> = NONE): Of<T> {
  const { differs, all, any, values } = property;
  const columns = new Map<number, T>();
  const limited = (type: Type, found: Found<T>): T | undefined => {
    const given = all?.(type);
    if (found === undefined || found === false) return given;
    return given === undefined ? found : property.both?.(found, given);
  };
  const ofColumn = ({ id, type }: Column): T | undefined => limited(type, differs(type) && columns.get(id));
  const look = (expr: Expr): Found<T> => {
    // The kind picks the entry of that kind.
    const own = values[expr.kind] as ((expr: Expr, of: Of<T>) => Found<T>) | undefined;
    if (own !== undefined) return own(expr, of);
    switch (expr.kind) {
      case 'column':
      case 'subquery':
        return expr.type.kind === expr.column.type.kind && columns.get(expr.column.id);
      case 'case':
        return any(branchesOf(expr).map(of));
      case 'call':
        return property.call(expr, of);
      default:
        return undefined;
    }
  };
  // Expressions are shared; they are looked at again once more columns are known.
  const found = new Map<Expr, T | undefined>();
  let knownThen = 0;
  const of: Of<T> = (expr) => {
    if (!differs(expr.type)) return all?.(expr.type);
    if (columns.size !== knownThen) found.clear();
    knownThen = columns.size;
    if (found.has(expr)) return found.get(expr);
    const value = limited(expr.type, look(expr));
    found.set(expr, value);
    return value;
  };
  const made = (column: Made): Found<T> => {
    switch (column.by) {
      case 'scan':
        return property.scan?.(column.scanned, column.scan);
      case 'value':
      case 'key':
        return of(column.value);
      case 'call':
        return property.call(column.call, of);
      case 'element':
        return property.ofElements && of(column.array);
      case 'set':
        return any(column.columns.map(ofColumn));
      case 'cte':
        return column.read && columns.get(column.read.id);
      default:
        return property[column.by];
    }
  };
  derive(plan, columns, (step) => {
    const { type } = step.column;
    const value = differs(type) && !without.has(step.column.id) ? limited(type, made(step)) : undefined;
    return value === all?.(type) ? undefined : value;
  });
  return of;
}
