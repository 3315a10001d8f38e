// Short builders for ClickHouse expressions, used by lowering and the function tables.
import type { CastTo, Check, From, Select, SelectItem, SqlExpression, Statement } from './ast.ts';
import { isConstant } from './constant.ts';
import { isKnownFalse } from './known-value.ts';

export const lit = (value: string | number | bigint | boolean | null): SqlExpression => ({ kind: 'lit', value });
export const raw = (text: string): SqlExpression => ({ kind: 'raw', text });
export const ident = (...parts: string[]): SqlExpression => ({ kind: 'ident', parts });
export const call = (name: string, ...args: SqlExpression[]): SqlExpression => ({
  kind: 'func',
  name,
  params: [],
  args,
  distinct: false,
  over: null,
});
export const infix = (operator: string, left: SqlExpression, right: SqlExpression): SqlExpression => ({
  kind: 'infix',
  operator,
  left,
  right,
});
export const not = (operand: SqlExpression): SqlExpression => ({ kind: 'prefix', operator: 'NOT', operand });
export const negate = (operand: SqlExpression): SqlExpression => ({ kind: 'prefix', operator: '-', operand });
export const isNull = (operand: SqlExpression): SqlExpression => ({ kind: 'is_null', operand, not: false });
export const isNotNull = (operand: SqlExpression): SqlExpression => ({ kind: 'is_null', operand, not: true });
export const cast = (operand: SqlExpression, type: string): SqlExpression => ({ kind: 'cast', operand, type });
/** Returns the value in the type in which a table stores it, for places where a wider one changes nothing: comparisons, keys of groups and joins. */
export const narrow = (value: SqlExpression): SqlExpression =>
  value.kind === 'cast' && value.widens !== undefined ? value.operand : value;

const isWidened = (value: SqlExpression): value is CastTo => value.kind === 'cast' && (value.widens ?? value.digits) !== undefined;
/** Returns the value as `narrow` does, and of decimals the one with fewer digits, for places that do not meet a value of another type. */
export const unwidened = (value: SqlExpression): SqlExpression => (isWidened(value) ? value.operand : value);
/** Returns an array of single values as its table stores it where that has no NULL elements. */
export const fullArray = (value: SqlExpression): SqlExpression | undefined =>
  value.kind === 'cast' && value.full?.includes('Tuple(') === false ? value.operand : undefined;
/** Returns `by`, made of the unwidened form of `value`, in the type of `value`. */
export const widened = (value: SqlExpression, by: SqlExpression): SqlExpression => (isWidened(value) ? { ...value, operand: by } : by);
export const array = (...elements: SqlExpression[]): SqlExpression => ({ kind: 'array', elements });
export const tuple = (...elements: SqlExpression[]): SqlExpression => call('tuple', ...elements);
export const inList = (operand: SqlExpression, items: readonly SqlExpression[]): SqlExpression => ({
  kind: 'in',
  operand,
  items,
  not: false,
});
/** `operand IN array`, for an array that is the same for all rows. */
export const inArray = (operand: SqlExpression, array: SqlExpression): SqlExpression => ({
  kind: 'in',
  operand,
  items: [array],
  not: false,
  ofArray: true,
});
export const subquery = (statement: Statement): SqlExpression => ({ kind: 'subquery', statement });
/** `names` must be unique in the query: take them from Lowering.fresh. */
export const lambda = (parameters: readonly string[], body: SqlExpression): SqlExpression => ({ kind: 'lambda', parameters, body });
/** An element of a tuple, counted from 1: the value itself where the tuple is made on the spot. */
export const element = (tupleValue: SqlExpression, index: number): SqlExpression =>
  (tupleValue.kind === 'func' && tupleValue.name === 'tuple' ? tupleValue.args[index - 1] : undefined) ??
  call('tupleElement', tupleValue, lit(index));
export const iff = (condition: SqlExpression, then: SqlExpression, otherwise: SqlExpression): SqlExpression =>
  call('if', condition, then, otherwise);
export const NULL = lit(null);

type Elements<O extends readonly SqlExpression[]> = { readonly [K in keyof O]: SqlExpression };

