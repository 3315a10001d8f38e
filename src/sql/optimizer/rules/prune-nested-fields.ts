// UNNEST of records in an Array(Tuple(…)) column walks the arrays of the leaves that the query reads, in step: `unnest(metadata) m, unnest(m.request) r
// … m.id, r.path` is ARRAY JOIN metadata.id, metadata.request.path, and then ARRAY JOIN of the second. Walking the column itself would read all of it.

import { arrayOf, STRING, type Type } from '../../base/types.ts';
import { anyLeaf, directLeaves, fieldAt, levelsOf, repeats } from '../../layouts/nested/fields.ts';
import type { NestedField, NestedRead } from '../../layouts/nested/read.ts';
import { int64, ref } from '../../logical/build.ts';
import type { Column, Expr, LogicalPlan, Rel } from '../../logical/nodes.ts';
import { eachChild } from '../../logical/walk.ts';
import { call, conjunction, filtered, onlyIf } from '../build.ts';
import { type Place, type RecordPlaces, recordPlaces } from '../record-places.ts';
import type { Rule, RuleContext } from '../rule.ts';
import { type ScannedColumn, scannedColumns } from '../scanned-columns.ts';

const nested = ({ from }: ScannedColumn): NestedRead => {
  if (from.read.layout !== 'nested') throw new RangeError('a root is a nested column');
  return from.read;
};
const fieldOf = ({ root, path }: Place): NestedField | undefined => fieldAt(nested(root).record, path);

export const pruneNestedFields: Rule = {
  name: 'prune-nested-fields',
  changes(plan, context) {
    const roots = scannedColumns(
      plan,
      ({ from: { read } }) => read.layout === 'nested' && read.oneElement !== true && repeats(read.record),
    );
    if (roots.size === 0) return undefined;
    const places = recordPlaces(plan, {
      roots,
      one: false,
      isRecord: ({ input }, place) => input !== null && fieldOf(place)?.kind === 'record',
    });
    const leaves = neededLeaves(places, context);
    needRead(plan, places, leaves);
    const presence = needRest(places, leaves);
    return {
      order: 'top-down',
      expressions: {
        record_field(expr) {
          const place = placeOfLeaf(expr, places);
          return place === undefined ? expr : ref(leaves.need(place, expr.type), expr);
        },
      },
      relations: {
        unnest(rel) {
          const element = places.elements.get(rel.element.id);
          const [first, ...others] = leaves.of(rel.element.id);
          if (element === undefined || first === undefined) return rel;
          const field = fieldOf(element.place);
          if (field?.kind === 'record' && field.repeated) {
            return {
              ...rel,
              array: ref(first.source, rel.array),
              element: first.column,
              zipped: others.map((leaf) => ({ array: ref(leaf.source, rel.array), element: leaf.column })),
              // An event always has its one top record.
              outer: rel.outer || element.place.path.length === 0,
            };
          }
          const items = [first, ...others].map((leaf) => ({ column: leaf.column, value: ref(leaf.source, rel.array) }));
          const present = presence.get(rel.element.id) ?? [];
          const position = int64(0n, rel.array);
          // Where no record is there, its position is NULL.
          const shown = rel.outer && present.length > 0 ? onlyIf(conjunction(present), position) : position;
          const offset = rel.offset === null ? [] : [{ column: rel.offset, value: shown }];
          const flat: Rel = { kind: 'project', input: rel.input ?? { kind: 'one_row' }, items: [...items, ...offset] };
          return rel.outer ? flat : filtered(flat, present);
        },
      },
    };
  },
};

interface Leaf {
  readonly column: Column;
  /** The column of the owner below of which this one is an element. */
  readonly source: Column;
}

interface Leaves {
  /** The values at a place as its owner shows them: wrapped in an array for each level that is not unnested there yet. */
  need(place: Place, type: Type): Column;
  /** The places that are needed so far of the element of an UNNEST. */
  of(element: number): readonly Leaf[];
}

