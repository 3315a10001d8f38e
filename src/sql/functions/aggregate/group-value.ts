// Values as keys of GROUP BY, DISTINCT and PARTITION BY. BigQuery takes all NaN as one value and -0.0 as 0.0; ClickHouse compares bits.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/data-types#groupable_data_types

import type { Type } from '../../base/types.ts';
import type { SqlExpression } from '../../target/ast.ts';
import { call, ident, iff, infix, isNull, lambda, lit, NULL, raw, tuple } from '../../target/build.ts';
import type { LowerAggregateCall } from '../define.ts';

/** `value`, with one bit pattern per value; `finite`: never NaN. */
export function groupValue(value: SqlExpression, type: Type, finite: boolean, fresh: (base: string) => string): SqlExpression {
  if (!holdsFloat(type)) return value;
  switch (type.kind) {
    case 'FLOAT64': {
      // -0.0 + 0.0 is 0.0.
      const zero = infix('+', value, raw('0.0'));
      return finite ? zero : iff(call('isNaN', value), raw('nan'), zero);
    }
    case 'STRUCT': {
      const fields = type.fields.map((f, i) => groupValue(call('tupleElement', value, lit(i + 1)), f.type, false, fresh));
      return iff(isNull(value), NULL, tuple(...fields));
    }
    case 'ARRAY': {
      const item = fresh('item');
      return call('arrayMap', lambda([item], groupValue(ident(item), type.element, false, fresh)), value);
    }
    default:
      return value;
  }
}

export function holdsFloat(type: Type): boolean {
  if (type.kind === 'STRUCT') return type.fields.some((f) => holdsFloat(f.type));
  return type.kind === 'ARRAY' ? holdsFloat(type.element) : type.kind === 'FLOAT64';
}

/** The first argument of an aggregate as DISTINCT compares it. */
export const distinctValue = (value: SqlExpression, c: LowerAggregateCall): SqlExpression =>
  c.distinct ? groupValue(value, c.typeOf(0), c.finite(0), c.fresh) : value;
