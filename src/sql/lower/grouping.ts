// GROUP BY with its grouping sets, and HAVING MAX/MIN inside aggregates.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/query-syntax#group_by_clause
import { fail } from '../base/fail.ts';
import { printedNodes } from '../base/size.ts';
import { BOOL } from '../base/types.ts';
import { orderValue } from '../functions/sort-key.ts';
import type { Aggregate, AggregateCall, Expr } from '../logical/nodes.ts';
import { isStable } from '../logical/volatile.ts';
import { columnsRead } from '../logical/walk.ts';
import type { NamedConstant, SqlExpression } from '../target/ast.ts';
import { call, cast, ident, iff, infix, lit, NULL, raw, tuple, unwidened } from '../target/build.ts';
import { checksInBranch } from '../target/checks.ts';
import { isConstant } from '../target/constant.ts';
import { isColumn, isOfColumn } from '../target/of-column.ts';
import { SameMap } from '../target/same.ts';
import { comesFromShards } from '../target/send-to-shards.ts';
import { aggregateWriter, lowerAggregate } from './aggregate.ts';
import { type Block, GROUPED, type Shown, Stage, withShown, wrap } from './block.ts';
import { sharingAggregates } from './common-subexpressions.ts';
import { lowerExpr, lowerGroupValue } from './expression.ts';
import { type Environment, environment, type Lowering } from './lowering.ts';

/** Returns the ids of the columns that the grouping reads from its input. */
export function groupingReads({ keys, aggregates }: Aggregate): Set<number> {
  return new Set([...keys.flatMap((k) => [...columnsRead(k.value)]), ...aggregates.flatMap((a) => [...columnsRead(a.call)])]);
}

/** Groups `input`, a block that is not grouped yet. */
export function lowerGrouping(rel: Aggregate, input: Block, outer: Environment | null, l: Lowering): Block {
  const { aggregates: calls } = rel;
  const sets = groupingSetsOf(rel);
  const env = environment(input, outer);
  const written = rel.keys.map(({ value }) => lowerGroupValue(value, env, l));
  // A key that is the same for all rows (a value of an outer query, a constant) groups nothing, and ClickHouse mixes up outer values in
  // GROUP BY.
  const groups = rel.keys.map(({ value }, i) => {
    const isSame = isConstant(written[i] ?? NULL) && l.mayBeConstant(value);
    return sets !== null || (varies(value, input) && !isSame);
  });
  const partitionBy = written.filter((_, i) => groups[i]);
  const flags = extremes(rel, partitionBy, env, l);
  // ClickHouse computes a key from other keys even where it is rolled up itself, takes keys of one name for one key, whichever tables they
  // are from, and takes no constants as keys. So all keys become columns first.
  const fixed = rel.keys.map(({ value }) => sets !== null && l.mayBeConstant(value));
  const computed =
    sets !== null &&
    (rel.keys.some((k) => k.value.kind !== 'column') ||
      sharesNames(written) ||
      written.some((key) => isConstant(key)) ||
      fixed.includes(true));
  const separate = computed ? apart(written).map((key, i) => (fixed[i] === true ? call('materialize', key) : key)) : written;
  const columns = [...rel.keys.map((k, i): Shown => ({ column: k.column, value: separate[i] ?? NULL })), ...flags];
  const reads = groupingReads(rel);
  for (const { column } of columns) reads.add(column.id);
  const block = computed || flags.length > 0 ? wrap(withShown(input, columns), reads, l) : input;
  const ofShards = sets === null && block.from !== null && comesFromShards(block.from);
  const hidden = rel.keys.map(({ value }, i) => ofShards && groups[i] === true && mayFold(written[i] ?? NULL, l.mayBeConstant(value)));
  const plain = written.map((key, i) => {
    const column = rel.keys[i]?.column;
    const own = block === input || column === undefined || groups[i] !== true ? key : (block.shown.get(column.id)?.value ?? NULL);
    return hidden[i] === true ? alike(own) : own;
  });
  const named: NamedConstant[] = [];
  const keys = plain.map((key, i) => {
    // A key that a set leaves out is NULL in its own type alone.
    if (sets !== null && key.kind === 'cast') return cast(key.operand, key.type);
    if (sets !== null || outer !== null || groups[i] !== true || printedNodes(key) < MIN_NAMED || checksInBranch(key)) return key;
    named.push({ name: l.fresh(rel.keys[i]?.column.name ?? 'key'), value: key });
    return ident(named.at(-1)?.name ?? '');
  });

  const inner = environment(block, outer);
  const shown: Shown[] = rel.keys.map((k, i) => ({ column: k.column, value: keys[i] ?? NULL }));
  const filled = sets === null && groups.includes(true);
  const writers = calls.map(({ column, call: aggregate }) => (share?: (written: SqlExpression) => SqlExpression): Shown => {
    const only = block.shown.get(flagId(column.id))?.value;
    return {
      column,
      value: isPick(aggregate, l) ? pick(aggregate, inner, l) : lowerAggregate(aggregate, inner, l, { only, filled, share }),
    };
  });
  // ClickHouse does not find such names inside of correlated subqueries.
  shown.push(...(sets === null && outer === null ? sharingAggregates(writers, l.fresh, named) : writers.map((write) => write())));
  for (const { column, key } of rel.groupings)
    shown.push({ column, value: call('toInt64', sets === null ? lit(0) : call('grouping', keys[key] ?? NULL)) });
  const grouped: Block = {
    ...block,
    keys: keys.filter((_, i) => groups[i]).map((key) => (sets === null ? unwidened(key) : key)),
    groupingSets: sets?.map((set) => set.map((i) => keys[i] ?? NULL)) ?? null,
    named: [...block.named, ...named],
    stage: Stage.GROUP,
  };
  const visible = withShown({ ...grouped, shown: new Map() }, shown);
  const having = (condition: SqlExpression): Block => ({ ...visible, having: [...visible.having, condition] });
  // No rows make no group, though ClickHouse sees an aggregate without keys. It also finds the constants of subqueries and computes them.
  const varied = rel.keys.some(({ value }, i) => groups[i] === true && hidden[i] !== true && !l.isOfConstants(value));
  if (sets === null && keys.length > 0 && !varied) return having(infix('>', call('count'), lit(0)));
  // Without an aggregate the SELECT would not be grouped, and the set of no keys would be missing. The same happens where ClickHouse drops
  // aggregates that nobody reads.
  return (calls.length === 0 && keys.length === 0) || sets?.some((set) => set.length === 0) ? having(GROUPED) : visible;
}

