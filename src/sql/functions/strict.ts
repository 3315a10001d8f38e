// Functions of which any NULL argument makes the result NULL, before anything else about the arguments is checked.

import type { Type } from '../base/types.ts';
import type { NamedArguments } from '../logical/function.ts';
import type { SqlExpression } from '../target/ast.ts';
import { array, cast, iff, infix, isNotNull, isNull, NULL } from '../target/build.ts';
import { clickhouseType, plainType } from '../target/types.ts';
import { type Arguments, define, type Facts, type FunctionDefinition, type LowerCall } from './define.ts';

/** NULL of a type; ClickHouse has no NULL array. */
export const nullOf = (type: Type): SqlExpression =>
  type.kind === 'ARRAY' ? cast(array(), plainType(type)) : cast(NULL, clickhouseType(type));

/**
 * Returns `result`, and `none` where one of `args`, which stand at the positions of the call's own, is NULL: for results that ClickHouse would not make NULL by
 * itself.
 */
export function nullsPass(c: LowerCall, args: readonly (SqlExpression | undefined)[], result: SqlExpression, none = NULL): SqlExpression {
  const tests = args.flatMap((arg, i) => (arg === undefined || c.neverNull(i) ? [] : [isNull(arg)]));
  const [first, ...more] = tests;
  return first === undefined
    ? result
    : iff(
        more.reduce((all, test) => infix('OR', all, test), first),
        none,
        result,
      );
}

/** Calls that may give something where an argument is NULL. */
const GIVES_SOMETHING = /^(?:if|multiIf|ifNull|coalesce|has|tuple|greatest|least|toJSONString|isValidJSON|JSON.*|array.*)$/;

/** True if a condition is surely not true where `arg` is NULL; with `null`, if it is NULL there. */
function fallsWith(condition: SqlExpression, arg: SqlExpression, wanted: 'null' | 'not true'): boolean {
  if (condition === arg) return true;
  switch (condition.kind) {
    case 'infix': {
      const { operator, left, right } = condition;
      const [l, r] = [fallsWith(left, arg, wanted), fallsWith(right, arg, wanted)];
      if (operator === 'OR' || (operator === 'AND' && wanted === 'null')) return l && r;
      return operator === 'AND' ? l || r : fallsWith(left, arg, 'null') || fallsWith(right, arg, 'null');
    }
    case 'prefix':
      return fallsWith(condition.operand, arg, 'null');
    case 'in':
      return fallsWith(condition.operand, arg, 'null');
    case 'func':
      return !GIVES_SOMETHING.test(condition.name) && condition.args.some((inner) => fallsWith(inner, arg, 'null'));
    default:
      return false;
  }
}

/** Types whose NULL ClickHouse knows as such. */
const hasNull = ({ kind }: Type): boolean => !['ARRAY', 'STRUCT', 'RANGE', 'INTERVAL', 'GEOGRAPHY'].includes(kind);

/** A check of some arguments does not fail where another one is NULL. */
function nullsFirst(c: LowerCall, args: readonly (SqlExpression | undefined)[]): LowerCall {
  const uncertain = args.filter(
    (arg, i): arg is SqlExpression => arg !== undefined && arg.kind !== 'lambda' && !c.neverNull(i) && hasNull(c.typeOf(i)),
  );
  if (uncertain.length === 0 || c.safe) return c;
  return {
    ...c,
    failIf: (condition, message, value) => {
      const others = uncertain.filter((arg) => !fallsWith(condition, arg, 'not true'));
      return c.failIf(
        others.reduce((all, arg) => infix('AND', all, isNotNull(arg)), condition),
        message,
        value,
      );
    },
  };
}

/** Like define(); a constant NULL argument is answered here, so that `lower` sees none. */
export function strict<const S extends string>(
  signature: S,
  lower: (args: Arguments<S>, call: LowerCall) => SqlExpression,
  facts: Facts = {},
): Omit<FunctionDefinition, 'name'> {
  const lowered = (args: Arguments<S>, c: LowerCall): SqlExpression => {
    if (c.args.some((_, i) => c.constant(i) === null)) return nullOf(c.type);
    const byPosition = Object.values<SqlExpression | readonly SqlExpression[] | undefined>(args as object as NamedArguments).flat();
    return lower(args, nullsFirst(c, byPosition));
  };
  return define(signature, lowered, { strict: 'any', ...facts });
}