function neededLeaves({ elements }: RecordPlaces, { newColumn, scanColumn }: RuleContext): Leaves {
  const needed = new Map<number, Map<string, Leaf>>();
  const need = ({ root, owner, path }: Place, type: Type): Column => {
    const { record } = nested(root);
    const element = owner === null ? undefined : elements.get(owner);
    if (owner === null || element === undefined)
      return scanColumn(root.scan, root.from, { kind: 'elements', path }, wrapped(type, levelsOf(record, path)));
    const own = needed.get(owner) ?? new Map<string, Leaf>();
    needed.set(owner, own);
    const key = JSON.stringify(path);
    const known = own.get(key);
    if (known !== undefined) return known.column;
    const { place, unnest } = element;
    const levels = levelsOf(record, path) - levelsOf(record, place.path);
    const column = path.length === place.path.length ? unnest.element : newColumn(path.at(-1) ?? root.from.name, wrapped(type, levels));
    own.set(key, { column, source: need({ root, owner: place.owner, path }, type) });
    return column;
  };
  return { need, of: (id) => [...(needed.get(id)?.values() ?? [])] };
}

const wrapped = (type: Type, levels: number): Type => (levels === 0 ? type : arrayOf(wrapped(type, levels - 1)));

function placeOfLeaf(expr: Expr, { placeOf }: RecordPlaces): Place | undefined {
  const place = placeOf(expr);
  return place !== undefined && fieldOf(place)?.kind === 'leaf' ? place : undefined;
}

/** Adds the places that the query reads. */
function needRead(plan: LogicalPlan, places: RecordPlaces, { need }: Leaves): void {
  const see = (expr: Expr): void => {
    const place = expr.kind === 'record_field' ? placeOfLeaf(expr, places) : undefined;
    if (place !== undefined) need(place, expr.type);
    else if (expr.kind === 'column') whole(expr.column);
    else eachChild(expr, visitor);
  };
  /** The record as a value: its JSON text. */
  const whole = ({ id }: Column): void => {
    const element = places.elements.get(id);
    if (element !== undefined) need({ ...element.place, owner: id }, STRING);
  };
  const rel = (r: Rel): void =>
    r.kind === 'unnest' && r.input !== null && places.elements.has(r.element.id) ? rel(r.input) : eachChild(r, visitor);
  const visitor = { expr: see, rel };
  eachChild(plan, visitor);
  for (const { column } of plan.outputs) whole(column);
  for (const cte of plan.ctes) for (const column of cte.columns) whole(column);
}

/** Adds the places that show that records are there, by the elements of their UNNESTs; and any leaf of records of which nothing is read, since each is a row. */
function needRest({ elements }: RecordPlaces, { need, of }: Leaves): ReadonlyMap<number, readonly Expr[]> {
  const presence = new Map<number, readonly Expr[]>();
  // Deepest first: the places that they need, the ones above them need too.
  const byDepth = [...elements].sort(([, a], [, b]) => b.place.path.length - a.place.path.length);
  for (const [owner, { place, unnest }] of byDepth) {
    const field = fieldOf(place);
    if (field?.kind !== 'record') continue;
    const at = (path: readonly string[]): Column => need({ ...place, owner, path }, STRING);
    if (!field.repeated && (!unnest.outer || unnest.offset !== null))
      presence.set(
        owner,
        heldBy(directLeaves(field), (name) => ref(at([...place.path, name]), unnest.array)),
      );
    if (of(owner).length === 0) at(anyLeaf(nested(place.root).record, place.path) ?? place.path);
  }
  return presence;
}

/** Tests that a Tuple has a value: one without any stands for a missing record. Undefined where some leaf is never NULL. */
function heldBy(leaves: readonly { readonly name: string; readonly nullable: boolean }[], value: (name: string) => Expr): readonly Expr[] {
  if (leaves.length === 0 || leaves.some((leaf) => !leaf.nullable)) return [];
  const held = leaves.map(({ name }) => {
    const read = value(name);
    return call('$not', [call('$is_null', [read], read)], read);
  });
  return [held.reduce((left, right) => call('$or', [left, right], left))];
}
