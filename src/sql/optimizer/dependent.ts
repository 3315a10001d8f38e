// Makes a correlated relation for all values of the outer columns at once: its rows come with the values to which they belong. Every operator takes the values
// along as further columns; at the bottom the relation that reads them meets the domain. https://dl.acm.org/doi/10.5555/2796512 (Neumann and Kemper, Unnesting Arbitrary Queries)

import { INT64 } from '../base/types.ts';
import { builtIn } from '../functions/index.ts';
import { int64, ref, splitConjunction } from '../logical/build.ts';
import { freeColumns } from '../logical/free-columns.ts';
import type { Aggregate, Column, Expr, Filter, Join, OrderItem, OrderLimit, Rel, Subquery } from '../logical/nodes.ts';
import { columnsRead, hasSubquery } from '../logical/walk.ts';
import { call, conjunction, filtered } from './build.ts';
import { copyRelation } from './copy-relation.ts';
import { type Domain, replaceOuter, sameValues } from './domain.ts';
import type { RuleContext } from './rule.ts';

export interface Dependence {
  readonly context: RuleContext;
  /** The subquery, for messages and places. */
  readonly at: Subquery;
}

/** Returns the rows of `rel` for each row of the domain, whose columns are shown too; undefined where that takes a domain with rows, or is not possible. */
export function dependent(rel: Rel, domain: Domain, d: Dependence): Rel | undefined {
  if (!reads(rel, domain)) return domain.rel === null ? undefined : { kind: 'join', type: 'CROSS', left: domain.rel, right: rel, on: null };
  const over = (input: Rel, change: (input: Rel) => Rel): Rel | undefined => {
    const changed = dependent(input, domain, d);
    return changed === undefined ? undefined : change(changed);
  };
  switch (rel.kind) {
    case 'filter':
      return dependentFilter(rel, domain, d);
    case 'project':
      return over(rel.input, (input) => ({ ...rel, input }));
    case 'unnest':
      return over(rel.input ?? { kind: 'one_row' }, (input) => ({ ...rel, input }));
    case 'distinct':
      return over(rel.input, (input) => ({ ...rel, input, columns: [...rel.columns, ...domain.columns] }));
    case 'window': {
      const values = domain.columns.map((c) => ref(c, d.at));
      const items = rel.items.map((i) => ({ ...i, call: { ...i.call, partitionBy: [...i.call.partitionBy, ...values] } }));
      return over(rel.input, (input) => ({ ...rel, input, items }));
    }
    case 'order_limit':
      return over(rel.limit === null ? rel.input : numbered(rel, d).rel, (input) => input);
    case 'aggregate':
      return dependentAggregate(rel, domain, d);
    case 'join':
      return dependentJoin(rel, domain, d);
    case 'set_operation': {
      const inputs = rel.inputs.map((input) => {
        const own = ownDomain(input.rel, domain, d);
        const changed = dependent(own.rel, own.domain, d);
        return changed === undefined ? undefined : { rel: changed, columns: [...input.columns, ...own.domain.columns] };
      });
      return inputs.every((i) => i !== undefined) ? { ...rel, inputs, columns: [...rel.columns, ...domain.columns] } : undefined;
    }
    default:
      return undefined;
  }
}

function reads(rel: Rel, { columns }: Domain): boolean {
  const free = freeColumns(rel);
  return columns.some((c) => free.has(c.id));
}

/** Returns groups that are keyed by the domain too. One group over all rows has a row only where it has any: see `oneGroup`. */
function dependentAggregate(rel: Aggregate, domain: Domain, d: Dependence): Rel | undefined {
  const single = rel.keys.length === 0 || rel.groupingSets?.some((set) => set.length === 0) === true;
  if (!single) {
    const input = dependent(rel.input, domain, d);
    if (input === undefined) return undefined;
    const added = domain.columns.map((_, i) => rel.keys.length + i);
    const groupingSets = rel.groupingSets?.map((set) => [...set, ...added]) ?? null;
    return { ...rel, input, keys: [...rel.keys, ...keysOf(domain.columns, d)], groupingSets };
  }
  if (rel.groupingSets !== null || domain.rel === null) return undefined;
  const own = ownDomain(rel, domain, d);
  if (own.rel.kind !== 'aggregate') return undefined;
  const groups = oneGroup(own.rel, own.domain, d);
  if (groups === undefined) return undefined;
  const on = sameValues(domain.columns, own.domain.columns, d.at, { strict: false });
  const joined: Rel = { kind: 'join', type: 'LEFT', left: domain.rel, right: groups.rel, on };
  return { kind: 'project', input: joined, items: groups.items };
}

