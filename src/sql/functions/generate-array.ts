// GENERATE_ARRAY: numbers from a start to a stop, which BigQuery includes and ClickHouse's range() does not.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/array_functions#generate_array
import { fail } from '../base/fail.ts';
import type { SqlExpression } from '../target/ast.ts';
import { array as arrayOf, call, ident, iff, infix, isNull, lambda, lit, raw } from '../target/build.ts';
import type { LowerCall } from './define.ts';
import { LEAST } from './overflow.ts';

const ZERO = 'GENERATE_ARRAY: the step is 0';
/** More elements than ClickHouse makes: range() says so. */
const TOO_MANY = raw('1e15');

type Ends = readonly [start: SqlExpression, stop: SqlExpression, step: SqlExpression];

export function series(start: SqlExpression, stop: SqlExpression, step: SqlExpression | undefined, c: LowerCall): SqlExpression {
  const known = step === undefined ? 1n : c.constant(2);
  if (known !== undefined && known !== null && Number(known) === 0)
    return fail('type', c.args[2]?.span ?? { start: 0, end: 0 }, 'the step of GENERATE_ARRAY is 0');
  const kind = c.type.kind === 'ARRAY' ? c.type.element.kind : 'INT64';
  const ends: Ends = [notNull(start, 0, c), notNull(stop, 1, c), step === undefined ? lit(1) : safeStep(step, c)];
  const fractions = (): SqlExpression => (kind === 'FLOAT64' ? floats(ends, c) : decimals(ends, kind, known, c));
  const items = kind === 'INT64' ? integers(ends, known, c) : fractions();
  const none = [start, stop, step].filter((a, i): a is SqlExpression => a !== undefined && c.constant(i) === undefined).map(isNull);
  if (c.safe && known === undefined && step !== undefined) none.push(infix('=', step, lit(0)));
  if (c.safe && kind === 'FLOAT64') none.push(...isNoNumber(ends, c));
  const [first, ...more] = none;
  return first === undefined
    ? items
    : iff(
        more.reduce((a, b) => infix('OR', a, b), first),
        arrayOf(),
        items,
      );
}

/** ClickHouse may compute the elements also where there are none: range() fails on NULL, and on a step of 0. */
const notNull = (value: SqlExpression, at: number, c: LowerCall): SqlExpression =>
  c.neverNull(at) ? value : call('ifNull', value, lit(0));

function safeStep(step: SqlExpression, c: LowerCall): SqlExpression {
  if (c.constant(2) !== undefined) return step;
  return c.neverNull(2) && !c.safe ? step : call('ifNull', c.safe ? call('nullIf', step, lit(0)) : step, lit(1));
}

/** An array that may be NULL is none to ClickHouse, so what fails is checked where the step stands. */
const checkedStep = (step: SqlExpression, known: unknown, c: LowerCall): SqlExpression =>
  c.safe || known !== undefined ? step : c.failIf(infix('=', step, lit(0)), ZERO, step);

function integers([start, stop, step]: Ends, known: unknown, c: LowerCall): SqlExpression {
  const one = call('toInt64', lit(1));
  const by = checkedStep(step, known, c);
  const up = typeof known === 'bigint' ? known > 0n : undefined;
  const end = up === undefined ? infix('+', stop, call('toInt64', call('sign', by))) : infix(up ? '+' : '-', stop, one);
  const plain = call('range', start, end, ...(known === 1n ? [] : [by]));
  const ends = up === undefined ? [GREATEST, LEAST] : [up ? GREATEST : LEAST];
  if (!mayBeAnEnd(c)) return plain;
  // There is no number behind the ends of INT64: the elements are counted instead.
  const isEnd = ends.map((e) => infix('=', stop, e)).reduce((any, test) => infix('OR', any, test));
  const item = c.fresh('i');
  const distance = infix('-', call('toInt128', stop), start);
  const count = infix('+', call('intDiv', distance, by), lit(1));
  const isThere = infix('>=', infix('*', distance, call('sign', by)), lit(0));
  const size = call('toUInt64', call('greatest', iff(infix('AND', isEnd, isThere), count, lit(0)), lit(0)));
  const counted = call('arrayMap', lambda([item], call('toInt64', infix('+', start, infix('*', ident(item), by)))), call('range', size));
  return iff(isEnd, counted, plain);
}

