// Subqueries as expressions.

import { fail } from '../fail.ts';
import { readsOnlyArrays } from '../logical/decorrelated.ts';
import { isCorrelated } from '../logical/free-columns.ts';
import type { Column, Expr, Rel, Subquery } from '../logical/resolved.ts';
import { visitRels } from '../logical/rewrite.ts';
import type { Ch } from '../target/ast.ts';
import { call, ident, infix, isNull, lambda, lit, NULL, select, subquery } from '../target/build.ts';
import { lowerArrayQuery } from './array-query.ts';
import { lowerExpr } from './expression.ts';
import type { Environment, Lowering } from './lowering.ts';
import { lowerStatement } from './statement.ts';

export function lowerSubquery(expr: Subquery, env: Environment, l: Lowering): Ch {
  const arrays = lowerArrayQuery(expr, env, l);
  if (arrays !== undefined) return arrays;
  const { mode, input, column, needle } = expr;
  if (isCorrelated(input)) refuseCorrelatedSetOperations(input, expr);
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
    case 'scalar': {
      const value = subquery(statement);
      // A correlated COUNT over no rows comes back as NULL from ClickHouse; it is 0.
      return countsRows(input, column) && isCorrelated(input) ? call('ifNull', value, lit(0)) : value;
    }
  }
}

/** ClickHouse 26.7 gives wrong rows for a correlated set operation, without an error. */
function refuseCorrelatedSetOperations(input: Rel, expr: Subquery): void {
  const refuse = (rel: Rel): void => {
    if (rel.kind === 'set_operation' && isCorrelated(rel)) {
      fail(
        'unsupported',
        expr.span,
        `a subquery can’t read columns of the query around it inside ${rel.operator}`,
        'join the tables instead, or read the columns in each part’s own subquery',
      );
    }
  };
  refuse(input);
  visitRels(input, refuse);
}

/**
 * needle IN (subquery) in three-valued logic: NULL where there is no match but a NULL on either side. ClickHouse's IN says FALSE there.
 * Over no rows it is FALSE even for NULL.
 */
function inSubquery(needle: Ch, input: Rel, column: Column, statement: ReturnType<typeof lowerStatement>, l: Lowering): Ch {
  const found: Ch = { kind: 'in', operand: needle, items: statement, not: false };
  const count = (counted: Ch): Ch => {
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

export function lowerMembership(expr: Subquery, env: Environment, l: Lowering): Ch {
  const statement = lowerStatement(expr.input, [{ column: expr.column, alias: l.nameOf(expr.column) }], env, l);
  return { kind: 'in', operand: expr.needle === null ? NULL : lowerExpr(expr.needle, env, l), items: statement, not: false };
}

/** ARRAY(subquery): groupArray alone would drop NULLs, so each value travels in a tuple of one. */
function arrayOfRows(statement: ReturnType<typeof lowerStatement>, l: Lowering): Ch {
  const alias = l.fresh('rows');
  const item = l.fresh('item');
  const name = firstAlias(statement);
  const grouped: Ch = {
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

function countsRows(rel: Rel, column: Column): boolean {
  if (rel.kind === 'project' || rel.kind === 'filter' || rel.kind === 'order_limit') return countsRows(rel.input, column);
  return (
    rel.kind === 'aggregate' && rel.keys.length === 0 && rel.aggregates.some((a) => a.column.id === column.id && a.call.fn.zeroWhenEmpty)
  );
}