/**
 * Returns one group over all rows for each row of the domain that has any, and its values for an outer join with that: over no rows a count is 0.
 * The values keep the aggregate's columns.
 */
export function oneGroup(
  rel: Aggregate,
  domain: Domain,
  d: Dependence,
): { readonly rel: Rel; readonly items: readonly { readonly column: Column; readonly value: Expr }[] } | undefined {
  const input = dependent(rel.input, domain, d);
  if (input === undefined) return undefined;
  const computed = rel.aggregates.map((a) => ({ ...a, column: d.context.newColumn(a.column.name, a.column.type) }));
  const items = rel.aggregates.map(({ column, call: aggregate }, i) => {
    const value = ref(computed[i]?.column ?? column, d.at);
    return { column, value: aggregate.fn.zeroWhenEmpty ? call('IFNULL', [value, int64(0n, d.at)], d.at, INT64) : value };
  });
  const groupings = rel.groupings.map(({ column }) => ({ column, value: int64(0n, d.at) }));
  return {
    rel: { ...rel, input, keys: keysOf(domain.columns, d), groupingSets: null, aggregates: computed, groupings: [] },
    items: [...items, ...groupings],
  };
}

const keysOf = (columns: readonly Column[], { at }: Dependence): Aggregate['keys'] =>
  columns.map((column) => ({ column, value: ref(column, at) }));

/** Returns `rel` with columns of its own for the domain, where the domain's columns are in use by the other side. */
function ownDomain(rel: Rel, domain: Domain, { context }: Dependence): { readonly rel: Rel; readonly domain: Domain } {
  const columns = domain.columns.map((c) => context.newColumn(c.name, c.type));
  const copy = domain.rel === null ? null : copyRelation(domain.rel, context);
  // The copy has new columns; the project gives them the names that `rel` reads.
  const items = columns.map((column, i) => {
    const from = domain.columns[i] ?? column;
    return { column, value: ref(copy?.renamed(from) ?? from, { span: { start: 0, end: 0 } }) };
  });
  const rows: Rel | null = copy === null ? null : { kind: 'project', input: copy.rel, items };
  return { rel: replaceOuter(rel, domain.columns, columns), domain: { columns, rel: rows } };
}

/** Joins the domain to the rows below a filter, by the filter's conditions. */
function dependentFilter(rel: Filter, domain: Domain, d: Dependence): Rel | undefined {
  let base: Rel = rel;
  const conditions: Expr[] = [];
  for (; base.kind === 'filter'; base = base.input) conditions.push(...splitConjunction(base.condition));
  if (reads(base, domain)) {
    const input = dependent(base, domain, d);
    return input === undefined ? undefined : filtered(input, conditions);
  }
  if (domain.rel === null) return keyedByItself(base, conditions, domain, d);
  const joining = conditions.filter((c) => !hasSubquery(c));
  const others = conditions.filter(hasSubquery);
  const on = joining.length === 0 ? null : conjunction(joining);
  return filtered({ kind: 'join', type: on === null ? 'CROSS' : 'INNER', left: domain.rel, right: base, on }, others);
}

