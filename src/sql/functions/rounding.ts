// ROUND, TRUNC, CEIL, FLOOR. https://cloud.google.com/bigquery/docs/reference/standard-sql/mathematical_functions#round
import { fail } from '../analyze/fail.ts';
import type { Ch } from '../clickhouse/ast.ts';
import { bare, call, infix, lit, raw } from '../clickhouse/build.ts';
import type { Family, LowerCall } from './define.ts';
import { strict } from './strict.ts';

const SIGNATURE =
  'value FLOAT64, [digits INT64] -> FLOAT64 | value NUMERIC, [digits INT64] -> NUMERIC | value BIGNUMERIC, [digits INT64] -> BIGNUMERIC';
const WHOLE = 'value FLOAT64 -> FLOAT64 | value NUMERIC -> NUMERIC | value BIGNUMERIC -> BIGNUMERIC';

/** A power of ten as a Float64 literal. */
const ten = (digits: number, factor = 1): Ch => raw(digits < 15 ? `${factor * 10 ** digits}.0`.replace('.0', '') : `${factor}e${digits}`);

/** Half away from zero, where ClickHouse's round takes halves of floats to the even neighbour. */
function halfAway(value: Ch, digits: number): Ch {
  const outside = beyond(value, digits);
  if (outside !== undefined) return outside;
  const half = (magnitude: Ch): Ch => call('ceil', infix('/', call('floor', magnitude), lit(2)));
  const magnitude = call('abs', value);
  const scaled = digits >= 0 ? infix('*', magnitude, ten(digits, 2)) : infix('/', infix('*', magnitude, lit(2)), ten(-digits));
  const signed = infix('*', call('sign', value), half(scaled));
  return digits === 0 ? signed : digits > 0 ? infix('/', signed, ten(digits)) : infix('*', signed, ten(-digits));
}

function digitsOf(digits: Ch | undefined, name: string, c: LowerCall): number {
  if (digits === undefined) return 0;
  const known = c.constant(1);
  if (typeof known !== 'bigint')
    return fail(
      'unsupported',
      c.args[1]?.span ?? { start: 0, end: 0 },
      `${name} takes a constant number of digits here`,
      `write it as a number: ${name}(x, 2)`,
    );
  if (known > 22n || known < -22n) {
    // So many digits change nothing, so few leave nothing; in between a Float64 can't hold the power of ten.
    if (known < 340n && known > -309n)
      return fail('unsupported', spanOf(c), `${name} of FLOAT64 to ${known} digits is not supported`, 'a FLOAT64 has 17 digits at most');
  }
  return Number(known);
}

const spanOf = (c: LowerCall) => c.args[1]?.span ?? { start: 0, end: 0 };

/** The whole value where there are more digits than it has, 0 where there are fewer. */
function beyond(value: Ch, digits: number): Ch | undefined {
  if (digits > 22) return value;
  return digits < -22 ? infix('*', value, lit(0)) : undefined;
}

export const rounding: Family = {
  ROUND: strict(SIGNATURE, ({ value, digits }, c) =>
    c.type.kind === 'FLOAT64'
      ? halfAway(value, digitsOf(digits, 'ROUND', c))
      : call('round', value, ...(digits === undefined ? [] : [bare(digits)])),
  ),
  TRUNC: strict(SIGNATURE, ({ value, digits }, c) => {
    if (c.type.kind !== 'FLOAT64' || digits === undefined) return call('trunc', value, ...(digits === undefined ? [] : [bare(digits)]));
    const known = digitsOf(digits, 'TRUNC', c);
    return beyond(value, known) ?? call('trunc', value, lit(known));
  }),
  CEIL: strict(WHOLE, ({ value }) => call('ceil', value)),
  CEILING: strict(WHOLE, ({ value }) => call('ceil', value)),
  FLOOR: strict(WHOLE, ({ value }) => call('floor', value)),
};
