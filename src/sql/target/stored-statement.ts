// A statement as JSON text, and back.
import type { Lit, SqlExpression, Statement } from './ast.ts';
import { printExpr } from './print.ts';

export function statementText(statement: Statement): string {
  return JSON.stringify(statement, (_, value: unknown) => (isUnstorable(value) ? asPrinted(value) : value));
}

export const readStatement = (text: string): Statement => JSON.parse(text) as Statement; // what statementText has made

/** Numbers that JSON has no form for, or another one. */
function isUnstorable(value: unknown): value is Lit {
  if (typeof value !== 'object' || value === null || !('kind' in value) || value.kind !== 'lit' || !('value' in value)) return false;
  const { value: number } = value;
  return typeof number === 'bigint' || (typeof number === 'number' && (!Number.isFinite(number) || Object.is(number, -0)));
}

/** Integers stay literals where they can. The sign stays an operator, so that parentheses stand where they stood. */
function asPrinted(node: Lit): SqlExpression {
  if (typeof node.value === 'bigint' && Number.isSafeInteger(Number(node.value))) return { kind: 'lit', value: Number(node.value) };
  const text = printExpr(node, '');
  return text.startsWith('-') ? { kind: 'prefix', operator: '-', operand: { kind: 'raw', text: text.slice(1) } } : { kind: 'raw', text };
}
