// + - * and the minus sign of numbers, which fail instead of leaving their type's range. ClickHouse's integers wrap around, and its floats become infinite.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/operators#arithmetic_operators

import { spend } from '../base/budget.ts';
import { differenceRange, fits, negatedRange, productRange, type Range, sumRange } from '../base/number-range.ts';
import { nodesOfCheck } from '../base/size.ts';
import type { Expr } from '../logical/nodes.ts';
import type { SqlExpression } from '../target/ast.ts';
import {
  array,
  bare,
  call,
  failIf,
  ident,
  infix,
  isNeverNull,
  isNotNull,
  lambda,
  lit,
  negate,
  not,
  numberUnless,
  raw,
  writtenAs,
} from '../target/build.ts';
import { isConstant } from '../target/constant.ts';
import { defineHelper } from '../target/helpers.ts';
import { checkedProduct, isBeyondNumeric, leavesNumeric, product, shortProduct } from './decimal.ts';
import type { LowerCall } from './define.ts';

type Operator = '+' | '-' | '*';

const RANGES: Readonly<Record<Operator, (a: Range | undefined, b: Range | undefined) => Range | undefined>> = {
  '+': sumRange,
  '-': differenceRange,
  '*': productRange,
};

/** One guard stands for all the steps that it looks at. */
function messageOf(operators: readonly Operator[], { type }: LowerCall): string {
  const [last, ...others] = OPERATORS.filter((operator) => operators.includes(operator)).reverse();
  const named = others.length === 0 ? last : `${others.reverse().join(', ')} or ${last}`;
  return outOfRange(named ?? '', type.kind);
}

const outOfRange = (operators: string, kind: string): string => `the result of ${operators} is out of the range of ${kind}`;

const OPERATORS: readonly Operator[] = ['+', '-', '*'];

/** A value computed without looking at overflow, and the conditions under which it is wrong. */
interface Computed {
  readonly value: SqlExpression;
  /** How long it is; what stands for a query is too long to be repeated. */
  readonly nodes: number;
  readonly overflows: readonly SqlExpression[];
  /** Which steps these look at. */
  readonly operators: readonly Operator[];
  /** The operands that a FLOAT64 is computed from. */
  readonly operands: readonly SqlExpression[];
  /** The same in Int128, where it was written so. */
  readonly wide?: SqlExpression;
}

/** A guard repeats its operands: longer ones have one guard for all steps, or are written once. */
const MANY_NODES = 80;
const TOO_MANY_NODES = 1000;

const COMPUTED = new WeakMap<SqlExpression, Computed>();

/** Remembers the arguments of `guarded`, so that a sum of sums is checked once: nested guards would double the text at every step. */
const unguarded = (node: SqlExpression): Computed =>
  COMPUTED.get(node) ?? { value: node, nodes: lengthOf(node), overflows: [], operators: [], operands: [node] };

function guarded(computed: Computed, c: LowerCall): SqlExpression {
  const [first, ...more] = computed.overflows;
  if (first === undefined) return remember(computed.value, computed);
  const any = more.reduce((all, test) => infix('OR', all, test), first);
  const check = c.type.kind === 'INT64' || c.type.kind === 'FLOAT64' ? numberUnless : failIf;
  return remember(check(any, messageOf(computed.operators, c), computed.value), computed);
}

function remember(node: SqlExpression, computed: Computed): SqlExpression {
  COMPUTED.set(node, computed);
  return node;
}

