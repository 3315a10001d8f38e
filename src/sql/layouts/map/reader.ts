// Records in a Map column with dotted keys, as OpenTelemetry's exporters and Logflare write them: LogAttributes['request.path'].
// https://clickhouse.com/docs/sql-reference/data-types/map

import type { Type } from '../../base/types.ts';
import type { SqlExpression } from '../../target/ast.ts';
import { call, element, ident, infix, inList, lambda, lit, tuple } from '../../target/build.ts';
import type { Fresh, Names, Reader } from '../layout.ts';
import { fromText } from '../stored.ts';
import { mapEntry } from './entry.ts';
import type { MapRead } from './read.ts';

export const MAP_READER: Reader<MapRead> = {
  whole: (alias, { column }, type, names) => objectText(ident(alias, column), [], type, names),
  record(alias, { column }, path, type, names) {
    const text = objectText(ident(alias, column), path, type, names);
    return path.length === 0 ? text : call('nullIf', text, lit('{}'));
  },
  present(alias, read, path, fresh) {
    const key = fresh('key');
    return call(
      'arrayExists',
      lambda([key], call('startsWith', ident(key), lit(`${path.join('.')}.`))),
      call('mapKeys', ident(alias, read.column)),
    );
  },
  fields: {
    as: 'texts',
    texts: (alias, { column, attributes }, fields) =>
      fields.map(({ path, type }) => mapEntry(ident(alias, column), path.join('.'), type, attributes)),
  },
};

/**
 * JSON text of the entries below `path` as nested objects. Sorted by their parts, the entries of one object follow each other: each entry
 * closes the objects that the one before it has and it has not, and opens its own.
 */
function objectText(map: SqlExpression, path: readonly string[], type: Type, names: Names): SqlExpression {
  const { fresh } = names;
  const prefix = path.map((key) => `${key}.`).join('');
  const [key, value, kept, other] = [fresh('key'), fresh('value'), fresh('key'), fresh('value')];
  const below = call('mapFilter', lambda([kept, other], call('startsWith', ident(kept), lit(prefix))), map);
  const entries = prefix === '' ? map : below;
  const parts = call('splitByChar', lit('.'), prefix === '' ? ident(key) : call('substring', ident(key), lit(byteLength(prefix) + 1)));
  const parted = tuple(parts, jsonValue(ident(key), ident(value), type));
  const sorted = call('arraySort', call('arrayMap', lambda([key, value], parted), call('mapKeys', entries), call('mapValues', entries)));
  return nested(names.name('entries', sorted), fresh);
}

/** ClickHouse's substring counts bytes. */
const byteLength = (text: string): number => new TextEncoder().encode(text).length;

/** JSON text of an entry's value: of the declared type where it has one, else a string. */
function jsonValue(key: SqlExpression, value: SqlExpression, type: Type): SqlExpression {
  const declared = leafPaths(type);
  const branches = (['INT64', 'FLOAT64', 'BOOL'] as const).flatMap((kind) => {
    const keys = declared.filter((leaf) => leaf.kind === kind).map((leaf) => lit(leaf.path));
    if (keys.length === 0) return [];
    const read = fromText(value, { kind });
    return [inList(key, keys), call('toString', read)];
  });
  const text = call('toJSONString', value);
  return branches.length === 0 ? text : call('ifNull', call('multiIf', ...branches, text), lit('null'));
}

function leafPaths(type: Type, prefix = ''): readonly { readonly path: string; readonly kind: Type['kind'] }[] {
  const record = type.kind === 'ARRAY' ? type.element : type;
  if (record.kind !== 'RECORD') return [{ path: prefix, kind: type.kind }];
  return record.fields.flatMap((f) => leafPaths(f.type, prefix === '' ? (f.name ?? '') : `${prefix}.${f.name ?? ''}`));
}

/**
 * Tuples (parts of the key, JSON text), sorted, as the text of one object. ClickHouse takes longer to analyze this, a lambda inside of another above
 * all, than to do it for all the events that a page of logs shows: it is short, and the tuples are taken apart outside of the lambda.
 */
function nested(entries: SqlExpression, fresh: Fresh): SqlExpression {
  const [here, before, value, a, b] = [fresh('here'), fresh('before'), fresh('value'), fresh('a'), fresh('b')];
  // The objects that lead to a value, to one length. No part is '.' or '..', which are where one list ends before the other differs.
  const objects = (parts: string, end: string): SqlExpression =>
    call('arrayResize', call('arrayPopBack', ident(parts)), infix('+', call('length', ident(here)), lit(1)), lit(end));
  const other = call('arrayFirstIndex', lambda([a, b], infix('!=', ident(a), ident(b))), objects(here, '.'), objects(before, '..'));
  // JSON escapes the quotes in a part, so these stand between parts.
  const keys = call('replaceAll', call('toJSONString', call('arraySlice', ident(here), other)), lit('","'), lit('":{"'));
  const text = call(
    'concat',
    call('repeat', lit('}'), infix('-', call('length', ident(before)), other)),
    lit(','),
    call('trimBoth', keys, lit('[]')),
    lit(':'),
    ident(value),
  );
  // An entry without parts ends the list, and stands before it: it has nothing in common with others, closes every object, and opens none.
  const parts = element(entries, 1);
  const none = call('emptyArrayString');
  const texts = call(
    'arrayMap',
    lambda([here, before, value], text),
    call('arrayPushBack', parts, none),
    call('arrayPushFront', parts, none),
    call('arrayPushBack', element(entries, 2), lit('')),
  );
  return call('concat', lit('{'), call('trimBoth', call('arrayStringConcat', texts), lit(',:')), lit('}'));
}
