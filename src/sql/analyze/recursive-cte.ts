// WITH RECURSIVE: a CTE that reads itself.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/query-syntax#recursive_cte
import type * as ast from '../ast.ts';
import { sameType, typeName } from '../types.ts';
import type { Context, VisibleCte } from './context.ts';
import { fail } from './fail.ts';
import { analyzeBody, analyzeQuery } from './query.ts';
import { analyzeSetOperation, combine } from './set-operation.ts';

/** `WITH RECURSIVE t AS (base UNION ALL step)`: the base gives the columns, the step reads them. */
export function analyzeRecursiveCte(cte: ast.Cte, context: Context): VisibleCte {
  const { body } = cte.query;
  const name = cte.name.name;
  if (
    body.kind !== 'set_operation' ||
    body.operator !== 'UNION' ||
    cte.query.orderBy.length > 0 ||
    cte.query.limit !== null ||
    cte.query.pipes.length > 0
  ) {
    return fail('type', cte.name.span, `${name} refers to itself, so it must be: base query UNION ALL recursive query`);
  }
  if (!body.all) fail('unsupported', cte.name.span, `${name} is recursive with UNION DISTINCT, which ClickHouse can’t do`, 'use UNION ALL');
  const base = body.inputs.slice(0, -1);
  const step = body.inputs.at(-1);
  const [only] = base;
  if (only === undefined || step === undefined) throw new RangeError('a set operation has two inputs');
  const inner: Context = { ...context, ctes: analyzeWith(cte.query, context) };
  const first = base.length === 1 ? analyzeBody(only, inner) : analyzeSetOperation({ ...body, inputs: base }, inner);
  const { analysis } = context;
  const id = analysis.newCteId();
  const columns = first.outputs.map((o, i) => ({
    name: cte.columns[i]?.name ?? o.name,
    column: analysis.newColumn(o.name || 'column', o.column.type),
  }));
  const visible: VisibleCte = { id, columns, value: first.value };
  const second = analyzeBody(step, { ...inner, ctes: new Map([...inner.ctes, [name.toLowerCase(), visible]]) });
  const all = combine(
    body,
    [
      { query: first, span: only.span },
      { query: second, span: step.span },
    ],
    context,
  );
  const changed = all.outputs.find((o, i) => !sameType(o.column.type, columns[i]?.column.type ?? o.column.type));
  if (changed !== undefined)
    fail(
      'type',
      step.span,
      `column ${changed.name} is ${typeName(changed.column.type)} in the recursive query and another type in the base`,
      'CAST it in the base query',
    );
  analysis.ctes.push({ id, name, rel: all.rel, columns: all.outputs.map((o) => o.column), recursive: true });
  return visible;
}

/** CTEs inside the recursive CTE's own query. */
function analyzeWith(query: ast.Query, context: Context): Context['ctes'] {
  if (query.ctes.length === 0) return context.ctes;
  const visible = new Map(context.ctes);
  for (const inner of query.ctes) {
    const { rel, outputs, value } = analyzeQuery(inner.query, { ...context, ctes: visible });
    const id = context.analysis.newCteId();
    context.analysis.ctes.push({ id, name: inner.name.name, rel, columns: outputs.map((o) => o.column), recursive: false });
    visible.set(inner.name.name.toLowerCase(), { id, columns: outputs, value });
  }
  return visible;
}
