// Subqueries over nothing but unnested arrays, written as array functions: `(SELECT SUM(x) FROM UNNEST(arr) AS x WHERE x > 1)`.
// They are computed per row, whereas ClickHouse would turn a correlated subquery into a join (and refuses many shapes).

import { BOOL } from '../base/types.ts';
import { among } from '../functions/equality.ts';
import { scalarBuiltIn } from '../functions/index.ts';
import { ref } from '../logical/build.ts';
import { readsOnlyArrays } from '../logical/decorrelated.ts';
import type * as resolved from '../logical/nodes.ts';
import type { AggregateCall, Expr, Rel, Subquery } from '../logical/nodes.ts';
import type { SqlExpression } from '../target/ast.ts';
import { array, call, failing, ident, infix, isNotNull, isNull, lambda, lit, NULL, tuple } from '../target/build.ts';
import { lowerRowsCall } from './aggregate.ts';
import { filterRows, hasRows, mapRows } from './element-fields.ts';
import { lowerExpr } from './expression.ts';
import { type Environment, type Lowering, nameIn } from './lowering.ts';
import { recordElements } from './record.ts';
import { reduceArray } from './reduce-array.ts';
import { lowerRowCount } from './row-count.ts';

type Names = ReadonlyMap<number, SqlExpression>;

/** Rows as an array. `bind` writes the columns of a row, given how the element of the array is written. */
interface Rows {
  readonly array: SqlExpression;
  readonly bind: (row: SqlExpression) => Names;
  /** There is exactly one row, whose columns do not depend on the element of the array. */
  readonly single: boolean;
}

/** Returns the subquery as an expression over arrays, or undefined if it reads tables or needs more than arrays can do. */
export function lowerArrayQuery(expr: Subquery, env: Environment, l: Lowering): SqlExpression | undefined {
  const rows = readsOnlyArrays(expr.input) ? rowsOf(expr.input, env, l) : undefined;
  if (rows === undefined) return undefined;
  const value = (row: SqlExpression): SqlExpression | undefined => rows.bind(row).get(expr.column.id) ?? nameIn(env, expr.column.id);
  const values = (): SqlExpression | undefined => {
    const row = l.fresh('row');
    const written = value(ident(row));
    return written === undefined ? undefined : mapRows(row, written, rows.array, l.fresh);
  };
  switch (expr.mode) {
    case 'exists':
      return hasRows(rows.array, l.fresh);
    case 'array':
      return values();
    case 'scalar': {
      if (rows.single) return value(lit(0));
      const all = values();
      if (all === undefined) return undefined;
      const isArray = expr.type.kind === 'ARRAY' && expr.type.element.kind !== 'RECORD';
      const several = infix('>', call('length', all), lit(1));
      const message = 'a scalar subquery returned more than one row';
      // ClickHouse has no NULL array, not even in the untaken branch of a test.
      return call(isArray ? 'arrayElement' : 'arrayElementOrNull', all, infix('+', lit(1), failing(several, message)));
    }
    case 'in': {
      const all = values();
      if (all === undefined || expr.needle === null) return undefined;
      if (expr.needle.type.kind === 'STRUCT') return structIn(expr, rows, env, l);
      const needle = lowerExpr(expr.needle, env, l);
      return among(needle, all, l.isNeverNull(expr.needle));
    }
  }
}

/** Structs with a NULL in them compare as NULL, which `has` does not know. */
function structIn(expr: Subquery, rows: Rows, env: Environment, l: Lowering): SqlExpression {
  const row = l.fresh('row');
  const args = [expr.needle, ref(expr.column, expr)];
  const same: Expr = { kind: 'call', fn: scalarBuiltIn('$equal'), args, safe: false, type: BOOL, span: expr.span };
  const all = call('arrayMap', lambda([row], lowerExpr(same, { names: rows.bind(ident(row)), outer: env }, l)), rows.array);
  return call('multiIf', call('has', all, lit(true)), lit(true), call('has', all, NULL), NULL, lit(false));
}

function rowsOf(rel: Rel, env: Environment, l: Lowering): Rows | undefined {
  switch (rel.kind) {
    case 'one_row':
      return { array: array(lit(1)), bind: () => new Map(), single: true };
    case 'unnest':
      return unnest(rel, env, l);
    case 'filter':
      return overRows(rel.input, env, l, (rows) => {
        const row = l.fresh('row');
        const condition = lowerExpr(rel.condition, { names: rows.bind(ident(row)), outer: env }, l);
        return { ...rows, array: filterRows(row, condition, rows.array), single: false };
      });
    case 'project':
      return overRows(rel.input, env, l, (rows) => ({
        ...rows,
        bind: (row) => {
          const names = rows.bind(row);
          return new Map([...names, ...rel.items.map((i) => [i.column.id, lowerExpr(i.value, { names, outer: env }, l)] as const)]);
        },
      }));
    case 'set_operation':
      return union(rel, env, l);
    case 'order_limit':
      return overRows(rel.input, env, l, (rows) => orderLimit(rel, rows, env, l));
    case 'aggregate':
      return rel.keys.length > 0 || rel.groupingSets !== null
        ? undefined
        : overRows(rel.input, env, l, (rows) => aggregate(rel, rows, env, l));
    default:
      return undefined;
  }
}

