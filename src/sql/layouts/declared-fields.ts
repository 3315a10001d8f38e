// Types of records, from the types of their fields by dotted path.
import { arrayOf, recordOf, type StructField, type Type } from '../base/types.ts';

/** ARRAY<RECORD> with the fields at these dotted paths. */
export function recordTypeOf(types: ReadonlyMap<string, Type>): Type {
  const groups = new Map<string, Map<string, Type>>();
  const fields: StructField[] = [];
  for (const [path, type] of types) {
    const dot = path.indexOf('.');
    if (dot === -1) fields.push({ name: path, type });
    else groups.set(path.slice(0, dot), (groups.get(path.slice(0, dot)) ?? new Map<string, Type>()).set(path.slice(dot + 1), type));
  }
  return arrayOf(recordOf([...fields, ...[...groups].map(([name, inner]) => ({ name, type: recordTypeOf(inner) }))]));
}
