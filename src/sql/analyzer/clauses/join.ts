// Joins: ON, USING, and UNNEST as the right side.

import type { Span } from '../../../base/source-text.ts';
import { spend } from '../../base/budget.ts';
import { fail } from '../../base/fail.ts';
import type { Type } from '../../base/types.ts';
import type { Column, Expr, Rel, Unnest } from '../../logical/nodes.ts';
import { columnsRead, rewriteExpr } from '../../logical/walk.ts';
import type * as ast from '../../syntax/ast.ts';
import { analyzeCondition } from '../analyze.ts';
import type { AnalyzedFrom, Output } from '../analyzed.ts';
import { callFunction } from '../calls/call-function.ts';
import { unify } from '../calls/coerce.ts';
import { atPlace, type Context, scopeOf, within } from '../context.ts';
import { accessField, columnRef, declaresField, type RangeVariable } from '../names/scope.ts';
import { createProjection } from '../projection.ts';

interface Sides {
  readonly left: AnalyzedFrom;
  readonly right: AnalyzedFrom;
}

/** Joins two analyzed sides. */
export function joinTables(
  left: AnalyzedFrom,
  right: AnalyzedFrom,
  join: Pick<ast.Join, 'type' | 'on' | 'using' | 'span'>,
  context: Context,
): AnalyzedFrom {
  const type = join.type === 'COMMA' ? 'CROSS' : join.type;
  const tables = [...left.tables, ...right.tables];
  const names = new Map([...left.names, ...right.names]);
  if (join.using.length > 0) return joinUsing({ ...join, type }, { left, right }, context);
  const scope = scopeOf({ rel: left.rel, tables, names }, context);
  const on = join.on === null ? null : analyzeCondition(join.on, atPlace('ON', { ...context, scope }), 'ON');
  if (on === null && (type === 'LEFT' || type === 'RIGHT' || type === 'FULL') && right.rel.kind !== 'unnest') {
    fail('type', join.span, `${type} JOIN needs ON or USING`);
  }
  return { rel: joined({ type, on, span: join.span }, { left, right }, context), tables, names };
}

type JoinType = Exclude<ast.Join['type'], 'COMMA'>;

interface Matching {
  readonly type: JoinType;
  readonly on: Expr | null;
  readonly span: Span;
}

function joined({ type, on, span }: Matching, sides: Sides, context: Context): Rel {
  const { rel: left } = sides.left;
  const { rel: right } = sides.right;
  const always = on === null || (on.kind === 'literal' && on.value === true);
  if (right.kind === 'unnest' && right.input === null && (readsFrom(right.array, sides.left) || type === 'LEFT')) {
    if (type === 'RIGHT' || type === 'FULL')
      return fail('unsupported', span, `${type} JOIN with an array of its left side is not possible`, 'use LEFT JOIN UNNEST(…)');
    if (type === 'LEFT') {
      return always ? { ...right, input: left, outer: true } : withMatching({ ...right, input: left, outer: true }, on, span, context);
    }
    const unnested: Rel = { ...right, input: left };
    return on === null || always ? unnested : { kind: 'filter', input: unnested, condition: on };
  }
  return { kind: 'join', type: on === null && type === 'INNER' ? 'CROSS' : type, left, right, on };
}

/**
 * Unnests only the elements for which ON holds: `LEFT JOIN UNNEST(a) AS x ON x > 1` unnests ARRAY(SELECT x FROM UNNEST(a) AS x WHERE x > 1), with offsets
 * structs of both.
 */
function withMatching(unnest: Unnest, on: Expr, span: Span, context: Context): Rel {
  const { array, element, offset } = unnest;
  if (array.type.kind !== 'ARRAY' || array.type.element.kind === 'RECORD') {
    return fail(
      'unsupported',
      span,
      'LEFT JOIN UNNEST of records with a condition is not supported here',
      'write ON TRUE and filter in a subquery, or use CROSS JOIN with WHERE',
    );
  }
  const { newColumn } = context.analysis;
  const tested = [element, ...(offset === null ? [] : [offset])].map((column) => ({ column, inner: newColumn(column.name, column.type) }));
  const innerOf = (id: number): Column | undefined => tested.find(({ column }) => column.id === id)?.inner;
  const condition = rewriteExpr(on, (e) => (e.kind === 'column' ? { ...e, column: innerOf(e.column.id) ?? e.column } : e));
  const unnested: Rel = {
    ...unnest,
    input: null,
    outer: false,
    element: innerOf(element.id) ?? element,
    offset: offset && (innerOf(offset.id) ?? offset),
  };
  const input: Rel = { kind: 'filter', input: unnested, condition };
  const matching = (column: Column, rel: Rel): Expr => {
    const type: Type = { kind: 'ARRAY', element: column.type };
    return { kind: 'subquery', mode: 'array', input: rel, column, needle: null, type, span };
  };
  if (offset === null) return { ...unnest, array: matching(innerOf(element.id) ?? element, input) };
  const type: Type = { kind: 'STRUCT', fields: tested.map(({ column: { name, type: of } }) => ({ name, type: of })) };
  const value: Expr = { kind: 'struct', fields: tested.map(({ inner }) => columnRef(inner, span)), type, span };
  const [pair, both] = [newColumn(element.name, type), newColumn(element.name, type)];
  const pairs = matching(pair, { kind: 'project', input, items: [{ column: pair, value }] });
  return {
    kind: 'project',
    input: { ...unnest, array: pairs, element: both, offset: null },
    items: tested.map(({ column }, index) => ({
      column,
      value: { kind: 'field', of: columnRef(both, span), index, type: column.type, span },
    })),
  };
}

