// Records in a Map column with dotted keys, as OpenTelemetry's exporters and Logflare write them: LogAttributes['request.path'].
// https://clickhouse.com/docs/sql-reference/data-types/map
import type { Ch } from '../clickhouse/ast.ts';
import { call, element, ident, iff, infix, inList, lambda, lit, NULL, not, tuple } from '../clickhouse/build.ts';
import type { MapRead } from '../source.ts';
import type { Type } from '../types.ts';
import { type Fresh, fromText, isRecordType, type RecordReader } from './record-reader.ts';

export const MAP_READER: RecordReader<MapRead> = {
  whole: (alias, read, type, fresh) => objectText(ident(alias, read.column), [], type, fresh),
  path(alias, read, path, type, fresh, column) {
    const map = ident(alias, read.column);
    if (!isRecordType(type)) return fromText(mapEntry(map, path.join('.'), type), type);
    const text = objectText(map, path, column, fresh);
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
};

/**
 * The text of a key's entry for `fromText`. `map['key']` alone is read without the map's other entries, a sixth of the bytes on a page of attributes;
 * it is '' where the map has no such key, which is no number and no boolean, and is looked into where a text is wanted.
 */
export function mapEntry(map: Ch, key: string, type: Type): Ch {
  const entry = call('arrayElement', map, lit(key));
  if (NONE_WHEN_EMPTY.has(type.kind)) return entry;
  return iff(infix('AND', infix('=', entry, lit('')), not(call('mapContains', map, lit(key)))), NULL, entry);
}

/** Types that '' is no value of. */
const NONE_WHEN_EMPTY: ReadonlySet<Type['kind']> = new Set(['INT64', 'FLOAT64', 'BOOL']);

/**
 * JSON text of the entries below `path` as nested objects. Sorted by their parts, the entries of one object follow each other: each entry
 * closes the objects that the one before it has and it has not, and opens its own.
 */
function objectText(map: Ch, path: readonly string[], type: Type, fresh: Fresh): Ch {
  const prefix = path.map((key) => `${key}.`).join('');
  const [key, value, kept, other] = [fresh('key'), fresh('value'), fresh('key'), fresh('value')];
  const below = call('mapFilter', lambda([kept, other], call('startsWith', ident(kept), lit(prefix))), map);
  const entries = prefix === '' ? map : below;
  const parts = call('splitByChar', lit('.'), prefix === '' ? ident(key) : call('substring', ident(key), lit(byteLength(prefix) + 1)));
  const parted = tuple(parts, jsonValue(ident(key), ident(value), type));
  return nested(
    call('arraySort', call('arrayMap', lambda([key, value], parted), call('mapKeys', entries), call('mapValues', entries))),
    fresh,
  );
}

/** ClickHouse's substring counts bytes. */
const byteLength = (text: string): number => new TextEncoder().encode(text).length;

/** JSON text of an entry's value: of the declared type where it has one, else a string. */
function jsonValue(key: Ch, value: Ch, type: Type): Ch {
  const declared = leafPaths(type);
  const branches = (['INT64', 'FLOAT64', 'BOOL'] as const).flatMap((kind) => {
    const keys = declared.filter((leaf) => leaf.kind === kind).map((leaf) => lit(leaf.path));
    if (keys.length === 0) return [];
    const read = fromText(value, { kind });
    return [inList(key, keys), call('ifNull', call('toString', read), lit('null'))];
  });
  const text = call('toJSONString', value);
  return branches.length === 0 ? text : call('multiIf', ...branches, text);
}

function leafPaths(type: Type, prefix = ''): readonly { readonly path: string; readonly kind: Type['kind'] }[] {
  const record = type.kind === 'ARRAY' ? type.element : type;
  if (record.kind !== 'RECORD') return [{ path: prefix, kind: type.kind }];
  return record.fields.flatMap((f) => leafPaths(f.type, prefix === '' ? (f.name ?? '') : `${prefix}.${f.name ?? ''}`));
}

/**
 * Tuples (parts of the key, JSON text), sorted, as the text of one object. Lambdas stand side by side where they can: ClickHouse analyzes one
 * inside of another several times, which costs more than all the events that a page of logs shows.
 */
function nested(entries: Ch, fresh: Fresh): Ch {
  const [here, before, a, b] = [fresh('here'), fresh('before'), fresh('a'), fresh('b')];
  const parts = (entry: string): Ch => element(ident(entry), 1);
  const objects = (entry: string): Ch => call('arraySlice', parts(entry), lit(1), lit(-1));
  const both = call('least', call('length', objects(here)), call('length', objects(before)));
  // A part that differs ends both lists.
  const ended = (entry: string, end: string): Ch =>
    call('arrayPushBack', call('arraySlice', parts(entry), lit(1), call('toInt64', both)), lit(end));
  const other = call('arrayFirstIndex', lambda([a, b], infix('!=', ident(a), ident(b))), ended(here, 'here'), ended(before, 'before'));
  // JSON escapes the quotes in a part, so these stand between parts.
  const keys = call('replaceAll', call('toJSONString', call('arraySlice', parts(here), other)), lit('","'), lit('":{"'));
  const text = call(
    'concat',
    call('repeat', lit('}'), infix('-', call('length', parts(before)), other)),
    lit(','),
    call('trimBoth', keys, lit('[]')),
    lit(':'),
    element(ident(here), 2),
  );
  // An entry without parts ends the list, and stands before it: it has nothing in common with others, closes every object, and opens none.
  const none = tuple(call('emptyArrayString'), lit(''));
  const texts = call('arrayMap', lambda([here, before], text), call('arrayPushBack', entries, none), call('arrayPushFront', entries, none));
  return call('concat', lit('{'), call('trimBoth', call('arrayStringConcat', texts), lit(',:')), lit('}'));
}
