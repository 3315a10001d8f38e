// UNNEST of a record that holds one element per event becomes a direct read of the paths below it: `unnest(metadata) m, unnest(m.request) r … r.path`
// reads the subcolumn metadata.request.path, the map's entry `request.path`, or that path of the text. An UNNEST left in place would read the whole record of every row.

import { BOOL, recordOf, type Type } from '../../base/types.ts';
import { recordLayoutOf } from '../../layouts/index.ts';
import { int64, ref } from '../../logical/build.ts';
import type { Expr, LogicalPlan, Rel } from '../../logical/nodes.ts';
import { visit } from '../../logical/walk.ts';
import { call, onlyIf } from '../build.ts';
import { type Place, recordPlaces } from '../record-places.ts';
import type { Rule } from '../rule.ts';
import { scannedColumns } from '../scanned-columns.ts';

export const pruneRecordFields: Rule = {
  name: 'prune-record-fields',
  changes(plan, { scanColumn }) {
    const roots = scannedColumns(
      plan,
      ({ from: { read, type } }) =>
        recordLayoutOf(read)?.oneElement(read) === true && type.kind === 'ARRAY' && type.element.kind === 'RECORD',
    );
    if (roots.size === 0) return undefined;
    let used: ReadonlySet<number> | undefined;
    const isUsedAsRecord = (id: number): boolean => {
      used ??= usedAsRecords(plan);
      return used.has(id);
    };
    const { placeOf, elements } = recordPlaces(plan, {
      roots,
      one: true,
      isRecord: ({ element: { id, type } }) => type.kind === 'RECORD' || (type.kind === 'DYNAMIC' && isUsedAsRecord(id)),
    });
    const valueAt = ({ root, path }: Place, kind: 'path' | 'present', type: Type, at: Expr): Expr =>
      ref(scanColumn(root.scan, root.from, { kind, path }, type), at);
    /** The value of an undeclared field: a value, or a record as its text. */
    const wholeAt = (place: Place, at: Expr): Expr => {
      const value = valueAt(place, 'path', { kind: 'DYNAMIC' }, at);
      if (recordLayoutOf(place.root.from.read)?.recordsApart !== true) return value;
      return call('COALESCE', [value, valueAt(place, 'path', recordOf([]), at)], at, { kind: 'DYNAMIC' });
    };
    /** The array of an undeclared field that is unnested and no record: only the record's whole text has it in every case. */
    const arrayAt = (array: Expr): Expr => {
      const place = array.type.kind === 'DYNAMIC' ? placeOf(array) : undefined;
      const layout = place === undefined ? undefined : recordLayoutOf(place.root.from.read);
      if (place === undefined || layout?.undeclaredArrays !== true)
        return layout?.recordsApart === true && place !== undefined ? wholeAt(place, array) : array;
      const { span, type } = array;
      const record = valueAt({ ...place, path: [] }, 'path', recordOf([]), array);
      return place.path.reduce<Expr>((of, name) => ({ kind: 'record_field', of, name, type, span }), record);
    };
    return {
      // Outermost fields first: m.a.b is one path, not a field of the value at m.a.
      order: 'top-down',
      expressions: {
        record_field(expr) {
          const place = placeOf(expr);
          return place === undefined ? expr : valueAt(place, 'path', expr.type, expr);
        },
      },
      relations: {
        unnest(rel) {
          const { place } = elements.get(rel.element.id) ?? {};
          if (place === undefined) {
            const array = arrayAt(rel.array);
            return array === rel.array ? rel : { ...rel, array };
          }
          if (rel.input === null) return rel;
          const { type } = rel.element;
          const element = {
            column: rel.element,
            value: type.kind === 'DYNAMIC' ? wholeAt(place, rel.array) : valueAt(place, 'path', type, rel.array),
          };
          const position = int64(0n, rel.array);
          // Where no record is there, its position is NULL.
          const shown = rel.outer && place.path.length > 0 ? onlyIf(valueAt(place, 'present', BOOL, rel.array), position) : position;
          const offset = rel.offset === null ? [] : [{ column: rel.offset, value: shown }];
          const flat: Rel = { kind: 'project', input: rel.input, items: [element, ...offset] };
          // An event always has its one top record.
          const { read } = place.root.from;
          if (rel.outer || place.path.length === 0 || recordLayoutOf(read)?.everywhere?.(read, place.path) === true) return flat;
          return { kind: 'filter', input: flat, condition: valueAt(place, 'present', BOOL, rel.array) };
        },
      },
    };
  },
};

/** Returns the ids of columns whose elements have fields: an undeclared field is known to hold records by that use. */
function usedAsRecords(plan: LogicalPlan): ReadonlySet<number> {
  const used = new Set<number>();
  visit(plan, (e) => void (e.kind === 'record_field' && e.of.kind === 'column' && used.add(e.of.column.id)));
  return used;
}
