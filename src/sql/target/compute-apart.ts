// Values that are computed in a lambda of their own, apart from what stands around them.
import { isAggregate } from '../../clickhouse/functions.ts';
import type { Func, LambdaOf, SqlExpression } from './ast.ts';
import { array, call, ident, lambda, lit } from './build.ts';
import { asFunc, isStatement } from './checks.ts';
import { isColumn } from './of-column.ts';
import { type Change, rewrite } from './rewrite.ts';
import { SameMap } from './same.ts';

/** True if the call reads several rows. */
export const isOfRows = (func: Func): boolean => func.over !== null || isAggregate(func.name);

/**
 * Returns `value` as what `within` makes of it in a lambda over the columns that it reads. ClickHouse leaves out the branches in a lambda that are not taken,
 * whatever else reads the value. Undefined where a lambda cannot hold the value, as it cannot hold aggregates and queries. What `wholes` replaces
 * stays outside, as keys of groups have to.
 */
export function computedApart(
  value: SqlExpression,
  within: (body: SqlExpression) => SqlExpression,
  wholes: Change,
): SqlExpression | undefined {
  const cells = new SameMap<SqlExpression>();
  const names: string[] = [];
  const rows: SqlExpression[] = [];
  const cellOf = (whole: SqlExpression): SqlExpression => {
    const before = cells.get(whole);
    if (before !== undefined) return before;
    const name = rows.length === 0 ? '_cell' : `_cell${rows.length + 1}`;
    const cell = ident(name);
    cells.set(whole, cell);
    names.push(name);
    rows.push(array(whole));
    return cell;
  };
  let fits = true;
  const inside =
    (parameters: ReadonlySet<string>): Change =>
    (node) => {
      const func = asFunc(node);
      if (isStatement(node) || (func !== undefined && (isOfRows(func) || func.name === 'arrayJoin'))) {
        fits = false;
        return node;
      }
      if (isLambda(node)) return { ...node, body: rewrite(node.body, inside(new Set([...parameters, ...node.parameters]))) };
      const whole = wholes(node) ?? (isColumnBeyond(parameters, node) ? node : undefined);
      return whole && cellOf(whole as SqlExpression); // an expression for an expression
    };
  const body = rewrite(value, inside(new Set()));
  if (!fits || rows.length === 0) return undefined;
  return call('arrayElement', call('arrayMap', lambda(names, within(body)), ...rows), lit(1));
}

const isLambda = (node: object): node is LambdaOf => 'kind' in node && node.kind === 'lambda';

function isColumnBeyond(parameters: ReadonlySet<string>, node: object): boolean {
  const expression = node as SqlExpression; // or a clause, whose kind is none of an expression's
  return isColumn(expression) && expression.kind === 'ident' && !parameters.has(expression.parts[0] ?? '');
}
