// Functions of which any NULL argument makes the result NULL, before anything else about the arguments is checked.
import type { Ch } from '../target/ast.ts';
import { array, cast, iff, infix, isNull, NULL } from '../target/build.ts';
import { clickhouseType, plainType } from '../target/types.ts';
import type { Type } from '../types.ts';
import { type Arguments, define, type Facts, type FunctionDefinition, type LowerCall } from './define.ts';

/** NULL of a type; ClickHouse has no NULL array. */
export const nullOf = (type: Type): Ch => (type.kind === 'ARRAY' ? cast(array(), plainType(type)) : cast(NULL, clickhouseType(type)));

/** `result`, NULL where one of the arguments at `positions` may be and is NULL: for results that ClickHouse would not make NULL by itself. */
export function nullsPass(c: LowerCall, args: readonly (Ch | undefined)[], result: Ch): Ch {
  const tests = args.flatMap((arg, i) => (arg === undefined || c.neverNull(i) ? [] : [isNull(arg)]));
  const [first, ...more] = tests;
  return first === undefined
    ? result
    : iff(
        more.reduce((all, test) => infix('OR', all, test), first),
        NULL,
        result,
      );
}

/** Like define(); a constant NULL argument is answered here, so that `lower` sees none. */
export function strict<const S extends string>(
  signature: S,
  lower: (args: Arguments<S>, call: LowerCall) => Ch,
  facts: Facts = {},
): Omit<FunctionDefinition, 'name'> {
  return define(signature, (args: Arguments<S>, c) => (c.args.some((_, i) => c.constant(i) === null) ? nullOf(c.type) : lower(args, c)), {
    strict: 'any',
    ...facts,
  });
}
