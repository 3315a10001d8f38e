// What an event has not, read as '' or 0 instead of NULL: the shorter recipe, in which absent values are counted and compared like any other.
import type { Func, SqlExpression } from '../ast.ts';
import { call, lit } from '../build.ts';
import { asFunc } from '../checks.ts';
import { looseTextOf } from '../helpers.ts';
import { rewrite } from '../rewrite.ts';
import { textOf } from './conditions.ts';

export const EMPTY_NOTE = "what an event has not is '' or 0, and counts and compares as such; BigQuery has NULL there";

/** Returns the tree with empty values for NULLs, but where they are asked for: IS NULL and COALESCE. */
export const withEmptyValues = <T extends object>(tree: T): T => rewrite(tree, (node) => changed(node as SqlExpression)); // or another node, with another kind or none

function changed(node: SqlExpression): SqlExpression | undefined {
  if (node.kind === 'is_null') return { ...node, operand: withNull(node.operand) };
  const func = asFunc(node);
  if (func === undefined) return undefined;
  if (func.name === 'coalesce' || func.name === 'ifNull') return { ...func, args: func.args.map(withNull) };
  return emptyText(func) ?? emptyNumber(func);
}

/** A text that may be NULL, as a text that is '' there. */
const emptyText = (value: SqlExpression): SqlExpression | undefined => textOf(value) ?? looseTextOf(value)?.text;

function withNull(value: SqlExpression): SqlExpression {
  const text = emptyText(value);
  return text === undefined ? withEmptyValues(value) : call('nullIf', text, lit(''));
}

const NUMBERS = new Map([
  ['toInt64OrNull', 'toInt64OrZero'],
  ['text_to_int64', 'toInt64OrZero'],
  ['toFloat64OrNull', 'toFloat64OrZero'],
  ['text_to_float64', 'toFloat64OrZero'],
]);

function emptyNumber({ name, args: [text] }: Func): SqlExpression | undefined {
  const orZero = NUMBERS.get(name);
  if (orZero === undefined || text === undefined) return undefined;
  const [first, zero] = text.kind === 'func' && text.name === 'coalesce' ? text.args : [];
  const plain = zero?.kind === 'lit' && zero.value === '0' ? first : text;
  return call(orZero, emptyText(plain ?? text) ?? withEmptyValues(text));
}
