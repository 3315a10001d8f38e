// Joins: their sides as items of FROM, and conditions in the form that ClickHouse's joins need.

import { groupValue } from '../functions/aggregate/group-value.ts';
import { splitConjunction } from '../logical/build.ts';
import type * as resolved from '../logical/nodes.ts';
import type { Expr, FunctionCall, Rel } from '../logical/nodes.ts';
import { columnsMade } from '../logical/properties/made.ts';
import { columnsRead, hasSubquery, visitRels } from '../logical/walk.ts';
import type { From, SqlExpression } from '../target/ast.ts';
import { and, array, call, ident, iff, infix, lit, NULL, not, raw } from '../target/build.ts';
import { isConstant } from '../target/constant.ts';
import { type Block, EMPTY_BLOCK, Stage, union, withShown, wrap } from './block.ts';
import { lowerExpr } from './expression.ts';
import { type Environment, environment, type Lowering, lowerRel } from './lowering.ts';

type Needed = ReadonlySet<number>;

/** A join's side as an item of FROM; everything but plain columns of a table or join tree becomes a subquery. */
function asItem(block: Block, needed: Needed, l: Lowering, tree: boolean): Block & { readonly from: From } {
  const plain =
    block.stage === Stage.FROM &&
    block.from !== null &&
    block.named.length === 0 &&
    (tree
      ? block.from.kind !== 'array_join'
      : block.from.kind === 'table' || block.from.kind === 'table_function' || block.from.kind === 'select');
  const columns = [...block.shown.values()].every((s) => isColumn(s.value) || !needed.has(s.column.id));
  const item = plain && columns ? block : wrap(block, needed, l);
  if (item.from === null) throw new RangeError('a wrapped block reads from its subquery');
  return { ...item, from: item.from };
}

/**
 * Whether a join is made on each shard, where the table that FROM begins with is: rows of the right side that match nothing would come from each of them. What
 * begins with a subquery is joined in one place.
 */
function isSharded(from: From): boolean {
  if (from.kind === 'join') return isSharded(from.left);
  if (from.kind === 'array_join') return isSharded(from.input);
  return from.kind === 'table' && from.sharded === true;
}

/** A name that stands for a constant is one of no table: of rows that an outer join adds it would not be NULL. */
const isColumn = (value: SqlExpression): boolean => value.kind === 'ident' && value.constant !== true;

export function lowerJoin(given: resolved.Join, needed: Needed, outer: Environment | null, l: Lowering): Block {
  const rel = turned(given);
  const read = union(needed, rel.on === null ? [] : columnsRead(rel.on));
  const wanted = l.volatile() ? union(read, columnOf(rel.left, read), columnOf(rel.right, read)) : read;
  // ClickHouse joins joined tables and a further one in one step, and there takes no key that is of none of them, such as a constant.
  const joined = rel.type !== 'INNER' && rel.type !== 'CROSS' && (holdsJoin(rel.left) || holdsJoin(rel.right));
  const apart = { left: joined, right: joined };
  const keepsRight = rel.type === 'RIGHT' || rel.type === 'FULL';
  const lowered = (side: 'left' | 'right'): Block & { readonly from: From } => {
    const block = withVaryingConstants(lowerRel(rel[side], wanted, outer, l), rel, side, l);
    const item = asItem(apart[side] && rel.on !== null ? withVaryingKeys(block, rel.on, l) : block, wanted, l, side === 'left');
    return side === 'left' && keepsRight && isSharded(item.from) ? asItem(wrap(item, wanted, l), wanted, l, true) : item;
  };
  const left = lowered('left');
  const right = lowered('right');
  const both: Block = { ...EMPTY_BLOCK, shown: new Map([...left.shown, ...right.shown]) };
  if (rel.on === null) return { ...both, from: { kind: 'join', type: rel.type, left: left.from, right: right.from, on: null } };
  const conditions = splitConjunction(rel.on);
  const keys = conditions.filter((c): c is FunctionCall => isKey(c, left, right) && !hasConstant(c, environment(both, outer), l));
  const outerJoin = rel.type === 'LEFT' || rel.type === 'RIGHT' || rel.type === 'FULL';
  if (!outerJoin || rel.on.kind === 'literal' || keys.length > 0) {
    const env = environment(both, outer);
    const on = and(...conditions.map((c) => (isOneOf(c, keys) ? lowerKey(c, env, l) : decided(c, env, l))), ...notNaN(keys, env, l));
    return { ...both, from: { kind: 'join', type: rel.type, left: left.from, right: right.from, on } };
  }
  // ClickHouse wants an equality of the two sides in an outer join: a constant of each side's own is one, or NULL where a condition on that side
  // alone does not hold. With such conditions beside it ClickHouse does not take the equality.
  const isOf = (side: Block) => (c: Expr) => [...columnsRead(c)].every((id) => side.shown.has(id)) && !hasSubquery(c);
  const ofLeft = conditions.filter(isOf(left));
  const ofRight = conditions.filter((c) => !ofLeft.includes(c) && isOf(right)(c));
  const ofBoth = conditions.filter((c) => !ofLeft.includes(c) && !ofRight.includes(c));
  const [keyedLeft, leftKey] = withKey(left, ofLeft, wanted, outer, l, apart.left);
  const [keyedRight, rightKey] = withKey(right, ofRight, wanted, outer, l, apart.right);
  const keyed: Block = { ...EMPTY_BLOCK, shown: new Map([...keyedLeft.shown, ...keyedRight.shown]) };
  const env = environment(keyed, outer);
  const on = and(infix('=', leftKey, rightKey), ...ofBoth.map((c) => decided(c, env, l)));
  return { ...keyed, from: { kind: 'join', type: rel.type, left: keyedLeft.from, right: keyedRight.from, on } };
}

