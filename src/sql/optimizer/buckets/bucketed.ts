// Queries whose rows belong to buckets of their source's time, each made of the rows of that bucket alone: the rows of a bucket stay right as long as
// the data of its time are the same. Such a query is written here for ranges of time, and its window as a query of its own.

import { BOOL, INT64, STRING, TIMESTAMP, type Type } from '../../base/types.ts';
import { ref } from '../../logical/build.ts';
import type { Aggregate, Column, Expr, LogicalPlan, OrderItem, Project, Rel, ScanColumn, SourceScan } from '../../logical/nodes.ts';
import { columnsRead } from '../../logical/walk.ts';
import { RANGE_PARAMETERS } from '../../translation.ts';
import { call, filtered } from '../build.ts';
import { type Bound, windowOf } from './bounds.ts';
import { chainOf, rebuilt, writtenOut } from './chain.ts';
import { bucketStart, timeKey, whyNotUtc } from './unit.ts';

interface Bucketed {
  readonly scan: SourceScan;
  readonly time: ScanColumn;
  /** The units of which the arguments choose one. */
  readonly units: readonly string[];
  /**
   * The query over the ranges of RANGE_PARAMETERS instead of its window; behind its own columns that of the bucket, INT64 in microseconds since 1970, and those
   * that it is ordered by and does not show.
   */
  readonly rows: LogicalPlan;
  /** The window as one row: the unit, then for each bound whether it holds, and its value. */
  readonly window: LogicalPlan;
  readonly bounds: readonly Bound['side'][];
  readonly order: readonly { readonly column: number; readonly descending: boolean; readonly nullsFirst: boolean }[];
  readonly limit: number | undefined;
  /** True if `rows` have the limit, too: a bucket may have several rows, some of which it leaves out. */
  readonly limitsRows: boolean;
}

interface Columns {
  newColumn(name: string, type: Column['type']): Column;
}

/** The types whose values quern sorts as ClickHouse does. */
const ORDERED = new Set<Type['kind']>(['INT64', 'FLOAT64', 'STRING', 'BOOL', 'DATE', 'DATETIME', 'TIMESTAMP']);

/** Returns the query in buckets, or why it has none. The plan is shaped, and not fitted to its tables yet. */
export function bucketed(plan: LogicalPlan, columns: Columns): Bucketed | string {
  if (plan.ctes.length > 0) return 'it reads a WITH table more than once';
  const chain = chainOf(plan.rel);
  if (typeof chain === 'string') return chain;
  const { scan, aggregate, order } = chain;
  const limit = order?.limit ?? null;
  const limitsRows = limit !== null && aggregate.keys.length > 1;
  if ((limit !== null && limitOf(limit) === undefined) || (order?.offset ?? null) !== null)
    return 'it has an OFFSET, or a LIMIT that is not a number';
  const key = keyOf(aggregate, scan);
  if (key === undefined) {
    const [why] = aggregate.keys.flatMap(({ value }) => whyNotUtc(writtenOut(value, aggregate.input)) ?? []);
    return why ?? 'it does not group the rows of a source by a unit of time';
  }
  const orderBy = order?.orderBy ?? [];
  const unknown = orderBy.find(({ value }) => !ORDERED.has(value.type.kind));
  if (unknown !== undefined) return `it is ordered by ${unknown.value.type.kind} values, which only the engine can put in order`;
  const sorted = sortedBy(orderBy, columns);
  const bounds: Bound[] = [];
  let grouped = false;
  const rel = rebuilt(plan.rel, (step) => {
    if (step === scan) return filtered(scan, inRanges(key.time.column));
    if (step.kind === 'order_limit' && !limitsRows) return { ...step, limit: null };
    if (step.kind === 'aggregate') grouped = true;
    if (step.kind !== 'filter' || grouped) return step;
    const window = windowOf(step.condition, step.input, key.time.column);
    bounds.push(...window.bounds);
    return window.bounds.length === 0 ? step : filtered(step.input, window.others);
  });
  if (!bounds.some(({ side }) => side === 'from')) return 'its time window has no start';
  const bucket = columns.newColumn('quern_bucket', INT64);
  const start = bucketStart(ref(key.column, aggregate.keys[0]?.value ?? key.unit));
  const micros = call('UNIX_MICROS', [start], start, INT64);
  const orderedBy = sorted.flatMap(({ column, value }) => (value === undefined ? [] : [{ column, value }]));
  const shown = [...plan.outputs, { name: bucket.name, column: bucket }];
  const shownOrder = sorted.map(({ column, descending, nullsFirst }) => {
    const known = shown.findIndex((o) => o.column.id === column.id);
    const at = known === -1 ? shown.push({ name: `quern_order_${shown.length}`, column }) - 1 : known;
    return { column: at, descending, nullsFirst };
  });
  return {
    scan,
    time: key.time,
    units: unitsOf(key.unit),
    rows: { rel: withItems(rel, [{ column: bucket, value: micros }, ...orderedBy]), outputs: shown, ctes: [] },
    window: windowPlan(key.unit, bounds, columns),
    bounds: bounds.map(({ side }) => side),
    order: shownOrder,
    limit: limit === null ? undefined : limitOf(limit),
    limitsRows,
  };
}

