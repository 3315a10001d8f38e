// Reads WITH, and queries in parentheses.
import type { Cte, Query } from '../ast.ts';
import { startsQuery } from './lookahead.ts';
import { parseName, parseNameList } from './parse-name.ts';
import { type Parser, parseQuery } from './parser.ts';

export function parseQueryInParentheses(s: Parser): Query {
  s.expect('(');
  s.enter();
  const query = parseQuery(s);
  s.leave();
  if (!s.take(')')) s.fail('")"');
  return query;
}

export function parseWith(s: Parser): Pick<Query, 'recursive' | 'ctes'> {
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

export function parseCte(s: Parser): Cte {
  const { start } = s.token;
  const name = parseName(s, 'the name of a subquery');
  const columns = s.is('(') ? parseNameList(s) : [];
  s.expect('AS');
  if (!s.is('(')) s.fail('"(" and a subquery');
  const query = parseQueryInParentheses(s);
  return { kind: 'cte', name, columns, query, span: s.span(start) };
}