/** A column of a side of which nothing is read: what a volatile function above the join is given, so that it is called for each row of both sides. */
function columnOf(side: Rel, read: Needed): readonly number[] {
  const made = columnsMade(side);
  if (made.some(({ id }) => read.has(id))) return [];
  if (made[0] !== undefined) return [made[0].id];
  return 'input' in side && side.input !== null ? columnOf(side.input, read) : [];
}

/** ClickHouse, where it chooses the order of joins, loses a column of the left side once it made an inner join of a RIGHT one whose right side has joins. */
const turned = (rel: resolved.Join): resolved.Join =>
  rel.type === 'RIGHT' && holdsJoin(rel.right) ? { ...rel, type: 'LEFT', left: rel.right, right: rel.left } : rel;

/** Whether tables are joined in it, which ClickHouse then joins together with those around it. */
function holdsJoin(rel: resolved.Rel): boolean {
  let found = false;
  visitRels({ rel }, (r) => {
    found ||= r.kind === 'join' || r.kind === 'cte_scan';
  });
  return found;
}

/** The block, whose constants that an equality of `on` reads are columns to ClickHouse. */
function withVaryingKeys(block: Block, on: Expr, l: Lowering): Block {
  const equal = splitConjunction(on).filter((c) => c.kind === 'call' && c.fn.equality);
  const read = equal.flatMap((c) => [...columnsRead(c)]);
  const constant = read.flatMap((id) => {
    const shown = block.shown.get(id);
    const varies =
      shown === undefined || !l.mayBeConstant({ kind: 'column', column: shown.column, type: shown.column.type, span: on.span });
    return varies ? [] : [{ column: shown.column, value: varying(shown.value) }];
  });
  return constant.length === 0 ? block : withShown(block, constant);
}

/**
 * The block of a side that an outer join keeps, whose constants are columns to ClickHouse. Constants that a SELECT over a join makes it computes behind the
 * joins around it, and where it has turned these about, they are FALSE, 0 and '' there.
 */
function withVaryingConstants(block: Block, join: resolved.Join, side: 'left' | 'right', l: Lowering): Block {
  const { type, [side]: rel } = join;
  const keeps = type === 'FULL' || type === (side === 'left' ? 'LEFT' : 'RIGHT');
  if (!keeps || !holdsJoin(rel)) return block;
  const made = columnsAboveJoins(rel);
  const constant = [...block.shown.values()].filter(
    ({ column }) => made.has(column.id) && l.mayBeConstant({ kind: 'column', column, type: column.type, span: NOWHERE }),
  );
  return constant.length === 0
    ? block
    : withShown(
        block,
        constant.map(({ column, value }) => ({ column, value: call('materialize', value) })),
      );
}

