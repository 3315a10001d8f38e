// Reads SELECT and its clauses up to WINDOW.

import type { ExprItem, Identifier, Select, SelectItem, StarItem } from '../ast.ts';
import { seesSetOperator } from './lookahead.ts';
import { parseGroupBy } from './parse-group-by.ts';
import { parseJoins } from './parse-join.ts';
import { closeList, isName, missingCommaHint, parseAlias, parseList, parseName, parseNameList } from './parse-name.ts';
import { parseWindowClause } from './parse-window.ts';
import { type Parser, parseExpression } from './parser.ts';
import { meantFrom } from './refuse-statement.ts';

export function parseSelect(s: Parser): Select {
  const { start } = s.token;
  s.enter();
  s.expect('SELECT');
  const head = parseSelectHead(s);
  const items = parseSelectItems(s);
  const from = s.take('FROM') ? parseJoins(s) : null;
  if (from === null && !endsSelectItems(s)) s.fail('"," or FROM', meantFrom(s) ?? missingCommaHint(s));
  const where = s.take('WHERE') ? parseExpression(s) : null;
  const groupBy = s.is('GROUP') ? parseGroupBy(s) : null;
  const having = s.take('HAVING') ? parseExpression(s) : null;
  const qualify = s.take('QUALIFY') ? parseExpression(s) : null;
  const windows = s.is('WINDOW') ? parseWindowClause(s) : [];
  s.leave();
  return { kind: 'select', ...head, items, from, where, groupBy, having, qualify, windows, span: s.span(start) };
}

/** Reads `[ALL | DISTINCT] [AS STRUCT | AS VALUE]`. */
export function parseSelectHead(s: Parser): Pick<Select, 'distinct' | 'as'> {
  if (s.is('WITH') && s.peek().text !== '(') {
    throw s.unsupported('SELECT WITH … is not translated', 'remove the WITH options, or run the query on BigQuery');
  }
  const distinct = s.take('DISTINCT');
  if (distinct && s.is('ON')) s.fail('an expression', 'for one row each, write QUALIFY ROW_NUMBER() OVER (PARTITION BY a ORDER BY b) = 1');
  if (!distinct) s.take('ALL');
  if (!s.take('AS')) return { distinct, as: null };
  return { distinct, as: s.takeFirst('STRUCT', 'VALUE') ?? s.fail('STRUCT or VALUE') };
}

/** Reads one item or more; a comma may follow the last. */
export function parseSelectItems(s: Parser): SelectItem[] {
  const top = s.is('TOP') && s.peek().kind === 'int';
  if (top) throw s.error('BigQuery has no SELECT TOP', `write LIMIT ${s.peek().value} at the end of the query`);
  const items = [parseSelectItem(s)];
  while (s.take(',') && !endsSelectItems(s)) items.push(parseSelectItem(s));
  return items;
}

const AFTER_SELECT_ITEMS: ReadonlySet<string> = new Set([
  'FROM',
  'WHERE',
  'GROUP',
  'HAVING',
  'QUALIFY',
  'WINDOW',
  'ORDER',
  'LIMIT',
  ')',
  ';',
  '|>',
]);

function endsSelectItems(s: Parser): boolean {
  return s.token.kind === 'end' || AFTER_SELECT_ITEMS.has(s.token.text) || seesSetOperator(s);
}

function parseSelectItem(s: Parser): SelectItem {
  const { start } = s.token;
  if (s.take('*')) return finishStar(s, start, null);
  const value = parseExpression(s);
  if (s.sees('.', '*')) {
    s.advance();
    s.advance();
    return finishStar(s, start, value);
  }
  const alias = parseAlias(s);
  return { kind: 'expr_item', value, alias, span: s.span(start) };
}

function finishStar(s: Parser, start: number, of: StarItem['of']): StarItem {
  if (s.is('EXCEPT') && !/^(?:\(|ALL|DISTINCT)$/.test(s.peek().text)) {
    s.advance();
    s.fail('"(", ALL or DISTINCT', 'write the columns to leave out in parentheses: * EXCEPT (a, b)');
  }
  const except = s.sees('EXCEPT', '(') ? parseExcept(s) : [];
  const replace = s.sees('REPLACE', '(') ? parseReplace(s) : [];
  if (s.is('AS') || (isName(s.token) && !endsSelectItems(s)))
    s.fail('"," or FROM', meantFrom(s) ?? 'the columns of * keep their names: to give others, name each column: a AS b');
  return { kind: 'star_item', of, except, replace, span: s.span(start) };
}

function parseExcept(s: Parser): Identifier[] {
  s.expect('EXCEPT');
  return parseNameList(s);
}

function parseReplace(s: Parser): ExprItem[] {
  s.expect('REPLACE', '(');
  const items = parseList(s, (stream): ExprItem => {
    const { start } = stream.token;
    const value = parseExpression(stream);
    stream.expect('AS');
    const alias = parseName(stream, 'a column name');
    return { kind: 'expr_item', value, alias, span: stream.span(start) };
  });
  closeList(s);
  return items;
}
