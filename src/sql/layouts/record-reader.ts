// What each physical layout of records knows to do, and the conversions of stored values that all of them share.

import { bareType, readType } from '../../clickhouse/type.ts';
import type { RecordRead } from '../source.ts';
import type { Ch } from '../target/ast.ts';
import { call, cast, infix, lit, NULL } from '../target/build.ts';
import { clickhouseType } from '../target/types.ts';
import type { Type } from '../types.ts';

/** How a layout reads the records of the table called `alias`. Paths start inside of the one top record. */
export interface RecordReader<R extends RecordRead> {
  /** JSON text of the column: one record or an array of them. */
  whole(alias: string, read: R, type: Type, fresh: Fresh): Ch;
  /** The value at a path; of a record its JSON text, NULL when the event has none there. */
  path(alias: string, read: R, path: readonly string[], type: Type, fresh: Fresh, column: Type): Ch;
  /** Whether an event has the record at `path`. */
  present(alias: string, read: R, path: readonly string[], fresh: Fresh): Ch;
}

/** Makes names for the parameters of lambdas. */
export type Fresh = (base: string) => string;

/** How what is read gets names. */
export interface Names {
  readonly fresh: Fresh;
  /** The value under a name of the SELECT's own, where that can give one: what stands at several places is written once. */
  name(base: string, value: Ch): Ch;
}

export const isRecordType = (type: Type): boolean => type.kind === 'RECORD' || (type.kind === 'ARRAY' && type.element.kind === 'RECORD');

/** Text as the type its field is declared with; NULL where it does not fit. */
export function fromText(text: Ch, type: Type): Ch {
  switch (type.kind) {
    case 'INT64':
      return call('toInt64OrNull', text);
    case 'FLOAT64':
      // `nan` and `inf` are words, not numbers.
      return call('ifNotFinite', call('toFloat64OrNull', text), NULL);
    case 'BOOL':
      return call('multiIf', infix('=', text, lit('true')), lit(true), infix('=', text, lit('false')), lit(false), NULL);
    default:
      return text;
  }
}

const STRING_TYPES: readonly string[] = ['String', 'FixedString'];
/** ClickHouse types that stand for a GoogleSQL type as they are. */
const AS_STORED: Readonly<Partial<Record<Type['kind'], readonly string[]>>> = {
  STRING: STRING_TYPES,
  DYNAMIC: STRING_TYPES,
  INT64: ['Int64'],
  FLOAT64: ['Float64'],
  BOOL: ['Bool'],
};

/** A value stored as the ClickHouse type `stored`, as the type its field is declared with. */
export function storedAs(value: Ch, stored: string, type: Type): Ch {
  if (type.kind === 'ARRAY') return stored === clickhouseType(type) ? value : cast(value, clickhouseType(type));
  const { name } = bareType(readType(stored));
  if (AS_STORED[type.kind]?.includes(name) === true) return value;
  if (STRING_TYPES.includes(name)) return fromText(value, type);
  if (type.kind === 'STRING' || type.kind === 'DYNAMIC') return cast(value, 'Nullable(String)');
  return call('accurateCastOrNull', value, lit(bareType(readType(clickhouseType(type))).text));
}
