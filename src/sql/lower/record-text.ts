// Records as JSON text in a String column. A record may be an object or an array of one; both read the same.
// https://clickhouse.com/docs/sql-reference/functions/json-functions

import type { TextRead } from '../source.ts';
import type { Ch } from '../target/ast.ts';
import { call, failIf, ident, iff, infix, inList, lit, NULL } from '../target/build.ts';
import { fromText, isRecordType, type RecordReader } from './record-reader.ts';
import { textHolds, textLeaves } from './text-leaves.ts';

export const TEXT_READER: RecordReader<TextRead> = {
  whole: wholeText,
  path(alias, read, path, type, fresh) {
    const { column } = read;
    if (path.length === 0)
      return oneElement(root(wholeText(alias, read)), column, (x, at) => (at === null ? x : call('JSONExtractRaw', x, at)));
    if (isRecordType(type)) {
      const raw = rawAt(ident(alias, column), column, path);
      const text = oneElement({ text: raw, array: isArray(raw) }, dotted(column, path), (x, at) =>
        at === null ? x : call('JSONExtractRaw', x, at),
      );
      return iff(holdsRecord(raw), text, NULL);
    }
    return fromText(textLeaves(ident(alias, column), column, [path], { fresh, name: (_base, value) => value })[0] ?? NULL, type);
  },
  present: (alias, read, path, fresh) => textHolds(ident(alias, read.column), read.column, path, fresh),
};

/** An event always has its one top record. */
function wholeText(alias: string, { column }: TextRead): Ch {
  const text = ident(alias, column);
  return iff(inList(call('ifNull', text, lit('')), ['', 'null', '[]'].map(lit)), lit('{}'), text);
}

interface RecordText {
  readonly text: Ch;
  /** Whether the text is an array. */
  readonly array: Ch;
}

/** The column's own text may begin with white space; what JSONExtractRaw gives never does. */
const root = (text: Ch): RecordText => ({ text, array: startsArray(text) });
export const startsArray = (text: Ch): Ch => call('match', text, lit('^\\s*\\['));
const isArray = (raw: Ch): Ch => call('startsWith', raw, lit('['));
const dotted = (column: string, path: readonly string[]): string => [column, ...path].join('.');

export const severalRecords = (name: string): string =>
  `${name} holds several records: set "records: several" for its source in quern.yaml`;

/** `read` of the record: `at` is the place of the element where the record is in an array of one. A second element may not be lost. */
function oneElement({ text, array }: RecordText, name: string, read: (text: Ch, at: Ch | null) => Ch): Ch {
  // Also where the engine does not skip the branch that is not taken, an object is no array.
  const several = infix('AND', array, infix('>', call('JSONLength', text), lit(1)));
  return iff(array, failIf(several, severalRecords(name), read(text, lit(1))), read(text, null));
}

/** The record that the path's last key is a field of. */
function parentOf(event: Ch, column: string, path: readonly string[]): { record: RecordText; name: string; key: Ch } {
  const parent = path.slice(0, -1);
  const key = lit(path.at(-1) ?? '');
  if (parent.length === 0) return { record: root(event), name: column, key };
  const text = rawAt(event, column, parent);
  return { record: { text, array: isArray(text) }, name: dotted(column, parent), key };
}

/** JSON text of the value at a path, '' when there is none. Written level by level: all fields of one record share its text. */
export function rawAt(event: Ch, column: string, path: readonly string[]): Ch {
  const { record, name, key } = parentOf(event, column, path);
  return oneElement(record, name, (text, at) => call('JSONExtractRaw', text, ...(at === null ? [] : [at]), key));
}

/** Neither null, nor `[]`, nor nothing at all. */
export const holdsRecord = (raw: Ch): Ch => infix('OR', call('startsWith', raw, lit('{')), call('startsWith', raw, lit('[{')));

/** JSON text of one record, where that of an array of one may stand. */
export const elementText = (text: Ch): Ch => iff(isArray(text), call('JSONExtractRaw', text, lit(1)), text);