const GREATEST = raw('toInt64(9223372036854775807)');

function mayBeAnEnd(c: LowerCall): boolean {
  const range = c.range(1);
  if (range !== undefined && range[0] > -9e18 && range[1] < 9e18) return false;
  const known = c.constant(1);
  return typeof known !== 'bigint' || known <= -(2n ** 63n) || known >= 2n ** 63n - 1n;
}

const isNoNumber = (ends: Ends, c: LowerCall): readonly SqlExpression[] => [
  ...ends.filter((_, i) => !c.finite(i)).map((end) => call('isNaN', end)),
  ...(c.finite(2) ? [] : [call('isInfinite', ends[2])]),
];

/** Made as BigQuery makes them: one more than the quotient says, and of those the ones that do not pass the stop. */
function floats(ends: Ends, c: LowerCall): SqlExpression {
  const [start, stop, step] = ends;
  const bad = [...(c.constant(2) === undefined && c.args[2] ? [infix('=', step, lit(0))] : []), ...isNoNumber(ends, c)];
  const item = c.fresh('i');
  const distance = infix('-', stop, start);
  // The difference of numbers far from each other may be infinite, that of two infinities is no number.
  const steps = iff(call('isFinite', distance), infix('/', distance, step), infix('-', infix('/', stop, step), infix('/', start, step)));
  const count = iff(infix('=', start, stop), lit(-1), iff(call('isNaN', steps), lit(-2), call('floor', steps)));
  const counted = call('toInt64', call('least', call('greatest', infix('+', count, lit(2)), lit(0)), TOO_MANY));
  const size =
    bad.length === 0 || c.safe
      ? counted
      : c.failIf(
          bad.reduce((a, b) => infix('OR', a, b)),
          'GENERATE_ARRAY: the step is 0 or infinite, or a number is NaN',
          counted,
        );
  const elements = call('arrayMap', lambda([item], infix('+', start, infix('*', ident(item), step))), call('range', size));
  const element = c.fresh('element');
  const isInside = iff(infix('>', step, lit(0)), infix('<=', ident(element), stop), infix('>=', ident(element), stop));
  return call('arrayFilter', lambda([element], isInside), elements);
}

/** In steps of the last digit: 256 bits hold every distance, without a sign. */
function decimals([start, stop, step]: Ends, kind: string, known: unknown, c: LowerCall): SqlExpression {
  const [digits, type] = kind === 'NUMERIC' ? ['Int128', 'Decimal(38, 9)'] : ['Int256', 'Decimal(76, 38)'];
  const counted = (value: SqlExpression): SqlExpression => call('toInt256', call('reinterpret', inType(value, kind), lit(digits)));
  const [from, to, by] = [counted(start), counted(stop), counted(checkedStep(step, known, c))];
  const item = c.fresh('i');
  const distance = iff(infix('>', step, lit(0)), infix('-', to, from), infix('-', from, to));
  const isThere = iff(infix('>', step, lit(0)), infix('<=', start, stop), infix('>=', start, stop));
  const count = infix('+', call('intDiv', call('toUInt256', distance), call('toUInt256', call('abs', by))), lit(1));
  const size = call('toUInt64', iff(isThere, call('least', count, call('toUInt256', lit(10 ** 15))), lit(0)));
  const element = infix('+', from, infix('*', call('toInt256', ident(item)), by));
  const made = call('reinterpret', kind === 'NUMERIC' ? call('toInt128', element) : element, lit(type));
  return call('arrayMap', lambda([item], made), call('range', size));
}

const inType = (value: SqlExpression, kind: string): SqlExpression =>
  value.kind === 'lit' ? call(kind === 'NUMERIC' ? 'toDecimal128' : 'toDecimal256', value, lit(kind === 'NUMERIC' ? 9 : 38)) : value;
