// The arrays that may have NULL elements: BigQuery computes with them, but does not return them. Only the query itself counts:
// arrays of a source come as they are.
import type { Type } from '../../base/types.ts';
import { ref } from '../build.ts';
import type { Expr } from '../nodes.ts';
import type { Property } from './property.ts';

/** True of arrays, and of structs that hold some. */
export const holdsArray = (type: Type): boolean =>
  type.kind === 'ARRAY' || (type.kind === 'STRUCT' && type.fields.some((field) => holdsArray(field.type)));

export function nullElements(isNeverNull: (expr: Expr) => boolean): Property<true> {
  const isValue = (expr: Expr | null): boolean => expr === null || expr.kind === 'struct' || expr.kind === 'instant' || isNeverNull(expr);
  return {
    differs: holdsArray,
    any: (values) => values.includes(true),
    call: (call, of) =>
      call.fn.nullElements === 'made' ||
      (call.fn.nullElements === 'given' && 'nulls' in call
        ? call.nulls !== 'IGNORE' && !call.args.every(isValue)
        : call.args.some((arg) => arg !== null && of(arg))),
    values: {
      array: ({ elements }, of) => elements.some((element) => !isValue(element) || of(element)),
      struct: ({ fields }, of) => fields.some(of),
      field: (expr, of) => of(expr.of),
      subquery: (expr, of) => of(ref(expr.column, expr)) ?? (expr.mode === 'array' && !isNeverNull(ref(expr.column, expr))),
      cast: ({ operand }, of) => of(operand),
    },
  };
}
