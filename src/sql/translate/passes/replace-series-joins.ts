// A join with a generated series (`join unnest(generate_timestamp_array(…)) as start on bucket = start`) only asks whether the bucket is one of
// the series: rows are filtered by it, and the series' column is the bucket. What is left is one scan, without a join's memory. Where buckets and
// series have the same steps, the filter is a range of the time itself, and `series[offset(0)]` is its start: ClickHouse then makes no array.
// Measured on 1M rows in buckets of a second: 11.6 ms with the array, 6.9 without, of which 4 are the scan.
import { findFunction } from '../../functions/index.ts';
import type { Column, Expr, Join, Project, Rel, ResolvedQuery, Unnest } from '../../resolved.ts';
import { columnsRead, rewriteRel, rewriteRelExprs, visitRels } from '../../rewrite.ts';
import { BOOL, TIMESTAMP } from '../../types.ts';
import { conjunction, conjuncts } from '../conjuncts.ts';
import { columnsMade } from '../free-columns.ts';
import { definitionOf } from './column-origin.ts';
import type { PassContext } from './index.ts';
import { constantRow } from './merge-one-row-joins.ts';
import { firstElement, seriesRange } from './series-range.ts';

export function replaceSeriesJoins(query: ResolvedQuery, context: PassContext): ResolvedQuery {
  const change = (rel: Rel): Rel =>
    readFirstElements(
      rewriteRel(rel, (r) => replace(r, context)),
      context,
    );
  return { ...query, rel: change(query.rel), ctes: query.ctes.map((c) => ({ ...c, rel: change(c.rel) })) };
}

/** An unnested series of distinct values, the constants it is made of, and what is computed from its elements. */
interface Series {
  readonly unnest: Unnest;
  /** The series itself, where `unnest` may name a constant. */
  readonly array: Expr;
  readonly constants: readonly Project[];
  readonly above: readonly Project[];
}

function replace(rel: Rel, context: PassContext): Rel {
  if (rel.kind !== 'join' || rel.type !== 'INNER' || rel.on === null) return rel;
  const right = seriesOf(rel.right);
  const left = right === undefined ? seriesOf(rel.left) : undefined;
  const series = right ?? left;
  return series === undefined ? rel : (filtered(rel, rel.on, series, right === undefined ? rel.right : rel.left, context) ?? rel);
}

function filtered(join: Join, on: Expr, { unnest, array, constants, above }: Series, other: Rel, context: PassContext): Rel | undefined {
  const conditions = conjuncts(on);
  const own = new Set([unnest.element.id, ...[...constants, ...above].flatMap((p) => columnsMade(p).map((c) => c.id))]);
  for (const [at, condition] of conditions.entries()) {
    const value = equalTo(condition, unnest.element.id);
    if (value === undefined || [...columnsRead(value)].some((id) => own.has(id))) continue;
    const { span } = join.on ?? condition;
    const element: Expr = { kind: 'column', column: unnest.element, type: unnest.element.type, span };
    const rows: Rel = constants.reduce<Rel>((input, p) => ({ ...p, input }), other);
    const range = seriesRange(value.kind === 'column' ? (definitionOf(value.column.id, other) ?? value) : value, array);
    const bounds = range === undefined ? [] : (['first', 'end'] as const).map((name) => bound(name, range[name], context));
    const named: Rel = { kind: 'project', input: rows, items: [{ column: unnest.element, value }, ...bounds] };
    const [first, end] = bounds.map((b) => ref(b.column, span));
    const member =
      range !== undefined && first !== undefined && end !== undefined
        ? call('$and', [call('$greater_or_equal', [range.moment, first], span), call('$less', [range.moment, end], span)], span)
        : call('$in_series', [element, unnest.array], span);
    const rest = conditions.filter((_c, i) => i !== at);
    const kept: Rel = { kind: 'filter', input: named, condition: conjunction([member, ...rest], span) };
    return above.reduce<Rel>((input, p) => ({ ...p, input }), kept);
  }
  return undefined;
}

