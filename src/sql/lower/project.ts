// Projections: expressions are written where they are read, computed once in a subquery, or named in WITH.

import { spend } from '../base/budget.ts';
import { sizeOf } from '../base/size.ts';
import type * as resolved from '../logical/nodes.ts';
import type { Column, Expr } from '../logical/nodes.ts';
import { isStable, isVolatile } from '../logical/volatile.ts';
import { columnsRead, contains } from '../logical/walk.ts';
import type { SqlExpression } from '../target/ast.ts';
import { select, subquery } from '../target/build.ts';
import { checksInBranch } from '../target/checks.ts';
import { isConstant } from '../target/constant.ts';
import { type Block, type Shown, union, withShown, wrap } from './block.ts';
import { lowerExpr } from './expression.ts';
import { type Environment, environment, type Lowering, lowerRel } from './lowering.ts';
import { mustStandApart } from './stand-apart.ts';

type Needed = ReadonlySet<number>;

export function lowerProject(rel: resolved.Project, needed: Needed, outer: Environment | null, l: Lowering): Block {
  const items = rel.items.filter((i) => needed.has(i.column.id));
  const wanted = union(needed, ...items.map((i) => columnsRead(i.value)));
  let block = lowerRel(rel.input, wanted, outer, l);
  if (block.distinct !== null && items.length > 0) block = wrap(block, wanted, l);
  const shownBy = (b: Block): readonly Shown[] => {
    const env = environment(b, outer);
    return items.map(({ column, value }) => ({ column, value: nameConstant(column, value, lowerExpr(value, env, l), l) }));
  };
  let added = shownBy(block);
  const values = added.map((a) => a.value);
  if (mustStandApart(values, block, l)) {
    block = wrap(block, wanted, l);
    added = shownBy(block);
  }
  const extended = withShown(block, added);
  // A value that is read once, or costs nothing, is written where it is read; any other is computed once, in a subquery.
  const shared = items.some((i) => (l.uses.get(i.column.id) ?? 0) > 1 && !isCheap(i.value));
  return shared ? wrap(extended, needed, l) : extended;
}

/** A constant that is more than a value gets a name in the query's WITH: long conditions stay readable, and equal ones are written once. */
function nameConstant(column: Column, expr: Expr, value: SqlExpression, l: Lowering): SqlExpression {
  if (value.kind === 'lit' || value.kind === 'param' || !isConstant(value)) return value;
  let parts = 0;
  const isVolatileInside = contains(expr, (e) => {
    parts++;
    return isVolatile(e);
  });
  // The key is computed by recursion, which a long chain of parts may be too deep for.
  if (isVolatileInside || (parts > MAX_NAMED_DEPTH && sizeOf(value).depth > MAX_NAMED_DEPTH)) return value;
  const key = constantKey(value);
  if (key.length < MIN_NAMED || checksInBranch(value)) return value;
  const constant = l.constants.get(key) ?? {
    name: l.freshConstant(column.name),
    value: column.type.kind === 'ARRAY' ? once(value, l) : value,
  };
  l.constants.set(key, constant);
  return { kind: 'ident', parts: [constant.name], constant: true };
}

/** Returns a scalar subquery, which ClickHouse computes once and replaces by its value. It would analyze a long array at every use. */
const once = (value: SqlExpression, l: Lowering): SqlExpression => subquery(select([{ value, alias: l.fresh('value') }], null));

/** Equal for constants that differ only in the names of lambda parameters. */
function constantKey(value: SqlExpression): string {
  let text = JSON.stringify(value, (_key, v: unknown) => {
    spend(1);
    return typeof v === 'bigint' ? `${v}n` : v;
  });
  let count = 0;
  for (const [, name] of text.matchAll(/"parameters":\["(\w+)"\]/g)) {
    spend(text.length >> 6);
    text = text.replaceAll(`["${name}"]`, `["λ${count++}"]`);
  }
  return text;
}

const MAX_NAMED_DEPTH = 300;
/** Length of a written constant (its tree as JSON) from which on a name is shorter than repeating it. */
const MIN_NAMED = 300;

/** True if the value is the same for every row: ClickHouse computes it once, wherever and however often it is written. */
function isFixed(expr: Expr): boolean {
  return columnsRead(expr).size === 0 && isStable(expr);
}

function isCheap(expr: Expr): boolean {
  switch (expr.kind) {
    case 'column':
    case 'literal':
    case 'parameter':
    case 'instant':
      return true;
    case 'field':
      return isCheap(expr.of);
    default:
      return isFixed(expr);
  }
}
