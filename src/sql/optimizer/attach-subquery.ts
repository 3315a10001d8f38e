// Turns a correlated subquery into an outer join: its results for each value of the outer columns that it reads, joined to the rows that have those values.

import { BOOL, INT64, STRING, type Type } from '../base/types.ts';
import { builtIn } from '../functions/index.ts';
import { bool, int64, ref } from '../logical/build.ts';
import { freeColumns } from '../logical/free-columns.ts';
import type { Aggregate, AggregateCall, Column, Expr, Filter, Project, Rel, Subquery } from '../logical/nodes.ts';
import { columnsMadeIn } from '../logical/properties/made.ts';
import { call } from './build.ts';
import { type Dependence, dependent, oneGroup, ordered } from './dependent.ts';
import { type Domain, domainOf, replaceOuter, sameValues, standIns } from './domain.ts';
import type { RuleContext } from './rule.ts';

interface Attached {
  readonly input: Rel;
  /** The value of the subquery, in terms of `input`. */
  readonly value: Expr;
}

/** The rows to which a subquery is joined. */
interface Target {
  readonly input: Rel;
  /** Rows with all columns that the subquery reads. */
  readonly base: Rel;
}

/** Joins the subquery to `target.input`; undefined where the subquery reads columns of elsewhere, or is of a shape that can't be joined. */
export function attach(expr: Subquery, target: Target, context: RuleContext): Attached | undefined {
  const d: Dependence = { context, at: expr };
  const group = onlyGroup(expr.input);
  return group === undefined ? attachRows(expr, target, d) : attachGroup(expr, group, target, d);
}

interface Keys {
  /** The columns of the rows around the subquery, and those of `rel` that must be equal to them. */
  readonly outer: readonly Column[];
  readonly columns: readonly Column[];
  readonly rel: Rel;
}

/** Returns the rows of EXISTS with the values by which they are found; undefined where it takes more than equal values to find them. */
function keysOfExists(expr: Subquery, base: Rel, context: RuleContext): Keys | undefined {
  if (expr.mode !== 'exists' || onlyGroup(expr.input) !== undefined) return undefined;
  const outer = outerColumns(expr.input, base, expr.column);
  if (outer === undefined || outer.length === 0) return undefined;
  const d: Dependence = { context, at: expr };
  const columns = standIns(outer, context);
  const rel = dependent(ordered(replaceOuter(expr.input, outer, columns), d).rel, { columns, rel: null }, d);
  return rel && { outer, columns, rel };
}

/** Types whose values are the same for a join and in a set, however they are stored. */
const IN_SETS: ReadonlySet<string> = new Set(['INT64', 'STRING', 'BOOL']);

/** Returns EXISTS as IN, where rows are found by one value: a set takes less time and memory than an outer join. NULL stands for FALSE. */
export function asMembership(expr: Subquery, base: Rel, context: RuleContext): Subquery | undefined {
  const { outer = [], columns = [], rel } = keysOfExists(expr, base, context) ?? {};
  const [[read, ...more], [column]] = [outer, columns];
  if (rel === undefined || column === undefined || read === undefined || more.length > 0 || !IN_SETS.has(read.type.kind)) return undefined;
  return { ...expr, mode: 'in', needle: ref(read, expr), column, input: rel };
}

/** Returns the rows of `base` for which EXISTS is true, as a join that may build its table from either side. */
export function joinedExists(expr: Subquery, base: Rel, context: RuleContext): Rel | undefined {
  const keys = keysOfExists(expr, base, context);
  if (keys === undefined) return undefined;
  const { outer, columns, rel } = keys;
  const on = sameValues(outer, columns, expr, { strict: true });
  return { kind: 'join', type: 'INNER', left: base, right: { kind: 'distinct', input: rel, columns }, on };
}

interface OnlyGroup {
  /** The relations above the group, from the top. */
  readonly above: readonly (Filter | Project)[];
  readonly group: Aggregate;
}

/** Returns the aggregate over all rows that the relation ends in, if it does: it has a row even where the subquery finds none. */
function onlyGroup(rel: Rel): OnlyGroup | undefined {
  const above: (Filter | Project)[] = [];
  for (let at = rel; ; at = at.input) {
    if (at.kind === 'aggregate') return at.keys.length === 0 && (at.groupingSets?.length ?? 0) === 0 ? { above, group: at } : undefined;
    if (at.kind === 'filter' || at.kind === 'project') above.push(at);
    else if (at.kind !== 'order_limit' || at.limit !== null) return undefined;
  }
}

function attachGroup(expr: Subquery, { above, group }: OnlyGroup, { input, base }: Target, d: Dependence): Attached | undefined {
  const outer = outerColumns(group, base);
  if (outer === undefined || outerColumns(expr.input, base) === undefined) return undefined;
  let joined: Rel;
  if (outer.length === 0) joined = { kind: 'join', type: 'CROSS', left: input, right: group, on: null };
  else {
    const read = { outer, rel: group, base };
    const found = joinedBy(read, d, (rel, domain) => (rel.kind === 'aggregate' ? oneGroup(rel, domain, d) : undefined));
    if (found === undefined) return undefined;
    joined = { kind: 'project', input: found.join(input, found.made.rel), items: found.made.items };
  }
  // Filters above the group decide whether its row is there; without it the subquery is NULL.
  const conditions: Expr[] = [];
  for (const rel of [...above].reverse()) {
    if (rel.kind === 'project') joined = { ...rel, input: joined };
    else {
      const column = d.context.newColumn('kept', BOOL);
      joined = { kind: 'project', input: joined, items: [{ column, value: call('IFNULL', [rel.condition, bool(false, expr)], expr) }] };
      conditions.push(ref(column, expr));
    }
  }
  const kept = conditions.length === 0 ? undefined : conditions.reduce((a, b) => call('$and', [a, b], expr));
  return { input: joined, value: ofOneRow(expr, kept) };
}

