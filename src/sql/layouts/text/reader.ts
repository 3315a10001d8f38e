// Records as JSON text in a String column. A record may be an object or an array of one; both read the same.
// https://clickhouse.com/docs/sql-reference/functions/json-functions

import type { TextRead } from '../../source.ts';
import type { Ch } from '../../target/ast.ts';
import { call, ident, iff, inList, lit, NULL } from '../../target/build.ts';
import { dotted, holdsRecord, isArray, oneElement, rawAt, root } from '../raw-record.ts';
import { fromText, isRecordType, type RecordReader } from '../record-reader.ts';
import { textHolds, textLeaves } from './leaves.ts';

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
