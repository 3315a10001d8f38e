// Relations as SELECT blocks: each is folded into the block below it, or that block becomes a subquery first.

import { printedNodes } from '../base/size.ts';
import { groupValue, holdsFloat } from '../functions/aggregate/group-value.ts';
import { layoutOf } from '../layouts/index.ts';
import { isRecordType } from '../layouts/stored.ts';
import { ref, splitConjunction } from '../logical/build.ts';
import type * as resolved from '../logical/nodes.ts';
import type { Column, Rel } from '../logical/nodes.ts';
import { columnsRead, hasSubquery } from '../logical/walk.ts';
import type { From, NamedConstant, SqlExpression } from '../target/ast.ts';
import { array, call, cast, ident, iff, infix, lit, NULL, select } from '../target/build.ts';
import { wholeRecord } from '../target/portable/records.ts';
import { SameMap } from '../target/same.ts';
import { joinOnShards, withArrays } from './array-join.ts';
import { type Block, EMPTY_BLOCK, type Shown, Stage, union, withShown, wrap } from './block.ts';
import { aboveArrayJoin, besideArrayJoin, lowerCondition } from './condition.ts';
import { countRows } from './element-fields.ts';
import { lowerExpr, lowerOrder } from './expression.ts';
import { lowerGather } from './gather.ts';
import { groupingReads, lowerGrouping } from './grouping.ts';
import { lowerJoin } from './join.ts';
import { type Environment, environment, type Lowering } from './lowering.ts';
import { lowerProject } from './project.ts';
import { recordElements } from './record.ts';
import { lowerRowCount } from './row-count.ts';
import { readScanColumns, storedColumn } from './scan-columns.ts';
import { isLong, mustStandApart } from './stand-apart.ts';
import { lowerSetOperation } from './statement.ts';
import { lowerWindowCall } from './window.ts';

type Needed = ReadonlySet<number>;
type Lowerers = {
  readonly [K in Rel['kind']]: (rel: Extract<Rel, { readonly kind: K }>, needed: Needed, outer: Environment | null, l: Lowering) => Block;
};

const LOWERERS: Lowerers = {
  one_row: () => EMPTY_BLOCK,
  source_scan: lowerScan,
  cte_scan: (rel, _needed, _outer, l) => lowerCteScan(rel, l),
  join: lowerJoin,
  unnest: lowerUnnest,
  filter: lowerFilter,
  project: lowerProject,
  aggregate: lowerAggregation,
  window: lowerWindow,
  distinct: (rel, _needed, outer, l) => {
    const columns = new Set(rel.columns.map((c) => c.id));
    const block = before(Stage.DISTINCT, lowerRel(rel.input, columns, outer, l), columns, l);
    const apart = rel.columns.some((c) => isLongStruct(c, block)) ? wrap(block, columns, l) : block;
    return { ...withGroupValues(apart, rel.columns, l), distinct: rel.columns, stage: Stage.DISTINCT };
  },
  order_limit: lowerOrderLimit,
  set_operation: lowerSetOperation,
  gather: lowerGather,
};

/** `needed`: ids of the columns that are read above. */
export function lowerRel(rel: Rel, needed: Needed, outer: Environment | null, l: Lowering): Block {
  // The table is complete over the union; TypeScript can't pair a kind with its own entry by itself.
  const lower = LOWERERS[rel.kind] as (rel: Rel, needed: Needed, outer: Environment | null, l: Lowering) => Block;
  return lower(rel, needed, outer, l);
}

/** Makes the block a subquery if a clause at or after `stage` has already taken effect. */
function before(stage: Stage, block: Block, needed: Needed, l: Lowering): Block {
  return block.stage >= stage ? wrap(block, needed, l) : block;
}