/** True if an array is taken from the rows to the left; otherwise it stands by itself. */
function readsFrom(array: Expr, from: AnalyzedFrom): boolean {
  const read = columnsRead(array);
  return from.tables.some((t) => t.columns.some((c) => read.has(c.column.id)) || (t.value !== null && read.has(t.value.id)));
}

/** Joins by USING: each of its columns is shown once, ahead of the others; in a full join it is the value of whichever side has one. */
function joinUsing(join: Pick<ast.Join, 'using' | 'span'> & { readonly type: JoinType }, sides: Sides, context: Context): AnalyzedFrom {
  const { left, right } = sides;
  const conditions: Expr[] = [];
  const merged: Output[] = [];
  const projection = createProjection(context.analysis);
  for (const using of join.using) {
    const { name, span } = using;
    const [l, r] = [columnOf(left, using, 'left', context), columnOf(right, using, 'right', context)];
    conditions.push(callFunction('$equal', [l, r], span));
    let shown = join.type === 'RIGHT' ? r : l;
    if (join.type === 'FULL') shown = callFunction('COALESCE', unify([l, r], `the two columns ${name} of USING`).exprs, span);
    merged.push({ name, column: projection.columnOf(name, shown) });
  }
  const on = conditions.reduce((all, c) => callFunction('$and', [all, c], join.span));
  const hidden = new Set(join.using.map((u) => u.name.toLowerCase()));
  const hide = (t: RangeVariable): RangeVariable => {
    const names = new Set([...(t.hidden ?? []), ...hidden]);
    spend(names.size);
    return { ...t, hidden: names };
  };
  const rel = joined({ ...join, on }, sides, context);
  return {
    rel: projection.finish(rel),
    tables: [{ name: null, columns: merged, value: null }, ...[...left.tables, ...right.tables].map(hide)],
    names: new Map([...left.names, ...right.names]),
  };
}

/** Returns the column of a side that a name of USING means: a column, an unnested value, or a field of one. */
function columnOf(from: AnalyzedFrom, using: ast.Identifier, side: string, context: Context): Expr {
  const { name, span } = using;
  context.analysis.onExpr?.({ kind: 'path', parts: [using], span }, within(context, { ...from, parent: null }));
  const wanted = name.toLowerCase();
  spend(from.tables.length);
  const columns = from.tables.flatMap((t) => (t.hidden?.has(wanted) ? [] : t.columns.filter((c) => c.name.toLowerCase() === wanted)));
  const value = from.tables.find((t) => t.value !== null && t.name?.toLowerCase() === wanted)?.value;
  const column = columns[0]?.column ?? value;
  if (columns.length > 1) return fail('unknown-column', span, `${name} is ambiguous on the ${side} side of the join`);
  if (column !== undefined && column !== null) return columnRef(column, span);
  const values = from.tables.flatMap((t) => (t.value === null || t.hidden?.has(wanted) ? [] : [{ of: t.name, value: t.value }]));
  const declaring = values.filter((v) => declaresField(v.value.type, wanted));
  // A field that no record declares is one of the only record, as the other side has a column of that name.
  const records = values.filter((v) => v.value.type.kind === 'RECORD');
  const owners = declaring.length > 0 ? declaring : records;
  const [owner, other] = owners;
  if (owner !== undefined && other === undefined) return accessField(columnRef(owner.value, span), name, span);
  return fail(
    'unknown-column',
    span,
    declaring.length > 1 ? `${name} is ambiguous on the ${side} side of the join` : `the ${side} side of the join has no column ${name}`,
    owner === undefined ? undefined : `say which record has it, in place of USING: ON ${owner.of ?? 'record'}.${name} = …`,
  );
}