/**
 * Returns `value` where `isUsual` is true, and elsewhere what `rare` makes of `operands`, and of nothing else of the row. Those stand in arrays that are
 * empty for usual rows: of a branch of `if`, ClickHouse computes all rows as soon as the whole has a place in another condition. (arrayResize is among the
 * functions that it leaves out where a branch is not taken, and arrays of `if` are not.)
 */
export function rarely<const O extends readonly SqlExpression[]>(
  isUsual: SqlExpression,
  value: SqlExpression,
  operands: O,
  rare: (...operands: Elements<O>) => SqlExpression,
): SqlExpression {
  if (operands.every((operand) => isConstant(operand))) return iff(isUsual, value, rare(...(operands as unknown as Elements<O>)));
  const names = operands.map((_, i) => (i === 0 ? '_rare' : `_rare${i + 1}`));
  const body = lambda(names, rare(...(names.map((name) => ident(name)) as unknown as Elements<O>))); // one for each
  const known = isNeverNull(isUsual) ? isUsual : call('ifNull', isUsual, lit(false));
  const isRare = known.kind === 'prefix' ? known.operand : not(known);
  const rows = operands.map((operand) => call('arrayResize', array(operand), isRare));
  return iff(isUsual, value, call('arrayElement', call('arrayMap', body, ...rows), lit(1)));
}

export function and(...conditions: SqlExpression[]): SqlExpression {
  const [first, ...rest] = conditions;
  if (first === undefined) return lit(true);
  return rest.reduce((left, right) => infix('AND', left, right), first);
}

/** Returns the plain number of a literal that is printed with its type, for places where the type does not matter (comparisons, positions). */
export function bare(value: SqlExpression): SqlExpression {
  if (value.kind !== 'func' || value.name !== 'toInt64') return value;
  const [inner] = value.args;
  // toInt64 of a boolean is a conversion.
  return inner?.kind === 'lit' && typeof inner.value !== 'boolean' ? inner : value;
}

export const isNeverNull = (value: SqlExpression): boolean =>
  value.kind === 'is_null' ||
  (value.kind === 'prefix' && isNeverNull(value.operand)) ||
  (value.kind === 'lit' && value.value !== null) ||
  (value.kind === 'func' && value.name === 'ifNull');

/** Stands for `value`; the query fails with `message` where `condition` is true of a row that reaches it. */
export function failIf(condition: SqlExpression, message: string, value: SqlExpression, otherwise: SqlExpression = NULL): SqlExpression {
  if (isConstant(condition) && isConstant(value))
    return isKnownFalse(condition) ? value : { ...failing(condition, message, 'constant'), value, otherwise };
  // throwIf also sees the value that a column stores in place of NULL, which may be anything.
  const known = isNeverNull(condition) ? condition : call('ifNull', condition, lit(false));
  return { ...failing(known, message), value, otherwise };
}

/** The same of an INT64 or a FLOAT64, `value - throwIf(…)`: less 0 it stays what it is, NULL only where it was, and costs less than a branch. */
export function numberUnless(condition: SqlExpression, message: string, value: SqlExpression): SqlExpression {
  const check = failIf(condition, message, value);
  return check.kind === 'check' && check.rows === 'reached' ? { ...check, otherwise: null } : check;
}

/** Returns the check, to be written as `call`, which does the same. */
export const writtenAs = (check: SqlExpression, call: SqlExpression): SqlExpression =>
  check.kind === 'check' && check.rows === 'reached' ? { ...check, as: call } : check;

/** Stands for 0; the query fails with `message` if `condition`, which is never NULL, is true of one of `rows`. */
export const failing = (condition: SqlExpression, message: string, rows: Check['rows'] = 'reached'): Check => ({
  kind: 'check',
  condition,
  message,
  value: null,
  otherwise: NULL,
  rows,
});

export function select(items: readonly SelectItem[], from: From | null, rest: Partial<Select> = {}): Select {
  return {
    kind: 'select',
    constants: [],
    with: [],
    recursive: false,
    distinct: false,
    items,
    from,
    where: null,
    groupBy: null,
    groupingSets: null,
    having: null,
    qualify: null,
    orderBy: [],
    limit: null,
    offset: null,
    ...rest,
  };
}
