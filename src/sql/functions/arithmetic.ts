// Division, remainders and arithmetic that gives NULL instead of failing.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/mathematical_functions
import type { Ch } from '../clickhouse/ast.ts';
import { call, infix, lit } from '../clickhouse/build.ts';
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
      const overflow = infix('AND', call('isInfinite', result), infix('AND', call('isFinite', left), call('isFinite', right)));
      return call('if', overflow, lit(null), result);
    }
    default:
      return infix(operator, left, right);
  }
}

/** A divisor that is 0 makes the result NULL under SAFE.; without it ClickHouse fails by itself for integers. */
const divisor = (right: Ch, c: LowerCall): Ch => (c.safe && c.constant(1) === undefined ? call('nullIf', right, lit(0)) : right);

export const arithmetic: Family = {
  DIV: strict(EXACT_PAIRS, ({ left, right }, c) => call('intDiv', left, divisor(right, c))),
  MOD: strict(EXACT_PAIRS, ({ left, right }, c) => infix('%', left, divisor(right, c))),
  SAFE_DIVIDE: strict(QUOTIENTS, ({ left, right }) => infix('/', left, call('nullIf', right, lit(0)))),
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