/** Takes the outer values from the row itself, where each equals one of its own: no domain is needed, only an outer join on equality. */
function keyedByItself(base: Rel, conditions: readonly Expr[], { columns }: Domain, { at }: Dependence): Rel | undefined {
  const ids = new Set(columns.map((c) => c.id));
  const used = new Set<Expr>();
  const items: { column: Column; value: Expr }[] = [];
  for (const column of columns) {
    // Different keys may be equal floats.
    if (['FLOAT64', 'STRUCT', 'ARRAY', 'RECORD', 'JSON', 'INTERVAL', 'GEOGRAPHY'].includes(column.type.kind)) return undefined;
    for (const condition of conditions) {
      if (used.has(condition) || condition.kind !== 'call' || condition.fn.name !== '$equal') continue;
      const [left, right] = condition.args;
      let value = isColumn(right, column) ? left : undefined;
      if (isColumn(left, column)) value = right;
      if (value == null || value.type.kind !== column.type.kind || hasSubquery(value)) continue;
      if ([...columnsRead(value)].some((id) => ids.has(id))) continue;
      used.add(condition);
      items.push({ column, value });
      break;
    }
  }
  if (items.length < columns.length) return undefined;
  const rest = conditions.filter((c) => !used.has(c));
  const own = rest.filter((c) => ![...columnsRead(c)].some((id) => ids.has(id)));
  const later = rest.filter((c) => !own.includes(c));
  const keyed: Rel = { kind: 'project', input: filtered(base, own), items };
  return filtered(keyed, [...columns.map((c) => call('$not', [call('$is_null', [ref(c, at)], at)], at)), ...later]);
}

const isColumn = (expr: Expr | null | undefined, column: Column): boolean => expr?.kind === 'column' && expr.column.id === column.id;

function dependentJoin(rel: Join, domain: Domain, d: Dependence): Rel | undefined {
  if (rel.type === 'RIGHT') return dependentJoin({ ...rel, type: 'LEFT', left: rel.right, right: rel.left }, domain, d);
  if (rel.type === 'FULL') return undefined;
  const inner = rel.type !== 'LEFT';
  const joinType = inner ? 'INNER' : 'LEFT';
  const type = rel.type === 'CROSS' && rel.on === null ? rel.type : joinType;
  if (!reads(rel.right, domain)) {
    const left = dependent(rel.left, domain, d);
    return left === undefined ? undefined : { ...rel, type, left };
  }
  if (inner && !reads(rel.left, domain)) {
    const right = dependent(rel.right, domain, d);
    return right === undefined ? undefined : { ...rel, type, right };
  }
  const left = dependent(rel.left, domain, d);
  const own = ownDomain(rel.right, domain, d);
  const right = dependent(own.rel, own.domain, d);
  if (left === undefined || right === undefined) return undefined;
  const same = sameValues(domain.columns, own.domain.columns, d.at, { strict: domain.rel === null });
  return { kind: 'join', type: joinType, left, right, on: rel.on === null ? same : conjunction([same, rel.on]) };
}

/** Returns LIMIT as a filter on the rows' number. */
function numbered(rel: OrderLimit, { context, at }: Dependence): { readonly rel: Rel; readonly number: Column } {
  const fn = builtIn('ROW_NUMBER');
  if (fn.kind !== 'window') throw new RangeError('ROW_NUMBER is a window function');
  const number = context.newColumn('row_number', INT64);
  const call_ = {
    fn,
    args: [],
    distinct: false,
    nulls: null,
    partitionBy: [],
    orderBy: rel.orderBy,
    frame: null,
    safe: false,
    type: INT64,
    span: at.span,
  } as const;
  const value = ref(number, at);
  const { limit, offset } = rel;
  const conditions: Expr[] = [];
  if (offset !== null) conditions.push(call('$greater', [value, offset], at));
  if (limit !== null)
    conditions.push(call('$less_or_equal', [value, offset === null ? limit : call('$add', [offset, limit], at, INT64)], at));
  return { rel: filtered({ kind: 'window', input: rel.input, items: [{ column: number, call: call_ }] }, conditions), number };
}

/** Returns the relation without the ORDER BY that it ends with, and that order. */
export function ordered(rel: Rel, d: Dependence): { readonly rel: Rel; readonly orderBy: readonly OrderItem[] } {
  if (rel.kind === 'project') {
    const below = ordered(rel.input, d);
    return below.orderBy.length === 0 ? { rel, orderBy: [] } : { rel: { ...rel, input: below.rel }, orderBy: below.orderBy };
  }
  if (rel.kind !== 'order_limit') return { rel, orderBy: [] };
  if (rel.limit === null) return { rel: rel.input, orderBy: rel.orderBy };
  const limited = numbered(rel, d);
  return { rel: limited.rel, orderBy: [{ value: ref(limited.number, d.at), descending: false, nullsFirst: true }] };
}
