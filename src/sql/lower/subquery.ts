// Subqueries as expressions.

import { fail } from '../fail.ts';
import { readsOnlyArrays } from '../logical/decorrelated.ts';
import { isCorrelated } from '../logical/free-columns.ts';
import type { Column, Expr, Rel, Subquery } from '../logical/nodes.ts';
import type { SqlExpression, Statement } from '../target/ast.ts';
import { call, cast, ident, infix, isNull, lambda, lit, NULL, select, subquery } from '../target/build.ts';
import { isAggregate } from '../target/is-aggregate.ts';
import { clickhouseType } from '../target/types.ts';
import type { Type } from '../types.ts';
import { lowerArrayQuery } from './array-query.ts';
import { lowerExpr } from './expression.ts';
import type { Environment, Lowering } from './lowering.ts';
import { lowerStatement } from './statement.ts';

export function lowerSubquery(expr: Subquery, env: Environment, l: Lowering): SqlExpression {
  const arrays = lowerArrayQuery(expr, env, l);
  if (arrays !== undefined) return arrays;
  const { mode, input, column, needle } = expr;
  if (isCorrelated(input))
    fail(
      'unsupported',
      expr.span,
      'a subquery can’t read columns of the outer query here',
      'join the tables instead, or compute the subquery first, in a SELECT of its own',
    );
  const columns = [{ column, alias: l.nameOf(column) }];
  const statement = lowerStatement(input, columns, env, l);
  switch (mode) {
    case 'exists':
      return { kind: 'exists', statement };
    case 'in':
      if (needle === null) throw new RangeError('IN has a left side');
      return inSubquery(lowerExpr(needle, env, l), input, column, statement, l);
    case 'array':
      return arrayOfRows(statement, l);
    case 'scalar':
      return subquery(withPlainValues(statement, expr.type));
  }
}

/**
 * needle IN (subquery) in three-valued logic: NULL where there is no match but a NULL on either side. ClickHouse's IN says FALSE there.
 * Over no rows it is FALSE even for NULL.
 */
function inSubquery(
  needle: SqlExpression,
  input: Rel,
  column: Column,
  statement: ReturnType<typeof lowerStatement>,
  l: Lowering,
): SqlExpression {
  const found: SqlExpression = { kind: 'in', operand: needle, items: statement, not: false };
  const count = (counted: SqlExpression): SqlExpression => {
    const rows = l.fresh('rows');
    const again = lowerStatement(input, [{ column, alias: l.nameOf(column) }], null, l);
    return subquery(select([{ value: counted, alias: l.fresh('n') }], { kind: 'select', statement: again, alias: rows }));
  };
  const nulls = count(call('countIf', isNull(ident(l.nameOf(column)))));
  return call(
    'multiIf',
    call('ifNull', found, lit(false)),
    lit(true),
    infix('=', count(call('count')), lit(0)),
    lit(false),
    infix('OR', isNull(needle), infix('>', nulls, lit(0))),
    NULL,
    lit(false),
  );
}

/** `x IN (subquery)` as a condition that only keeps rows: there NULL and FALSE are the same. */
export function keepsRows(expr: Expr): expr is Subquery {
  return expr.kind === 'subquery' && expr.mode === 'in' && !readsOnlyArrays(expr.input);
}

export function lowerMembership(expr: Subquery, env: Environment, l: Lowering): SqlExpression {
  const statement = lowerStatement(expr.input, [{ column: expr.column, alias: l.nameOf(expr.column) }], env, l);
  return { kind: 'in', operand: expr.needle === null ? NULL : lowerExpr(expr.needle, env, l), items: statement, not: false };
}

/** A column may be LowCardinality, and so what is made of it, which is never NULL, as a scalar subquery without rows is. */
function withPlainValues(statement: Statement, type: Type): Statement {
  if (type.kind !== 'STRING' && type.kind !== 'INT64' && type.kind !== 'BOOL') return statement;
  if (statement.kind === 'set') return { ...statement, inputs: statement.inputs.map((input) => withPlainValues(input, type)) };
  const items = statement.items.map((item) =>
    item.value.kind === 'ident' || isOfColumn(item.value) ? { ...item, value: cast(item.value, clickhouseType(type)) } : item,
  );
  return { ...statement, items };
}

/** Whether a function of one column, directly or through others, gives the value: such a function keeps LowCardinality. */
function isOfColumn(value: SqlExpression): boolean {
  const isColumn = (part: SqlExpression): boolean => part.kind === 'ident' || isOfColumn(part);
  if (value.kind === 'infix') return isColumn(value.left) || isColumn(value.right);
  return value.kind === 'func' && !isAggregate(value) && value.over === null && value.args.some(isColumn);
}

/** ARRAY(subquery): groupArray alone would drop NULLs, so each value travels in a tuple of one. */
function arrayOfRows(statement: ReturnType<typeof lowerStatement>, l: Lowering): SqlExpression {
  const alias = l.fresh('rows');
  const item = l.fresh('item');
  const name = firstAlias(statement);
  const grouped: SqlExpression = {
    kind: 'func',
    name: 'groupArray',
    params: [],
    args: [call('tuple', ident(alias, name))],
    distinct: false,
    over: null,
  };
  const values = call('arrayMap', lambda([item], call('tupleElement', ident(item), lit(1))), grouped);
  return subquery(select([{ value: values, alias: l.fresh('array') }], { kind: 'select', statement, alias }));
}

function firstAlias(statement: ReturnType<typeof lowerStatement>): string {
  if (statement.kind === 'select') return statement.items[0]?.alias ?? '';
  const [first] = statement.inputs;
  return first === undefined ? '' : firstAlias(first);
}
