// Joins: their sides as items of FROM, and conditions in the form that ClickHouse's joins need.

import { splitConjunction } from '../logical/build.ts';
import type * as resolved from '../logical/resolved.ts';
import type { Expr } from '../logical/resolved.ts';
import { columnsRead } from '../logical/rewrite.ts';
import type { Ch, From } from '../target/ast.ts';
import { and, call, ident, infix, lit, NULL, not, raw } from '../target/build.ts';
import { type Block, EMPTY_BLOCK, Stage, union, wrap } from './block.ts';
import { lowerExpr } from './expression.ts';
import { type Environment, environment, type Lowering, lowerRel } from './lowering.ts';

type Needed = ReadonlySet<number>;

/** A join's side as an item of FROM; everything but plain columns of a table or join tree becomes a subquery. */
function asItem(block: Block, needed: Needed, l: Lowering, tree: boolean): Block & { readonly from: From } {
  const plain =
    block.stage === Stage.FROM &&
    block.from !== null &&
    block.named.length === 0 &&
    (tree ? block.from.kind !== 'array_join' : block.from.kind === 'table' || block.from.kind === 'select');
  const columns = [...block.shown.values()].every((s) => s.value.kind === 'ident' || !needed.has(s.column.id));
  const item = plain && columns ? block : wrap(block, needed, l);
  if (item.from === null) throw new RangeError('a wrapped block reads from its subquery');
  return { ...item, from: item.from };
}

export function lowerJoin(rel: resolved.Join, needed: Needed, outer: Environment | null, l: Lowering): Block {
  const wanted = union(needed, rel.on === null ? [] : columnsRead(rel.on));
  const left = asItem(lowerRel(rel.left, wanted, outer, l), wanted, l, true);
  const right = asItem(lowerRel(rel.right, wanted, outer, l), wanted, l, false);
  const shown = new Map([...left.shown, ...right.shown]);
  const both: Block = { ...EMPTY_BLOCK, shown };
  const on = rel.on === null ? null : joinCondition(rel.on, environment(both, outer), l);
  const outerJoin = rel.type === 'LEFT' || rel.type === 'RIGHT' || rel.type === 'FULL';
  if (!outerJoin || rel.on === null || on === null || hasKey(rel.on, left, right)) {
    return { ...both, from: { kind: 'join', type: rel.type, left: left.from, right: right.from, on } };
  }
  // ClickHouse wants an equality of the two sides in an outer join: a constant of each side's own is one.
  const [keyedLeft, leftKey] = withKey(left, wanted, l);
  const [keyedRight, rightKey] = withKey(right, wanted, l);
  const keyed: Block = { ...EMPTY_BLOCK, shown: new Map([...keyedLeft.shown, ...keyedRight.shown]) };
  const condition = joinCondition(rel.on, environment(keyed, outer), l);
  return {
    ...keyed,
    from: {
      kind: 'join',
      type: rel.type,
      left: keyedLeft.from,
      right: keyedRight.from,
      on: infix('AND', infix('=', leftKey, rightKey), condition),
    },
  };
}

/** ON. A hash join matches NaN with NaN, which are not equal. */
function joinCondition(on: Expr, env: Environment, l: Lowering): Ch {
  const floats = splitConjunction(on).flatMap((c) =>
    c.kind === 'call' && c.fn.name === '$equal' && c.args[0]?.type.kind === 'FLOAT64' ? [c.args[0]] : [],
  );
  const conditions = splitConjunction(on).map((c) => lowerJoinEquality(c, env, l));
  return and(...conditions, ...floats.map((value) => not(call('isNaN', lowerExpr(value, env, l)))));
}

/** A hash join compares bits: adding 0.0 makes -0.0 the 0.0 that it equals. */
function lowerJoinEquality(condition: Expr, env: Environment, l: Lowering): Ch {
  if (condition.kind !== 'call' || condition.fn.name !== '$equal' || condition.args[0]?.type.kind !== 'FLOAT64')
    return lowerExpr(condition, env, l);
  const [left, right] = condition.args.map((a) => infix('+', a === null ? NULL : lowerExpr(a, env, l), raw('0.0')));
  return infix('=', left ?? NULL, right ?? NULL);
}

/** The side as a subquery with a constant column, and how that column is written. */
function withKey(side: Block, needed: Needed, l: Lowering): [Block & { readonly from: From }, Ch] {
  const wrapped = wrap(side, needed, l);
  if (wrapped.from?.kind !== 'select' || wrapped.from.statement.kind !== 'select')
    throw new RangeError('a wrapped block reads from its SELECT');
  const name = l.fresh('key');
  const statement = { ...wrapped.from.statement, items: [...wrapped.from.statement.items, { value: lit(1), alias: name }] };
  return [{ ...wrapped, from: { ...wrapped.from, statement } }, ident(wrapped.from.alias, name)];
}

/** Whether the condition demands that something of the left equals something of the right. */
function hasKey(on: Expr, left: Block, right: Block): boolean {
  if (on.kind === 'literal') return true;
  if (on.kind !== 'call') return false;
  if (on.fn.name === '$and') return on.args.some((a) => a !== null && hasKey(a, left, right));
  if (on.fn.name !== '$equal') return false;
  const sides = on.args.map((a) => {
    const read = a === null ? [] : [...columnsRead(a)];
    if (read.length === 0) return 'none';
    return read.every((id) => left.shown.has(id)) ? 'left' : read.every((id) => right.shown.has(id)) ? 'right' : 'both';
  });
  return sides.includes('left') && sides.includes('right');
}