/** `left operator right` of one number type. */
export function checked(operator: Operator, left: SqlExpression, right: SqlExpression, c: LowerCall): SqlExpression {
  const { kind } = c.type;
  const decimal = operator === '*' && (kind === 'NUMERIC' || kind === 'BIGNUMERIC');
  const written = (x: SqlExpression, y: SqlExpression): SqlExpression =>
    decimal ? product(x, y, kind, c) : infix(operator, ...bareConstant(x, y));
  // ClickHouse looks at these itself.
  if (kind === 'BIGNUMERIC') return written(left, right);
  const short = decimal ? shortProduct(left, right, c) : undefined;
  if (short !== undefined) return short;
  const [a, b] = [unguarded(left), unguarded(right)];
  const value = written(a.value, b.value);
  const nodes = a.nodes + b.nodes + 1;
  const finite = (side: Computed, at: number): readonly SqlExpression[] =>
    c.finite(at) && side.operators.length === 0 ? [] : side.operands;
  const operands = kind === 'FLOAT64' && nodes <= TOO_MANY_NODES ? [...new Set([...finite(a, 0), ...finite(b, 1)])] : [];
  const overflows = [...a.overflows, ...b.overflows];
  const before = [...new Set([...a.operators, ...b.operators])];
  const computed: Computed = { value, nodes, operands, overflows, operators: before };
  const operators = [...before, operator];
  const unchanged = kind === 'FLOAT64' && operator !== '*' && (isSmall(c.range(0)) || isSmall(c.range(1)));
  if (unchanged || fits(RANGES[operator](c.range(0), c.range(1)), c.type)) return guarded(computed, c);
  if (decimal && nodes <= MANY_NODES && !(isConstant(left) && isConstant(right))) return checkedProduct(left, right);
  if (nodes <= MANY_NODES) {
    const overflow = leaves(operator, [a.value, b.value], value, c);
    const check = guarded(overflow === undefined ? computed : { ...computed, overflows: [...overflows, overflow], operators }, c);
    return before.length === 0 ? calledAs(operator, [left, right], check, c) : check;
  }
  if (kind === 'INT64') {
    // Further terms of a long sum are added in Int128 too, so that only the last result is checked.
    const summed = operator !== '*' ? a.wide : undefined;
    const wide = infix(operator, summed ?? call('toInt128', left), right);
    const cast = call('accurateCast', wide, lit('Nullable(Int64)'));
    return remember(cast, { value: cast, nodes, overflows: [], operators: [], operands: [], wide });
  }
  if (nodes <= TOO_MANY_NODES)
    return guarded({ ...computed, overflows: [kind === 'FLOAT64' ? isNotFinite(value, operands) : isBeyondNumeric(value)], operators }, c);
  const names = [c.fresh('left'), c.fresh('right')];
  const [x, y] = names.map((name) => ident(name)) as [SqlExpression, SqlExpression]; // one for each name
  const once = written(x, y);
  const body = failIf(leaves(operator, [x, y], once, c) ?? lit(false), messageOf([operator], c), once);
  return call('arrayElement', call('arrayMap', lambda(names, body), array(left), array(right)), lit(1));
}

/** Beside an Int64, a number without its type gives an Int64 as well. */
function bareConstant(left: SqlExpression, right: SqlExpression): Pair {
  if (isConstant(left) === isConstant(right)) return [left, right];
  return [bare(left), bare(right)];
}

/** The check as a call of a helper. With a constant the check of INT64 is short. */
function calledAs(operator: Operator, operands: Pair, check: SqlExpression, c: LowerCall): SqlExpression {
  const { kind } = c.type;
  const helper = CHECKED[`${operator}${kind}`];
  if (helper === undefined || (kind === 'INT64' && [0, 1].some((at) => c.constant(at) !== undefined))) return check;
  const computed = COMPUTED.get(check);
  const called = writtenAs(check, helper(...operands));
  return computed === undefined ? called : remember(called, computed);
}

const NAMES: Readonly<Record<Operator, string>> = { '+': 'add', '-': 'subtract', '*': 'multiply' };

const CHECKED: Readonly<Record<string, (left: SqlExpression, right: SqlExpression) => SqlExpression>> = Object.fromEntries(
  OPERATORS.flatMap((operator) =>
    (['INT64', 'FLOAT64'] as const).map((kind) => {
      const helper = defineHelper(`${NAMES[operator]}_${kind.toLowerCase()}`, ['_left', '_right'], (left, right) => {
        const result = infix(operator, left, right);
        const overflow = kind === 'INT64' ? wrapsAround(operator, [left, right], result) : infinite(result, [left, right]);
        return numberUnless(overflow, outOfRange(operator, kind), result);
      });
      return [`${operator}${kind}`, helper] as const;
    }),
  ),
);

