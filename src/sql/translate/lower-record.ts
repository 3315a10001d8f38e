// Reading records (`metadata`) in their physical layouts. https://clickhouse.com/docs/sql-reference/data-types/newjson
import { fail } from '../analyze/fail.ts';
import type { Ch } from '../clickhouse/ast.ts';
import { array, call, cast, ident, iff, infix, lambda, lit, NULL } from '../clickhouse/build.ts';
import { clickhouseType } from '../clickhouse/types.ts';
import type { Expr, RecordField, ScanColumn } from '../resolved.ts';
import type { SourceColumn } from '../source.ts';
import type { Type } from '../types.ts';

/** Dots inside a key are stored escaped, dots between keys are the path. */
const escapeKey = (key: string): string => key.replaceAll('.', '%2E');

/** What a scan reads, written for a table called `alias`. */
export function readScanColumn(alias: string, { column, from, part }: ScanColumn): Ch {
  switch (part.kind) {
    case 'whole':
      return wholeColumn(alias, from);
    case 'path':
      return recordPath(alias, from, part.path, column.type);
    case 'present':
      return recordPresent(alias, from, part.path);
  }
}

/** Record columns become their JSON text. */
function wholeColumn(alias: string, { read }: SourceColumn): Ch {
  if (read.layout !== 'json') return ident(alias, read.column);
  const text = call('toJSONString', ident(alias, read.column));
  if (read.textColumn === undefined) return text;
  const own = ident(alias, read.textColumn);
  return iff(infix('!=', own, lit('')), own, text);
}

/** The elements that UNNEST walks: of an array as they are; of records as JSON texts. */
export function recordElements(expr: Expr, value: Ch, fresh: (base: string) => string): Ch {
  const { type } = expr;
  if (type.kind === 'DYNAMIC') {
    const item = fresh('item');
    return call(
      'arrayMap',
      lambda([item], dynamicText(ident(item))),
      recordElements({ ...expr, type: { kind: 'RECORD', fields: [] } }, value, fresh),
    );
  }
  if (type.kind === 'ARRAY' && type.element.kind !== 'RECORD') return value;
  // A record stands for an array of one; null and absent are no element.
  const text = call('ifNull', value, lit(''));
  const kind = call('JSONType', text);
  return call(
    'multiIf',
    infix('=', kind, lit('Array')),
    call('JSONExtractArrayRaw', text),
    infix('=', kind, lit('Object')),
    array(text),
    cast(array(), 'Array(String)'),
  );
}

/** A field of a record that is JSON text here. */
export function lowerRecordField({ name, type, of }: RecordField, text: Ch): Ch {
  if (of.type.kind === 'ARRAY') fail('internal', of.span, 'a field is read from one record, not from an array');
  if (type.kind === 'RECORD' || (type.kind === 'ARRAY' && type.element.kind === 'RECORD'))
    return call('nullIf', call('JSONExtractRaw', text, lit(name)), lit(''));
  if (type.kind === 'DYNAMIC') return dynamicText(call('JSONExtractRaw', text, lit(name)));
  return call('JSONExtract', text, lit(name), lit(clickhouseType(type)));
}

/** JSON text of a value as STRING: strings without quotes, null and absent as NULL. */
function dynamicText(rawText: Ch): Ch {
  const bare = iff(call('startsWith', rawText, lit('"')), call('JSONExtractString', rawText), rawText);
  return iff(call('in', rawText, call('tuple', lit(''), lit('null'))), NULL, bare);
}

/** The value at a path, as a subcolumn. Paths without a type hint are Dynamic and must be cast before anything is done with them. */
function recordPath(alias: string, from: SourceColumn, path: readonly string[], type: Type): Ch {
  const { read } = from;
  if (read.layout !== 'json') throw new RangeError(`layout ${read.layout} has no paths`);
  const parts = path.map(escapeKey);
  if (type.kind === 'RECORD' || (type.kind === 'ARRAY' && type.element.kind === 'RECORD')) {
    return iff(recordPresent(alias, from, path), subobjectText(alias, read.column, parts), NULL);
  }
  const value = ident(alias, read.column, ...parts);
  if (path.join('.') in read.typedPaths) return value;
  const scalar = cast(value, clickhouseType(type));
  // An undeclared field that holds an object is no value at its path: its text is.
  return type.kind === 'DYNAMIC' ? call('coalesce', scalar, call('nullIf', subobjectText(alias, read.column, parts), lit('{}'))) : scalar;
}

/** JSON text of the object at a path; `{}` when there is none. */
function subobjectText(alias: string, column: string, path: readonly string[]): Ch {
  return call('toJSONString', { kind: 'ident', parts: [alias, column, ...path], subobjectAt: 2 });
}

/** Whether an event has the record at `path`. */
function recordPresent(alias: string, { read }: SourceColumn, path: readonly string[]): Ch {
  if (read.layout !== 'json') throw new RangeError(`layout ${read.layout} has no paths`);
  if (read.recordsColumn !== undefined) return call('has', ident(alias, read.recordsColumn), lit(path.map(escapeKey).join('.')));
  return infix('!=', subobjectText(alias, read.column, path.map(escapeKey)), lit('{}'));
}
