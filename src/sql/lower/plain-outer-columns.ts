// What correlated subqueries read of the rows around them. ClickHouse joins a subquery's rows to those around it on that, and takes it from columns
// only: a path of a record, read in the same SELECT, it does not find in some places and cannot compare in others.

import { isDecorrelated } from '../logical/decorrelated.ts';
import { freeColumns } from '../logical/free-columns.ts';
import type { Expr } from '../logical/resolved.ts';
import { contains } from '../logical/rewrite.ts';
import type { Ch } from '../target/ast.ts';
import { type Block, wrap } from './block.ts';
import type { Environment, Lowering } from './lowering.ts';

/** The block, as a subquery where `exprs` have correlated subqueries that read values which it computes. */
export function withPlainColumns(
  block: Block,
  exprs: readonly Expr[],
  wanted: ReadonlySet<number>,
  outer: Environment | null,
  l: Lowering,
): Block {
  if (outer !== null) return block;
  const named = new Set(block.named.map((n) => n.name));
  const isPlain = (value: Ch): boolean =>
    value.kind === 'ident' && value.parts.length <= 2 && !(value.parts.length === 1 && named.has(value.parts[0] ?? ''));
  const readsComputed = (expr: Expr): boolean =>
    isDecorrelated(expr) &&
    [...freeColumns(expr.input).keys()].some((id) => {
      const shown = block.shown.get(id);
      return shown !== undefined && !isPlain(shown.value);
    });
  return exprs.some((expr) => contains(expr, readsComputed)) ? wrap(block, wanted, l) : block;
}
