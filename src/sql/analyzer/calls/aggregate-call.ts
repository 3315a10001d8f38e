// Aggregate calls and their modifiers.
import type { Span } from '../../../base/source-text.ts';
import { fail } from '../../base/fail.ts';
import { INT64, type Type } from '../../base/types.ts';
import type { AggregateDefinition } from '../../logical/function.ts';
import type { AggregateCall, Expr } from '../../logical/nodes.ts';
import type * as ast from '../../syntax/ast.ts';
import { analyzeExpr } from '../analyze.ts';
import { groupable, orderable } from '../clauses/keys.ts';
import { analyzeOrderItems } from '../clauses/order-limit.ts';
import type { Context } from '../context.ts';
import { matched } from './arguments.ts';
import { coerce, resolveDynamic } from './coerce.ts';

/** Returns what the arguments of an aggregate are analyzed in. */
export function insideAggregate(name: string, context: Context): Context {
  // Aliases of the SELECT list hide columns in HAVING and ORDER BY, but not inside an aggregate: MAX(x) AS x … HAVING MAX(x) > 1.
  const scope = context.scope.aliases === true && context.scope.parent !== null ? context.scope.parent : context.scope;
  return { ...context, scope, noAggregates: `the arguments of ${name}`, noWindows: `the arguments of ${name}` };
}

/** Throws QuernError `type` where there can be no aggregate. */
export function refuseAggregate(name: string, { noAggregates: place }: Context, span: Span): void {
  if (place !== null)
    fail(
      'type',
      span,
      `${name} is an aggregate function and can’t be used in ${place}`,
      place === 'WHERE' ? 'filter groups with HAVING' : undefined,
    );
}

/** Analyzes the parts of an aggregate call, also of one that is `windowed`: its arguments may then be aggregates. */
export function analyzeAggregateParts(node: ast.Call, fn: AggregateDefinition, context: Context, { windowed = false } = {}): AggregateCall {
  const { name } = fn;
  const inside = insideAggregate(name, context);
  const inner: Context = windowed ? { ...inside, noAggregates: context.noAggregates } : inside;
  if (node.distinct && !fn.takes.distinct) fail('type', node.span, `${name} does not take DISTINCT`);
  if (node.nulls !== null && !fn.takes.nulls) fail('type', node.span, `${name} does not take ${node.nulls} NULLS`);
  if (node.orderBy.length > 0 && !fn.takes.orderBy) fail('type', node.span, `${name} does not take ORDER BY`);
  if (node.limit !== null && !fn.takes.limit) fail('type', node.span, `${name} does not take LIMIT`);
  const parts = node.star ? starArgs(node, name) : matched(node, fn, inner);
  const [value] = parts.args;
  if (node.distinct && value !== null && value !== undefined) groupable(value, 'DISTINCT');
  return {
    fn,
    args: parts.args,
    distinct: node.distinct,
    nulls: node.nulls,
    having:
      node.having === null ? null : { which: node.having.which, value: orderable(resolveDynamic(analyzeExpr(node.having.value, inner))) },
    orderBy: analyzeOrderItems(node.orderBy, inner),
    limit: node.limit === null ? null : coerce(analyzeExpr(node.limit, inner), INT64, `LIMIT in ${name}`),
    safe: node.safe,
    type: parts.type,
    span: node.span,
  };
}

function starArgs(node: ast.Call, name: string): { args: readonly Expr[]; type: Type } {
  if (name !== 'COUNT') fail('type', node.span, `${name} does not take *`, 'only COUNT(*) does');
  if (node.distinct) fail('type', node.span, 'COUNT(DISTINCT *) is not allowed', 'name the column');
  return { args: [], type: INT64 };
}

export function analyzeAggregateCall(node: ast.Call, fn: AggregateDefinition, context: Context): Expr {
  refuseAggregate(fn.name, context, node.span);
  const call = analyzeAggregateParts(node, fn, context);
  return { kind: 'aggregate', call, type: call.type, span: node.span };
}
