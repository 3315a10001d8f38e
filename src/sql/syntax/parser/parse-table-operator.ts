// Reads the operators on a table in FROM: PIVOT, UNPIVOT, TABLESAMPLE.
import type { Expr, Identifier, Path, Pivot, PivotColumn, TableOperator, TableSample, Unpivot } from '../ast.ts';
import { startsTableOperator } from './lookahead.ts';
import { closeList, parseAlias, parseList, parseName, parseNameAfterDot, parseNameList, parseParenthesisedList } from './parse-name.ts';
import { type Parser, parseArithmetic, parseExpression } from './parser.ts';

/** Reads all operators that follow, or none. */
export function parseTableOperators(s: Parser): TableOperator[] {
  const operators: TableOperator[] = [];
  while (startsTableOperator(s)) operators.push(parseTableOperator(s));
  return operators;
}

/** Reads one operator; the current token begins it. */
export function parseTableOperator(s: Parser): TableOperator {
  if (s.is('PIVOT')) return parsePivot(s);
  return s.is('UNPIVOT') ? parseUnpivot(s) : parseTableSample(s);
}

function parseOperatorAlias(s: Parser): Identifier | null {
  return startsTableOperator(s) ? null : parseAlias(s);
}

function parsePivot(s: Parser): Pivot {
  const { start } = s.token;
  s.expect('PIVOT', '(');
  const aggregates = parseList(s, (stream) => ({ call: parseExpression(stream), alias: parseAlias(stream) }));
  if (!s.take('FOR')) s.fail('"," or FOR');
  const input = parseArithmetic(s);
  s.expect('IN');
  if (s.sees('(', 'SELECT')) throw s.unsupported('PIVOT takes a list of values, not a subquery', 'write the values out: IN (1, 2)');
  const columns = parseParenthesisedList(s, (stream): PivotColumn => ({ value: parseExpression(stream), alias: parseAlias(stream) }));
  s.expect(')');
  const alias = parseOperatorAlias(s);
  return { kind: 'pivot', aggregates, input, columns, alias, span: s.span(start) };
}

function parseUnpivot(s: Parser): Unpivot {
  const { start } = s.token;
  s.expect('UNPIVOT');
  const includeNulls = s.take('INCLUDE');
  if (includeNulls || s.take('EXCLUDE')) s.expect('NULLS');
  s.expect('(');
  const values = s.is('(') ? parseNameList(s) : [parseName(s, 'a column name')];
  s.expect('FOR');
  const name = parseName(s, 'a column name');
  s.expect('IN');
  const columns = parseParenthesisedList(s, parseUnpivotColumns);
  s.expect(')');
  const alias = parseOperatorAlias(s);
  return { kind: 'unpivot', includeNulls, values, name, columns, alias, span: s.span(start) };
}

function parseUnpivotColumns(s: Parser): Unpivot['columns'][number] {
  const columns = s.is('(') ? parseParenthesisedList(s, parseColumnPath) : [parseColumnPath(s)];
  const label = s.take('AS') ? parseLabel(s) : null;
  return { columns, label };
}

function parseLabel(s: Parser): Expr {
  if (s.token.kind !== 'string' && s.token.kind !== 'int') s.fail('a string or a whole number');
  return parseExpression(s);
}

function parseColumnPath(s: Parser): Path {
  const { start } = s.token;
  const parts = [parseName(s, 'a column name')];
  while (s.take('.')) parts.push(parseNameAfterDot(s));
  return { kind: 'path', parts, span: s.span(start) };
}

function parseTableSample(s: Parser): TableSample {
  const { start } = s.token;
  s.expect('TABLESAMPLE', 'SYSTEM', '(');
  const percent = parseExpression(s);
  s.expect('PERCENT');
  closeList(s);
  return { kind: 'tablesample', percent, span: s.span(start) };
}
