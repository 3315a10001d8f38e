// Moves expressions behind GROUP BY and window functions: aggregates and window calls become columns, and a column that is lost is an error.

import { fail } from '../../base/fail.ts';
import { INT64 } from '../../base/types.ts';
import type { Aggregate, Column, Expr, Rel, Window } from '../../logical/nodes.ts';
import { eachChild, exprKey, mapChildren } from '../../logical/walk.ts';
import type { Analysis } from '../context.ts';
import { columnRef } from '../names/scope.ts';

/** True if an aggregate call of this query level stands in `expr` (subqueries have their own). */
export function hasAggregate(expr: Expr): boolean {
  return contains(expr, (e) => e.kind === 'aggregate' || (e.kind === 'call' && e.fn.name === 'GROUPING'));
}

export const hasWindow = (expr: Expr): boolean => contains(expr, (e) => e.kind === 'window');

function contains(expr: Expr, test: (expr: Expr) => boolean): boolean {
  if (test(expr)) return true;
  let found = false;
  eachChild(expr, {
    expr: (e) => {
      found ||= contains(e, test);
    },
  });
  return found;
}

const shapeOf = (expr: Expr): string => (expr.kind === 'call' ? expr.fn.name : expr.kind);

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export interface GroupedBy {
  readonly keys: Aggregate['keys'];
  readonly groupingSets: Aggregate['groupingSets'];
  /** The positions of keys such as a + 1 beside the key a: SELECT computes them from the other keys, also where they are rolled up. */
  readonly derived: ReadonlySet<number>;
}

/** Collects the aggregates of one query level while its expressions are moved behind the grouping. */
export function createGrouping(analysis: Analysis, { keys, groupingSets, derived }: GroupedBy, fromColumns: ReadonlySet<number>) {
  const aggregates: Mutable<Aggregate['aggregates'][number]>[] = [];
  const groupings: Mutable<Aggregate['groupings'][number]>[] = [];
  const keyColumns = new Map(keys.filter((_, i) => !derived.has(i)).map((k) => [exprKey(k.value), k.column]));
  // Keys are compared as texts, which are long: most expressions can't be a key by their kind alone.
  const shapes = new Set(keys.map((k) => shapeOf(k.value)));
  const known = new Map<string, Column>();

  const move = (expr: Expr): Expr => {
    const key = shapes.has(shapeOf(expr)) ? keyColumns.get(exprKey(expr)) : undefined;
    if (key !== undefined) return columnRef(key, expr.span);
    if (expr.kind === 'aggregate') return columnRef(aggregateColumn(expr), expr.span);
    if (expr.kind === 'call' && expr.fn.name === 'GROUPING') return columnRef(groupingColumn(expr), expr.span);
    if (expr.kind === 'column' && fromColumns.has(expr.column.id)) {
      return fail(
        'type',
        expr.span,
        `${expr.column.name} is neither grouped nor aggregated`,
        `add it to GROUP BY, or aggregate it: ANY_VALUE(${expr.column.name})`,
      );
    }
    return mapChildren(expr, { expr: move, rel: moveRel });
  };
  const moveRel = (rel: Rel): Rel => mapChildren(rel, { expr: move, rel: moveRel });

  const aggregateColumn = (expr: Extract<Expr, { kind: 'aggregate' }>): Column => {
    const text = exprKey(expr);
    const seen = known.get(text);
    if (seen !== undefined) return seen;
    const column = columnFor(expr, analysis);
    known.set(text, column);
    aggregates.push({ column, call: expr.call });
    return column;
  };
  const groupingColumn = (expr: Extract<Expr, { kind: 'call' }>): Column => {
    const arg = expr.args[0];
    const text = arg ? exprKey(arg) : '';
    const key = keys.findIndex((k) => exprKey(k.value) === text);
    if (key < 0) fail('type', expr.span, 'GROUPING takes an expression of GROUP BY');
    const seen = groupings.find((g) => g.key === key);
    if (seen !== undefined) return seen.column;
    const column = analysis.newColumn('grouping', INT64);
    groupings.push({ column, key });
    return column;
  };

  return {
    move,
    finish: (input: Rel): Aggregate => ({ kind: 'aggregate', input, keys, groupingSets, aggregates, groupings }),
  };
}

const columnFor = ({ call, type }: Extract<Expr, { kind: 'aggregate' | 'window' }>, analysis: Analysis): Column =>
  analysis.newColumn(call.fn.name.toLowerCase().replace(/[^a-z0-9_]/g, '_'), type);

/** Collects window calls; each becomes a column of one Window relation. */
export function createWindows(analysis: Analysis) {
  const items: Mutable<Window['items'][number]>[] = [];
  const known = new Map<string, Column>();
  const move = (expr: Expr): Expr => {
    if (expr.kind !== 'window') return mapChildren(expr, { expr: move, rel: (r) => r });
    const text = exprKey(expr);
    let column = known.get(text);
    if (column === undefined) {
      column = columnFor(expr, analysis);
      known.set(text, column);
      items.push({ column, call: expr.call });
    }
    return columnRef(column, expr.span);
  };
  return { move, finish: (input: Rel): Rel => (items.length === 0 ? input : { kind: 'window', input, items }) };
}