function ofOneRow(expr: Subquery, kept: Expr | undefined): Expr {
  const { mode, column, type, span } = expr;
  const value = ref(column, expr);
  if (mode === 'exists') return kept ?? bool(true, expr);
  const given: Expr = mode === 'array' ? { kind: 'array', elements: [value], type, span } : value;
  if (kept === undefined) return given;
  const otherwise: Expr = mode === 'array' ? { kind: 'array', elements: [], type, span } : { kind: 'literal', value: null, type, span };
  return { kind: 'case', whens: [{ when: kept, then: given }], otherwise, type, span };
}

function attachRows(expr: Subquery, { input, base }: Target, d: Dependence): Attached | undefined {
  const outer = outerColumns(expr.input, base, expr.column);
  if (outer === undefined) return undefined;
  const found = joinedBy({ outer, rel: expr.input, base }, d, (rel, domain) => {
    const { rel: unordered, orderBy } = ordered(rel, d);
    const rows = dependent(unordered, domain, d);
    return rows === undefined ? undefined : { rows, orderBy };
  });
  if (found === undefined) return undefined;
  const {
    columns,
    made: { rows: made, orderBy },
    join,
  } = found;
  const grouped = (aggregates: Aggregate['aggregates']): Rel => ({
    kind: 'aggregate',
    input: made,
    keys: columns.map((column) => ({ column, value: ref(column, expr) })),
    groupingSets: null,
    aggregates,
    groupings: [],
  });
  const { newColumn } = d.context;
  const column = ref(expr.column, expr);
  switch (expr.mode) {
    case 'exists': {
      const mark = newColumn('found', BOOL);
      const rows: Rel = {
        kind: 'project',
        input: { kind: 'distinct', input: made, columns },
        items: [{ column: mark, value: bool(true, expr) }],
      };
      return { input: join(input, rows), value: call('$not', [call('$is_null', [ref(mark, expr)], expr)], expr) };
    }
    case 'array': {
      const all = newColumn('rows', expr.type);
      const collected = { ...aggregated('ARRAY_AGG', [column], expr.type, expr), orderBy };
      return { input: join(input, grouped([{ column: all, call: collected }])), value: ref(all, expr) };
    }
    case 'scalar': {
      if (isOneRow(expr.input)) return { input: join(input, made), value: column };
      const value = newColumn(expr.column.name, expr.type);
      const count = newColumn('rows', INT64);
      const rows = grouped([
        { column: value, call: aggregated('ANY_VALUE', [column], expr.type, expr) },
        { column: count, call: aggregated('COUNT', [], INT64, expr) },
      ]);
      return { input: join(input, rows), value: single(ref(value, expr), ref(count, expr), expr) };
    }
    case 'in':
      return undefined;
  }
}

interface OuterRead {
  /** The columns of `base` that `rel` reads. */
  readonly outer: readonly Column[];
  readonly rel: Rel;
  readonly base: Rel;
}

/** Makes the relation for all values of the outer columns at once, and joins it to rows that have them. */
function joinedBy<T>(
  { outer, rel, base }: OuterRead,
  d: Dependence,
  make: (rel: Rel, domain: Domain) => T | undefined,
): { readonly columns: readonly Column[]; readonly made: T; readonly join: (left: Rel, right: Rel) => Rel } | undefined {
  const columns = standIns(outer, d.context);
  const inside = replaceOuter(rel, outer, columns);
  const strict = make(inside, { columns, rel: null });
  const made = strict ?? make(inside, { columns, rel: domainOf(base, outer, columns, d) });
  if (made === undefined) return undefined;
  const on = sameValues(outer, columns, d.at, { strict: strict !== undefined });
  return { columns, made, join: (left, right) => ({ kind: 'join', type: 'LEFT', left, right, on }) };
}

/** Returns the columns of `base` that `rel` reads; undefined where it reads others, such as those of a lambda. */
function outerColumns(rel: Rel, base: Rel, shown?: Column): readonly Column[] | undefined {
  const free = new Map(freeColumns(rel));
  const own = columnsMadeIn(rel);
  if (shown !== undefined && !own.has(shown.id)) free.set(shown.id, shown);
  const known = columnsMadeIn(base);
  return [...free.keys()].every((id) => known.has(id)) ? [...free.values()] : undefined;
}

function aggregated(name: string, args: readonly Expr[], type: Type, { span }: Subquery): AggregateCall {
  const fn = builtIn(name);
  if (fn.kind !== 'aggregate') throw new RangeError(`${name} is an aggregate`);
  return { fn, args, distinct: false, nulls: null, having: null, orderBy: [], limit: null, safe: false, type, span };
}

/** Returns the value, or an error where it was one of several. */
function single(value: Expr, count: Expr, at: Subquery): Expr {
  const { type, span } = at;
  const message: Expr = { kind: 'literal', value: 'a scalar subquery returned more than one row', type: STRING, span };
  const several = call('$greater', [count, int64(1n, at)], at);
  return { kind: 'case', whens: [{ when: several, then: call('ERROR', [message], at, type) }], otherwise: value, type, span };
}

/** True of a relation that ends with LIMIT 1. */
function isOneRow(rel: Rel): boolean {
  if (rel.kind === 'project' || rel.kind === 'filter') return isOneRow(rel.input);
  return rel.kind === 'order_limit' && rel.limit?.kind === 'literal' && (rel.limit.value === 1n || rel.limit.value === 0n);
}
