// Division, remainders and arithmetic that gives NULL instead of failing.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/mathematical_functions
import type { Ch } from '../target/ast.ts';
import { bare, call, iff, infix, lit, NULL } from '../target/build.ts';
import { product, quotient } from './decimal.ts';
import type { Family, LowerCall } from './define.ts';
import { strict } from './strict.ts';

const PAIRS =
  'left INT64, right INT64 -> INT64 | left NUMERIC, right NUMERIC -> NUMERIC | left BIGNUMERIC, right BIGNUMERIC -> BIGNUMERIC | left FLOAT64, right FLOAT64 -> FLOAT64';
const EXACT_PAIRS =
  'left INT64, right INT64 -> INT64 | left NUMERIC, right NUMERIC -> NUMERIC | left BIGNUMERIC, right BIGNUMERIC -> BIGNUMERIC';
const QUOTIENTS =
  'left INT64, right INT64 -> FLOAT64 | left FLOAT64, right FLOAT64 -> FLOAT64 | left NUMERIC, right NUMERIC -> NUMERIC | left BIGNUMERIC, right BIGNUMERIC -> BIGNUMERIC';

/** The result, or NULL where it leaves its type's range. */
function safely(operator: '+' | '-' | '*', left: Ch, right: Ch, c: LowerCall): Ch {
  switch (c.type.kind) {
    case 'INT64':
      return call('accurateCastOrNull', infix(operator, call('toInt128', left), right), lit('Int64'));
    case 'FLOAT64': {
      const result = infix(operator, left, right);
      return nullWhereInfinite(result, left, right);
    }
    case 'NUMERIC': {
      const exact = infix(operator, call('toDecimal256', left, lit(9)), right);
      return call('accurateCastOrNull', operator === '*' ? call('round', exact, lit(9)) : exact, lit('Decimal(38, 9)'));
    }
    default:
      // Overflow fails the query: ClickHouse has no wider type to look at the result in.
      return operator === '*' ? product(left, right, 'BIGNUMERIC') : infix(operator, left, right);
  }
}

const nullWhereInfinite = (result: Ch, left: Ch, right: Ch): Ch =>
  iff(infix('AND', call('isInfinite', result), infix('AND', call('isFinite', left), call('isFinite', right))), NULL, result);

/** A divisor that is 0 makes the result NULL under SAFE.; without it ClickHouse fails by itself. */
const divisor = (right: Ch, c: LowerCall): Ch => (c.safe ? call('nullIf', right, lit(0)) : right);

/** Whole numbers of the call's type. */
const inType = (value: Ch, c: LowerCall): Ch =>
  c.type.kind === 'NUMERIC'
    ? call('toDecimal128', value, lit(9))
    : c.type.kind === 'BIGNUMERIC'
      ? call('toDecimal256', value, lit(38))
      : value;

export const arithmetic: Family = {
  DIV: strict(EXACT_PAIRS, ({ left, right }, c) => inType(call('intDiv', left, divisor(right, c)), c)),
  MOD: strict(EXACT_PAIRS, ({ left, right }, c) => infix('%', left, divisor(right, c))),
  SAFE_DIVIDE: strict(
    QUOTIENTS,
    ({ left, right }, c) => {
      const by = call('nullIf', bare(right), lit(0));
      return c.type.kind === 'NUMERIC' || c.type.kind === 'BIGNUMERIC' ? quotient(left, by, c.type.kind) : infix('/', bare(left), by);
    },
    { finite: true },
  ),
  IEEE_DIVIDE: strict('left FLOAT64, right FLOAT64 -> FLOAT64', ({ left, right }) => infix('/', left, right)),
  SAFE_ADD: strict(PAIRS, ({ left, right }, c) => safely('+', left, right, c)),
  SAFE_SUBTRACT: strict(PAIRS, ({ left, right }, c) => safely('-', left, right, c)),
  SAFE_MULTIPLY: strict(PAIRS, ({ left, right }, c) => safely('*', left, right, c)),
  SAFE_NEGATE: strict(
    'value INT64 -> INT64 | value NUMERIC -> NUMERIC | value BIGNUMERIC -> BIGNUMERIC | value FLOAT64 -> FLOAT64',
    ({ value }, c) =>
      c.type.kind === 'INT64' ? call('accurateCastOrNull', call('negate', call('toInt128', value)), lit('Int64')) : call('negate', value),
  ),
};
