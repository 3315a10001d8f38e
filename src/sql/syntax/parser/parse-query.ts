// Reads queries: WITH, set operations, ORDER BY, LIMIT and the pipe operators behind them.
import type { Expr, Query, QueryBody } from '../ast.ts';
import { parseQueryInParentheses, parseWith } from './parse-cte.ts';
import { parseJoins } from './parse-join.ts';
import { parseOrderBy } from './parse-order.ts';
import { parsePipes } from './parse-pipe.ts';
import { parseSelect } from './parse-select.ts';
import { parseSetOperations } from './parse-set-operation.ts';
import { type Parser, parseExpression } from './parser.ts';

export function parseQuery(s: Parser): Query {
  const { start } = s.token;
  const withClause = s.is('WITH') ? parseWith(s) : { recursive: false, ctes: [] };
  return finishQuery(s, start, withClause, parseQueryPrimary(s));
}

export function continueQuery(s: Parser, start: number, first: Query): Query {
  return finishQuery(s, start, { recursive: false, ctes: [] }, first);
}

function finishQuery(s: Parser, start: number, withClause: Pick<Query, 'recursive' | 'ctes'>, first: QueryBody): Query {
  // FROM as a query takes neither set operations nor ORDER BY; those are pipe operators there.
  const plain = first.kind !== 'from';
  const body = plain ? parseSetOperations(s, start, first) : first;
  const orderBy = plain ? parseOrderBy(s) : [];
  const { limit, offset } = plain ? parseLimit(s) : { limit: null, offset: null };
  const pipes = s.is('|>') ? parsePipes(s) : [];
  const bare = withClause.ctes.length === 0 && orderBy.length === 0 && limit === null && pipes.length === 0;
  if (bare && body.kind === 'query') return body;
  return { kind: 'query', ...withClause, body, orderBy, limit, offset, pipes, span: s.span(start) };
}

/** Reads SELECT, FROM or a query in parentheses. */
function parseQueryPrimary(s: Parser): QueryBody {
  if (s.is('SELECT')) return parseSelect(s);
  if (s.is('(')) return parseQueryInParentheses(s);
  if (!s.is('FROM')) s.fail('a query');
  const { start } = s.token;
  s.advance();
  const from = parseJoins(s);
  return { kind: 'from', from, span: s.span(start) };
}

/** Reads `LIMIT n [OFFSET m]`, or nothing. */
function parseLimit(s: Parser): { limit: Expr | null; offset: Expr | null } {
  if (!s.take('LIMIT')) return { limit: null, offset: null };
  const limit = parseExpression(s);
  if (s.is(',')) s.fail('OFFSET or the end of the query', 'BigQuery writes LIMIT count OFFSET skipped');
  const offset = s.take('OFFSET') ? parseExpression(s) : null;
  return { limit, offset };
}
