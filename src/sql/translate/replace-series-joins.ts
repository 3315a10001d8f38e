// A join with a generated series (`join unnest(generate_timestamp_array(…)) as start on bucket = start`) only asks whether the bucket is one of
// the series: rows are filtered by it, and the series' column is the bucket. What is left is one scan, without a join's memory.
import { findFunction } from '../functions/index.ts';
import type { Expr, Join, Project, Rel, ResolvedQuery, Unnest } from '../resolved.ts';
import { columnsRead, rewriteRel } from '../rewrite.ts';
import { BOOL } from '../types.ts';
import { conjuncts } from './conjuncts.ts';
import { columnsMade } from './free-columns.ts';
import { constantRow } from './merge-one-row-joins.ts';

export function replaceSeriesJoins(query: ResolvedQuery): ResolvedQuery {
  return { ...query, rel: rewriteRel(query.rel, replace), ctes: query.ctes.map((c) => ({ ...c, rel: rewriteRel(c.rel, replace) })) };
}

/** An unnested series of distinct values, the constants it is made of, and what is computed from its elements. */
interface Series {
  readonly unnest: Unnest;
  readonly constants: readonly Project[];
  readonly above: readonly Project[];
}

function replace(rel: Rel): Rel {
  if (rel.kind !== 'join' || rel.type !== 'INNER' || rel.on === null) return rel;
  const right = seriesOf(rel.right);
  const left = right === undefined ? seriesOf(rel.left) : undefined;
  const series = right ?? left;
  return series === undefined ? rel : (filtered(rel, rel.on, series, right === undefined ? rel.right : rel.left) ?? rel);
}

function filtered(join: Join, on: Expr, { unnest, constants, above }: Series, other: Rel): Rel | undefined {
  const conditions = conjuncts(on);
  const own = new Set([unnest.element.id, ...[...constants, ...above].flatMap((p) => columnsMade(p).map((c) => c.id))]);
  for (const [at, condition] of conditions.entries()) {
    const value = equalTo(condition, unnest.element.id);
    if (value === undefined || [...columnsRead(value)].some((id) => own.has(id))) continue;
    const { span } = join.on ?? condition;
    const element: Expr = { kind: 'column', column: unnest.element, type: unnest.element.type, span };
    const rows: Rel = constants.reduce<Rel>((input, p) => ({ ...p, input }), other);
    const named: Rel = { kind: 'project', input: rows, items: [{ column: unnest.element, value }] };
    const member = call('$in_series', [element, unnest.array], span);
    const rest = conditions.filter((_c, i) => i !== at);
    const kept: Rel = { kind: 'filter', input: named, condition: rest.reduce((all, c) => call('$and', [all, c], span), member) };
    return above.reduce<Rel>((input, p) => ({ ...p, input }), kept);
  }
  return undefined;
}

function call(name: string, args: readonly Expr[], span: Expr['span']): Expr {
  const fn = findFunction(name);
  if (fn?.kind !== 'function') throw new RangeError(`${name} is a function`);
  return { kind: 'call', fn, args, safe: false, type: BOOL, span };
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
  return array !== undefined && isSeries(array) ? { unnest: rel, constants, above: [] } : undefined;
}

/** Arrays whose elements differ from each other and are never NULL, whatever the arguments. */
const GENERATED: ReadonlySet<string> = new Set(['GENERATE_TIMESTAMP_ARRAY', 'GENERATE_DATE_ARRAY', 'GENERATE_ARRAY']);

function isSeries(expr: Expr): boolean {
  if (expr.kind === 'call') return GENERATED.has(expr.fn.name);
  if (expr.kind !== 'case') return false;
  return expr.whens.every((w) => isSeries(w.then)) && (expr.otherwise === null || isSeries(expr.otherwise));
}
