// UNION, INTERSECT and EXCEPT, by position and by name; recursive CTEs.
import type * as ast from '../ast.ts';
import type { Column, Expr, Rel } from '../resolved.ts';
import { sameType, type Type, typeName } from '../types.ts';
import { coerce, commonType, settle } from './coerce.ts';
import type { Context, VisibleCte } from './context.ts';
import { fail } from './fail.ts';
import { type AnalyzedQuery, analyzeBody, analyzeQuery, type Output } from './query.ts';
import { columnRef } from './scope.ts';

export function analyzeSetOperation(node: ast.SetOperation, context: Context): AnalyzedQuery {
  const inputs = node.inputs.map((input) => ({ query: analyzeBody(input, context), span: input.span }));
  return combine(node, inputs, context);
}

interface Input {
  readonly query: AnalyzedQuery;
  readonly span: ast.SetOperation['span'];
}

export function combine(
  node: Pick<ast.SetOperation, 'operator' | 'all' | 'byName' | 'span'>,
  inputs: readonly Input[],
  context: Context,
): AnalyzedQuery {
  if (node.byName !== null)
    return fail(
      'unsupported',
      node.span,
      `${node.operator} BY NAME is not supported`,
      'list the columns in the same order and drop BY NAME',
    );

  const [first] = inputs;
  if (first === undefined) throw new RangeError('a set operation has inputs');
  const width = first.query.outputs.length;
  for (const { query, span } of inputs) {
    if (query.outputs.length !== width)
      fail('type', span, `${node.operator} needs equally many columns: the first query returns ${width}, this one ${query.outputs.length}`);
  }
  const types = first.query.outputs.map((output, i) => columnType(output, i, inputs));
  const columns = types.map((type, i) => context.analysis.newColumn(first.query.outputs[i]?.name || 'column', type));
  const aligned = inputs.map(({ query, span }) => align(query, types, span, context));
  const rel: Rel = { kind: 'set_operation', operator: node.operator, all: node.all, inputs: aligned, columns };
  return {
    rel,
    outputs: columns.map((column, i) => ({ name: first.query.outputs[i]?.name ?? '', column })),
    value: inputs.every((i) => i.query.value),
  };
}

function columnType(output: Output, position: number, inputs: readonly Input[]): Type {
  const exprs = inputs.map(
    ({ query, span }): Expr => literalBehind(query, position) ?? settle(columnRef(query.outputs[position]?.column ?? output.column, span)),
  );
  const type = commonType(exprs);
  if (type !== undefined) return type;
  const kinds = [...new Set(exprs.map((e) => typeName(e.type)))].join(' and ');
  return fail(
    'type',
    inputs.at(-1)?.span ?? { start: 0, end: 0 },
    `column ${position + 1} (${output.name || 'unnamed'}) has no common type: ${kinds}`,
    'CAST it in one of the queries',
  );
}

/** The literal an output shows, if it is one: literals coerce further than columns. */
function literalBehind({ rel, outputs }: AnalyzedQuery, position: number): Expr | undefined {
  const wanted = outputs[position]?.column.id;
  if (rel.kind !== 'project') return undefined;
  const value = rel.items.find((i) => i.column.id === wanted)?.value;
  return value?.kind === 'literal' ? value : undefined;
}

/** The input with its columns converted to `types`. */
function align(
  query: AnalyzedQuery,
  types: readonly Type[],
  span: ast.SetOperation['span'],
  context: Context,
): { rel: Rel; columns: readonly Column[] } {
  const items: { column: Column; value: Expr }[] = [];
  const columns = query.outputs.map(({ name, column }, i): Column => {
    const type = types[i] ?? column.type;
    if (sameType(column.type, type)) return column;
    const value = coerce(literalBehind(query, i) ?? columnRef(column, span), type, `column ${i + 1}`);
    const converted = context.analysis.newColumn(name || 'column', type);
    items.push({ column: converted, value });
    return converted;
  });
  return { rel: items.length === 0 ? query.rel : { kind: 'project', input: query.rel, items }, columns };
}

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
