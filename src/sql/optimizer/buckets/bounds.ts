// The window of a query: conditions that compare a source's time with values that are the same for all rows.

import { BOOL, INT64 } from '../../base/types.ts';
import { splitConjunction } from '../../logical/build.ts';
import type { Column, Expr, Rel } from '../../logical/nodes.ts';
import { isStable } from '../../logical/volatile.ts';
import { columnsRead } from '../../logical/walk.ts';
import { call } from '../build.ts';
import { comparisonOf } from '../comparison.ts';
import { writtenOut } from './chain.ts';

/** A bound on times: those from `value` on (`from`), or those before it (`until`). Both are values of the run: they name no column. */
export interface Bound {
  readonly side: 'from' | 'until';
  /** Microseconds since 1970, an INT64; NULL where no row passes. */
  readonly value: Expr;
  /** A BOOL: unless it is TRUE, there is no bound. */
  readonly holds: Expr;
}

/** Splits the conditions of a filter into those of the window, as bounds, and the others. `input` is filtered. */
export function windowOf(
  condition: Expr,
  input: Rel,
  time: Column,
): { readonly bounds: readonly Bound[]; readonly others: readonly Expr[] } {
  const bounds: Bound[] = [];
  const others: Expr[] = [];
  for (const one of splitConjunction(condition)) {
    const found = boundsOf(writtenOut(one, input), time);
    if (found === undefined) others.push(one);
    else bounds.push(...found);
  }
  return { bounds, others };
}

function boundsOf(condition: Expr, time: Column): readonly Bound[] | undefined {
  if (condition.kind !== 'call') return undefined;
  if (condition.fn.name === '$or') return optional(condition.args, time);
  const compared = comparisonOf(condition, {
    find: (side) => (side?.kind === 'column' && side.column.id === time.id ? time : undefined),
    constant: isConstant,
  });
  if (compared === undefined || compared.value.type.kind !== 'TIMESTAMP') return undefined;
  const { name, value, to } = compared;
  const holds: Expr = { kind: 'literal', value: true, type: BOOL, span: condition.span };
  const bound = (side: Bound['side'], at: Expr, more: bigint): Bound => {
    const micros = call('UNIX_MICROS', [at], at, INT64);
    const one: Expr = { kind: 'literal', value: more, type: INT64, span: at.span };
    return { side, value: more === 0n ? micros : call('$add', [micros, one], at, INT64), holds };
  };
  switch (name) {
    case '$greater_or_equal':
      return [bound('from', value, 0n)];
    case '$greater':
      return [bound('from', value, 1n)];
    case '$less':
      return [bound('until', value, 0n)];
    case '$less_or_equal':
      return [bound('until', value, 1n)];
    case '$between':
      return to === undefined ? undefined : [bound('from', value, 0n), bound('until', to, 1n)];
    default:
      return undefined;
  }
}

/** Reads `@start IS NULL OR t >= @start`, which is a bound for some arguments. */
function optional(sides: readonly (Expr | null)[], time: Column): readonly Bound[] | undefined {
  const [left, right] = sides;
  if (left == null || right == null || isConstant(left) === isConstant(right)) return undefined;
  const [unless, condition] = isConstant(left) ? [left, right] : [right, left];
  const never: Expr = { kind: 'literal', value: false, type: BOOL, span: unless.span };
  const holds = call('$not', [call('IFNULL', [unless, never], unless)], unless);
  return boundsOf(condition, time)?.map((bound) => ({ ...bound, holds: call('$and', [holds, bound.holds], unless) }));
}

const isConstant = (expr: Expr): boolean => isStable(expr) && columnsRead(expr).size === 0;
