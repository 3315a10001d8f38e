// Subqueries as expressions.
import type { Ch } from '../clickhouse/ast.ts';
import { call, ident, lambda, lit, select, subquery } from '../clickhouse/build.ts';
import type { Column, Expr, Rel, Subquery } from '../resolved.ts';
import { columnsRead, visit } from '../rewrite.ts';
import { lowerExpr } from './lower-expression.ts';
import { lowerStatement } from './lower-statement.ts';
import type { Environment, Lowering } from './lowering.ts';

export function lowerSubquery(expr: Subquery, env: Environment, l: Lowering): Ch {
  const { mode, input, column, needle } = expr;
  const columns = [{ column, alias: l.nameOf(column) }];
  const statement = lowerStatement(input, columns, env, l);
  switch (mode) {
    case 'exists':
      return { kind: 'exists', statement };
    case 'in':
      if (needle === null) throw new RangeError('IN has a left side');
      return { kind: 'in', operand: lowerExpr(needle, env, l), items: statement, not: false };
    case 'array':
      return arrayOfRows(statement, l);
    case 'scalar': {
      const value = subquery(statement);
      // A correlated COUNT over no rows comes back as NULL from ClickHouse; it is 0.
      return countsRows(input, column) && isCorrelated(input) ? call('ifNull', value, lit(0)) : value;
    }
  }
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

/** Whether the relation reads columns that it does not make. */
export function isCorrelated(rel: Rel): boolean {
  const read = columnsRead(rel);
  const made = new Set<number>();
  const make = (r: Rel): void => {
    for (const column of columnsMade(r)) made.add(column.id);
  };
  make(rel);
  const makeLambda = (e: Expr): void => {
    if (e.kind === 'lambda') for (const p of e.parameters) made.add(p.id);
  };
  visit(rel, makeLambda, make);
  return [...read].some((id) => !made.has(id));
}

/** Columns that come to be at this relation. */
export function columnsMade(rel: Rel): readonly Column[] {
  switch (rel.kind) {
    case 'source_scan':
      return rel.columns.map((c) => c.column);
    case 'cte_scan':
    case 'set_operation':
      return rel.columns;
    case 'unnest':
      return rel.offset === null ? [rel.element] : [rel.element, rel.offset];
    case 'project':
    case 'window':
      return rel.items.map((i) => i.column);
    case 'aggregate':
      return [...rel.keys, ...rel.aggregates, ...rel.groupings].map((k) => k.column);
    default:
      return [];
  }
}