type Pair = readonly [left: SqlExpression, right: SqlExpression];

/** Tests whether the result differs from the exact one; undefined if it never does. */
function leaves(operator: Operator, operands: Pair, result: SqlExpression, c: LowerCall) {
  if (c.type.kind === 'FLOAT64') return becomesInfinite(result, operands, c);
  return c.type.kind === 'NUMERIC' ? (isConstant(result) ? isBeyondNumeric : leavesNumeric)(result) : wraps(operator, operands, result, c);
}

/** Infinite at some step, it stays so or becomes NaN. */
const isNotFinite = (result: SqlExpression, operands: readonly SqlExpression[]): SqlExpression =>
  operands.reduce<SqlExpression>((all, operand) => infix('AND', all, call('isFinite', operand)), not(call('isFinite', result)));

function lengthOf(node: SqlExpression): number {
  const waiting: object[] = [node];
  let nodes = 0;
  for (let at = waiting.pop(); at !== undefined && nodes <= TOO_MANY_NODES; at = waiting.pop()) {
    nodes += 1 + nodesOfCheck(at);
    if ('statement' in at || 'from' in at) return TOO_MANY_NODES + 1;
    for (const child of Object.values(at)) if (typeof child === 'object' && child !== null) waiting.push(child);
  }
  spend(nodes >> 1);
  return nodes;
}

export function checkedMinus(value: SqlExpression, c: LowerCall): SqlExpression {
  const operand = unguarded(value);
  const mayOverflow = c.type.kind === 'BIGNUMERIC' || (c.type.kind === 'INT64' && !fits(negatedRange(c.range(0)), c.type));
  const least = c.type.kind === 'BIGNUMERIC' ? LEAST_BIGNUMERIC : LEAST;
  const own = mayOverflow ? [infix('=', operand.value, least)] : [];
  return guarded(
    {
      ...operand,
      value: negate(operand.value),
      nodes: operand.nodes + 1,
      overflows: [...operand.overflows, ...own],
      operators: mayOverflow ? [...operand.operators, '-'] : operand.operators,
    },
    c,
  );
}

/** `left / right` of numbers that are no decimals, with its checks: of a divisor of 0, and of a result that leaves FLOAT64. Whole numbers are at least 1. */
export function checkedQuotient(left: SqlExpression, right: SqlExpression, c: LowerCall): SqlExpression {
  const value = infix('/', left, right);
  const by = c.constant(1);
  const mayBeZero = by === undefined || by === null || Number(by) === 0;
  const grows = typeof by === 'number' ? Math.abs(by) < 1 : !isWhole(c.args[1]);
  const leaves = c.typeOf(0).kind === 'FLOAT64' && grows;
  if (!mayBeZero) return leaves ? numberUnless(becomesInfinite(value, [left, right], c), outOfRange('/', 'FLOAT64'), value) : value;
  const checked = leaves ? byZeroOrOut(left, right, value, [0, 1].map(c.finite)) : byZero(left, right, value);
  return writtenAs(checked, (leaves ? divideFloat64 : divideInt64)(left, right));
}

/** NULL / 0 is NULL. */
export function isDividedByZero(left: SqlExpression, right: SqlExpression): SqlExpression {
  const isZero = infix('=', right, lit(0));
  return isNeverNull(left) ? isZero : infix('AND', isZero, isNotNull(left));
}

export const BY_ZERO = 'division by zero';

const byZero = (left: SqlExpression, right: SqlExpression, value: SqlExpression): SqlExpression =>
  numberUnless(isDividedByZero(left, right), BY_ZERO, value);

/** One check does: a quotient by 0 is never finite. `known` says which of the operands are. */
function byZeroOrOut(left: SqlExpression, right: SqlExpression, value: SqlExpression, known: readonly boolean[] = []): SqlExpression {
  const [first, ...more] = [left, right].filter((_, at) => known[at] !== true).map((operand) => call('isFinite', operand));
  const finite = first && more.reduce((all, test) => infix('AND', all, test), first);
  const isNew = finite && infix('OR', infix('=', right, lit(0)), finite);
  const isLost = not(call('isFinite', value));
  return numberUnless(isNew === undefined ? isLost : infix('AND', isLost, isNew), `${BY_ZERO}, or ${outOfRange('/', 'FLOAT64')}`, value);
}

