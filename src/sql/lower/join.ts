// Joins: their sides as items of FROM, and conditions in the form that ClickHouse's joins need.

import { ref, splitConjunction } from '../logical/build.ts';
import type * as resolved from '../logical/nodes.ts';
import type { Expr, FunctionCall, Rel } from '../logical/nodes.ts';
import { columnsMade } from '../logical/properties/made.ts';
import { columnsRead, hasSubquery, visitRels } from '../logical/walk.ts';
import type { From, SqlExpression } from '../target/ast.ts';
import { and, array, call, ident, iff, infix, lit, NULL, narrow, not, raw, unwidened } from '../target/build.ts';
import { isConstant } from '../target/constant.ts';
import { isOfColumn } from '../target/of-column.ts';
import { comesFromShards } from '../target/send-to-shards.ts';
import { type Block, EMPTY_BLOCK, Stage, union, withShown, wrap } from './block.ts';
import { lowerExpr, lowerGroupValue } from './expression.ts';
import { type Environment, environment, type Lowering, lowerRel } from './lowering.ts';

type Needed = ReadonlySet<number>;

interface SideOptions {
  /** True for a side that may be joined tables. */
  readonly tree: boolean;
}

/** Makes a side of a join an item of FROM. Everything but plain columns of a table or of joined tables becomes a subquery. */
function asItem(block: Block, needed: Needed, l: Lowering, options: SideOptions): Block & { readonly from: From } {
  const item = isPlain(block, needed, options) ? block : wrap(block, needed, l);
  if (item.from === null) throw new RangeError('a wrapped block reads from its subquery');
  return { ...item, from: item.from };
}

function isPlain({ from, stage, named, shown }: Block, needed: Needed, { tree }: SideOptions): boolean {
  if (stage !== Stage.FROM || from === null || named.length > 0) return false;
  const isItem = tree ? from.kind !== 'array_join' : from.kind === 'table' || from.kind === 'table_function' || from.kind === 'select';
  return isItem && [...shown.values()].every((s) => isColumn(unwidened(s.value)) || !needed.has(s.column.id));
}

/**
 * Returns the left side of an inner or left join without its conditions and with its values to be computed above the join, where shards can do both. With a
 * subquery in front the join would be made where it was asked, of rows that leave their shards for it. ClickHouse moves the conditions back below the join.
 */
function opened({ type }: resolved.Join, left: Block, needed: Needed, l: Lowering): (Block & { readonly from: From }) | undefined {
  const { from, stage, named, shown } = left;
  if ((type !== 'INNER' && type !== 'LEFT') || from === null || from.kind === 'array_join' || !comesFromShards(from)) return undefined;
  // ClickHouse takes no constant for a key.
  const isOpen = [...shown.values()].every(({ column, value }) => isOfColumn(unwidened(value)) || !needed.has(column.id));
  return isOpen && stage <= Stage.WHERE && named.length === 0 && !l.volatile()
    ? { ...left, from, where: [], stage: Stage.FROM }
    : undefined;
}

/** A name of a constant belongs to no table, so it would not be NULL in rows that an outer join adds. */
const isColumn = (value: SqlExpression): boolean => value.kind === 'ident' && value.constant !== true;

