// Reading records (`metadata`): through the reader of their physical layout, or as JSON text where no path leads to them.
import { fail } from '../fail.ts';
import { JSON_READER, storedText } from '../layouts/json/reader.ts';
import { MAP_READER, mapEntry } from '../layouts/map/reader.ts';
import { NESTED_READER, nestedElements } from '../layouts/nested/reader.ts';
import { elementText } from '../layouts/raw-record.ts';
import { type Fresh, fromText, isRecordType, type RecordReader } from '../layouts/record-reader.ts';
import { TEXT_READER } from '../layouts/text/reader.ts';
import type { Expr, RecordField, ScanColumn } from '../logical/resolved.ts';
import type { PlainRead, RecordRead } from '../source.ts';
import type { Ch } from '../target/ast.ts';
import { array, call, cast, ident, iff, infix, lambda, lit, NULL } from '../target/build.ts';
import { clickhouseType } from '../target/types.ts';
import { STRING } from '../types.ts';

type Readers = { readonly [L in RecordRead['layout']]: RecordReader<Extract<RecordRead, { readonly layout: L }>> };
const READERS: Readers = { json: JSON_READER, map: MAP_READER, nested: NESTED_READER, text: TEXT_READER };

/** What a scan reads, written for a table called `alias`. */
export function readScanColumn(alias: string, { column, from, part }: ScanColumn, fresh: Fresh): Ch {
  const { read } = from;
  // No constant: rows without a key are no group, those whose key is NULL are one.
  if (read.layout === 'absent') return call('materialize', cast(NULL, clickhouseType(from.type)));
  if (read.layout === 'column') return part.kind === 'stored' ? ident(alias, read.column) : plainColumn(alias, read);
  // The table is complete over the union; TypeScript can't pair a layout with its own reader by itself.
  const reader = READERS[read.layout] as RecordReader<RecordRead>;
  switch (part.kind) {
    case 'stored':
      return ident(alias, read.column);
    case 'whole':
      return reader.whole(alias, read, from.type, fresh);
    case 'path':
      return reader.path(alias, read, part.path, column.type, fresh, from.type);
    case 'text':
      if (read.layout !== 'json') throw new RangeError(`layout ${read.layout} holds no values of several types`);
      return storedText(alias, read, part.path);
    case 'present':
      return reader.present(alias, read, part.path, fresh);
    case 'elements':
      if (read.layout !== 'nested') throw new RangeError(`layout ${read.layout} has no arrays of leaves`);
      return nestedElements(alias, read, part.path, column.type, fresh);
  }
}

function plainColumn(alias: string, { column, castTo, key, clickhouseType: stored }: PlainRead): Ch {
  const whole = ident(alias, column);
  const value = key === undefined ? whole : mapEntry(whole, key, STRING);
  if (castTo === undefined) return value;
  // An integer beyond INT64 must fail, not turn negative.
  return stored.includes('UInt64') ? call('accurateCast', value, lit(castTo)) : cast(value, castTo);
}

/** The elements that UNNEST walks: of an array as they are; of records as JSON texts. */
export function recordElements(expr: Expr, value: Ch, fresh: Fresh): Ch {
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
export function lowerRecordField({ name, type, of }: RecordField, recordText: Ch): Ch {
  if (of.type.kind === 'ARRAY') fail('internal', of.span, 'a field is read from one record, not from an array');
  // What an undeclared field holds may be an array of one record.
  const text = of.type.kind === 'DYNAMIC' ? elementText(recordText) : recordText;
  if (isRecordType(type)) return call('nullIf', call('JSONExtractRaw', text, lit(name)), lit(''));
  if (type.kind === 'DYNAMIC') return dynamicText(call('JSONExtractRaw', text, lit(name)));
  if (type.kind === 'ARRAY') return call('JSONExtract', text, lit(name), lit(clickhouseType(type)));
  return fromText(call('JSONExtract', text, lit(name), lit('Nullable(String)')), type);
}

/** JSON text of a value as STRING: strings without quotes, null and absent as NULL. */
function dynamicText(rawText: Ch): Ch {
  const bare = iff(call('startsWith', rawText, lit('"')), call('JSONExtractString', rawText), rawText);
  return iff(call('in', rawText, call('tuple', lit(''), lit('null'))), NULL, bare);
}
