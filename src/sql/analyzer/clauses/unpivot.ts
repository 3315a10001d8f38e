// UNPIVOT: columns become rows. Each row is unnested from an array of its columns, so that the input is read once.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/query-syntax#unpivot_operator

import { fail } from '../../base/fail.ts';
import { arrayOf, INT64, STRING, sameType, structOf, type Type, typeName } from '../../base/types.ts';
import type { Column, Expr, Rel } from '../../logical/nodes.ts';
import type * as ast from '../../syntax/ast.ts';
import { analyzeExpr } from '../analyze.ts';
import type { AnalyzedFrom, Output } from '../analyzed.ts';
import { callFunction } from '../calls/call-function.ts';
import { coerce, resolveDynamic, unify } from '../calls/coerce.ts';
import { type Context, within } from '../context.ts';
import { columnRef, EMPTY_SCOPE, type Scope } from '../names/scope.ts';
import { tablesOf, visibleColumns } from '../names/visible-columns.ts';

export function unpivot(node: ast.Unpivot, from: AnalyzedFrom, context: Context): AnalyzedFrom {
  const { analysis } = context;
  const visible = visibleColumns(from, context);
  const scope: Scope = { tables: tablesOf(visible), names: new Map(), parent: null };
  const groups = node.columns.map(({ columns }) => columns.map((path) => columnAt(path, within(context, scope))));
  const width = node.values.length;
  for (const [i, group] of groups.entries()) {
    if (group.length !== width)
      fail('type', node.columns[i]?.columns[0]?.span ?? node.span, `UNPIVOT makes ${width} columns, but this group has ${group.length}`);
  }
  const types = node.values.map((name, i) => commonColumnType(name, groups, i));
  const labels = labelsOf(node, context);
  const labelType = labels[0]?.type ?? STRING;

  const struct = structOf([...types, labelType].map((type) => ({ name: null, type })));
  const elements = groups.map((group, i): Expr => {
    const label = labels[i];
    if (label === undefined) throw new RangeError('each group of columns has a label');
    const values = group.map((column, at) => coerce(columnRef(column, node.span), types[at] ?? column.type, 'a column of UNPIVOT'));
    return { kind: 'struct', fields: [...values, label], type: struct, span: node.span };
  });
  const element = analysis.newColumn('unpivoted', struct);
  const array: Expr = { kind: 'array', elements, type: arrayOf(struct), span: node.span };
  const unnested: Rel = { kind: 'unnest', input: visible.rel, array, element, offset: null, outer: false };

  const made = [...node.values, node.name].map((name, index): { name: string; column: Column; value: Expr } => {
    const type = struct.fields[index]?.type ?? labelType;
    const value: Expr = { kind: 'field', of: columnRef(element, name.span), index, type, span: name.span };
    return { name: name.name, column: analysis.newColumn(name.name, type), value };
  });
  const present = made.slice(0, width).map(({ value }) => callFunction('$is_not_null', [value], node.span));
  const anyPresent = present.reduce((left, right) => callFunction('$or', [left, right], node.span));
  const kept: Rel = node.includeNulls ? unnested : { kind: 'filter', input: unnested, condition: anyPresent };
  const used = new Set(groups.flat().map((c) => c.id));
  const columns: Output[] = [
    ...visible.columns.filter((c) => !used.has(c.column.id)),
    ...made.map(({ name, column }) => ({ name, column })),
  ];
  return {
    rel: { kind: 'project', input: kept, items: made.map(({ column, value }) => ({ column, value })) },
    tables: [{ name: node.alias?.name ?? null, columns, value: null }],
    names: new Map(),
  };
}

function columnAt(path: ast.Path, context: Context): Column {
  const value = analyzeExpr(path, context);
  if (value.kind !== 'column') return fail('type', path.span, 'UNPIVOT takes columns', 'compute the column in a subquery first');
  return value.column;
}

/** UNPIVOT converts nothing: the columns that become one column have one type. */
function commonColumnType(name: ast.Identifier, groups: readonly (readonly Column[])[], at: number): Type {
  const columns = groups.flatMap((g) => g[at] ?? []);
  const types = columns.map((c): Type => resolveDynamic(columnRef(c, name.span)).type);
  const [first] = types;
  if (first === undefined) throw new RangeError('UNPIVOT has columns');
  const other = types.findIndex((t) => !sameType(t, first));
  if (other >= 0)
    fail(
      'type',
      name.span,
      `UNPIVOT: ${columns[0]?.name} is ${typeName(first)} and ${columns[other]?.name} is ${typeName(types[other] ?? first)}`,
      'CAST them to one type in a subquery first',
    );
  if (first.kind === 'ARRAY' || first.kind === 'RECORD')
    fail('unsupported', name.span, `UNPIVOT of columns of type ${typeName(first)} is not supported`);
  return first;
}

/** The values of the name column: labels as written, else the columns' names. All texts, or all numbers. */
function labelsOf(node: ast.Unpivot, context: Context): readonly Expr[] {
  const labels = node.columns.map(({ columns, label }): Expr => {
    if (label === null) {
      const text = columns.map((path) => path.parts.at(-1)?.name ?? '').join('_');
      return { kind: 'literal', value: text, type: STRING, span: node.span };
    }
    const value = analyzeExpr(label, within(context, EMPTY_SCOPE));
    if (value.kind !== 'literal' || !(sameType(value.type, STRING) || sameType(value.type, INT64)))
      return fail('type', label.span, 'a label of UNPIVOT must be a string or an integer');
    return value;
  });
  return unify(labels, 'the labels of UNPIVOT').exprs;
}
