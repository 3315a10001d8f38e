// Reads what may follow an operand at the level of comparisons: = < LIKE IN BETWEEN IS, with NOT.
import { positionOf } from '../../base/positional.ts';
import type { BinaryOperator, Expr, Membership } from '../ast.ts';
import { parseParenthesised } from './parse-parenthesised.ts';
import { type Parser, parseArithmetic, parseExpression } from './parser.ts';

const OPERATORS: Readonly<Record<string, BinaryOperator>> = {
  '=': '=',
  '<>': '<>',
  '!=': '<>',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
};

const WORDS: ReadonlySet<string> = new Set(['LIKE', 'IN', 'BETWEEN']);

export function isComparison(s: Parser): boolean {
  const { text } = s.token;
  return text in OPERATORS || text === 'IS' || WORDS.has(text === 'NOT' ? s.peek().text : text);
}

/** Reads the comparison of `left`, begun at `start`; the current token begins one. */
export function parseComparison(s: Parser, start: number, left: Expr): Expr {
  const operator = OPERATORS[s.token.text];
  if (operator !== undefined) {
    s.advance();
    const right = parseArithmetic(s);
    return { kind: 'binary', operator, left, right, span: s.span(start) };
  }
  if (s.take('IS')) return parseIs(s, start, left);
  const not = s.take('NOT');
  if (s.take('IN')) {
    const membership = parseInList(s);
    return { kind: 'in', operand: left, in: membership, not, span: s.span(start) };
  }
  if (s.take('LIKE')) return parseLike(s, start, left, not);
  s.expect('BETWEEN');
  const low = parseArithmetic(s);
  s.expect('AND');
  const high = parseArithmetic(s);
  return { kind: 'between', operand: left, low, high, not, span: s.span(start) };
}

function parseIs(s: Parser, start: number, operand: Expr): Expr {
  const not = s.take('NOT');
  if (s.take('DISTINCT')) {
    s.expect('FROM');
    const right = parseArithmetic(s);
    return { kind: 'is_distinct', left: operand, right, not, span: s.span(start) };
  }
  const test = s.token.text;
  if (test !== 'NULL' && test !== 'TRUE' && test !== 'FALSE' && test !== 'UNKNOWN') s.fail('NULL, TRUE, FALSE, UNKNOWN or DISTINCT FROM');
  s.advance();
  return { kind: 'is_test', operand, test, not, span: s.span(start) };
}

function parseLike(s: Parser, start: number, operand: Expr, not: boolean): Expr {
  const quantifier = s.takeFirst('ALL', 'ANY', 'SOME');
  if (quantifier === null) {
    const pattern = parseArithmetic(s);
    return { kind: 'like', operand, pattern, not, span: s.span(start) };
  }
  const patterns = parseMembership(s);
  return { kind: 'quantified_like', operand, quantifier: quantifier === 'ALL' ? 'ALL' : 'ANY', patterns, not, span: s.span(start) };
}

function parseInList(s: Parser): Membership {
  if (s.token.kind === 'parameter')
    s.fail(
      '"(" or UNNEST',
      `for an array parameter write IN UNNEST(${positionOf(s.token.value) === undefined ? `@${s.token.value}` : '?'})`,
    );
  return parseMembership(s);
}

/** Reads `(a, b)`, `(SELECT …)` or `UNNEST(array)`. */
function parseMembership(s: Parser): Membership {
  if (s.take('UNNEST')) {
    s.expect('(');
    const array = parseExpression(s);
    s.expect(')');
    return { kind: 'unnest', array };
  }
  if (!s.is('(')) s.fail('"(" or UNNEST');
  const inside = parseParenthesised(s);
  return inside.kind === 'query' ? { kind: 'in_query', query: inside } : { kind: 'list', items: inside.items };
}