function lowerScan(rel: resolved.SourceScan, needed: Needed, outer: Environment | null, l: Lowering): Block {
  const alias = l.freshTable(rel.alias);
  const { source } = rel;
  const named: NamedConstant[] = [];
  // ClickHouse does not find such names inside of correlated subqueries.
  const name = (base: string, value: SqlExpression): SqlExpression => {
    if (outer !== null) return value;
    named.push({ name: l.fresh(base), value });
    return ident(named.at(-1)?.name ?? '');
  };
  const columns = rel.columns.filter((c) => needed.has(c.column.id));
  const values = readScanColumns(alias, columns, { fresh: l.fresh, name }, l.inFilter);
  const shown = columns.map((scanned, i): Shown => ({ column: scanned.column, value: shownAs(alias, scanned, values[i] ?? NULL, l) }));
  const table = source.database === undefined ? [source.table] : [source.database, source.table];
  const where = (source.rows ?? []).map((row) => infix('=', storedColumn(alias, row.column, source.columns), lit(row.value)));
  const stage = where.length === 0 ? Stage.FROM : Stage.WHERE;
  const from: From =
    source.read !== undefined
      ? { kind: 'table_function', ...source.read, alias }
      : {
          kind: 'table',
          name: table,
          alias,
          cluster: source.cluster,
          ...(source.shardingKey === undefined ? {} : { shardingKey: source.shardingKey }),
          ...(source.wildcard === true ? { wildcard: true } : {}),
          ...(source.sharded === true ? { sharded: true } : {}),
        };
  return withShown({ ...EMPTY_BLOCK, from, where, named, stage }, shown);
}

/** A whole record may be shown as it is stored where the text is to be short. */
function shownAs(alias: string, { column, from, part }: resolved.ScanColumn, value: SqlExpression, l: Lowering): SqlExpression {
  const isWhole = isRecordType(column.type) && (part.kind === 'whole' || (part.kind === 'path' && part.path.length === 0));
  const stored = l.options.portable === true && isWhole ? layoutOf(from.read).stored?.(alias, from.read) : undefined;
  return stored === undefined ? value : wholeRecord(stored, value);
}

function lowerCteScan(rel: resolved.CteScan, l: Lowering): Block {
  const cte = l.ctes.get(rel.cte);
  if (cte === undefined) throw new RangeError(`no CTE ${rel.cte}`);
  const alias = l.freshTable(rel.alias);
  const shown = rel.columns.map((column, i): Shown => ({ column, value: ident(alias, l.nameOf(cte.definition.columns[i] ?? column)) }));
  return withShown({ ...EMPTY_BLOCK, from: { kind: 'table', name: [cte.name], alias } }, shown);
}

