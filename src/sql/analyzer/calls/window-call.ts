// Window calls: OVER resolved, named windows followed, frames checked.

import { fail } from '../../base/fail.ts';
import { INT64 } from '../../base/types.ts';
import type { AggregateDefinition, WindowDefinition } from '../../logical/function.ts';
import type { Expr, Frame, FrameBound, WindowCall } from '../../logical/nodes.ts';
import type * as ast from '../../syntax/ast.ts';
import { analyzeExpr } from '../analyze.ts';
import { groupable } from '../clauses/keys.ts';
import { analyzeOrderItems } from '../clauses/order-limit.ts';
import type { Context } from '../context.ts';
import { analyzeAggregateParts } from './aggregate-call.ts';
import { matched } from './arguments.ts';
import { coerce, resolveDynamic } from './coerce.ts';

interface Specification {
  readonly partitionBy: readonly ast.Expr[];
  readonly orderBy: readonly ast.OrderItem[];
  readonly frame: ast.WindowRef['frame'];
}

/** Resolves a window that is based on a named one: https://cloud.google.com/bigquery/docs/reference/standard-sql/window-function-calls#def_window_spec */
function specification(window: ast.WindowRef, context: Context, depth = 0): Specification {
  const { base, span } = window;
  if (base === null) return window;
  const named = context.windows.get(base.name.toLowerCase());
  if (named === undefined)
    return fail('unknown-column', base.span, `there is no window ${base.name}`, 'define it: WINDOW name AS (PARTITION BY … ORDER BY …)');
  if (depth > 50) return fail('type', span, `window ${base.name} refers to itself`);
  const outer = specification(named, context, depth + 1);
  if (window.partitionBy.length > 0) fail('type', span, `a window based on ${base.name} can’t have its own PARTITION BY`);
  if (window.orderBy.length > 0 && outer.orderBy.length > 0) fail('type', span, `window ${base.name} has an ORDER BY already`);
  if (outer.frame !== null && !window.bare) fail('type', span, `window ${base.name} has a frame, so it can’t be extended`);
  return {
    partitionBy: outer.partitionBy,
    orderBy: outer.orderBy.length > 0 ? outer.orderBy : window.orderBy,
    frame: window.frame ?? outer.frame,
  };
}

export function analyzeWindowCall(node: ast.Call, fn: AggregateDefinition | WindowDefinition, context: Context): Expr {
  const { name } = fn;
  if (context.noWindows !== null)
    fail(
      'type',
      node.span,
      `${name}(…) OVER can’t be used in ${context.noWindows}`,
      context.noWindows === 'WHERE' ? 'filter with QUALIFY' : undefined,
    );
  if (node.over === null) throw new RangeError('a window call has OVER');
  const inner: Context = { ...context, noWindows: `the window of ${name}` };
  const window = specification(node.over, context);
  const { partitionBy, orderBy, frame } = window;
  const order = analyzeOrderItems(orderBy, inner);
  const parts = fn.kind === 'aggregate' ? aggregateParts(node, fn, inner) : windowParts(node, fn, window, inner);
  const call: WindowCall = {
    fn,
    ...parts,
    partitionBy: partitionBy.map((e) => groupable(resolveDynamic(analyzeExpr(e, inner)), 'PARTITION BY')),
    orderBy: order,
    frame: frame === null ? null : analyzeFrame(frame, inner, orderBy.length),
    safe: node.safe,
    span: node.span,
  };
  return { kind: 'window', call, type: call.type, span: node.span };
}

type Parts = Pick<WindowCall, 'args' | 'distinct' | 'nulls' | 'type'>;

function aggregateParts(node: ast.Call, fn: AggregateDefinition, context: Context): Parts {
  const { name } = fn;
  if (!fn.windowed) fail('unsupported', node.span, `${name} can’t be used with OVER`);
  const { args, distinct, nulls, type, having, orderBy, limit } = analyzeAggregateParts(node, fn, context, { windowed: true });
  if (having !== null || orderBy.length > 0 || limit !== null)
    fail('type', node.span, `${name} with OVER takes no HAVING, ORDER BY or LIMIT inside its parentheses`);
  return { args, distinct, nulls, type };
}

function windowParts(node: ast.Call, fn: WindowDefinition, { orderBy, frame }: Specification, context: Context): Parts {
  const { name } = fn;
  const orders = orderBy.length;
  if (node.distinct || node.having !== null || node.orderBy.length > 0 || node.limit !== null || node.star)
    fail('type', node.span, `${name} takes no modifiers inside its parentheses`);
  if (node.nulls !== null && !fn.takes.nulls) fail('type', node.span, `${name} does not take ${node.nulls} NULLS`);
  if (fn.takes.order === true && orders === 0)
    fail('type', node.span, `${name} needs ORDER BY in its window`, `${name}(…) OVER (ORDER BY …)`);
  if (fn.takes.order === false && orders > 0) fail('type', node.span, `${name} takes no ORDER BY in its window`);
  if (frame !== null && !fn.takes.frame) fail('type', node.span, `${name} does not take a window frame`);
  return { ...matched(node, fn, context), distinct: false, nulls: node.nulls };
}

function analyzeFrame({ unit, start, end }: NonNullable<ast.WindowRef['frame']>, context: Context, orders: number): Frame {
  const bound = ({ kind, offset }: ast.FrameBound): FrameBound => {
    if (offset === null) return { kind, offset: null };
    const value = analyzeExpr(offset, context);
    if (unit === 'RANGE' && orders !== 1) fail('type', value.span, 'RANGE with an offset needs exactly one ORDER BY key');
    return { kind, offset: unit === 'ROWS' ? coerce(value, INT64, 'the offset of ROWS') : value };
  };
  return { unit, start: bound(start), end: bound(end) };
}
