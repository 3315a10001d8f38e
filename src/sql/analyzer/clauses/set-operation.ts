// UNION, INTERSECT and EXCEPT, by position and by name.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/query-syntax#set_operators

import { fail } from '../../base/fail.ts';
import { holdsKind, sameType, type Type, typeName } from '../../base/types.ts';
import type { Column, Expr, Rel } from '../../logical/nodes.ts';
import type * as ast from '../../syntax/ast.ts';
import type { AnalyzedQuery, Output } from '../analyzed.ts';
import { coerce, commonType, isEmptyArray, resolveDynamic } from '../calls/coerce.ts';
import type { Context } from '../context.ts';
import { columnRef } from '../names/scope.ts';
import { createProjection } from '../projection.ts';
import { matchNames, type SetInput } from './set-operation-names.ts';

export function combine(
  node: Pick<ast.SetOperation, 'operator' | 'all' | 'byName' | 'span'>,
  given: readonly SetInput[],
  context: Context,
): AnalyzedQuery {
  const inputs = node.byName === null ? given : matchNames(node.operator, node.byName, given, context);
  const [first] = inputs;
  if (first === undefined) throw new RangeError('a set operation has inputs');
  const width = first.query.outputs.length;
  for (const { query, span } of inputs) {
    if (query.outputs.length !== width)
      fail(
        'type',
        span,
        `${node.operator} needs the same number of columns in each query: the first returns ${width}, this one ${query.outputs.length}`,
      );
  }
  const types = first.query.outputs.map((output, i) => columnType(output, i, inputs));
  if (node.operator !== 'UNION' || !node.all) {
    const operation = `${node.operator} ${node.all ? 'ALL' : 'DISTINCT'}`;
    if (types.some((type) => holdsKind(type, 'RECORD')))
      fail('unsupported', first.span, `${operation} can’t compare records`, 'name their fields');
    if (types.some((type) => holdsKind(type, 'JSON')))
      fail('type', first.span, `${operation} can’t compare values of type JSON`, 'convert them with TO_JSON_STRING');
  }
  const columns = types.map((type, i) => context.analysis.newColumn(first.query.outputs[i]?.name || 'column', type));
  const aligned = inputs.map(({ query, span }) => align(query, types, span, context));
  const rel: Rel = { kind: 'set_operation', operator: node.operator, all: node.all, inputs: aligned, columns };
  return {
    rel,
    outputs: columns.map((column, i) => ({ name: first.query.outputs[i]?.name ?? '', column })),
    value: inputs.every((i) => i.query.value),
  };
}

function columnType(output: Output, position: number, inputs: readonly SetInput[]): Type {
  const exprs = inputs.map(
    ({ query, span }): Expr =>
      literalBehind(query, position) ?? resolveDynamic(columnRef(query.outputs[position]?.column ?? output.column, span)),
  );
  const type = commonType(exprs);
  if (type !== undefined) return type;
  const [kind, ...others] = [...new Set(exprs.map((e) => typeName(e.type)))];
  const records = others.length === 0;
  return fail(
    'type',
    inputs.at(-1)?.span ?? { start: 0, end: 0 },
    `column ${position + 1} (${output.name || 'unnamed'}) has no common type: ${records ? 'its records are those of different tables' : [kind, ...others].join(' and ')}`,
    records ? 'UNNEST the records in each query, and select fields' : 'CAST it in one of the queries',
  );
}

/** Returns the literal that an output shows, if it is one: literals coerce further than columns. */
function literalBehind({ rel, outputs }: AnalyzedQuery, position: number): Expr | undefined {
  const wanted = outputs[position]?.column.id;
  for (let at = rel; at.kind === 'project'; at = at.input) {
    const value = at.items.find((i) => i.column.id === wanted)?.value;
    if (value !== undefined) return value.kind === 'literal' || isEmptyArray(value) ? value : undefined;
  }
  return undefined;
}

/** Returns the input with its columns converted to `types`. */
function align(
  query: AnalyzedQuery,
  types: readonly Type[],
  span: ast.SetOperation['span'],
  context: Context,
): { rel: Rel; columns: readonly Column[] } {
  const projection = createProjection(context.analysis);
  const columns = query.outputs.map(({ name, column }, i): Column => {
    const type = types[i] ?? column.type;
    if (sameType(column.type, type)) return column;
    const value = coerce(literalBehind(query, i) ?? columnRef(column, span), type, `column ${i + 1}`);
    return projection.add(name, value);
  });
  return { rel: projection.finish(query.rel), columns };
}