/** A single set without keys is no grouping set. */
const groupingSetsOf = ({ groupingSets }: Aggregate): Aggregate['groupingSets'] =>
  groupingSets?.length === 1 && groupingSets[0]?.length === 0 ? null : groupingSets;

const nameOf = (key: SqlExpression): string | undefined => (key.kind === 'ident' ? key.parts.at(-1) : undefined);

const sharesNames = (keys: readonly SqlExpression[]): boolean => new Set(keys.map(nameOf)).size < keys.length;

/**
 * Returns the key as one by which shards group as the server that was asked does: that drops keys, and fields of keys, which it finds to be constant, such as
 * a test whether a column is NULL that never is. Shards do not find all of them.
 */
function alike(key: SqlExpression): SqlExpression {
  if (key.kind === 'func' && key.name === 'tuple')
    return { ...key, args: key.args.map((field) => (isColumn(field) ? field : alike(field))) };
  return call('materialize', key);
}

/** True of a key that the server may find to be constant, or to have a field that is. */
const mayFold = (key: SqlExpression, mayBeConstant: boolean): boolean =>
  key.kind === 'func' && key.name === 'tuple' ? !key.args.every(isColumn) : !isColumn(key) && (mayBeConstant || !isOfColumn(key));

/** ClickHouse takes keys that are written alike for one key. */
function apart(keys: readonly SqlExpression[]): readonly SqlExpression[] {
  const known = new SameMap<number>();
  return keys.map((key) => {
    const before = known.get(key) ?? 0;
    known.set(key, before + 1);
    return Array.from({ length: before }).reduce<SqlExpression>((value) => call('identity', value), key);
  });
}

/** Nodes from which on a key is written once and named: ClickHouse analyzes it in SELECT, GROUP BY and ORDER BY again, at 30 µs for each function. */
const MIN_NAMED = 30;

/** True if a grouping key reads the rows that are grouped. */
function varies(key: Expr, block: Block): boolean {
  return !isStable(key) || [...columnsRead(key)].some((id) => block.shown.has(id));
}

const flagId = (aggregate: number): number => -aggregate;

/** Returns, for each call with HAVING MAX/MIN, whether a row has the maximum or minimum of its group. NULL and NaN equal nothing, so they leave no rows. */
function extremes(rel: Aggregate, partitionBy: readonly SqlExpression[], env: Environment, l: Lowering): readonly Shown[] {
  return rel.aggregates.flatMap(({ column, call: aggregate }) => {
    const { having, span } = aggregate;
    if (having === null || isPick(aggregate, l)) return [];
    if (groupingSetsOf(rel) !== null)
      fail(
        'unsupported',
        span,
        `${aggregate.fn.name} with HAVING ${having.which} and grouping sets is not supported`,
        'join the groups with UNION ALL',
      );
    const value = orderValue(lowerExpr(having.value, env, l), having.value.type);
    const over = aggregateWriter(false, { partitionBy, orderBy: [], frame: null });
    const plain = over(having.which === 'MAX' ? 'max' : 'min', [value]);
    const extreme = l.isFinite(having.value) ? plain : iff(over('max', [call('isNaN', value)]), raw('nan'), plain);
    return [{ column: { id: flagId(column.id), name: `is_${having.which.toLowerCase()}`, type: BOOL }, value: infix('=', value, extreme) }];
  });
}

/** True for ANY_VALUE(x HAVING MAX y), which ClickHouse has a function for. */
const isPick = ({ fn, having }: AggregateCall, l: Lowering): boolean =>
  fn.name === 'ANY_VALUE' && having !== null && l.isFinite(having.value);

function pick({ args, having, type }: AggregateCall, env: Environment, l: Lowering): SqlExpression {
  const [arg] = args;
  if (having === null || arg === null || arg === undefined) throw new RangeError('ANY_VALUE … HAVING has an argument and a key');
  const value = lowerExpr(arg, env, l);
  const key = orderValue(lowerExpr(having.value, env, l), having.value.type);
  const name = having.which === 'MAX' ? 'argMaxOrNull' : 'argMinOrNull';
  // argMax skips rows whose value is NULL, but not a tuple that contains NULL.
  return type.kind === 'ARRAY' ? call(name, value, key) : call('tupleElement', call(name, tuple(value), key), lit(1));
}
