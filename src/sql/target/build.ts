// Short builders for ClickHouse expressions, used by lowering and the function tables.
import type { From, Func, Select, SelectItem, SqlExpression, Statement } from './ast.ts';
import { isConstant } from './constant.ts';

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
export const array = (...elements: SqlExpression[]): SqlExpression => ({ kind: 'array', elements });
export const tuple = (...elements: SqlExpression[]): SqlExpression => call('tuple', ...elements);
export const inList = (operand: SqlExpression, items: readonly SqlExpression[]): SqlExpression => ({
  kind: 'in',
  operand,
  items,
  not: false,
});
/** As a set of the elements: `array` is the same for all rows. */
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
export const element = (tupleValue: SqlExpression, index: number): SqlExpression => call('tupleElement', tupleValue, lit(index));
export const iff = (condition: SqlExpression, then: SqlExpression, otherwise: SqlExpression): SqlExpression =>
  call('if', condition, then, otherwise);
export const NULL = lit(null);

export function and(...conditions: SqlExpression[]): SqlExpression {
  const [first, ...rest] = conditions;
  if (first === undefined) return lit(true);
  return rest.reduce((left, right) => infix('AND', left, right), first);
}

/** `integer` as a plain number where it was printed with its type, for places where the type does not matter (comparisons, positions). */
export function bare(value: SqlExpression): SqlExpression {
  if (value.kind !== 'func' || value.name !== 'toInt64') return value;
  const [inner] = value.args;
  // Of a boolean it is a conversion.
  return inner?.kind === 'lit' && typeof inner.value !== 'boolean' ? inner : value;
}

const isNeverNull = (condition: SqlExpression): boolean =>
  condition.kind === 'is_null' || (condition.kind === 'func' && condition.name === 'ifNull');

/** Fails the query with `message` where `condition` is true; evaluated only for the rows that reach it. */
export function failIf(condition: SqlExpression, message: string, value: SqlExpression, beside: SqlExpression = NULL): SqlExpression {
  // throwIf also looks at what a column has in a NULL's place, which may be anything. It is never folded; of constants, reading the message as a number fails as well and leaves a constant, which a primary key can use.
  const test =
    isConstant(condition) && isConstant(value)
      ? call('toUInt8', iff(condition, lit(message), lit('0')))
      : call('throwIf', isNeverNull(condition) ? condition : call('ifNull', condition, lit(false)), lit(message));
  return iff(infix('=', test, lit(0)), value, beside);
}

/** Fails the query with `message` where `condition` is true, whether or not the row reaches it: for what no row may be that does not. */
export const checkAll = (condition: SqlExpression, message: string): SqlExpression => ({
  kind: 'func',
  name: 'throwIf',
  params: [],
  args: [condition, lit(message)],
  distinct: false,
  over: null,
  asksAll: true,
});

/** What a check of constants asks, and what it says. */
export function constantTest({
  name,
  args: [choice],
}: Func): { readonly condition: SqlExpression; readonly message: SqlExpression } | undefined {
  if (name !== 'toUInt8' || choice?.kind !== 'func' || choice.name !== 'if') return undefined;
  const [condition, message, passed] = choice.args;
  const is = condition !== undefined && message?.kind === 'lit' && passed?.kind === 'lit' && passed.value === '0';
  return is ? { condition, message } : undefined;
}

/** The check of constants as one of rows. */
export function runtimeTest(test: Func): SqlExpression | undefined {
  const known = constantTest(test);
  return known && call('throwIf', call('ifNull', known.condition, lit(false)), known.message);
}

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
