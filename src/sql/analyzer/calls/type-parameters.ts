// The parameters of a type in CAST: NUMERIC(10, 2), STRING(5).
// https://cloud.google.com/bigquery/docs/reference/standard-sql/data-types#parameterized_data_types
import { fail } from '../../base/fail.ts';
import { INT64, typeName } from '../../base/types.ts';
import type { Expr } from '../../logical/nodes.ts';
import type { TypeRef } from '../../syntax/ast.ts';
import { callFunction } from './call-function.ts';

/** The most digits behind the point, and before it. */
const DIGITS = { NUMERIC: { scale: 9n, whole: 29n }, BIGNUMERIC: { scale: 38n, whole: 38n } } as const;

/** Applies the parameters of a type as CAST wrote them: decimals are rounded to the scale; a value that is too large or too long fails, in SAFE_CAST as well. */
export function withTypeParameters(value: Expr, ref: TypeRef): Expr {
  if (ref.parameters.length === 0) return value;
  const [first = 0n, second = 0n, ...more] = ref.parameters;
  const { kind } = value.type;
  const numbers = [first, second].map((number): Expr => ({ kind: 'literal', value: number, type: INT64, span: ref.span }));
  if ((kind === 'STRING' || kind === 'BYTES') && ref.parameters.length === 1) {
    if (first < 1n) fail('type', ref.span, `the length of ${kind} must be 1 or more`);
    return callFunction('$held_to_length', [value, ...numbers.slice(0, 1)], ref.span);
  }
  if ((kind === 'NUMERIC' || kind === 'BIGNUMERIC') && more.length === 0) {
    const { scale, whole } = DIGITS[kind];
    if (second > scale) fail('type', ref.span, `${kind} has at most ${scale} digits after the point`);
    if (first < 1n || first < second || first - second > whole)
      fail(
        'type',
        ref.span,
        `the precision of ${kind} with ${second} digits behind the point is ${second > 1n ? second : 1n} to ${second + whole}`,
      );
    return callFunction('$held_to_digits', [value, ...numbers], ref.span);
  }
  return fail(
    'type',
    ref.span,
    kind === 'NUMERIC' || kind === 'BIGNUMERIC' || kind === 'STRING' || kind === 'BYTES'
      ? `${kind} takes fewer parameters`
      : `${typeName(value.type)} takes no parameters`,
    kind === 'NUMERIC' || kind === 'BIGNUMERIC' ? `write ${kind}(precision, scale)` : `write ${ref.name}`,
  );
}
