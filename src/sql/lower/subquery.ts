// Subqueries as expressions.

import { isAggregate } from '../../clickhouse/functions.ts';
import { fail } from '../base/fail.ts';
import type { Type } from '../base/types.ts';
import { comparable, equal } from '../functions/equality.ts';
import { readsOnlyArrays } from '../logical/decorrelated.ts';
import { isCorrelated } from '../logical/free-columns.ts';
import type { Expr, Subquery } from '../logical/nodes.ts';
import type { SqlExpression, Statement } from '../target/ast.ts';
import {
  call,
  cast,
  element,
  ident,
  iff,
  infix,
  isNull,
  lambda,
  lit,
  NULL,
  narrow,
  not,
  raw,
  select,
  subquery,
  tuple,
} from '../target/build.ts';
import { clickhouseType } from '../target/types.ts';
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
      return needle.type.kind === 'STRUCT'
        ? structInSubquery(lowerExpr(needle, env, l), expr, statement, l)
        : inSubquery(lowerExpr(needle, env, l), expr, statement, l);
    case 'array':
      return arrayOfRows(statement, l);
    case 'scalar':
      return subquery(withPlainValues(statement, expr.type));
  }
}

/**
 * needle IN (subquery) in three-valued logic: NULL if there is no match but a NULL on either side, where ClickHouse's IN says FALSE. Over
 * no rows it is FALSE even for NULL.
 */