export function lowerJoin(given: resolved.Join, needed: Needed, outer: Environment | null, l: Lowering): Block {
  const rel = turned(given);
  const read = union(needed, rel.on === null ? [] : columnsRead(rel.on));
  const wanted = l.volatile() ? union(read, columnOf(rel.left, read), columnOf(rel.right, read)) : read;
  // ClickHouse joins joined tables and a further one in one step, and then takes no key that reads none of them, such as a constant.
  const joined = rel.type !== 'INNER' && rel.type !== 'CROSS' && (holdsJoin(rel.left) || holdsJoin(rel.right));
  const isSemi = onlyFinds(rel, needed);
  const type = isSemi ? 'LEFT SEMI' : rel.type;
  const lowered = (side: 'left' | 'right'): Block => {
    const rows = lowerRel(isSemi && side === 'right' ? anyOf(rel.right) : rel[side], wanted, outer, l);
    const block = withVaryingConstants(withNulls(rows, rel.type, side, l), rel, side, l);
    return joined && rel.on !== null ? withVaryingKeys(block, rel.on, l) : block;
  };
  const ofLeftSide = lowered('left');
  const open = opened(rel, ofLeftSide, wanted, l);
  const left = open ?? asItem(ofLeftSide, wanted, l, { tree: true });
  const right = asItem(lowered('right'), wanted, l, { tree: false });
  const isOnShards = rel.colocated === true && comesFromShards(left.from);
  const kind = { kind: 'join', ...(isOnShards ? { colocated: true as const } : {}) } as const;
  const both: Block = {
    ...EMPTY_BLOCK,
    ...(open === undefined ? {} : { where: ofLeftSide.where, stage: Stage.WHERE }),
    shown: new Map([...left.shown, ...right.shown]),
  };
  if (rel.on === null) return { ...both, from: { kind: 'join', type, left: left.from, right: right.from, on: null } };
  const conditions = splitConjunction(rel.on);
  const keys = conditions.filter((c): c is FunctionCall => isKey(c, left, right) && !hasConstant(c, environment(both, outer), l));
  const choices = conditions.length === 1 && !joined ? keysOfChoices(rel.on, left, right) : undefined;
  if (choices !== undefined && !choices.some((key) => hasConstant(key, environment(both, outer), l))) {
    const env = environment(both, outer);
    const on = choices.map((key) => lowerKey(key, env, l)).reduce((one, other) => infix('OR', one, other));
    return { ...both, from: { ...kind, type, left: left.from, right: right.from, on } };
  }
  const outerJoin = rel.type === 'LEFT' || rel.type === 'RIGHT' || rel.type === 'FULL';
  if (!outerJoin || rel.on.kind === 'literal' || keys.length > 0) {
    const env = environment(both, outer);
    const on = and(...conditions.map((c) => (isOneOf(c, keys) ? lowerKey(c, env, l) : decided(c, env, l))), ...notNaN(keys, env, l));
    return { ...both, from: { ...kind, type, left: left.from, right: right.from, on } };
  }
  // ClickHouse wants an equality of both sides in an outer join. A constant column of each side is one, or NULL where a condition on that
  // side alone does not hold. ClickHouse does not take the equality if such conditions stand next to it.
  const isOf = (side: Block) => (c: Expr) => [...columnsRead(c)].every((id) => side.shown.has(id)) && !hasSubquery(c);
  const ofLeft = conditions.filter(isOf(left));
  const ofRight = conditions.filter((c) => !ofLeft.includes(c) && isOf(right)(c));
  const ofBoth = conditions.filter((c) => !ofLeft.includes(c) && !ofRight.includes(c));
  const keyless = open === undefined ? left : asItem(ofLeftSide, wanted, l, { tree: true });
  const [keyedLeft, leftKey] = withKey(keyless, ofLeft, { needed: wanted, outer, varies: joined }, l);
  const [keyedRight, rightKey] = withKey(right, ofRight, { needed: wanted, outer, varies: joined }, l);
  const keyed: Block = { ...EMPTY_BLOCK, shown: new Map([...keyedLeft.shown, ...keyedRight.shown]) };
  const env = environment(keyed, outer);
  const on = and(infix('=', leftKey, rightKey), ...ofBoth.map((c) => decided(c, env, l)));
  return { ...keyed, from: { ...kind, type: rel.type, left: keyedLeft.from, right: keyedRight.from, on } };
}

/** True if the join only finds out which rows of its left side have an equal one among the different rows on its right. */
function onlyFinds({ type, left, right, on }: resolved.Join, needed: Needed): boolean {
  if (type !== 'INNER' || right.kind !== 'distinct' || on === null || holdsJoin(left)) return false;
  const keys = splitConjunction(on).map((c) => (c.kind === 'call' && c.fn.name === '$equal' ? c.args : []));
  const found = keys.flatMap(([, key]) => (key?.kind === 'column' && IN_JOINS.has(key.type.kind) ? [key.column.id] : []));
  return found.length === keys.length && right.columns.every(({ id }) => !needed.has(id) && found.includes(id));
}

/** Types that ClickHouse joins by their values as they are. */
const IN_JOINS: ReadonlySet<string> = new Set(['INT64', 'STRING', 'BOOL', 'DATE', 'TIMESTAMP', 'DATETIME', 'NUMERIC']);

const anyOf = (rel: Rel): Rel => (rel.kind === 'distinct' ? rel.input : rel);

const BARE: ReadonlySet<string> = new Set(['ARRAY', 'STRUCT', 'RECORD', 'INTERVAL', 'GEOGRAPHY', 'RANGE']);