function call(name: string, args: readonly Expr[], span: Expr['span']): Expr {
  const fn = findFunction(name);
  if (fn?.kind !== 'function') throw new RangeError(`${name} is a function`);
  return { kind: 'call', fn, args, safe: false, type: BOOL, span };
}

const ref = (column: Column, span: Expr['span']): Expr => ({ kind: 'column', column, type: column.type, span });

const bound = (name: string, value: Expr, context: PassContext): Project['items'][number] => ({
  column: context.newColumn(name, TIMESTAMP),
  value,
});

const FIRST: Readonly<Record<string, bigint>> = { $offset: 0n, $safe_offset: 0n, $ordinal: 1n, $safe_ordinal: 1n };

/** `series[offset(0)]` of constant series that are never empty, as a constant of its own beside the series. */
function readFirstElements(rel: Rel, context: PassContext): Rel {
  const series = new Map<number, Project['items'][number]>();
  visitRels({ rel }, (r) => {
    if (r.kind !== 'project') return;
    for (const { column, value } of r.items) {
      const first = isSeries(value) && columnsRead(value).size === 0 ? firstElement(value) : undefined;
      if (first !== undefined) series.set(column.id, bound('first', first, context));
    }
  });
  if (series.size === 0) return rel;
  const used = new Set<number>();
  const read = rewriteRelExprs(rel, (expr) => {
    const [array, position] = expr.kind === 'call' && expr.fn.name in FIRST ? expr.args : [];
    if (expr.kind !== 'call' || array?.kind !== 'column' || position?.kind !== 'literal' || position.value !== FIRST[expr.fn.name])
      return expr;
    const first = series.get(array.column.id);
    if (first === undefined) return expr;
    used.add(array.column.id);
    return ref(first.column, expr.span);
  });
  return rewriteRel(read, (r) => {
    const more = r.kind === 'project' ? r.items.flatMap(({ column }) => (used.has(column.id) ? (series.get(column.id) ?? []) : [])) : [];
    return r.kind === 'project' && more.length > 0 ? { ...r, items: [...r.items, ...more] } : r;
  });
}

/** The other side of an equality with the column. */
function equalTo(condition: Expr, id: number): Expr | undefined {
  if (condition.kind !== 'call' || condition.fn.name !== '$equal') return undefined;
  const [left, right] = condition.args;
  if (left?.kind === 'column' && left.column.id === id) return right ?? undefined;
  return right?.kind === 'column' && right.column.id === id ? (left ?? undefined) : undefined;
}

function seriesOf(rel: Rel): Series | undefined {
  if (rel.kind === 'project') {
    const inner = seriesOf(rel.input);
    return inner === undefined ? undefined : { ...inner, above: [...inner.above, rel] };
  }
  if (rel.kind !== 'unnest' || rel.outer || rel.offset !== null) return undefined;
  const constants = rel.input === null ? [] : constantRow(rel.input);
  if (constants === undefined) return undefined;
  const values = new Map(constants.flatMap((p) => p.items.map((i) => [i.column.id, i.value] as const)));
  const array = rel.array.kind === 'column' ? values.get(rel.array.column.id) : rel.array;
  return array !== undefined && isSeries(array) ? { unnest: rel, array, constants, above: [] } : undefined;
}

/** Arrays whose elements differ from each other and are never NULL, whatever the arguments. */
const GENERATED: ReadonlySet<string> = new Set(['GENERATE_TIMESTAMP_ARRAY', 'GENERATE_DATE_ARRAY', 'GENERATE_ARRAY']);

function isSeries(expr: Expr): boolean {
  if (expr.kind === 'call') return GENERATED.has(expr.fn.name);
  if (expr.kind !== 'case') return false;
  return expr.whens.every((w) => isSeries(w.then)) && (expr.otherwise === null || isSeries(expr.otherwise));
}