function lowerUnnest(rel: resolved.Unnest, needed: Needed, outer: Environment | null, l: Lowering): Block {
  if (rel.input === null) return lowerStandaloneUnnest(rel, outer, l);
  const zipped = rel.zipped ?? [];
  const wanted = union(needed, columnsRead(rel.array), ...zipped.map((b) => columnsRead(b.array)));
  const input = lowerRel(rel.input, wanted, outer, l);
  let block = before(Stage.GROUP, input.from === null ? wrap(input, wanted, l) : input, wanted, l);
  // ClickHouse loses columns where an ARRAY JOIN of several arrays stands on another one.
  if (block.from?.kind === 'array_join' && (zipped.length > 0 || block.from.arrays.length > 1) && joinOnShards(block) === undefined)
    block = wrap(block, wanted, l);
  let values = recordElements(rel.array, lowerExpr(rel.array, environment(block, outer), l), l.fresh);
  if (hasSubquery(rel.array)) {
    // ClickHouse has no subqueries in ARRAY JOIN, so the array becomes a column first.
    const column: Column = { id: -rel.element.id, name: 'array', type: rel.array.type };
    block = wrap(withShown(block, [{ column, value: values }]), union(wanted, [column.id]), l);
    values = block.shown.get(column.id)?.value ?? values;
  }
  if (block.from === null) throw new RangeError('a wrapped block reads from its subquery');
  const elementName = l.nameOf(rel.element);
  const leaves = rel.outer && rel.zipped !== undefined;
  // An empty array gets one NULL element. For leaves, arrayResize fills in the default of their types, as ClickHouse's LEFT ARRAY JOIN does, which takes
  // 13 times as long for Array(Nullable(String)).
  const orNull = (value: SqlExpression): SqlExpression => {
    if (leaves) return call('arrayResize', value, call('greatest', call('length', value), lit(1)));
    return rel.outer ? iff(call('empty', values), array(NULL), value) : value;
  };
  const arrays = [{ value: orNull(values), alias: elementName }];
  const added: Shown[] = [{ column: rel.element, value: ident(elementName) }];
  for (const { array: other, element } of zipped) {
    const name = l.nameOf(element);
    const list = lowerExpr(other, environment(block, outer), l);
    arrays.push({ value: orNull(list), alias: name });
    added.push({ column: element, value: ident(name) });
  }
  if (rel.offset !== null) {
    const offsetName = l.nameOf(rel.offset);
    const positions = call('range', call('toInt64', countRows(values, l.fresh)));
    arrays.push({ value: orNull(leaves ? cast(positions, 'Array(Nullable(Int64))') : positions), alias: offsetName });
    added.push({ column: rel.offset, value: ident(offsetName) });
  }
  const joined = withShown({ ...block, where: block.where.map(besideArrayJoin) }, added);
  return { ...joined, from: withArrays({ ...joined, from: block.from }, arrays, needed, l) };
}

/** UNNEST with nothing to its left: a subquery with a row for each element. arrayJoin also works if the array is a column of an outer query. */
function lowerStandaloneUnnest(rel: resolved.Unnest, outer: Environment | null, l: Lowering): Block {
  const values = recordElements(rel.array, lowerExpr(rel.array, { names: new Map(), outer }, l), l.fresh);
  const alias = l.fresh('u');
  const elementName = l.nameOf(rel.element);
  if (rel.offset === null) {
    const statement = select([{ value: call('arrayJoin', values), alias: elementName }], null);
    return withShown({ ...EMPTY_BLOCK, from: { kind: 'select', statement, alias } }, [
      { column: rel.element, value: ident(alias, elementName) },
    ]);
  }
  const positions = call('range', call('toInt64', countRows(values, l.fresh)));
  const pairName = l.fresh('pair');
  const statement = select([{ value: call('arrayJoin', call('arrayZip', values, positions)), alias: pairName }], null);
  const pair = ident(alias, pairName);
  return withShown({ ...EMPTY_BLOCK, from: { kind: 'select', statement, alias } }, [
    { column: rel.element, value: call('tupleElement', pair, lit(1)) },
    { column: rel.offset, value: call('tupleElement', pair, lit(2)) },
  ]);
}

function lowerFilter(rel: resolved.Filter, needed: Needed, outer: Environment | null, l: Lowering): Block {
  const wanted = union(needed, columnsRead(rel.condition));
  let block = before(Stage.DISTINCT, lowerRel(rel.input, wanted, outer, l), wanted, l);
  const conditionsOn = (b: Block): readonly SqlExpression[] => {
    const env = environment(b, outer);
    const above = b.from?.kind === 'array_join';
    return splitConjunction(rel.condition).map((c) => {
      const written = lowerCondition(c, env, l);
      return above ? aboveArrayJoin(c, written, l) : written;
    });
  };
  let conditions = conditionsOn(block);
  if (mustStandApart(conditions, block, l)) {
    block = wrap(block, wanted, l);
    conditions = conditionsOn(block);
  }
  if (block.stage === Stage.WINDOW) return { ...block, qualify: [...block.qualify, ...conditions] };
  if (block.stage === Stage.GROUP) return { ...block, having: [...block.having, ...conditions] };
  // Rules may have copied a filter here that stands here already.
  const there = new SameMap<true>();
  for (const known of block.where) there.set(known, true);
  const added = conditions.filter((c) => there.get(c) === undefined);
  return { ...block, where: [...block.where, ...added], stage: Stage.WHERE };
}

