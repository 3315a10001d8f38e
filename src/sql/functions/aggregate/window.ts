// Numbering and navigation functions. https://cloud.google.com/bigquery/docs/reference/standard-sql/numbering_functions
import { fail } from '../../base/fail.ts';
import { COUNT } from '../../base/number-range.ts';
import type { Expr } from '../../logical/nodes.ts';
import type { SqlExpression } from '../../target/ast.ts';
import { call, lit } from '../../target/build.ts';
import { clickhouseType } from '../../target/types.ts';
import { defineWindow, type Family, type LowerAggregateCall } from '../define.ts';

/** Counts come as UInt64. */
const numbered = (name: string, order: true | null = true) =>
  defineWindow(' -> INT64', (_args, c) => call('toInt64', c.aggregate(name, [])), { order, range: COUNT });

const spanOf = (arg: Expr | null | undefined) => arg?.span ?? { start: 0, end: 0 };

/** A whole constant of at least `least`. */
function constant(position: number, least: bigint, what: string, c: LowerAggregateCall): bigint {
  const value = c.constant(position);
  if (typeof value !== 'bigint' || value < least)
    return fail('type', spanOf(c.args[position]), `${what} must be a constant, ${least} or more`, 'write the number itself');
  return value;
}

/** ClickHouse's lag and lead fill in the type's default; a Nullable value and NULL as default fill in NULL. */
function shifted(name: 'lag' | 'lead', value: SqlExpression, otherwise: SqlExpression | undefined, c: LowerAggregateCall): SqlExpression {
  const distance = c.args[1] === undefined || c.args[1] === null ? 1n : constant(1, 0n, `the offset of ${name.toUpperCase()}`, c);
  const given = c.args[2];
  if (given !== undefined && given !== null && !isConstant(given))
    return fail('type', given.span, `the default of ${name.toUpperCase()} must be a constant`, 'use IFNULL around the call');
  const type = clickhouseType(c.type);
  const nullable = c.type.kind === 'ARRAY' ? value : call('toNullable', value);
  const filler: readonly SqlExpression[] = otherwise === undefined ? [] : [{ kind: 'cast', operand: otherwise, type }];
  return c.aggregate(name, [nullable, lit(distance), ...filler]);
}

function isConstant(expr: Expr): boolean {
  switch (expr.kind) {
    case 'literal':
    case 'parameter':
      return true;
    case 'cast':
      return isConstant(expr.operand);
    case 'array':
      return expr.elements.every(isConstant);
    case 'struct':
      return expr.fields.every(isConstant);
    case 'call':
      return expr.args.every((a) => a === null || isConstant(a));
    default:
      return false;
  }
}

/** FIRST_VALUE, LAST_VALUE: NULLs count unless they are ignored. */
const endOf = (name: string) =>
  defineWindow('value T -> T', ({ value }, c) => c.aggregate(c.ignoreNulls ? name : `${name}_respect_nulls`, [value]), {
    frame: true,
    nulls: true,
    finite: true,
    picks: true,
  });

function nthValue(value: SqlExpression, c: LowerAggregateCall): SqlExpression {
  const position = constant(1, 1n, 'the position of NTH_VALUE', c);
  if (!c.ignoreNulls) return c.aggregate('nth_value', [c.type.kind === 'ARRAY' ? value : call('toNullable', value), lit(position)]);
  return call('arrayElementOrNull', c.aggregate('groupArray', [value]), lit(position));
}

export const window = (): Family => ({
  ROW_NUMBER: numbered('row_number', null),
  RANK: numbered('rank'),
  DENSE_RANK: numbered('dense_rank'),
  PERCENT_RANK: defineWindow(' -> FLOAT64', (_args, c) => c.aggregate('percent_rank', [])),
  CUME_DIST: defineWindow(' -> FLOAT64', (_args, c) => c.aggregate('cume_dist', [])),
  NTILE: defineWindow('buckets INT64 -> INT64', (_args, c) =>
    call('toInt64', c.aggregate('ntile', [lit(constant(0, 1n, 'the number of buckets of NTILE', c))])),
  ),
  LAG: defineWindow('value T, [offset INT64], [otherwise T] -> T', ({ value, otherwise }, c) => shifted('lag', value, otherwise, c), {
    finite: true,
    picks: true,
  }),
  LEAD: defineWindow('value T, [offset INT64], [otherwise T] -> T', ({ value, otherwise }, c) => shifted('lead', value, otherwise, c), {
    finite: true,
    picks: true,
  }),
  FIRST_VALUE: endOf('first_value'),
  LAST_VALUE: endOf('last_value'),
  NTH_VALUE: defineWindow('value T, position INT64 -> T', ({ value }, c) => nthValue(value, c), {
    frame: true,
    nulls: true,
    finite: true,
    picks: true,
  }),
});
