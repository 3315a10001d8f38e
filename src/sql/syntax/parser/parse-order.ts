// Reads ORDER BY.
import type { OrderItem } from '../ast.ts';
import { parseList } from './parse-name.ts';
import { type Parser, parseExpression } from './parser.ts';

/** Reads the items of ORDER BY, or none if it does not follow. */
export function parseOrderBy(s: Parser): OrderItem[] {
  if (!s.take('ORDER')) return [];
  s.expect('BY');
  return parseList(s, parseOrderItem);
}

export function parseOrderItem(s: Parser): OrderItem {
  const { start } = s.token;
  const value = parseExpression(s);
  const collate = s.take('COLLATE') ? parseExpression(s) : null;
  return { kind: 'order_item', value, ...parseDirection(s), collate, span: s.span(start) };
}

/** True if `ASC`, `DESC` or `NULLS` follows. */
export function startsDirection(s: Parser): boolean {
  return s.is('ASC') || s.is('DESC') || s.is('NULLS');
}

export function parseDirection(s: Parser): Pick<OrderItem, 'descending' | 'nulls'> {
  const descending = s.take('DESC');
  if (!descending) s.take('ASC');
  if (!s.take('NULLS')) return { descending, nulls: null };
  return { descending, nulls: s.takeFirst('FIRST', 'LAST') ?? s.fail('FIRST or LAST') };
}