function inSubquery(needle: SqlExpression, expr: Subquery, statement: Statement, l: Lowering): SqlExpression {
  const { input, column } = expr;
  const found = inSet(needle, expr, statement, l);
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

/** True for `x IN (subquery)`, which as a condition that only filters rows needs no distinction between NULL and FALSE. */
export function keepsRows(expr: Expr): expr is Subquery {
  return (
    expr.kind === 'subquery' &&
    expr.mode === 'in' &&
    !readsOnlyArrays(expr.input) &&
    (!isStruct(expr) || leavesOf(NULL, expr.column.type) !== undefined)
  );
}

export function lowerMembership(expr: Subquery, env: Environment, l: Lowering): SqlExpression {
  const statement = lowerStatement(expr.input, [{ column: expr.column, alias: l.nameOf(expr.column) }], env, l);
  const needle = expr.needle === null ? NULL : lowerExpr(expr.needle, env, l);
  // A set compares integers of all widths by their values.
  return expr.column.type.kind === 'INT64' ? inSet(narrow(needle), expr, withNarrow(statement), l) : inSet(needle, expr, statement, l);
}

const withNarrow = (statement: Statement): Statement =>
  statement.kind === 'set' ? statement : { ...statement, items: statement.items.map((item) => ({ ...item, value: narrow(item.value) })) };

function inSet(needle: SqlExpression, expr: Subquery, statement: Statement, l: Lowering): SqlExpression {
  const leaves = isStruct(expr) || expr.column.type.kind === 'FLOAT64' ? leavesInSet(needle, expr, statement, l) : undefined;
  return leaves ?? { kind: 'in', operand: needle, items: statement, not: false };
}

const isStruct = ({ needle }: Subquery): boolean => needle?.type.kind === 'STRUCT';

interface Leaf {
  readonly value: SqlExpression;
  readonly type: Type;
}

/** Returns the values that are compared: for a struct, its fields one by one. Returns undefined if they are not the whole value, as for arrays. */
function leavesOf(value: SqlExpression, type: Type): readonly Leaf[] | undefined {
  if (type.kind === 'ARRAY') return undefined;
  // In a set -0.0 does not equal 0.0; after adding 0.0 it does.
  if (type.kind === 'FLOAT64') return [{ value: infix('+', value, raw('0.0')), type }];
  if (type.kind !== 'STRUCT') return [{ value: comparable(value, type), type }];
  const leaves = type.fields.map((field, at) => leavesOf(element(value, at + 1), field.type));
  return leaves.length === 0 || leaves.includes(undefined) ? undefined : leaves.flatMap((some) => some ?? []);
}

/** Tests whether a row has values that are all equal. ClickHouse's IN finds no NULL among several columns, but it would among tuples. */
function leavesInSet(needle: SqlExpression, { column }: Subquery, statement: Statement, l: Lowering): SqlExpression | undefined {
  const rows = l.fresh('rows');
  const found = leavesOf(ident(rows, l.nameOf(column)), column.type);
  const wanted = leavesOf(needle, column.type);
  if (found === undefined || wanted === undefined) return undefined;
  const items = found.map(({ value }) => ({ value, alias: l.fresh('field') }));
  const values = wanted.map(({ value }) => value);
  const operand = values.length === 1 ? (values[0] ?? needle) : tuple(...values);
  return unlessNaN({ kind: 'in', operand, items: select(items, { kind: 'select', statement, alias: rows }), not: false }, wanted);
}

/** In a set one NaN equals another. */
const unlessNaN = (found: SqlExpression, leaves: readonly Leaf[]): SqlExpression =>
  leaves.filter(({ type }) => type.kind === 'FLOAT64').reduce((all, { value }) => infix('AND', all, not(call('isNaN', value))), found);

/**
 * Like inSubquery, for structs. Their comparison is NULL if a field is NULL and no other differs. Only rows with a NULL can compare so,
 * unless the needle has a NULL.
 */
function structInSubquery(needle: SqlExpression, expr: Subquery, statement: Statement, l: Lowering): SqlExpression {
  const { input, column } = expr;
  const value = ident(l.nameOf(column));
  const hasNull = (of: SqlExpression): SqlExpression | undefined => {
    const tests = leavesOf(of, column.type)?.map(({ value: leaf }) => isNull(leaf));
    return tests?.reduce((all, test) => infix('OR', all, test));
  };
  const rowsWhere = (condition?: SqlExpression): SqlExpression => {
    const again = lowerStatement(input, [{ column, alias: l.nameOf(column) }], null, l);
    const collected = condition === undefined ? call('groupUniqArray', tuple(value)) : call('groupUniqArrayIf', tuple(value), condition);
    return subquery(select([{ value: collected, alias: l.fresh('n') }], { kind: 'select', statement: again, alias: l.fresh('rows') }));
  };
  const some = (rows: SqlExpression, test: (same: SqlExpression) => SqlExpression): SqlExpression => {
    const row = l.fresh('row');
    const same = equal(needle, element(ident(row), 1), column.type, (hint) => l.fresh(hint));
    return call('arrayExists', lambda([row], test(same)), rows);
  };
  const found = leavesInSet(needle, expr, statement, l);
  const [unknown, ofNeedle] = [hasNull(value), hasNull(needle)];
  const all = rowsWhere();
  if (found === undefined || unknown === undefined || ofNeedle === undefined)
    return call(
      'multiIf',
      some(all, (same) => call('ifNull', same, lit(false))),
      lit(true),
      some(all, isNull),
      NULL,
      lit(false),
    );
  return call(
    'multiIf',
    found,
    lit(true),
    ofNeedle,
    iff(some(all, isNull), NULL, lit(false)),
    some(rowsWhere(unknown), isNull),
    NULL,
    lit(false),
  );
}

/** A column may be LowCardinality, and so may expressions of it. These are never NULL, but a scalar subquery without rows is. */
function withPlainValues(statement: Statement, type: Type): Statement {
  if (type.kind !== 'STRING' && type.kind !== 'INT64' && type.kind !== 'BOOL') return statement;
  if (statement.kind === 'set') return { ...statement, inputs: statement.inputs.map((input) => withPlainValues(input, type)) };
  const items = statement.items.map((item) =>
    item.value.kind === 'ident' || isOfColumn(item.value) ? { ...item, value: cast(item.value, clickhouseType(type)) } : item,
  );
  return { ...statement, items };
}

/** True if functions of one column give the value: such functions keep LowCardinality. */
function isOfColumn(value: SqlExpression): boolean {
  const isColumn = (part: SqlExpression): boolean => part.kind === 'ident' || isOfColumn(part);
  if (value.kind === 'infix') return isColumn(value.left) || isColumn(value.right);
  if (value.kind === 'check') return [value.condition, value.value, value.otherwise].some((part) => part !== null && isColumn(part));
  return value.kind === 'func' && !isAggregate(value.name) && value.over === null && value.args.some(isColumn);
}

/** ARRAY(subquery): groupArray alone would drop NULLs, so each value travels in a tuple of one. */
function arrayOfRows(statement: Statement, l: Lowering): SqlExpression {
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

function firstAlias(statement: Statement): string {
  if (statement.kind === 'select') return statement.items[0]?.alias ?? '';
  const [first] = statement.inputs;
  return first === undefined ? '' : firstAlias(first);
}
