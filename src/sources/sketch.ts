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
  const sketch = known ?? { name: first, leaf: likelyType(first), isArray: false, fields: new Map() };
  fields.set(first.toLowerCase(), sketch);
  return add(sketch.fields, rest) || known === undefined;
}

export function lookUp(fields: ReadonlyMap<string, Sketch>, [first = '', ...rest]: readonly string[]): Sketch | undefined {
  const found = fields.get(first.toLowerCase());
  return found === undefined || rest.length === 0 ? found : lookUp(found.fields, rest);
}

/** Names say of times what they are, where the query would take a text as well. */
function likelyType(name: string): Type {
  if (/(?:^|_)(?:timestamp|time)$|_(?:at|ts)$|^ts$/i.test(name)) return SCALAR_TYPES.TIMESTAMP;
  return /(?:^|_)(?:date|day)$/i.test(name) ? SCALAR_TYPES.DATE : STRING;
}

export const columnsOf = (sketches: ReadonlyMap<string, Sketch>): readonly DeclaredColumn[] =>
  [...sketches.values()].map((sketch) => ({ name: sketch.name, type: typeOf(sketch) }));

export function typeOf({ leaf, isArray, fields }: Sketch): Type {
  const type = fields.size === 0 ? leaf : structOf(columnsOf(fields));
  return isArray ? arrayOf(type) : type;
}
