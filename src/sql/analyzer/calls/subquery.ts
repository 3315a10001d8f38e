// Subqueries as expressions: one value, an array, or EXISTS.

import { fail } from '../../base/fail.ts';
import { arrayOf, BOOL, STRING, type Type } from '../../base/types.ts';
import type { Expr } from '../../logical/nodes.ts';
import type * as ast from '../../syntax/ast.ts';
import { analyzeQuery } from '../analyze.ts';
import { type Context, inSubquery } from '../context.ts';
import { refuseRecordElements } from '../names/record-values.ts';

export function analyzeSubquery({ mode, query, span }: ast.SubqueryExpr, context: Context): Expr {
  const { rel, outputs } = analyzeQuery(query, inSubquery(context));
  const column = outputs[0]?.column;
  if (column === undefined) return fail('type', span, 'the subquery returns no columns');
  if (mode === 'exists') return { kind: 'subquery', mode, input: rel, column, needle: null, type: BOOL, span };
  if (outputs.length !== 1) {
    return fail(
      'type',
      span,
      `the subquery returns ${outputs.length} columns where one value is expected`,
      'select one column, or SELECT AS STRUCT …',
    );
  }
  const settled: Type = column.type.kind === 'DYNAMIC' ? STRING : column.type;
  if (mode === 'array' && settled.kind === 'ARRAY') fail('type', span, 'an array can’t hold arrays', 'wrap the inner arrays in STRUCT(…)');
  if (mode === 'array') refuseRecordElements(settled, span);
  return { kind: 'subquery', mode, input: rel, column, needle: null, type: mode === 'array' ? arrayOf(settled) : settled, span };
}
