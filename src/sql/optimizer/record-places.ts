// Where records lie: the paths of a source's record columns that UNNESTs and fields start from.
import { recordLayoutOf } from '../layouts/index.ts';
import type { Expr, LogicalPlan, Unnest } from '../logical/nodes.ts';
import { derive } from '../logical/properties/derive.ts';
import { elementRead } from './element-read.ts';
import type { ScannedColumn } from './scanned-columns.ts';

/** A path inside of a record column, and what it is read from. */
export interface Place {
  readonly root: ScannedColumn;
  /** Id of the element of an UNNEST; null: the scan's column. */
  readonly owner: number | null;
  /** From the column's top. */
  readonly path: readonly string[];
}

export interface RecordPlaces {
  /** Where an array of records or a field of one of its elements lies, if it is a path of one of the columns. */
  placeOf(expr: Expr): Place | undefined;
  /** Elements of UNNESTs, by their ids, and where the arrays lie. */
  readonly elements: ReadonlyMap<number, { readonly place: Place; readonly unnest: Unnest }>;
}

interface Records {
  /** The columns, by their ids. */
  readonly roots: ReadonlyMap<number, ScannedColumn>;
  /** Each array holds one record: that is element 0. */
  readonly one: boolean;
  /** Whether the elements of an UNNEST of what lies at the place are records. */
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
