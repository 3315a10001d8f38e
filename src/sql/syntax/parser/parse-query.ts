// Reads queries: WITH, set operations, ORDER BY, LIMIT and the pipe operators behind them.
import type { Cte, Expr, Query, QueryBody } from '../ast.ts';
import type { TokenStream } from '../lexer/token-stream.ts';
import { parseExpression } from './parse-expression.ts';
import { parseFrom } from './parse-from.ts';
import { parseName, parseNameList } from './parse-name.ts';
import { parseOrderBy } from './parse-order.ts';
import { parsePipes } from './parse-pipe.ts';
import { parseSelect } from './parse-select.ts';
import { parseSetOperations, seesSetOperator } from './parse-set-operation.ts';

/** Whether a query begins here, leading parentheses aside; `WITH(` is an expression. */
export function startsQuery(s: TokenStream): boolean {
  return s.is('SELECT') || s.is('FROM') || (s.is('WITH') && s.peek().text !== '(');
}

/** Whether what follows a query in parentheses makes it part of a larger query. */
export function queryContinues(s: TokenStream): boolean {
  return seesSetOperator(s) || s.is('ORDER') || s.is('LIMIT') || s.is('|>');
}

export function parseQuery(s: TokenStream): Query {
  const { start } = s.token;
  const withClause = s.is('WITH') ? parseWith(s) : { recursive: false, ctes: [] };
  return finishQuery(s, start, withClause, parseQueryPrimary(s));
}

/** The rest of a query that begins at `start` with `first`, a query in parentheses. */
export function continueQuery(s: TokenStream, start: number, first: Query): Query {
  return finishQuery(s, start, { recursive: false, ctes: [] }, first);
}

function finishQuery(s: TokenStream, start: number, withClause: Pick<Query, 'recursive' | 'ctes'>, first: QueryBody): Query {
  // The pipe syntax's FROM takes neither set operations nor ORDER BY; those are pipe operators there.
  const plain = first.kind !== 'from';
  const body = plain ? parseSetOperations(s, start, first) : first;
  const orderBy = plain ? parseOrderBy(s) : [];
  const { limit, offset } = plain ? parseLimit(s) : { limit: null, offset: null };
  const pipes = parsePipes(s);
  const bare = withClause.ctes.length === 0 && orderBy.length === 0 && limit === null && pipes.length === 0;
  if (bare && body.kind === 'query') return body;
  return { kind: 'query', ...withClause, body, orderBy, limit, offset, pipes, span: s.span(start) };
}

/** SELECT, FROM or a query in parentheses. */
function parseQueryPrimary(s: TokenStream): QueryBody {
  if (s.is('SELECT')) return parseSelect(s);
  if (s.is('(')) return parseQueryInParentheses(s);
  if (!s.is('FROM')) s.fail('a query');
  const { start } = s.token;
  s.advance();
  const from = parseFrom(s);
  return { kind: 'from', from, span: s.span(start) };
}

export function parseQueryInParentheses(s: TokenStream): Query {
  s.expect('(');
  s.enter();
  const query = parseQuery(s);
  s.leave();
  if (!s.take(')')) s.fail('")"');
  return query;
}

function parseWith(s: TokenStream): Pick<Query, 'recursive' | 'ctes'> {
  s.expect('WITH');
  const recursive = s.take('RECURSIVE');
  const ctes = [parseCte(s)];
  while (s.take(',')) {
    if (startsQuery(s)) s.fail('the name of a subquery', 'remove the comma before it');
    ctes.push(parseCte(s));
  }
  if (!startsQuery(s) && !s.is('(')) s.fail('"," or SELECT');
  return { recursive, ctes };
}

export function parseCte(s: TokenStream): Cte {
  const { start } = s.token;
  const name = parseName(s, 'the name of a subquery');
  const columns = s.is('(') ? parseNameList(s) : [];
  s.expect('AS');
  if (!s.is('(')) s.fail('"(" and a subquery');
  const query = parseQueryInParentheses(s);
  return { kind: 'cte', name, columns, query, span: s.span(start) };
}

/** `LIMIT n [OFFSET m]`, or nothing. */
function parseLimit(s: TokenStream): { limit: Expr | null; offset: Expr | null } {
  if (!s.take('LIMIT')) return { limit: null, offset: null };
  const limit = parseExpression(s);
  if (s.is(',')) s.fail('OFFSET or the end of the query', 'BigQuery writes LIMIT count OFFSET skipped');
  const offset = s.take('OFFSET') ? parseExpression(s) : null;
  return { limit, offset };
}