/** True if a struct would be written again for each FLOAT64 in it. */
function isLongStruct({ id, type }: Column, block: Block): boolean {
  return type.kind === 'STRUCT' && holdsFloat(type) && printedNodes(block.shown.get(id)?.value ?? NULL) > MIN_APART;
}

/** Gives columns that DISTINCT compares one bit pattern for each value. */
function withGroupValues(block: Block, columns: readonly Column[], l: Lowering): Block {
  const floats = columns.filter((c) => holdsFloat(c.type) && block.shown.has(c.id));
  const shown = floats.map((column): Shown => {
    const finite = l.isFinite(ref(column, { span: { start: 0, end: 0 } }));
    return { column, value: groupValue(block.shown.get(column.id)?.value ?? NULL, column.type, finite, l.fresh) };
  });
  return withShown(block, shown);
}

/**
 * Nodes of named expressions from which on they stand in a subquery. ClickHouse analyzes a named expression again at every place, and
 * aggregates are many places: measured, five over a value of a text record took 7 ms longer, whatever the rows.
 */
const MIN_APART = 100;

function lowerAggregation(rel: resolved.Aggregate, needed: Needed, outer: Environment | null, l: Lowering): Block {
  const pruned = { ...rel, aggregates: rel.aggregates.filter((a) => needed.has(a.column.id)) };
  const wanted = groupingReads(pruned);
  const block = before(Stage.GROUP, lowerRel(rel.input, wanted, outer, l), wanted, l);
  const input = printedNodes(block.named) < MIN_APART ? block : wrap(block, wanted, l);
  const grouped = lowerGrouping(pruned, input, outer, l);
  const values = [...grouped.shown.values()].map(({ value }) => value);
  return isLong(values, input, l) ? lowerGrouping(pruned, wrap(input, wanted, l), outer, l) : grouped;
}

function lowerWindow(rel: resolved.Window, needed: Needed, outer: Environment | null, l: Lowering): Block {
  const items = rel.items.filter((i) => needed.has(i.column.id));
  const wanted = union(needed, ...items.map((i) => columnsRead(i.call)));
  const block = before(Stage.GROUP, lowerRel(rel.input, wanted, outer, l), wanted, l);
  const env = environment(block, outer);
  const added = items.map((i): Shown => ({ column: i.column, value: lowerWindowCall(i.call, env, l) }));
  return { ...withShown(block, added), stage: Stage.WINDOW };
}

function lowerOrderLimit(rel: resolved.OrderLimit, needed: Needed, outer: Environment | null, l: Lowering): Block {
  const wanted = union(needed, ...rel.orderBy.map((o) => columnsRead(o.value)));
  const below = lowerRel(rel.input, wanted, outer, l);
  // A bare LIMIT keeps the order below it; a new order starts over.
  let block = before(rel.orderBy.length > 0 ? Stage.ORDER : Stage.LIMIT, below, wanted, l);
  let env = environment(block, outer);
  const given = lowerOrder(rel.orderBy, env, l);
  if (
    mustStandApart(
      given.map(({ value }) => value),
      block,
      l,
    )
  ) {
    block = wrap(block, wanted, l);
    env = environment(block, outer);
  }
  const limit = rel.limit === null ? null : lowerRowCount(rel.limit, 'LIMIT', env, l);
  const offset = rel.offset === null ? null : lowerRowCount(rel.offset, 'OFFSET', env, l);
  const orderBy = rel.orderBy.length > 0 ? lowerOrder(rel.orderBy, env, l) : block.orderBy;
  return {
    ...block,
    orderBy,
    limit: limit ?? block.limit,
    offset: offset ?? block.offset,
    stage: limit === null ? Stage.ORDER : Stage.LIMIT,
  };
}
