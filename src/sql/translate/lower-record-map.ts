// Records in a Map column with dotted keys, as OpenTelemetry's exporters and Logflare write them: LogAttributes['request.path'].
// https://clickhouse.com/docs/sql-reference/data-types/map
import type { Ch } from '../clickhouse/ast.ts';
import { array, call, element, ident, iff, infix, inList, lambda, lit, tuple } from '../clickhouse/build.ts';
import type { MapRead } from '../source.ts';
import type { Type } from '../types.ts';
import { type Fresh, fromText, isRecordType, type RecordReader } from './record-reader.ts';

export const MAP_READER: RecordReader<MapRead> = {
  whole: (alias, read, type, fresh) => objectText(ident(alias, read.column), [], type, fresh),
  path(alias, read, path, type, fresh, column) {
    const map = ident(alias, read.column);
    if (!isRecordType(type)) return fromText(mapEntry(map, path.join('.')), type);
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

/** The entry of a key, NULL where the map has no such key. Measured, this costs half of map[key], and map[key] is '' there. */
export function mapEntry(map: Ch, key: string): Ch {
  return call('arrayElementOrNull', call('mapValues', map), call('indexOf', call('mapKeys', map), lit(key)));
}

/**
 * JSON text of the entries below `path` as nested objects. Sorted by their parts, the entries of one object follow each other: each entry
 * closes the objects that the one before it has and it has not, and opens its own.
 */
function objectText(map: Ch, path: readonly string[], type: Type, fresh: Fresh): Ch {
  const prefix = path.map((key) => `${key}.`).join('');
  const [entry, kept] = [fresh('entry'), fresh('entry')];
  const zipped = call('arrayZip', call('mapKeys', map), call('mapValues', map));
  const below = call('arrayFilter', lambda([kept], call('startsWith', element(ident(kept), 1), lit(prefix))), zipped);
  const key = element(ident(entry), 1);
  const parts = call('splitByChar', lit('.'), prefix === '' ? key : call('substring', key, lit(byteLength(prefix) + 1)));
  const parted = call('arrayMap', lambda([entry], tuple(parts, jsonValue(entry, type))), prefix === '' ? zipped : below);
  return nested(call('arraySort', parted), fresh);
}

/** ClickHouse's substring counts bytes. */
const byteLength = (text: string): number => new TextEncoder().encode(text).length;

/** JSON text of an entry's value: of the declared type where it has one, else a string. */
function jsonValue(entry: string, type: Type): Ch {
  const [key, value] = [element(ident(entry), 1), element(ident(entry), 2)];
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

/** Tuples (parts of the key, JSON text), sorted, as the text of one object. */
function nested(entries: Ch, fresh: Fresh): Ch {
  const [list, at, a, b, part] = [fresh('entries'), fresh('at'), fresh('a'), fresh('b'), fresh('part')];
  const all = ident(list);
  const here = call('arrayElement', all, ident(at));
  const parts = element(here, 1);
  const isFirst = infix('=', ident(at), lit(1));
  // Before the first entry stands one that has nothing in common with it.
  const before = iff(isFirst, call('emptyArrayString'), element(call('arrayElement', all, infix('-', ident(at), lit(1))), 1));
  const objects = (of: Ch): Ch => call('arraySlice', of, lit(1), lit(-1));
  const depth = (of: Ch): Ch => call('length', objects(of));
  const both = call('toInt64', call('least', depth(parts), depth(before)));
  const start = (of: Ch): Ch => call('arraySlice', of, lit(1), both);
  const same = call('arrayMap', lambda([a, b], infix('=', ident(a), ident(b))), start(parts), start(before));
  const firstOther = call('toInt64', call('indexOf', same, lit(0)));
  const common = iff(infix('=', firstOther, lit(0)), both, infix('-', firstOther, lit(1)));
  const opened = call(
    'arrayMap',
    lambda([part], call('concat', call('toJSONString', ident(part)), lit(':{'))),
    call('arraySlice', objects(parts), infix('+', common, lit(1))),
  );
  const text = call(
    'concat',
    call('repeat', lit('}'), infix('-', depth(before), common)),
    iff(isFirst, lit(''), lit(',')),
    call('arrayStringConcat', opened),
    call('toJSONString', call('arrayElement', parts, lit(-1))),
    lit(':'),
    element(here, 2),
  );
  const texts = call('arrayMap', lambda([at], text), call('arrayEnumerate', all));
  const closed = call('repeat', lit('}'), depth(element(call('arrayElement', all, lit(-1)), 1)));
  const whole = call('concat', lit('{'), call('arrayStringConcat', texts), closed, lit('}'));
  // A lambda's parameter gives the sorted entries a name: they are worked out once.
  return call('arrayElement', call('arrayMap', lambda([list], whole), array(entries)), lit(1));
}
