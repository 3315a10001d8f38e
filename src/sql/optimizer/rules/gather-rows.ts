// `a full join b` over tables that are spread over shards: ClickHouse sends a SELECT whose first table is spread to each shard, with all that it joins, so
// that rows of `b` without a match come once a shard. A Gather is where rows leave the shards: what stands above it runs on the server that was asked.
// One table with filters, groups and an order stays on the shards, and so do inner and left joins by equality, to which ClickHouse sends the right side.
// ClickHouse's own account of outer joins: https://github.com/ClickHouse/ClickHouse/issues/33408

import type { Type } from '../../base/types.ts';
import { holdsFloat } from '../../functions/aggregate/group-value.ts';
import { isRecordType } from '../../layouts/stored.ts';
import { splitConjunction } from '../../logical/build.ts';
import { readsOnlyArrays } from '../../logical/decorrelated.ts';
import { isCorrelated } from '../../logical/free-columns.ts';
import type { Aggregate, Expr, Filter, Join, Rel, SourceScan } from '../../logical/nodes.ts';
import { columnsMade, columnsMadeIn } from '../../logical/properties/made.ts';
import { isStable } from '../../logical/volatile.ts';
import { childrenOf, columnsRead, contains, mapChildren, mapPlan, relationsOf, rewriteExpr } from '../../logical/walk.ts';
import { conjunction, filtered } from '../build.ts';
import { joinedOnShards } from '../colocated.ts';
import type { Rule } from '../rule.ts';

export const gatherRows: Rule = {
  name: 'gather-rows',
  changes(plan) {
    if (!relationsOf(plan).some((rel) => rel.kind === 'source_scan' && isSpread(rel))) return undefined;
    return { plan: (changed) => mapPlan(changed, placed) };
  },
};

const isSpread = ({ source }: SourceScan): boolean => source.sharded === true;

/** Returns the relation with Gathers in it where they must be, and filters below them. */
function placed(rel: Rel): Rel {
  const inside = (expr: Expr): Expr => mapChildren(expr, { expr: inside, rel: placed });
  const changed: Rel = mapChildren(rel.kind === 'filter' ? joinedByKeys(rel) : rel, { expr: inside, rel: placed });
  if (changed.kind === 'filter') return placedFilter(changed);
  const onEach = changed.kind === 'join' && childrenOf(changed).every(travels) ? joinedOnShards(changed) : undefined;
  if (onEach !== undefined) return onEach;
  if (!isOnShards(changed)) return gathered(changed);
  return changed.kind === 'order_limit' && changed.limit !== null && comesFromShards(changed) && showsRecord(changed)
    ? gather(changed)
    : changed;
}

/** True of rows with a record, whose text is long to write, and longer than what is stored. */
function showsRecord(rel: Rel): boolean {
  if (rel.kind === 'source_scan') return rel.columns.some(({ column }) => isRecordType(column.type));
  return (rel.kind === 'filter' || rel.kind === 'project' || rel.kind === 'order_limit') && showsRecord(rel.input);
}

/** Writes `FROM a, b WHERE a.x = b.x` as the inner join that it is: shards can make that. */
function joinedByKeys({ input, condition }: Filter): Rel {
  let left = splitConjunction(condition);
  const joined = (rel: Rel): Rel => {
    if (rel.kind !== 'join' || rel.type !== 'CROSS' || !comesFromShards(rel.left)) return rel;
    const sides = { left: joined(rel.left), right: rel.right };
    const keys = left.filter((test) => isKeyOf(test, sides));
    if (keys.length === 0) return { ...rel, ...sides };
    left = left.filter((test) => !keys.includes(test));
    return { ...rel, ...sides, type: 'INNER', on: conjunction(keys) };
  };
  return filtered(joined(input), left);
}

/** True if the condition demands that a value of the left equals one of the right. */
function isKeyOf(test: Expr, { left, right }: Pick<Join, 'left' | 'right'>): boolean {
  if (test.kind !== 'call' || test.fn.name !== '$equal' || !isStable(test) || !travels(test)) return false;
  const [ofLeft, ofRight] = [columnsMadeIn(left), columnsMadeIn(right)];
  const isOf = (side: ReadonlySet<number>) => (arg: Expr | null) => {
    const read = arg === null ? [] : [...columnsRead(arg)];
    return read.length > 0 && read.every((id) => side.has(id));
  };
  return test.args.some(isOf(ofLeft)) && test.args.some(isOf(ofRight));
}

/** Returns the filter with each condition as near to the rows of shards as it may be. */
function placedFilter({ input, condition }: Filter): Rel {
  let below = input;
  const left: Expr[] = [];
  for (const test of splitConjunction(condition)) {
    const sunk = travels(test) && isStable(test) ? sink(below, test) : undefined;
    if (sunk === undefined) left.push(test);
    else below = sunk;
  }
  if (!comesFromShards(below)) return filtered(below, left);
  const elements = readsOthers(below) ? elementsIn(below) : new Set<number>();
  const behind = left.filter((test) => !travels(test) || [...columnsRead(test)].some((id) => elements.has(id)));
  const onShards = filtered(
    below,
    left.filter((test) => !behind.includes(test)),
  );
  return behind.length === 0 ? onShards : filtered(gather(onShards), behind);
}

