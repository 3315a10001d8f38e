// A variable of DECLARE: its name stands for an expression wherever it is read.
import { fail } from '../../base/fail.ts';
import { foldExpr } from '../../functions/fold.ts';
import type { Expr, Literal } from '../../logical/nodes.ts';
import { isVolatile } from '../../logical/volatile.ts';
import { hasSubquery, rewriteExpr, visit } from '../../logical/walk.ts';
import type { Variable } from '../names/scope.ts';

/** The most expressions that one variable may stand for: `SET x = x + x` grows without end otherwise. */
const MAX_SIZE = 10_000;
/** The most characters of a value, as in BigQuery. https://cloud.google.com/bigquery/docs/reference/standard-sql/procedural-language#declare */
const MAX_TEXT = 1_000_000;

/**
 * Returns the variable with the value that `make` returns. A value that reads tables is made again for each place that reads it, for every relation has
 * columns of its own.
 */
export function variableOf(name: string, make: () => Expr): Variable {
  const value = valueFor(name, make());
  return { type: value.type, value: hasSubquery(value) ? () => valueFor(name, make()) : () => value };
}

function valueFor(name: string, assigned: Expr): Expr {
  let size = 0;
  visit({ assigned }, (e) => {
    size++;
    if (e.kind === 'call' && isVolatile(e))
      fail(
        'unsupported',
        e.span,
        `the value of ${name} must be known before the query runs, and ${e.fn.name} gives a new one at each call`,
        `write ${e.fn.name}() where it is needed, or give the value as a parameter @${name}`,
      );
  });
  const value = rewriteExpr(assigned, foldExpr);
  const tooLong = value.kind === 'literal' && typeof value.value === 'string' && value.value.length > MAX_TEXT;
  if (size > MAX_SIZE || tooLong)
    fail('too-complex', assigned.span, `the value of ${name} is too large`, 'write the expression in the query, in a WITH table');
  return rewriteExpr(value, (e) => (e.kind === 'literal' ? typed(e) : e));
}

/** Fixes the type of the literal: unlike one in the query, it takes no other. */
const typed = ({ text: _, ...literal }: Literal): Literal => ({ ...literal, typed: true });
