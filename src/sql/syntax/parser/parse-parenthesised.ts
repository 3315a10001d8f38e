// Reads parentheses in the place of an expression: a subquery, an expression, or several. One look ahead is not enough to tell
// `((SELECT 1) UNION ALL …)` from `((SELECT 1) + 1)`, so the inner parentheses are read first, and the tokens behind them decide.
import type { Expr, Query, SubqueryExpr } from '../ast.ts';
import { queryContinues, startsQuery } from './lookahead.ts';
import { closeList, continueList } from './parse-name.ts';
import { continueExpression, continueQuery, type Parser, parseExpression, parseQuery } from './parser.ts';

/** One expression or several. */
interface ExpressionList {
  readonly kind: 'list';
  readonly items: readonly Expr[];
}

/** Reads from `(` to its `)`. */
export function parseParenthesised(s: Parser): Query | ExpressionList {
  s.expect('(');
  if (startsQuery(s)) return closed(s, parseQuery(s));
  return s.is('(') ? parseNested(s) : parseExpressions(s);
}

/** Reads items after `(` up to and including `)`; the first is already read. */
function parseRestOfList(s: Parser, first: Expr): Expr[] {
  const items = continueList(s, first, parseExpression);
  closeList(s);
  return items;
}

function parseExpressions(s: Parser): ExpressionList {
  if (s.is(')')) s.fail('an expression or a subquery');
  return { kind: 'list', items: parseRestOfList(s, parseExpression(s)) };
}

function parseNested(s: Parser): Query | ExpressionList {
  const { start } = s.token;
  s.enter();
  const inner = parseParenthesised(s);
  s.leave();
  if (inner.kind === 'query' && queryContinues(s)) return closed(s, continueQuery(s, start, inner));
  if (inner.kind === 'query' && s.take(')')) return inner;
  const first = continueExpression(s, start, toExpression(s, start, inner));
  return { kind: 'list', items: parseRestOfList(s, first) };
}

function closed(s: Parser, query: Query): Query {
  if (!s.take(')')) s.fail('")"');
  return query;
}

/** Returns the parentheses begun at `start` as an expression: a scalar subquery, the expression itself, or a struct. */
export function toExpression(s: Parser, start: number, inside: Query | ExpressionList): Expr {
  if (inside.kind === 'query') return { kind: 'subquery', mode: 'scalar', query: inside, span: s.span(start) };
  const [only] = inside.items;
  if (only !== undefined && inside.items.length === 1) return only;
  return { kind: 'struct', type: null, fields: inside.items.map((value) => ({ value, name: null })), span: s.span(start) };
}

/** Reads `(query)` after ARRAY or EXISTS, which began at `start`. */
export function parseSubquery(s: Parser, start: number, mode: SubqueryExpr['mode']): SubqueryExpr {
  const inside = s.is('(') ? parseParenthesised(s) : s.fail('"(" and a subquery');
  if (inside.kind !== 'query') {
    const hint = mode === 'array' ? 'write ARRAY(SELECT …), or [a, b] for a list of values' : 'write EXISTS(SELECT …)';
    throw s.error(`${mode.toUpperCase()} takes a subquery in its parentheses`, hint, s.span(start));
  }
  return { kind: 'subquery', mode, query: inside, span: s.span(start) };
}
