// The places of records: the paths of a source's record columns that UNNESTs and fields start from.
import { recordLayoutOf } from '../layouts/index.ts';
import type { Expr, LogicalPlan, Unnest } from '../logical/nodes.ts';
import { derive } from '../logical/properties/derive.ts';
import { elementRead } from './element-read.ts';
import type { ScannedColumn } from './scanned-columns.ts';

/** A path inside of a record column, and the column that it is read from. */
export interface Place {
  readonly root: ScannedColumn;
  /** The id of the element of an UNNEST; null: the scan's column. */
  readonly owner: number | null;
  /** The path from the column's top. */
  readonly path: readonly string[];
}

export interface RecordPlaces {
  /** Returns the place of an array of records or of a field of one of its elements, if it is a path of one of the columns. */
  placeOf(expr: Expr): Place | undefined;
  /** The places of the arrays of UNNESTs, by the ids of the elements. */
  readonly elements: ReadonlyMap<number, { readonly place: Place; readonly unnest: Unnest }>;
}

interface Records {
  /** The columns, by their ids. */
  readonly roots: ReadonlyMap<number, ScannedColumn>;
  /** True if each array holds one record, which is element 0. */
  readonly one: boolean;
  /** True if the elements of an UNNEST of the array at the place are records. */
  readonly isRecord: (unnest: Unnest, place: Place) => boolean;
}

export function recordPlaces(plan: LogicalPlan, { roots, one, isRecord }: Records): RecordPlaces {
  const elements = new Map<number, { readonly place: Place; readonly unnest: Unnest }>();
  const placeOf = (expr: Expr): Place | undefined => {
    if (expr.kind === 'column') {
      const { id } = expr.column;
      const root = roots.get(id);
      if (root !== undefined) return { root, owner: null, path: [] };
      const element = elements.get(id);
      return element === undefined ? undefined : { ...element.place, owner: id };
    }
    if (expr.kind === 'call') {
      const { array, position } = elementRead(expr) ?? {};
      return one && array?.type.kind === 'ARRAY' && array.type.element.kind === 'RECORD' && position === 0n ? placeOf(array) : undefined;
    }
    const of = expr.kind === 'record_field' ? placeOf(expr.of) : undefined;
    if (expr.kind !== 'record_field' || of === undefined) return undefined;
    const path = [...of.path, expr.name];
    recordLayoutOf(of.root.from.read)?.checkField?.(of.root.from.read, path, expr.span);
    return { ...of, path };
  };
  // An UNNEST may start from the element of another.
  derive(plan, elements, (made) => {
    if (made.by !== 'element') return undefined;
    const place = placeOf(made.array);
    return place !== undefined && isRecord(made.unnest, place) && { place, unnest: made.unnest };
  });
  return { placeOf, elements };
}
