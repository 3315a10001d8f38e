// Conversions of stored values that the layouts share.
import { bareType, isNullable, readType } from '../../clickhouse/type.ts';
import type { Type } from '../base/types.ts';
import type { SqlExpression } from '../target/ast.ts';
import { call, cast, infix, isNotNull, lit, NULL } from '../target/build.ts';
import { clickhouseType } from '../target/types.ts';

export const isRecordType = (type: Type): boolean => type.kind === 'RECORD' || (type.kind === 'ARRAY' && type.element.kind === 'RECORD');

/** Text as the type its field is declared with; NULL where it does not fit. */
export function fromText(text: SqlExpression, type: Type): SqlExpression {
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
export function storedAs(value: SqlExpression, stored: string, type: Type): SqlExpression {
  if (type.kind === 'ARRAY') return stored === clickhouseType(type) ? value : cast(value, clickhouseType(type));
  const { name } = bareType(readType(stored));
  if (AS_STORED[type.kind]?.includes(name) === true) return value;
  if (STRING_TYPES.includes(name)) return fromText(value, type);
  if (type.kind === 'STRING' || type.kind === 'DYNAMIC') return cast(value, 'Nullable(String)');
  return call('accurateCastOrNull', value, lit(bareType(readType(clickhouseType(type))).text));
}

/** Tests whether a stored value is present: without Nullable, an absent one reads as the default of its type. */
export function holdsValue(value: SqlExpression, stored: string): SqlExpression {
  return isNullable(readType(stored)) ? isNotNull(value) : infix('!=', value, call('defaultValueOfArgumentType', value));
}

/** No constant: rows without a key are no group, those whose key is NULL are one. */
export const nothing = (type: Type): SqlExpression => call('materialize', cast(NULL, clickhouseType(type)));
