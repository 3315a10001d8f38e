// Records as JSON text in a String column. A record may be an object or an array of one; both read the same.
// https://clickhouse.com/docs/sql-reference/functions/json-functions
import type { Ch } from '../clickhouse/ast.ts';
import { array, call, failIf, ident, iff, infix, inList, isNotNull, lambda, lit, NULL } from '../clickhouse/build.ts';
import type { TextRead } from '../source.ts';
import { type Fresh, fromText, isRecordType, type RecordReader } from './record-reader.ts';

export const TEXT_READER: RecordReader<TextRead> = {
  // An event always has its one top record.
  whole(alias, read) {
    const text = ident(alias, read.column);
    return iff(inList(call('ifNull', text, lit('')), ['', 'null', '[]'].map(lit)), lit('{}'), text);
  },
  path(alias, read, path, type, fresh) {
    const { column } = read;
    if (path.length === 0) return oneElement(root(alias, column), column, (x, at) => (at === null ? x : call('JSONExtractRaw', x, at)));
    if (isRecordType(type)) {
      const raw = rawAt(alias, column, path);
      const text = oneElement({ text: raw, array: isArray(raw) }, dotted(column, path), (x, at) =>
        at === null ? x : call('JSONExtractRaw', x, at),
      );
      return iff(holdsRecord(raw), text, NULL);
    }
    return fromText(leafAt(alias, column, path, fresh), type);
  },
  present: (alias, read, path) => holdsRecord(rawAt(alias, read.column, path)),
};

interface RecordText {
  readonly text: Ch;
  /** Whether the text is an array. */
  readonly array: Ch;
}

/** The column's own text may begin with white space; what JSONExtractRaw gives never does. */
const root = (alias: string, column: string): RecordText => {
  const text = ident(alias, column);
  return { text, array: startsArray(text) };
};
const startsArray = (text: Ch): Ch => call('match', text, lit('^\\s*\\['));
const isArray = (raw: Ch): Ch => call('startsWith', raw, lit('['));
const dotted = (column: string, path: readonly string[]): string => [column, ...path].join('.');

/** `read` of the record: `at` is the place of the element where the record is in an array of one. A second element may not be lost. */
function oneElement({ text, array }: RecordText, name: string, read: (text: Ch, at: Ch | null) => Ch): Ch {
  // Also where the engine does not skip the branch that is not taken, an object is no array.
  const several = infix('AND', array, infix('>', call('JSONLength', text), lit(1)));
  const message = `${name} holds several records: set "records: several" for its source in quern.yaml`;
  return iff(array, failIf(several, message, read(text, lit(1))), read(text, null));
}

/** The record that the path's last key is a field of. */
function parentOf(alias: string, column: string, path: readonly string[]): { record: RecordText; name: string; key: Ch } {
  const parent = path.slice(0, -1);
  const key = lit(path.at(-1) ?? '');
  if (parent.length === 0) return { record: root(alias, column), name: column, key };
  const text = rawAt(alias, column, parent);
  return { record: { text, array: isArray(text) }, name: dotted(column, parent), key };
}

/** JSON text of the value at a path, '' when there is none. Written level by level: all fields of one record share its text. */
function rawAt(alias: string, column: string, path: readonly string[]): Ch {
  const { record, name, key } = parentOf(alias, column, path);
  return oneElement(record, name, (text, at) => call('JSONExtractRaw', text, ...(at === null ? [] : [at]), key));
}

/**
 * The value at a path as text: strings without their quotes, null and absent as NULL. Measured, JSONExtractRaw costs five times a typed
 * JSONExtract, so the usual form comes first: arrays of one record at every level. The others stand in a lambda, which is not run for rows that
 * need no more; written in place, parts that they share would be worked out for every row.
 */
function leafAt(alias: string, column: string, path: readonly string[], fresh: Fresh): Ch {
  const text = ident(alias, column);
  const [onlyOnes, value] = throughArrays(call('JSONExtract', text, lit(arrayType(path))), path);
  const event = fresh('event');
  const inObjects = call('JSONExtract', ident(event), ...path.map((key) => lit(key)), lit('Nullable(String)'));
  const others = iff(
    isNotNull(inObjects),
    inObjects,
    levelByLevel({ text: ident(event), array: startsArray(ident(event)) }, column, path, fresh),
  );
  return iff(onlyOnes, value, applied(event, others, text));
}

const applied = (name: string, body: Ch, value: Ch): Ch =>
  call('arrayElement', call('arrayMap', lambda([name], body), array(value)), lit(1));

function levelByLevel(record: RecordText, name: string, [key = '', ...rest]: readonly string[], fresh: Fresh): Ch {
  const at = (place: Ch | null): readonly Ch[] => [...(place === null ? [] : [place]), lit(key)];
  if (rest.length === 0) return oneElement(record, name, (text, place) => call('JSONExtract', text, ...at(place), lit('Nullable(String)')));
  const inner = fresh('record');
  const raw = oneElement(record, name, (text, place) => call('JSONExtractRaw', text, ...at(place)));
  return applied(inner, levelByLevel({ text: ident(inner), array: isArray(ident(inner)) }, `${name}.${key}`, rest, fresh), raw);
}

/** `Array(Tuple(request Array(Tuple(path Nullable(String)))))`. */
function arrayType([key = '', ...rest]: readonly string[]): string {
  const field = rest.length === 0 ? 'Nullable(String)' : arrayType(rest);
  return `Array(Tuple(\`${key.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\` ${field}))`;
}

/** Whether each of the arrays holds one record, and the value that the innermost one has. */
function throughArrays(records: Ch, path: readonly string[]): readonly [Ch, Ch] {
  const one = infix('=', call('length', records), lit(1));
  const field = call('tupleElement', call('arrayElement', records, lit(1)), lit(1));
  if (path.length === 1) return [one, field];
  const [others, value] = throughArrays(field, path.slice(1));
  return [infix('AND', one, others), value];
}

/** Neither null, nor `[]`, nor nothing at all. */
const holdsRecord = (raw: Ch): Ch => infix('OR', call('startsWith', raw, lit('{')), call('startsWith', raw, lit('[{')));

/** JSON text of one record, where that of an array of one may stand. */
export const elementText = (text: Ch): Ch => iff(isArray(text), call('JSONExtractRaw', text, lit(1)), text);