/** Lets the columns of a side be NULL in the rows that the join adds, where no setting does. */
function withNulls(block: Block, type: resolved.Join['type'], side: 'left' | 'right', l: Lowering): Block {
  const isFilled = type === 'FULL' || type === (side === 'left' ? 'RIGHT' : 'LEFT');
  if (l.options.portable !== true || !isFilled) return block;
  const shown = [...block.shown.values()].filter(({ column }) => !BARE.has(column.type.kind));
  return withShown(
    block,
    shown.map(({ column, value }) => ({ column, value: call('toNullable', value) })),
  );
}

/** Returns a column of a side that nothing is read from. A volatile function above the join gets it, so that it is called for each row of both sides. */
function columnOf(side: Rel, read: Needed): readonly number[] {
  const made = columnsMade(side);
  if (made.some(({ id }) => read.has(id))) return [];
  if (made[0] !== undefined) return [made[0].id];
  return 'input' in side && side.input !== null ? columnOf(side.input, read) : [];
}

/**
 * Where ClickHouse chooses the order of joins, it loses a column of the left side once it has turned a RIGHT join whose right side has
 * joins into an inner join.
 */
const turned = (rel: resolved.Join): resolved.Join =>
  rel.type === 'RIGHT' && holdsJoin(rel.right) ? { ...rel, type: 'LEFT', left: rel.right, right: rel.left } : rel;

/** True if the relation joins tables, which ClickHouse then joins together with those around it. */
function holdsJoin(rel: resolved.Rel): boolean {
  let found = false;
  visitRels({ rel }, (r) => {
    found ||= r.kind === 'join' || r.kind === 'cte_scan';
  });
  return found;
}

/** Turns constants that an equality of `on` reads into columns. */
function withVaryingKeys(block: Block, on: Expr, l: Lowering): Block {
  const equal = splitConjunction(on).filter((c) => c.kind === 'call' && c.fn.equality);
  const read = equal.flatMap((c) => [...columnsRead(c)]);
  const constant = read.flatMap((id) => {
    const shown = block.shown.get(id);
    const varies = shown === undefined || !l.mayBeConstant(ref(shown.column, on));
    return varies ? [] : [{ column: shown.column, value: varying(shown.value) }];
  });
  return constant.length === 0 ? block : withShown(block, constant);
}

/**
 * Turns the constants of a side that an outer join keeps into columns. ClickHouse computes constants that a SELECT over a join makes after
 * the joins around it, and if it has swapped these, they become FALSE, 0 and ''.
 */
function withVaryingConstants(block: Block, join: resolved.Join, side: 'left' | 'right', l: Lowering): Block {
  const { type, [side]: rel } = join;
  const keeps = type === 'FULL' || type === (side === 'left' ? 'LEFT' : 'RIGHT');
  if (!keeps || !holdsJoin(rel)) return block;
  const made = columnsAboveJoins(rel);
  const constant = [...block.shown.values()].filter(
    ({ column }) => made.has(column.id) && l.mayBeConstant(ref(column, { span: { start: 0, end: 0 } })),
  );
  return constant.length === 0
    ? block
    : withShown(
        block,
        constant.map(({ column, value }) => ({ column, value: call('materialize', value) })),
      );
}

/** Returns the ids of the columns that are made above a join. */
function columnsAboveJoins(rel: resolved.Rel): ReadonlySet<number> {
  const found = new Set<number>();
  visitRels({ rel }, (r) => {
    if (r.kind === 'project' && holdsJoin(r.input)) for (const { column } of r.items) found.add(column.id);
    if (r.kind === 'cte_scan') for (const column of r.columns) found.add(column.id);
  });
  return found;
}

/** Computes the value exactly where it stands, neither before nor after other steps of the query. */
const varying = (value: SqlExpression): SqlExpression => call('arrayJoin', array(value));

/** A hash join compares bits. Adding 0.0 turns -0.0 into the equal 0.0. */
function lowerKey(key: FunctionCall, env: Environment, l: Lowering): SqlExpression {
  const { fn, args } = key;
  if (fn.name === '$is_not_distinct')
    return call('isNotDistinctFrom', ...args.map((a) => (a === null ? NULL : lowerGroupValue(a, env, l))));
  // Intervals and structs are compared as usual, by expressions over their parts.
  if (args[0]?.type.kind === 'INTERVAL' || args[0]?.type.kind === 'STRUCT') return lowerExpr(key, env, l);
  const [left, right] = args.map((a) => {
    const value = a === null ? NULL : lowerExpr(a, env, l);
    return a?.type.kind === 'FLOAT64' ? infix('+', value, raw('0.0')) : value;
  });
  return infix('=', narrow(left ?? NULL), narrow(right ?? NULL));
}

