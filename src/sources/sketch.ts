// The columns of a table that nobody has declared, as far as a query says them.
import { arrayOf, SCALAR_TYPES, STRING, structOf, type Type } from '../sql/base/types.ts';
import type { DeclaredColumn } from './table-schema.ts';

export interface Sketch {
  readonly name: string;
  leaf: Type;
  isArray: boolean;
  readonly fields: Map<string, Sketch>;
  /** Its type is that of a column which is known. */
  isKnown?: boolean;
}

/** Adds what the path lacks; returns whether there was anything. */
export function add(fields: Map<string, Sketch>, [first, ...rest]: readonly string[]): boolean {
  if (first === undefined) return false;
  const known = fields.get(first.toLowerCase());
  const sketch = known ?? newSketch(first, likelyType(first));
  fields.set(first.toLowerCase(), sketch);
  return add(sketch.fields, rest) || known === undefined;
}

export const newSketch = (name: string, leaf: Type): Sketch => ({ name, leaf, isArray: false, fields: new Map() });

/** Names say of times what they are, where the query would take a text as well. */
function likelyType(name: string): Type {
  if (/(?:^|_)(?:timestamp|time)$|_(?:at|ts)$|^ts$/i.test(name)) return SCALAR_TYPES.TIMESTAMP;
  return /(?:^|_)(?:date|day)$/i.test(name) ? SCALAR_TYPES.DATE : STRING;
}

/** Sketches by the types that are made for them. */
type Meanings = WeakMap<Type, Sketch>;

export const columnsOf = (sketches: ReadonlyMap<string, Sketch>, meanings?: Meanings): readonly DeclaredColumn[] =>
  [...sketches.values()].map((sketch) => ({ name: sketch.name, type: typeOf(sketch, meanings) }));

export function typeOf(sketch: Sketch, meanings?: Meanings): Type {
  const { leaf, isArray, fields } = sketch;
  const one = fields.size === 0 ? { ...leaf } : structOf(columnsOf(fields, meanings));
  const type = isArray ? arrayOf(one) : one;
  meanings?.set(one, sketch).set(type, sketch);
  return type;
}
