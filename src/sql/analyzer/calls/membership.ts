// IN and quantified LIKE: over lists, arrays and subqueries.

import { fail } from '../../base/fail.ts';
import { BOOL, sameType } from '../../base/types.ts';
import type { Expr } from '../../logical/nodes.ts';
import type * as ast from '../../syntax/ast.ts';
import { LONGEST_LEFT_DEEP_CHAIN } from '../../syntax/precedence.ts';
import { analyzeExpr, analyzeQuery } from '../analyze.ts';
import { refuseUncompared } from '../clauses/keys.ts';
import { type Context, inSubquery } from '../context.ts';
import { columnRef } from '../names/scope.ts';
import { createProjection } from '../projection.ts';
import { callFunction } from './call-function.ts';
import { coerce, resolveDynamic, unify } from './coerce.ts';
import { analyzeSubquery } from './subquery.ts';

export function analyzeMembership(node: ast.InTest, context: Context): Expr {
  const needle = analyzeExpr(node.operand, context);
  const test = membership(needle, node.in, node.span, context);
  return node.not ? callFunction('$not', [test], node.span) : test;
}

function membership(needle: Expr, where: ast.Membership, span: Expr['span'], context: Context): Expr {
  switch (where.kind) {
    case 'list':
      return callFunction('$in_list', [needle, ...where.items.map((e) => analyzeExpr(e, context))], span);
    case 'unnest':
      return inArray(needle, analyzeExpr(where.array, context), span);
    case 'in_query': {
      const query = analyzeQuery(where.query, inSubquery(context));
      const column = query.outputs[0]?.column;
      if (column === undefined || query.outputs.length !== 1)
        return fail('type', span, `the subquery of IN returns ${query.outputs.length} columns`, 'select exactly one');
      const { type, exprs } = unify([resolveDynamic(needle), { kind: 'instant', type: column.type, span }], 'the two sides of IN');
      refuseUncompared(exprs);
      if (column.type.kind === 'INTERVAL')
        return fail('unsupported', span, 'IN over a subquery of INTERVALs is not supported', 'write EXISTS with a comparison');
      const test = { kind: 'subquery', mode: 'in', needle: exprs[0] ?? needle, type: BOOL, span } as const;
      if (column.type.kind === 'DYNAMIC' || sameType(column.type, type)) return { ...test, input: query.rel, column };
      // ClickHouse would convert the left side to the rows' type: 0.5 would be in a set of integers that has 0.
      const projection = createProjection(context.analysis);
      const converted = projection.add(column.name, coerce(columnRef(column, span), type, 'the two sides of IN'));
      return { ...test, input: projection.finish(query.rel), column: converted };
    }
  }
}

/** Tests the elements of an array; one that is written out is a list. */
function inArray(needle: Expr, array: Expr, span: Expr['span']): Expr {
  const listed = array.kind === 'array' && array.elements.length > 0 && array.elements.every((e) => sameType(e.type, needle.type));
  return listed ? callFunction('$in_list', [needle, ...array.elements], span) : callFunction('$in_array', [needle, array], span);
}

/** Analyzes `x LIKE ANY (a, b)` as `x LIKE a OR x LIKE b`, and ALL likewise with AND. */
export function analyzeQuantifiedLike(node: ast.QuantifiedLike, context: Context): Expr {
  const { operand, quantifier, patterns, not, span } = node;
  const value = analyzeExpr(operand, context);
  if (patterns.kind !== 'list') {
    const array =
      patterns.kind === 'unnest'
        ? analyzeExpr(patterns.array, context)
        : analyzeSubquery({ kind: 'subquery', mode: 'array', query: patterns.query, span }, context);
    return callFunction(`$${not ? 'unlike' : 'like'}_${quantifier.toLowerCase()}`, [value, array], span);
  }
  const tests = patterns.items.map((p) => {
    const like = callFunction('$like', [value, analyzeExpr(p, context)], p.span);
    return not ? callFunction('$not', [like], p.span) : like;
  });
  if (tests.length === 0) return fail('type', span, 'LIKE needs at least one pattern');
  return coerce(joined(quantifier === 'ANY' ? '$or' : '$and', tests, span), BOOL, 'LIKE');
}

/** Joins the tests; many become a balanced tree, so that hundreds of patterns are no deeper than a few. */
function joined(operator: '$or' | '$and', tests: readonly Expr[], span: Expr['span']): Expr {
  if (tests.length <= LONGEST_LEFT_DEEP_CHAIN) return tests.reduce((all, test) => callFunction(operator, [all, test], span));
  const middle = tests.length >>> 1;
  return callFunction(operator, [joined(operator, tests.slice(0, middle), span), joined(operator, tests.slice(middle), span)], span);
}