/** Returns the relation with a test of its rows that shards make for it; undefined if none can. */
function sink(rel: Rel, test: Expr): Rel | undefined {
  const read = columnsRead(test);
  const reads = (columns: ReadonlySet<number>): boolean => [...read].some((id) => columns.has(id));
  switch (rel.kind) {
    case 'gather':
      return [...read].every((id) => columnsMadeIn(rel.input).has(id)) ? { ...rel, input: filtered(rel.input, [test]) } : undefined;
    case 'filter':
    case 'project':
    case 'unnest': {
      if (rel.input === null || reads(new Set(columnsMade(rel).map(({ id }) => id)))) return undefined;
      const input = sink(rel.input, test);
      return input && { ...rel, input };
    }
    case 'aggregate': {
      const moved = belowGroups(rel, test);
      const input = moved && (comesFromShards(rel.input) ? filtered(rel.input, [moved]) : sink(rel.input, moved));
      return input && { ...rel, input };
    }
    case 'join': {
      const left = reads(columnsMadeIn(rel.right)) || rel.type === 'RIGHT' || rel.type === 'FULL' ? undefined : sink(rel.left, test);
      if (left !== undefined) return { ...rel, left };
      if (reads(columnsMadeIn(rel.left)) || rel.type === 'LEFT' || rel.type === 'FULL') return undefined;
      // The rows of the right side leave their shards before they are joined.
      const right = rel.right.kind === 'source_scan' && isSpread(rel.right) ? filtered(rel.right, [test]) : sink(rel.right, test);
      return right && { ...rel, right };
    }
    default:
      return undefined;
  }
}

/**
 * Returns the test of groups as one of the rows that are grouped, if it reads nothing but keys. ClickHouse moves such tests itself, but not to shards. FLOAT64s
 * are not the same bits in a key.
 */
function belowGroups({ keys, groupingSets }: Aggregate, test: Expr): Expr | undefined {
  const values = new Map(keys.map(({ column, value }) => [column.id, value]));
  const read = [...columnsRead(test)];
  if (groupingSets !== null || read.length === 0) return undefined;
  const fits = (value: Expr | undefined): boolean => value !== undefined && !holdsFloat(value.type) && isStable(value) && travels(value);
  if (!read.every((id) => fits(values.get(id)))) return undefined;
  return rewriteExpr(test, (e) => (e.kind === 'column' ? (values.get(e.column.id) ?? e) : e));
}

/** Returns the relation over inputs that are gathered, where they come from shards. */
function gathered(rel: Rel): Rel {
  if (rel.kind === 'join') return comesFromShards(rel.left) ? { ...rel, left: gather(rel.left) } : rel;
  if (!hasInput(rel) || rel.input === null || !comesFromShards(rel.input)) return rel;
  return { ...rel, input: gather(rel.input) };
}

const gather = (input: Rel): Rel => ({ kind: 'gather', input });

type WithInput = Extract<Rel, { readonly input: Rel | null }>;
const hasInput = (rel: Rel): rel is WithInput => 'input' in rel;

/** True if ClickHouse would send the SELECT that begins with these rows to shards. */
function comesFromShards(rel: Rel): boolean {
  if (rel.kind === 'source_scan') return isSpread(rel);
  if (rel.kind === 'join') return comesFromShards(rel.left);
  return rel.kind !== 'gather' && hasInput(rel) && rel.input !== null && comesFromShards(rel.input);
}

/** True if the step itself returns the same rows on shards as in one place. */
function isOnShards(rel: Rel): boolean {
  switch (rel.kind) {
    case 'join':
      return joinsOnShards(rel);
    case 'unnest':
      return childrenOf(rel).every(travels) && !(readsOthers(rel) && elementsIn(rel.input).size > 0);
    case 'window':
      // ClickHouse computes it where it was asked in any case, but first has the shards check the call, whose arguments are no constants there.
      return false;
    case 'aggregate':
      // Shards cannot read GROUPING() in ClickHouse 26.8: https://github.com/ClickHouse/ClickHouse/issues/120250
      return (rel.groupingSets === null || rel.groupings.length === 0) && childrenOf(rel).every(travels);
    default:
      return childrenOf(rel).every(travels);
  }
}

function joinsOnShards({ type, left, on }: Join): boolean {
  if ((type !== 'INNER' && type !== 'LEFT') || readsOthers(left) || elementsIn(left).size > 0) return false;
  return on !== null && splitConjunction(on).some((c) => c.kind === 'call' && c.fn.name === '$equal') && travels(on);
}

/** Returns the ids of the columns that UNNESTs make of the rows of one table. */
function elementsIn(rel: Rel | null): ReadonlySet<number> {
  if (rel?.kind !== 'unnest' && rel?.kind !== 'filter' && rel?.kind !== 'project') return new Set();
  const made = rel.kind === 'unnest' ? columnsMade(rel).map(({ id }) => id) : [];
  return new Set([...elementsIn(rel.input), ...made]);
}

/** True if the rows come by way of a table that reads others: not all joins with what that reads work on shards, nor conditions on elements, nor UNNESTs of these. */
function readsOthers(rel: Rel): boolean {
  if (rel.kind === 'source_scan') return rel.source.readsOthers === true;
  if (rel.kind === 'join') return readsOthers(rel.left);
  return rel.kind !== 'gather' && hasInput(rel) && rel.input !== null && readsOthers(rel.input);
}

/** True if shards compute the expression as one server does. They are sent the rows of IN, and what another subquery returns, but none that they would run. */
const travels = (expr: Expr): boolean => !contains(expr, (e) => staysBehind(e) || listsTimes(e));

const staysBehind = (e: Expr): boolean =>
  e.kind === 'subquery' && !readsOnlyArrays(e.input) && (e.mode === 'exists' || isCorrelated(e.input));

/** True of IN over TIMEs, and of what else compares one with several. A list is the one constant that shards are sent as text, and they cannot read its TIMEs. */
const listsTimes = (e: Expr): boolean =>
  e.kind === 'call' &&
  e.fn.compares === true &&
  e.fn.turned === undefined &&
  e.args.some((arg) => arg !== null && elementType(arg.type).kind === 'TIME');

const elementType = (type: Type): Type => (type.kind === 'ARRAY' ? type.element : type);
