// Reads GROUP BY: expressions, ROLLUP, CUBE, GROUPING SETS, ALL.
import type { Expr, GroupBy, GroupingItem } from '../ast.ts';
import { parseAlias, parseList, parseParenthesisedList } from './parse-name.ts';
import { parseDirection, startsDirection } from './parse-order.ts';
import { type Parser, parseExpression } from './parser.ts';

/** Reads `GROUP BY …`; the current token is GROUP. */
export function parseGroupBy(s: Parser): GroupBy {
  const { start } = s.token;
  s.expect('GROUP', 'BY');
  const all = s.take('ALL');
  const items = all ? [] : parseList(s, parseGroupingItem);
  return { kind: 'group_by', all, items, span: s.span(start) };
}

/** Reads `GROUP [AND ORDER] BY` of the pipe operator AGGREGATE: items with aliases and directions, a comma allowed after the last. */
export function parsePipeGroupBy(s: Parser): { groupBy: GroupBy; orderGroups: boolean } {
  const { start } = s.token;
  s.expect('GROUP');
  const orderGroups = s.takeAll('AND', 'ORDER');
  s.expect('BY');
  const all = s.take('ALL');
  const items = all ? [] : [parsePipeGroupingItem(s)];
  while (!all && s.take(',') && !s.is('|>') && !s.is(')') && !s.is(';') && s.token.kind !== 'end') items.push(parsePipeGroupingItem(s));
  return { groupBy: { kind: 'group_by', all, items, span: s.span(start) }, orderGroups };
}

function parsePipeGroupingItem(s: Parser): GroupingItem {
  const { start } = s.token;
  const item = parseGroupingItem(s);
  if (item.kind !== 'expr') return item;
  const alias = parseAlias(s);
  if (!startsDirection(s)) return { ...item, alias, span: s.span(start) };
  const direction = parseDirection(s);
  const span = s.span(start);
  return { ...item, alias, order: { kind: 'order_item', value: item.value, ...direction, collate: null, span }, span };
}

function parseGroupingItem(s: Parser): GroupingItem {
  const { start } = s.token;
  const word = s.takeFirst('ROLLUP', 'CUBE');
  if (word !== null) {
    const items = parseParenthesisedList(s, parseColumns);
    return { kind: word === 'ROLLUP' ? 'rollup' : 'cube', items, span: s.span(start) };
  }
  if (s.takeAll('GROUPING', 'SETS')) {
    const items = parseParenthesisedList(s, parseGroupingSet);
    return { kind: 'grouping_sets', items, span: s.span(start) };
  }
  if (s.takeAll('(', ')')) return { kind: 'set', items: [], span: s.span(start) };
  return { kind: 'expr', value: parseExpression(s), alias: null, order: null, span: s.span(start) };
}

/** Reads an item of ROLLUP and CUBE: an expression, or `(a, b)` as one step. */
function parseColumns(s: Parser): readonly Expr[] {
  const value = parseExpression(s);
  return tupleItems(s, value) ?? [value];
}

/** Reads an item of GROUPING SETS: an expression, `()`, `(a, b)`, ROLLUP or CUBE. */
function parseGroupingSet(s: Parser): GroupingItem {
  if (s.sees('GROUPING', 'SETS')) {
    throw s.error('GROUPING SETS cannot be inside GROUPING SETS', 'list the inner sets in the outer one');
  }
  const item = parseGroupingItem(s);
  const items = item.kind === 'expr' ? tupleItems(s, item.value) : null;
  return items === null ? item : { kind: 'set', items, span: item.span };
}

/** Returns the parts of `(a, b)`, which lists columns here and makes no struct; STRUCT(a, b) stays one. */
function tupleItems(s: Parser, value: Expr): readonly Expr[] | null {
  if (value.kind !== 'struct' || s.text.charAt(value.span.start) !== '(') return null;
  return value.fields.map((field) => field.value);
}