/** Of integers: their quotient is in range. */
const divideInt64 = defineHelper('divide_int64', ['_left', '_right'], (left, right) => byZero(left, right, infix('/', left, right)));

const divideFloat64 = defineHelper('divide_float64', ['_left', '_right'], (left, right) =>
  byZeroOrOut(left, right, infix('/', left, right)),
);

const isWhole = (expr: Expr | null | undefined): boolean => expr?.kind === 'cast' && expr.operand.type.kind === 'INT64';

/** The BIGNUMERIC that has no counterpart above zero: ClickHouse gives it for its own negative and magnitude. */
export const LEAST_BIGNUMERIC = call('reinterpret', call('toInt256', lit(String(-(2n ** 255n)))), lit('Decimal(76, 38)'));
/** The number that has no counterpart above 0. */
export const LEAST: SqlExpression = raw('toInt64(-9223372036854775808)');

const [MIN, MAX] = [-(2n ** 63n), 2n ** 63n - 1n];

/** Returns the least and the greatest operand whose result with `by` is an Int64. */
function operandBounds(operator: Operator, by: bigint): readonly [bigint, bigint] {
  if (operator === '+') return [MIN - by, MAX - by];
  if (operator === '-') return [MIN + by, MAX + by];
  return by > 0n ? [MIN / by, MAX / by] : [MAX / by, MIN / by];
}

/** Tests whether the Int64 `result` differs from the exact number. */
function wraps(operator: Operator, [left, right]: Pair, result: SqlExpression, c: LowerCall): SqlExpression | undefined {
  const [a, b] = [c.constant(0), c.constant(1)];
  if (typeof b === 'bigint') return outside(left, operator, b);
  if (typeof a === 'bigint' && operator !== '-') return outside(right, operator, a);
  return wrapsAround(operator, [left, right], result);
}

function wrapsAround(operator: Operator, [left, right]: Pair, result: SqlExpression): SqlExpression {
  if (operator === '*') {
    // A wrapped product is off by 2^64 or more, one that is rounded to a float by some thousands.
    const rounded = infix('*', call('toFloat64', left), right);
    const isOff = infix('>', call('abs', infix('-', rounded, call('toFloat64', result))), raw('1e18'));
    // Factors below the root of 2^63 are by far the most, and cost half as much.
    return infix('AND', infix('>', call('greatest', call('abs', left), call('abs', right)), lit(3_037_000_499)), isOff);
  }
  // The sum of two numbers of one sign has the other one; a difference, that of two numbers of different signs.
  const other = operator === '+' ? result : left;
  return infix('<', call('bitAnd', call('bitXor', left, result), call('bitXor', right, other)), lit(0));
}

/** Tests whether `value operator by` leaves Int64. */
function outside(value: SqlExpression, operator: Operator, by: bigint): SqlExpression | undefined {
  const bounds = operandBounds(operator, by);
  const tests = [
    ...(bounds[0] > MIN ? [infix('<', value, lit(bounds[0]))] : []),
    ...(bounds[1] < MAX ? [infix('>', value, lit(bounds[1]))] : []),
  ];
  const [first, ...more] = tests;
  return first === undefined ? undefined : more.reduce((any, test) => infix('OR', any, test), first);
}

/** Half of the last digit of the greatest FLOAT64: what is smaller changes nothing there. */
const isSmall = (range: Range | undefined): boolean => range !== undefined && range[0] > -9e291 && range[1] < 9e291;

/** A FLOAT64 that is infinite though it was made of `operands` that are not. */
const becomesInfinite = (result: SqlExpression, operands: readonly SqlExpression[], c: LowerCall): SqlExpression =>
  infinite(
    result,
    operands.filter((_, i) => !c.finite(i)),
  );

function infinite(result: SqlExpression, operands: readonly SqlExpression[]): SqlExpression {
  const others = operands.map((operand) => call('isFinite', operand));
  return others.reduce((all, test) => infix('AND', all, test), call('isInfinite', result));
}
