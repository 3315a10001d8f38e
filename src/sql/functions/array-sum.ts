// ARRAY_SUM and ARRAY_AVG. https://cloud.google.com/bigquery/docs/reference/standard-sql/array_functions#array_sum
import type { SqlExpression } from '../target/ast.ts';
import { call, cast, ident, iff, infix, isNotNull, lambda, lit, not, raw } from '../target/build.ts';
import { isBeyondNumeric } from './decimal.ts';
import type { LowerCall } from './define.ts';

const sumOf = (array: SqlExpression): SqlExpression => call('arrayReduce', lit('sumOrNull'), array);
const OUT_OF_RANGE = 'ARRAY_SUM: the result is out of range';

/** ClickHouse's sums wrap around, and those of floats become infinite. */
export function sum(array: SqlExpression, c: LowerCall): SqlExpression {
  const item = c.fresh('item');
  const each = (made: SqlExpression): SqlExpression => sumOf(call('arrayMap', lambda([item], made), array));
  switch (c.type.kind) {
    case 'INT64': {
      const wide = sumOf(cast(array, 'Array(Nullable(Int128))'));
      return call(c.safe ? 'accurateCastOrNull' : 'accurateCast', wide, lit(c.safe ? 'Int64' : 'Nullable(Int64)'));
    }
    case 'NUMERIC': {
      const wide = each(call('toDecimal256', ident(item), lit(9)));
      return c.failIf(isBeyondNumeric(wide), OUT_OF_RANGE, call('toDecimal128', wide, lit(9)));
    }
    case 'BIGNUMERIC':
      // Decimal256 wraps around, a float does not; beyond 5.7e38 a BIGNUMERIC has no room.
      return c.failIf(infix('>', call('abs', each(call('toFloat64', ident(item)))), raw('5.7e38')), OUT_OF_RANGE, sumOf(array));
    default: {
      const total = floatSum(array, c);
      return c.failIf(infix('AND', call('isInfinite', total), areFinite(array, c)), OUT_OF_RANGE, total);
    }
  }
}

/** 2^-64 and 2^64: of floats a step of this size changes no digit. */
const [DOWN, UP] = [raw('5.421010862427522e-20'), raw('18446744073709551616.')];

/** A sum that passes the ends of FLOAT64 on its way and comes back is none that is out of range. */
function floatSum(array: SqlExpression, c: LowerCall): SqlExpression {
  const total = sumOf(array);
  return iff(call('isFinite', total), total, infix('*', smallSum(array, c), UP));
}

function smallSum(array: SqlExpression, c: LowerCall): SqlExpression {
  const item = c.fresh('item');
  return sumOf(call('arrayMap', lambda([item], infix('*', ident(item), DOWN)), array));
}

/** The mean of the elements one after the other, as BigQuery works it out: no sum passes the ends of FLOAT64, and behind an infinity there is no number. */
export function average(array: SqlExpression, c: LowerCall): SqlExpression {
  const [there, other] = [c.fresh('item'), c.fresh('item')];
  const values = call('arrayFilter', lambda([there], isNotNull(ident(there))), array);
  const last = call('arrayElementOrNull', values, lit(-1));
  const infinities = call('arrayCount', lambda([other], not(call('ifNull', call('isFinite', ident(other)), lit(true)))), array);
  const mean = call('arrayReduce', lit('avgOrNull'), array);
  const far = infix('*', infix('/', smallSum(array, c), call('length', values)), UP);
  // An infinity that is not the last one is taken from itself.
  const atLast = iff(call('isFinite', last), raw('nan'), last);
  const isCount = (count: number): SqlExpression => infix('=', infinities, lit(count));
  return call('multiIf', call('isFinite', mean), mean, isCount(0), far, isCount(1), atLast, raw('nan'));
}

function areFinite(array: SqlExpression, c: LowerCall): SqlExpression {
  const item = c.fresh('item');
  return call('arrayAll', lambda([item], call('ifNull', call('isFinite', ident(item)), lit(true))), array);
}
