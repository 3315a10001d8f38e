// Records in a JSON column: every path is a subcolumn. https://clickhouse.com/docs/sql-reference/data-types/newjson

import type { Type } from '../../base/types.ts';
import type { SqlExpression } from '../../target/ast.ts';
import { call, cast, ident, iff, infix, isNotNull, lambda, lit, NULL } from '../../target/build.ts';
import { clickhouseType } from '../../target/types.ts';
import type { Fresh, Reader } from '../layout.ts';
import { elementText } from '../raw-record.ts';
import { fromText, holdsValue, storedAs } from '../stored.ts';
import type { JsonRead } from './read.ts';

/** Dots inside a key are stored escaped, dots between keys are the path. */
const escapeKey = (key: string): string => key.replaceAll('.', '%2E');

export const JSON_READER: Reader<JsonRead> = {
  whole(alias, read) {
    const column = ident(alias, read.column);
    // Where records are unnested from the text, typed paths of a record that the event has not, printed as nulls, would make it one.
    const declared = read.severalElements === true && Object.keys(read.typedPaths).length > 0;
    const text = call('toJSONString', declared ? cast(column, 'JSON') : column);
    if (read.textColumn === undefined) return text;
    const own = ident(alias, read.textColumn);
    return iff(infix('!=', own, lit('')), own, text);
  },
  record(alias, read, path, _type, { fresh }) {
    if (path.length === 0) {
      const text = call('toJSONString', ident(alias, read.column));
      if (read.textColumn === undefined) return text;
      // The event's own text may have its record in an array.
      const own = ident(alias, read.textColumn);
      return iff(infix('!=', own, lit('')), elementText(own), text);
    }
    return iff(isPresent(alias, read, path, fresh), subobjectText(alias, read.column, path.map(escapeKey)), NULL);
  },
  present: isPresent,
  fields: {
    as: 'values',
    value(alias, read, path, type) {
      const parts = path.map(escapeKey);
      const value = ident(alias, read.column, ...parts);
      const typed = read.typedPaths[path.join('.')];
      if (typed !== undefined) return storedAs(value, typed, type);
      // Paths without a type hint are Dynamic and must be cast before anything is done with them.
      if (type.kind === 'INT64' || type.kind === 'FLOAT64' || type.kind === 'BOOL') return fromDynamic(value, type);
      const scalar = cast(value, clickhouseType(type));
      // An undeclared field that holds an object is no value at its path: its text is.
      return type.kind === 'DYNAMIC'
        ? call('coalesce', scalar, call('nullIf', subobjectText(alias, read.column, parts), lit('{}')))
        : scalar;
    },
  },
  mixed: {
    has: ({ typedPaths }, path) => typedPaths[path.join('.')] === undefined,
    text: (alias, { column }, path) => ofType(ident(alias, column, ...path.map(escapeKey)), 'String'),
  },
};

const ofType = (value: SqlExpression, type: string): SqlExpression => call('dynamicElement', value, lit(type));

/**
 * A Dynamic value as the type its field is declared with. What has another type goes by way of text: by a cast true and dates would be numbers.
 * Numbers as they are take a third of the time of those by way of text, integers and booleans a quarter.
 */
function fromDynamic(value: SqlExpression, type: Type): SqlExpression {
  const byText = fromText(cast(value, 'Nullable(String)'), type);
  if (type.kind === 'BOOL') return iff(isNotNull(ofType(value, 'Bool')), ofType(value, 'Bool'), byText);
  const integer = ofType(value, 'Int64');
  if (type.kind === 'INT64') return iff(isNotNull(integer), integer, byText);
  const float = ofType(value, 'Float64');
  const asFloat = call('toFloat64', integer);
  // Not one IF after the other: the engine would work out the second for the rows that the first leaves, and to pick those costs more than to work
  // out both for all rows. For that reason no OR either, and the condition asks what is the result, so that it is there.
  const isNumber = call('bitOr', isNotNull(float), isNotNull(asFloat));
  return iff(isNumber, call('ifNull', float, asFloat), byText);
}

/** JSON text of the object at a path; `{}` when there is none. */
function subobjectText(alias: string, column: string, path: readonly string[]): SqlExpression {
  return call('toJSONString', { kind: 'ident', parts: [alias, column, ...path], subobjectAt: 2 });
}

function isPresent(alias: string, read: JsonRead, path: readonly string[], fresh: Fresh): SqlExpression {
  if (read.recordsColumn !== undefined) return call('has', ident(alias, read.recordsColumn), lit(path.map(escapeKey).join('.')));
  const prefix = `${path.join('.')}.`;
  const typed = Object.entries(read.typedPaths).filter(([name]) => name.startsWith(prefix));
  if (typed.length === 0) return infix('!=', subobjectText(alias, read.column, path.map(escapeKey)), lit('{}'));
  // The text of a sub-object names its typed paths even where the event has none of them.
  const held = typed.map(([name, type]) => holdsValue(ident(alias, read.column, ...name.split('.')), type));
  const known = call('tuple', ...typed.map(([name]) => lit(name)));
  const other = fresh('path');
  const isOther = infix('AND', call('startsWith', ident(other), lit(prefix)), call('notIn', ident(other), known));
  const others = call('arrayExists', lambda([other], isOther), call('JSONAllPaths', ident(alias, read.column)));
  return [...held, others].reduce((left, right) => infix('OR', left, right));
}
