// Reads the tables of FROM: names, UNNEST, subqueries, parenthesised joins.
import type { Identifier, Query, TableCall, TableExpr, TableName, TableOperator, TableSubquery, Unnest, WithOffset } from '../ast.ts';
import { queryContinues, startsQuery, startsTableOperator } from './lookahead.ts';
import { continueJoins, parseJoins } from './parse-join.ts';
import { isName, parseName, parseTablePath, takeName } from './parse-name.ts';
import { parseTableCall } from './parse-table-call.ts';
import { parseTableOperators } from './parse-table-operator.ts';
import { continueQuery, type Parser, parseExpression, parseQuery } from './parser.ts';

export function parseTable(s: Parser): TableExpr {
  const { start } = s.token;
  if (s.is('(')) return finishParenthesised(s, start, parseTableParentheses(s));
  if (s.is('UNNEST')) return parseUnnest(s);
  if (s.is('LATERAL')) throw s.unsupported('LATERAL is not in BigQuery', 'a subquery in SELECT may use the columns of the tables in FROM');
  return parseTableName(s);
}

/** Reads `AS name` or a name alone, which must not begin PIVOT or UNPIVOT. */
function parseTableAlias(s: Parser): Identifier | null {
  if (s.take('AS')) return parseName(s, 'a name');
  return isName(s.token) && !startsTableOperator(s) ? takeName(s) : null;
}

function parseTableName(s: Parser): TableName | TableCall {
  const { start } = s.token;
  const parts = parseTablePath(s);
  if (s.is('('))
    return { ...parseTableCall(s, start, parts), alias: parseTableAlias(s), operators: tableOperators(s), span: s.span(start) };
  const alias = parseTableAlias(s);
  const withOffset = parseWithOffset(s);
  const forSystemTime = parseSystemTime(s);
  const operators = tableOperators(s);
  return { kind: 'table_name', parts, alias, withOffset, forSystemTime, operators, span: s.span(start) };
}

function parseSystemTime(s: Parser): TableName['forSystemTime'] {
  if (!s.is('FOR')) return null;
  s.advance();
  if (!s.take('SYSTEM_TIME')) s.expect('SYSTEM', 'TIME');
  s.expect('AS', 'OF');
  return parseExpression(s);
}

function parseUnnest(s: Parser): Unnest {
  const { start } = s.token;
  s.expect('UNNEST', '(');
  const array = parseExpression(s);
  if (s.is(','))
    throw s.unsupported(
      'UNNEST of several arrays at once is not translated',
      'unnest one WITH OFFSET and index the others with the offset',
    );
  const inner = s.is('AS') ? parseTableAlias(s) : null;
  s.expect(')');
  const alias = inner ?? parseTableAlias(s);
  const withOffset = parseWithOffset(s);
  const operators = tableOperators(s);
  return { kind: 'unnest', array, alias, withOffset, operators, span: s.span(start) };
}

function parseWithOffset(s: Parser): WithOffset | null {
  const { start } = s.token;
  if (!s.takeAll('WITH', 'OFFSET')) return null;
  const alias = parseTableAlias(s);
  return { kind: 'with_offset', alias, span: s.span(start) };
}

/**
 * Reads from `(` to its `)`: a subquery or a join. As in expressions, inner parentheses are read first, and the tokens behind them decide:
 * `((SELECT 1) UNION ALL …)` or `((SELECT 1) AS a JOIN b …)`.
 */
function parseTableParentheses(s: Parser): Query | TableExpr {
  s.enter();
  s.expect('(');
  const inside = parseInside(s);
  if (!s.take(')')) s.fail(inside.kind === 'query' ? '")"' : 'a join or ")"');
  s.leave();
  return inside;
}

function parseInside(s: Parser): Query | TableExpr {
  if (startsQuery(s)) return parseQuery(s);
  if (!s.is('(')) return parseJoins(s);
  const { start } = s.token;
  const inner = parseTableParentheses(s);
  if (inner.kind === 'query' && queryContinues(s)) return continueQuery(s, start, inner);
  if (inner.kind === 'query' && s.is(')')) return inner;
  return continueJoins(s, start, finishParenthesised(s, start, inner));
}

/** Returns a subquery with its alias, or a parenthesised join; the parentheses began at `start`. */
function finishParenthesised(s: Parser, start: number, inside: Query | TableExpr): TableExpr {
  if (inside.kind !== 'query') {
    const operators = tableOperators(s);
    return { kind: 'parenthesised_join', join: inside, operators, span: s.span(start) };
  }
  const alias = parseTableAlias(s);
  const operators = tableOperators(s);
  const subquery: TableSubquery = { kind: 'table_subquery', query: inside, alias, operators, span: s.span(start) };
  return subquery;
}

const tableOperators = (s: Parser): TableOperator[] => (startsTableOperator(s) ? parseTableOperators(s) : []);
