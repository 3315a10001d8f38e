// One entry of a Map, by its key.
// https://clickhouse.com/docs/sql-reference/data-types/map

import type { Type } from '../../base/types.ts';
import type { SqlExpression } from '../../target/ast.ts';
import { call, iff, infix, lit, NULL, not } from '../../target/build.ts';
import type { AttributeFacts } from '../layout.ts';

/**
 * The text of a key's entry for `fromText`. `map['key']` alone is read without the map's other entries, a sixth of the bytes on a page of attributes;
 * it is '' where the map has no such key, which is no number and no boolean, and is looked into where a text is wanted.
 */
export function mapEntry(map: SqlExpression, key: string, type: Type, { neverEmpty }: AttributeFacts = {}): SqlExpression {
  const entry = call('arrayElement', map, lit(key));
  if (NONE_WHEN_EMPTY.has(type.kind)) return entry;
  if (neverEmpty) return call('nullIf', entry, lit(''));
  return iff(infix('AND', infix('=', entry, lit('')), not(call('mapContains', map, lit(key)))), NULL, entry);
}

/** Types that '' is no value of. */
const NONE_WHEN_EMPTY: ReadonlySet<Type['kind']> = new Set(['INT64', 'FLOAT64', 'BOOL']);