function unitsOf(unit: Expr): readonly string[] {
  const units = new Set<string>();
  const collect = (expr: Expr | null): void => {
    if (expr?.kind === 'literal' && expr.value !== null) units.add(String(expr.value));
    if (expr?.kind === 'case') [...expr.whens.map(({ then }) => then), expr.otherwise].forEach(collect);
  };
  collect(unit);
  return [...units];
}

const limitOf = (limit: Expr): number | undefined =>
  limit.kind === 'literal' && typeof limit.value === 'bigint' ? Number(limit.value) : undefined;

interface Sorted extends Pick<OrderItem, 'descending' | 'nullsFirst'> {
  readonly column: Column;
  /** The id of a column that rows have for this alone. */
  readonly value?: Expr;
}

const sortedBy = (items: readonly OrderItem[], { newColumn }: Columns): readonly Sorted[] =>
  items.map(({ value, descending, nullsFirst }) =>
    value.kind === 'column'
      ? { column: value.column, descending, nullsFirst }
      : { column: newColumn('quern_order', value.type), value, descending, nullsFirst },
  );

interface FoundKey {
  readonly column: Column;
  readonly time: ScanColumn;
  readonly unit: Expr;
}

/** Returns the first of the keys that cuts a time of the source to a unit, which the arguments at most choose. */
function keyOf({ keys, input }: Aggregate, scan: SourceScan): FoundKey | undefined {
  for (const { column, value } of keys) {
    const found = timeKey(writtenOut(value, input));
    if (found === undefined || columnsRead(found.unit).size > 0) continue;
    const time = scan.columns.find((read) => read.column.id === found.time.id && read.part.kind === 'whole');
    if (time !== undefined) return { column, time, unit: found.unit };
  }
  return undefined;
}

function inRanges(time: Column): readonly Expr[] {
  const span = { start: 0, end: 0 };
  const at = (name: string): Expr => ({ kind: 'parameter', name, type: TIMESTAMP, span });
  const compare = (name: string, parameter: string): Expr => call(name, [ref(time, { span }), at(parameter)], { span });
  const { from, to, skips, skipFrom, skipTo } = RANGE_PARAMETERS;
  // This is known before the run: where nothing is skipped, no row is compared with the skipped range.
  const skipsNone = call('$not', [{ kind: 'parameter', name: skips, type: BOOL, span }], { span });
  return [
    compare('$greater_or_equal', from),
    compare('$less', to),
    call('$or', [skipsNone, call('$or', [compare('$less', skipFrom), compare('$greater_or_equal', skipTo)], { span })], { span }),
  ];
}

/** The items are computed below the last step, which all rows pass. */
function withItems(rel: Rel, items: Project['items']): Rel {
  if (rel.kind === 'order_limit') return { ...rel, input: withItems(rel.input, items) };
  return { kind: 'project', input: rel, items };
}

function windowPlan(unit: Expr, bounds: readonly Bound[], { newColumn }: Columns): LogicalPlan {
  const items = [
    { column: newColumn('unit', STRING), value: unit },
    ...bounds.flatMap(({ holds, value }, i) => [
      { column: newColumn(`holds_${i}`, BOOL), value: holds },
      { column: newColumn(`bound_${i}`, INT64), value },
    ]),
  ];
  return {
    rel: { kind: 'project', input: { kind: 'one_row' }, items },
    outputs: items.map(({ column }) => ({ name: column.name, column })),
    ctes: [],
  };
}
