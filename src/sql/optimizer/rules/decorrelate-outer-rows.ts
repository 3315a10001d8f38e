// ClickHouse computes a correlated subquery once per distinct value of the outer columns it reads and joins the results back, but it joins
// them once per outer row of that value too: with equal rows outside, sums and arrays come out multiplied. A number that is different in
// every row, read inside the subquery, makes all outer rows distinct. Ordered by the outer columns, it is the same however often it is computed.
import { findFunction } from '../../functions/index.ts';
import { readsOnlyArrays } from '../../logical/decorrelated.ts';
import { freeColumns } from '../../logical/free-columns.ts';
import type { Column, Expr, Filter, Project, Rel, ResolvedQuery, Subquery, WindowCall } from '../../logical/resolved.ts';
import { mapChildren, rewriteRel } from '../../logical/rewrite.ts';
import { BOOL, INT64 } from '../../types.ts';
import type { PassContext } from '../pass.ts';

const NOWHERE = { start: 0, end: 0 };

export function numberOuterRows(query: ResolvedQuery, context: PassContext): ResolvedQuery {
  const change = (rel: Rel): Rel => (rel.kind === 'filter' || rel.kind === 'project' ? number(rel, context) : rel);
  return { ...query, rel: rewriteRel(query.rel, change), ctes: query.ctes.map((c) => ({ ...c, rel: rewriteRel(c.rel, change) })) };
}

function number(rel: Filter | Project, context: PassContext): Rel {
  const outer = new Map<number, Expr>();
  let rowNumber: Column | undefined;
  const change = (expr: Expr): Expr => {
    const inner = mapChildren(expr, { expr: change, rel: (r) => r });
    if (inner.kind !== 'subquery' || !needsNumber(inner)) return inner;
    const free = freeColumns(inner.input);
    if (free.size === 0) return inner;
    for (const [id, column] of free) outer.set(id, { kind: 'column', column, type: column.type, span: NOWHERE });
    rowNumber ??= context.newColumn('row_number', INT64);
    return { ...inner, input: readNumber(inner.input, rowNumber) };
  };
  const changed = mapChildren(rel, { expr: change, rel: (r) => r });
  if (rowNumber === undefined) return rel;
  const fn = findFunction('ROW_NUMBER');
  if (fn?.kind !== 'window') throw new RangeError('ROW_NUMBER is a window function');
  const sortable = [...outer.values()].filter((e) => !['ARRAY', 'STRUCT', 'RECORD', 'JSON', 'DYNAMIC'].includes(e.type.kind));
  const call: WindowCall = {
    fn,
    args: [],
    distinct: false,
    nulls: null,
    partitionBy: [],
    orderBy: sortable.map((value) => ({ value, descending: false, nullsFirst: true })),
    frame: null,
    safe: false,
    type: INT64,
    span: NOWHERE,
  };
  return { ...changed, input: { kind: 'window', input: changed.input, items: [{ column: rowNumber, call }] } };
}

/** EXISTS and IN ask only whether there is a row; array subqueries become array functions. */
function needsNumber(expr: Subquery): boolean {
  return (expr.mode === 'scalar' || expr.mode === 'array') && !readsOnlyArrays(expr.input);
}

/** The relation with a condition on the number, always true, below anything that aggregates. */
function readNumber(rel: Rel, rowNumber: Column): Rel {
  switch (rel.kind) {
    case 'project':
    case 'filter':
    case 'aggregate':
    case 'window':
    case 'distinct':
    case 'order_limit':
      return { ...rel, input: readNumber(rel.input, rowNumber) };
    default: {
      const greater = findFunction('$greater');
      if (greater?.kind !== 'function') throw new RangeError('$greater is a function');
      const column: Expr = { kind: 'column', column: rowNumber, type: INT64, span: NOWHERE };
      const zero: Expr = { kind: 'literal', value: 0n, type: INT64, span: NOWHERE };
      return {
        kind: 'filter',
        input: rel,
        condition: { kind: 'call', fn: greater, args: [column, zero], safe: false, type: BOOL, span: NOWHERE },
      };
    }
  }
}
