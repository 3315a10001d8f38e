// Short builders for ClickHouse expressions, used by lowering and the function tables.
import type { Ch, From, Select, SelectItem, Statement } from './ast.ts';
import { isConstant } from './constant.ts';

export const lit = (value: string | number | bigint | boolean | null): Ch => ({ kind: 'lit', value });
export const raw = (text: string): Ch => ({ kind: 'raw', text });
export const ident = (...parts: string[]): Ch => ({ kind: 'ident', parts });
export const call = (name: string, ...args: Ch[]): Ch => ({ kind: 'func', name, params: [], args, distinct: false, over: null });
export const infix = (operator: string, left: Ch, right: Ch): Ch => ({ kind: 'infix', operator, left, right });
export const not = (operand: Ch): Ch => ({ kind: 'prefix', operator: 'NOT', operand });
export const negate = (operand: Ch): Ch => ({ kind: 'prefix', operator: '-', operand });
export const isNull = (operand: Ch): Ch => ({ kind: 'is_null', operand, not: false });
export const isNotNull = (operand: Ch): Ch => ({ kind: 'is_null', operand, not: true });
export const cast = (operand: Ch, type: string): Ch => ({ kind: 'cast', operand, type });
export const array = (...elements: Ch[]): Ch => ({ kind: 'array', elements });
export const tuple = (...elements: Ch[]): Ch => call('tuple', ...elements);
export const inList = (operand: Ch, items: readonly Ch[]): Ch => ({ kind: 'in', operand, items, not: false });
export const subquery = (statement: Statement): Ch => ({ kind: 'subquery', statement });
/** `names` must be unique in the query: take them from Lowering.fresh. */
export const lambda = (parameters: readonly string[], body: Ch): Ch => ({ kind: 'lambda', parameters, body });
export const element = (tupleValue: Ch, index: number): Ch => call('tupleElement', tupleValue, lit(index));
export const iff = (condition: Ch, then: Ch, otherwise: Ch): Ch => call('if', condition, then, otherwise);
export const NULL = lit(null);

export function and(...conditions: Ch[]): Ch {
  const [first, ...rest] = conditions;
  if (first === undefined) return lit(true);
  return rest.reduce((left, right) => infix('AND', left, right), first);
}

/** `integer` as a plain number where it was printed with its type, for places where the type does not matter (comparisons, positions). */
export function bare(value: Ch): Ch {
  return value.kind === 'func' && value.name === 'toInt64' && value.args[0]?.kind === 'lit' ? value.args[0] : value;
}

/** Fails the query with `message` where `condition` is true; evaluated only for the rows that reach it. */
export function failIf(condition: Ch, message: string, value: Ch): Ch {
  // throwIf is never folded. Of constants, reading the message as a number fails as well and leaves a constant, which a primary key can use.
  const test =
    isConstant(condition) && isConstant(value)
      ? call('toUInt8', iff(condition, lit(message), lit('0')))
      : call('throwIf', condition, lit(message));
  return iff(infix('=', test, lit(0)), value, NULL);
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