const isOneOf = (c: Expr, keys: readonly FunctionCall[]): c is FunctionCall => keys.some((key) => key === c);

/** True if a side reads columns, but becomes a constant all the same: NULL, if an array has no such element. */
const hasConstant = ({ args }: FunctionCall, env: Environment, l: Lowering): boolean =>
  args.some((a) => a !== null && a.kind !== 'column' && isConstant(lowerExpr(a, env, l)));

/** A hash join matches NaN with NaN, which are not equal. */
const notNaN = (keys: readonly FunctionCall[], env: Environment, l: Lowering): readonly SqlExpression[] =>
  keys.flatMap(({ fn, args: [value] }) =>
    fn.name === '$equal' && value?.type.kind === 'FLOAT64' ? [not(call('isNaN', lowerExpr(value, env, l)))] : [],
  );

/**
 * ClickHouse leaves out a condition that it finds to be NULL for all rows, such as one on an absent parameter, as if it were TRUE. It refuses a bare column,
 * or loses it where two joins name the same one.
 */
function decided(condition: Expr, env: Environment, l: Lowering): SqlExpression {
  if (condition.kind === 'literal') return lit(condition.value === true);
  const varies = condition.kind === 'call' && condition.fn.turned !== undefined && condition.args.every(isNeverConstantNull);
  const written = lowerExpr(condition, env, l);
  return varies ? written : call('ifNull', written, lit(false));
}

/** True of columns, which differ from row to row, and of literals that are not NULL. */
function isNeverConstantNull(expr: Expr | null): boolean {
  switch (expr?.kind) {
    case 'column':
      return true;
    case 'literal':
      return expr.value !== null;
    case 'call':
      return expr.fn.strict === 'any' && !expr.safe && columnsRead(expr).size > 0 && expr.args.every(isNeverConstantNull);
    default:
      return false;
  }
}

/** Makes the side a subquery with a column that is 1 where the conditions hold; returns that column as well. */
function withKey(
  side: Block,
  conditions: readonly Expr[],
  { needed, outer, varies }: { readonly needed: Needed; readonly outer: Environment | null; readonly varies: boolean },
  l: Lowering,
): [Block & { readonly from: From }, SqlExpression] {
  const wrapped = wrap(side, needed, l);
  if (wrapped.from?.kind !== 'select' || wrapped.from.statement.kind !== 'select')
    throw new RangeError('a wrapped block reads from its SELECT');
  const name = l.fresh('key');
  const env = environment(side, outer);
  const value = conditions.length === 0 ? lit(1) : iff(and(...conditions.map((c) => decided(c, env, l))), lit(1), NULL);
  const statement = {
    ...wrapped.from.statement,
    items: [...wrapped.from.statement.items, { value: varies ? varying(value) : value, alias: name }],
  };
  return [{ ...wrapped, from: { ...wrapped.from, statement } }, ident(wrapped.from.alias, name)];
}

/** Returns the keys of `a = b OR c = d`, of which ClickHouse makes a table for each; undefined for other conditions. */
function keysOfChoices(on: Expr, left: Block, right: Block): readonly FunctionCall[] | undefined {
  if (on.kind !== 'call') return undefined;
  if (on.fn.name === '$equal') {
    const kind = on.args[0]?.type.kind;
    return kind !== 'FLOAT64' && kind !== 'STRUCT' && isKey(on, left, right) ? [on] : undefined;
  }
  if (on.fn.name !== '$or') return undefined;
  const keys = on.args.map((arg) => (arg === null ? undefined : keysOfChoices(arg, left, right)));
  return keys.every((some) => some !== undefined) ? keys.flat() : undefined;
}

/** True if the condition demands that something of the left equals something of the right. */
function isKey(on: Expr, left: Block, right: Block): on is FunctionCall {
  if (on.kind !== 'call') return false;
  const kind = on.args[0]?.type.kind;
  if (on.fn.name === '$equal' ? kind === 'ARRAY' : on.fn.name !== '$is_not_distinct' || kind === 'INTERVAL') return false;
  const sides = on.args.map((a) => {
    const read = a === null ? [] : [...columnsRead(a)];
    if (read.length === 0) return 'none';
    if (read.every((id) => left.shown.has(id))) return 'left';
    return read.every((id) => right.shown.has(id)) ? 'right' : 'both';
  });
  return sides.includes('left') && sides.includes('right');
}