function overRows(input: Rel, env: Environment, l: Lowering, change: (rows: Rows) => Rows | undefined): Rows | undefined {
  const rows = rowsOf(input, env, l);
  return rows === undefined ? undefined : change(rows);
}

/** Appends the rows of the inputs to each other, each as a tuple of the columns. */
function union(rel: resolved.SetOperation, env: Environment, l: Lowering): Rows | undefined {
  const inputs: SqlExpression[] = [];
  for (const input of rel.inputs) {
    const rows = rowsOf(input.rel, env, l);
    if (rows === undefined) return undefined;
    const row = l.fresh('row');
    const names = rows.bind(ident(row));
    const values = input.columns.map((c) => names.get(c.id) ?? nameIn(env, c.id));
    if (values.includes(undefined)) return undefined;
    inputs.push(call('arrayMap', lambda([row], tuple(...values.filter((v) => v !== undefined))), rows.array));
  }
  const all = call('arrayConcat', ...inputs);
  return {
    array: rel.all ? all : call('arrayDistinct', all),
    bind: (row) => new Map(rel.columns.map((c, i) => [c.id, call('tupleElement', row, lit(i + 1))])),
    single: false,
  };
}

function unnest(rel: resolved.Unnest, env: Environment, l: Lowering): Rows | undefined {
  if (rel.outer) return undefined;
  if (rel.input === null || rel.input.kind === 'one_row') {
    const { values, bind } = elements(rel, env, l);
    return { array: values, bind, single: false };
  }
  const left = rowsOf(rel.input, env, l);
  if (left === undefined) return undefined;
  const outer = l.fresh('row');
  const inner = l.fresh('row');
  const right = elements(rel, { names: left.bind(ident(outer)), outer: env }, l);
  const pairs = call('arrayMap', lambda([inner], tuple(ident(outer), ident(inner))), right.values);
  return {
    array: call('arrayFlatten', call('arrayMap', lambda([outer], pairs), left.array)),
    bind: (row) => new Map([...left.bind(call('tupleElement', row, lit(1))), ...right.bind(call('tupleElement', row, lit(2)))]),
    single: false,
  };
}

function elements(rel: resolved.Unnest, env: Environment, l: Lowering): { values: SqlExpression; bind: (row: SqlExpression) => Names } {
  const values = recordElements(rel.array, lowerExpr(rel.array, env, l), l.fresh);
  const { element, offset } = rel;
  if (offset === null) return { values, bind: (row) => new Map([[element.id, row]]) };
  const pairs = call('arrayZip', values, call('range', call('toInt64', call('length', values))));
  return {
    values: pairs,
    bind: (row) =>
      new Map([
        [element.id, call('tupleElement', row, lit(1))],
        [offset.id, call('tupleElement', row, lit(2))],
      ]),
  };
}

function orderLimit(rel: resolved.OrderLimit, rows: Rows, env: Environment, l: Lowering): Rows | undefined {
  let sorted = rows.array;
  if (rel.orderBy.length > 0) {
    const [first] = rel.orderBy;
    if (first === undefined || rel.orderBy.some((o) => o.descending !== first.descending)) return undefined;
    const row = l.fresh('row');
    const names = { names: rows.bind(ident(row)), outer: env };
    const keys = rel.orderBy.flatMap((o) => {
      const key = lowerExpr(o.value, names, l);
      // In a descending sort the flag descends too, so that NULLs stay where they belong.
      return [o.nullsFirst !== o.descending ? isNotNull(key) : isNull(key), key];
    });
    sorted = call(first.descending ? 'arrayReverseSort' : 'arraySort', lambda([row], tuple(...keys)), rows.array);
  }
  if (rel.limit !== null) {
    const limit = lowerRowCount(rel.limit, 'LIMIT', env, l);
    const start = rel.offset === null ? lit(1) : infix('+', lowerRowCount(rel.offset, 'OFFSET', env, l), lit(1));
    sorted = call('arraySlice', sorted, start, limit);
  }
  return { ...rows, array: sorted, single: false };
}

function aggregate(rel: resolved.Aggregate, rows: Rows, env: Environment, l: Lowering): Rows | undefined {
  const columns = new Map<number, SqlExpression>();
  for (const { column, call: aggregateCall } of rel.aggregates) {
    if (aggregateCall.having !== null) return undefined;
    columns.set(column.id, reduce(aggregateCall, rows, env, l));
  }
  return { array: array(lit(1)), bind: () => columns, single: true };
}

/** Writes the aggregate over the rows of the array. */
function reduce(aggregateCall: AggregateCall, rows: Rows, env: Environment, l: Lowering): SqlExpression {
  const row = l.fresh('row');
  const inner: Environment = { names: rows.bind(ident(row)), outer: env };
  return lowerRowsCall(aggregateCall, inner, l, {
    checked: true,
    aggregate: reduceArray(rows.array, row, aggregateCall.distinct, l.fresh),
  });
}
