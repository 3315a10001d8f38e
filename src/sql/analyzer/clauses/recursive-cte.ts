// WITH RECURSIVE: a CTE that reads itself.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/query-syntax#recursive_cte

import { fail } from '../../base/fail.ts';
import { sameType, typeName } from '../../base/types.ts';
import { isCorrelated } from '../../logical/free-columns.ts';
import type * as ast from '../../syntax/ast.ts';
import { analyzeQuery } from '../analyze.ts';
import { refuseColumnCount } from '../analyzed.ts';
import type { Context, VisibleCte } from '../context.ts';
import { depthWithin } from '../depth.ts';
import { checkRecursiveReference } from './recursive-reference.ts';
import { combine } from './set-operation.ts';

/** Analyzes `base UNION [ALL | DISTINCT] step`: the base gives the columns, the step reads them. `inner` sees the CTEs of the query itself. */
export function analyzeRecursiveCte(cte: ast.Cte, context: Context, inner: Context): VisibleCte {
  const name = cte.name.name;
  const body = unionOf(cte.query);
  const step = body?.inputs.at(-1);
  const base = body?.inputs.slice(0, -1) ?? [];
  const [only] = base;
  if (body === undefined || step === undefined || only === undefined)
    return fail('type', cte.name.span, `${name} refers to itself, so it must be: base query UNION ALL recursive query`);
  const first = analyzeQuery(base.length === 1 ? only : { ...body, inputs: base }, inner);
  refuseColumnCount(cte, first.outputs.length);
  const { analysis } = context;
  const id = analysis.newCteId();
  const columns = first.outputs.map((o, i) => ({
    name: cte.columns[i]?.name ?? o.name,
    column: analysis.newColumn(o.name || 'column', o.column.type),
  }));
  const visible: VisibleCte = { id, columns, value: first.value };
  const second = analyzeQuery(step, { ...inner, ctes: new Map([...inner.ctes, [name.toLowerCase(), visible]]) });
  checkRecursiveReference(second.rel, id, name, step.span);
  const all = combine(
    body,
    [
      { query: first, span: only.span },
      { query: second, span: step.span },
    ],
    context,
  );
  if (isCorrelated(all.rel))
    fail(
      'unsupported',
      cte.name.span,
      `${name} is recursive and reads columns of an outer query`,
      'write its values in the WITH table itself',
    );
  const changed = all.outputs.find((o, i) => !sameType(o.column.type, columns[i]?.column.type ?? o.column.type));
  if (changed !== undefined)
    fail(
      'type',
      step.span,
      `column ${changed.name} is ${typeName(changed.column.type)} in the recursive query and another type in the base`,
      'CAST it in the base query',
    );
  analysis.depths.ctes.set(id, depthWithin(all.rel, cte.span, analysis.depths));
  analysis.ctes.push({ id, name, rel: all.rel, columns: all.outputs.map((o) => o.column), recursive: true });
  return visible;
}

/** Returns the query as a UNION of base and step, also where the UNION is its last pipe operator. */
function unionOf({ body, orderBy, limit, pipes, ...query }: ast.Query): ast.SetOperation | undefined {
  const last = pipes.at(-1);
  if (last === undefined) {
    const union = body.kind === 'set_operation' && body.operator === 'UNION' && orderBy.length === 0 && limit === null;
    return union ? body : undefined;
  }
  if (last.kind !== 'pipe_set_operation' || last.operator !== 'UNION') return undefined;
  const base: ast.Query = { ...query, ctes: [], body, orderBy, limit, pipes: pipes.slice(0, -1) };
  return { ...last, kind: 'set_operation', inputs: [base, ...last.queries] };
}