const NOWHERE = { start: 0, end: 0 };

/** Ids of the columns that are made above a join. */
function columnsAboveJoins(rel: resolved.Rel): ReadonlySet<number> {
  const found = new Set<number>();
  visitRels({ rel }, (r) => {
    if (r.kind === 'project' && holdsJoin(r.input)) for (const { column } of r.items) found.add(column.id);
    if (r.kind === 'cte_scan') for (const column of r.columns) found.add(column.id);
  });
  return found;
}

/** The value, computed where it stands, neither before nor behind other steps of the query. */
const varying = (value: SqlExpression): SqlExpression => call('arrayJoin', array(value));

/** A hash join compares bits: adding 0.0 makes -0.0 the 0.0 that it equals. */
function lowerKey(key: FunctionCall, env: Environment, l: Lowering): SqlExpression {
  const { fn, args } = key;
  if (fn.name === '$is_not_distinct')
    return call(
      'isNotDistinctFrom',
      ...args.map((a) => (a === null ? NULL : groupValue(lowerExpr(a, env, l), a.type, l.isFinite(a), l.fresh))),
    );
  // Intervals and structs are equal where what they are compared by is.
  if (args[0]?.type.kind === 'INTERVAL' || args[0]?.type.kind === 'STRUCT') return lowerExpr(key, env, l);
  const [left, right] = args.map((a) => {
    const value = a === null ? NULL : lowerExpr(a, env, l);
    return a?.type.kind === 'FLOAT64' ? infix('+', value, raw('0.0')) : value;
  });
  return infix('=', left ?? NULL, right ?? NULL);
}

const isOneOf = (c: Expr, keys: readonly FunctionCall[]): c is FunctionCall => keys.some((key) => key === c);

/** Whether a side reads columns, and what becomes of it is a constant all the same: NULL, where an array has no such element. */
const hasConstant = ({ args }: FunctionCall, env: Environment, l: Lowering): boolean =>
  args.some((a) => a !== null && a.kind !== 'column' && isConstant(lowerExpr(a, env, l)));

/** A hash join matches NaN with NaN, which are not equal. */
const notNaN = (keys: readonly FunctionCall[], env: Environment, l: Lowering): readonly SqlExpression[] =>
  keys.flatMap(({ fn, args: [value] }) =>
    fn.name === '$equal' && value?.type.kind === 'FLOAT64' ? [not(call('isNaN', lowerExpr(value, env, l)))] : [],
  );

/**
 * A condition that ClickHouse finds to be NULL for all rows, such as one on a parameter that is absent, it leaves out as if it were TRUE; a bare
 * column it does not take, or loses where two joins name the same one.
 */
function decided(condition: Expr, env: Environment, l: Lowering): SqlExpression {
  if (condition.kind === 'literal') return lit(condition.value === true);
  const varies = condition.kind === 'call' && condition.fn.turned !== undefined && condition.args.every(isNeverConstantNull);
  const written = lowerExpr(condition, env, l);
  return varies ? written : call('ifNull', written, lit(false));
}

/** Columns differ from row to row, and a literal says what it is. */
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

/** The side as a subquery with a column that is 1 where the conditions hold, and how that column is written. */
function withKey(
  side: Block,
  conditions: readonly Expr[],
  needed: Needed,
  outer: Environment | null,
  l: Lowering,
  varies = false,
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

/** Whether the condition demands that something of the left equals something of the right. */
function isKey(on: Expr, left: Block, right: Block): on is FunctionCall {
  if (on.kind !== 'call') return false;
  const kind = on.args[0]?.type.kind;
  if (on.fn.name === '$equal' ? kind === 'ARRAY' : on.fn.name !== '$is_not_distinct' || kind === 'INTERVAL') return false;
  const sides = on.args.map((a) => {
    const read = a === null ? [] : [...columnsRead(a)];
    if (read.length === 0) return 'none';
    return read.every((id) => left.shown.has(id)) ? 'left' : read.every((id) => right.shown.has(id)) ? 'right' : 'both';
  });
  return sides.includes('left') && sides.includes('right');
}
