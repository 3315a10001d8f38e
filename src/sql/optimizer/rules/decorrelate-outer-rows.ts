// ClickHouse computes a correlated subquery once per distinct value of the outer columns it reads and joins the results back, but it joins
// them once per outer row of that value too: with equal rows outside, sums and arrays come out multiplied. A number that is different in
// every row, read inside the subquery, makes all outer rows distinct. Ordered by the outer columns, it is the same however often it is computed.
import { builtIn } from '../../functions/index.ts';
import { int64, ref } from '../../logical/build.ts';
import { readsOnlyArrays } from '../../logical/decorrelated.ts';
import { freeColumns } from '../../logical/free-columns.ts';
import type { Column, Expr, Filter, Project, Rel, Subquery, WindowCall } from '../../logical/resolved.ts';
import { holdsSubquery, mapChildren } from '../../logical/rewrite.ts';
import { INT64 } from '../../types.ts';
import { call } from '../build.ts';
import type { Rule, RuleContext } from '../rule.ts';

export const decorrelateOuterRows: Rule = {
  name: 'decorrelate-outer-rows',
  changes(plan, context) {
    if (!holdsSubquery(plan)) return undefined;
    return { relations: { filter: (rel) => numbered(rel, context), project: (rel) => numbered(rel, context) } };
  },
};

const AT = { span: { start: 0, end: 0 } };

function numbered(rel: Filter | Project, { newColumn }: RuleContext): Rel {
  const outer = new Map<number, Column>();
  let rowNumber: Column | undefined;
  const change = (expr: Expr): Expr => {
    const inner = mapChildren(expr, { expr: change, rel: (r) => r });
    if (inner.kind !== 'subquery' || !needsNumber(inner)) return inner;
    const free = freeColumns(inner.input);
    if (free.size === 0) return inner;
    for (const [id, column] of free) outer.set(id, column);
    rowNumber ??= newColumn('row_number', INT64);
    return { ...inner, input: readNumber(inner.input, rowNumber) };
  };
  const changed = mapChildren(rel, { expr: change, rel: (r) => r });
  if (rowNumber === undefined) return rel;
  return {
    ...changed,
    input: { kind: 'window', input: changed.input, items: [{ column: rowNumber, call: numberOver([...outer.values()]) }] },
  };
}

function numberOver(columns: readonly Column[]): WindowCall {
  const fn = builtIn('ROW_NUMBER');
  if (fn.kind !== 'window') throw new RangeError('ROW_NUMBER is a window function');
  const sortable = columns.filter(({ type }) => !['ARRAY', 'STRUCT', 'RECORD', 'JSON', 'DYNAMIC'].includes(type.kind));
  return {
    fn,
    args: [],
    distinct: false,
    nulls: null,
    partitionBy: [],
    orderBy: sortable.map((column) => ({ value: ref(column, AT), descending: false, nullsFirst: true })),
    frame: null,
    safe: false,
    type: INT64,
    ...AT,
  };
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
    default:
      return { kind: 'filter', input: rel, condition: call('$greater', [ref(rowNumber, AT), int64(0n, AT)], AT) };
  }
}
