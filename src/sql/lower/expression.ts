// Writes expressions in ClickHouse, with an entry for each kind of expression of the logical plan.
import { spend } from '../base/budget.ts';
import { fail } from '../base/fail.ts';
import { INT64, type Type } from '../base/types.ts';
import { groupValue } from '../functions/aggregate/group-value.ts';
import { lowerLiteral } from '../functions/literal.ts';
import { signaturesOf } from '../functions/signature.ts';
import { intervalMicros } from '../functions/sort-key.ts';
import { isRecordType } from '../layouts/stored.ts';
import type { LowerCall, NamedArguments } from '../logical/function.ts';
import type * as resolved from '../logical/nodes.ts';
import type { Expr, LiteralValue } from '../logical/nodes.ts';
import type { OrderBy, SqlExpression } from '../target/ast.ts';
import { bare, call, cast, element, failIf, iff, isNull, lambda, lit, NULL, numberUnless, tuple, unwidened } from '../target/build.ts';
import { isConstant } from '../target/constant.ts';
import { clickhouseType, plainType } from '../target/types.ts';
import { INSTANT_PARAMETER } from '../translation.ts';
import { convert, lowerCast } from './cast.ts';
import { type Environment, type Lowering, lowerSubquery, nameIn } from './lowering.ts';
import { lowerRecordField, recordElements } from './record.ts';

type Lowerers = {
  readonly [K in Expr['kind']]: (expr: Extract<Expr, { readonly kind: K }>, env: Environment, l: Lowering) => SqlExpression;
};

const LOWERERS: Lowerers = {
  literal: (expr) => lowerLiteral(expr),
  column: ({ column, span }, env) => columnName(column, span, env),
  parameter: ({ name, type }, _env, l) => {
    l.parameters.set(name, clickhouseType(type));
    return { kind: 'param', name, type: clickhouseType(type) };
  },
  instant: ({ type }, _env, l) => {
    if (l.options.instant !== 'parameter') return call('now64', lit(6), lit('UTC'));
    l.parameters.set(INSTANT_PARAMETER, plainType(type));
    return { kind: 'param', name: INSTANT_PARAMETER, type: plainType(type) };
  },
  call: (expr, env, l) => {
    const [first] = expr.args;
    // An array of records is a text here, so its length is that of its elements.
    if (first != null && expr.fn.name === 'ARRAY_LENGTH' && isRecordType(first.type))
      return call('toInt64', call('length', recordElements(first, lowerExpr(first, env, l), l.fresh)));
    const written = expr.fn.lower(namedArguments(expr.fn.signature, expr.args, env, l), callContext(expr, expr.args, l, env));
    // ClickHouse makes arrays without a type of a NULL without a type.
    return written.kind === 'lit' && written.value === null ? lowerLiteral({ ...expr, kind: 'literal', value: null }) : written;
  },
  cast: (expr, env, l) => {
    if (expr.operand.kind === 'literal' && expr.operand.value === null) return lowerLiteral({ ...expr.operand, type: expr.type });
    const orNull = (part: Expr | null): SqlExpression | null => (part === null ? null : lowerExpr(part, env, l));
    return lowerCast(expr, { value: lowerExpr(expr.operand, env, l), zone: orNull(expr.timeZone), format: orNull(expr.format) }, l);
  },
  case: ({ whens, otherwise, type }, env, l) => {
    const last =
      otherwise === null ? lowerLiteral({ kind: 'literal', value: null, type, span: { start: 0, end: 0 } }) : lowerExpr(otherwise, env, l);
    const branches = whens.flatMap((w) => {
      const then = lowerExpr(w.then, env, l);
      return [chosen(lowerExpr(w.when, env, l), whens.length === 1 && maybeNull(then)), then];
    });
    // ClickHouse cannot choose between two structs of constants.
    const [, first] = branches;
    const ofConstants = type.kind === 'STRUCT' && whens.length === 1 && first !== undefined && isConstant(first) && isConstant(last);
    branches.push(ofConstants ? call('materialize', last) : last);
    return { kind: 'func', name: whens.length === 1 ? 'if' : 'multiIf', params: [], args: branches, distinct: false, over: null };
  },
  struct: ({ fields }, env, l) => tuple(...fields.map((f) => asField(f, lowerExpr(f, env, l)))),
  field: ({ of, index }, env, l) => element(lowerExpr(of, env, l), index + 1),
  record_field: (expr, env, l) => lowerRecordField(expr, lowerExpr(expr.of, env, l), l.fresh),
  array: ({ elements, type }, env, l) => {
    const values: SqlExpression = { kind: 'array', elements: elements.map((e) => lowerExpr(e, env, l)) };
    return elements.length === 0 ? cast(values, plainType(type)) : values;
  },
  subquery: lowerSubquery,
  lambda: ({ parameters, body }, env, l) => {
    const names = parameters.map((p) => l.nameOf(p));
    const inner: Environment = {
      names: new Map(parameters.map((p, i) => [p.id, { kind: 'ident', parts: [names[i] ?? ''] }] as const)),
      outer: env,
    };
    return lambda(names, lowerExpr(body, inner, l));
  },
  date_part: ({ part }) => lit(part),
  aggregate: ({ span }) => fail('internal', span, 'an aggregate was left outside of its query'),
  window: ({ span }) => fail('internal', span, 'a window call was left outside of its query'),
};

export function lowerExpr(expr: Expr, env: Environment, l: Lowering): SqlExpression {
  spend(2);
  // The table is complete over the union; TypeScript can't pair a kind with its own entry by itself.
  const lower = LOWERERS[expr.kind] as (expr: Expr, env: Environment, l: Lowering) => SqlExpression;
  const written = lower(expr, env, l);
  l.onLowered?.(expr, written);
  return written;
}

/**
 * A struct in a struct. Where the outer one is NULL, ClickHouse reads NULL from it only if the field is Nullable itself, and otherwise
 * empty texts and zeros.
 */
const asField = ({ type }: Expr, value: SqlExpression): SqlExpression => (type.kind === 'STRUCT' ? call('toNullable', value) : value);

/**
 * A condition on parameters alone chooses its branch before any row is read, but only if ClickHouse knows that it is not NULL. ClickHouse
 * also rewrites an aggregate of `if(condition, NULL, x)` into one over the rows where the condition is false, which loses the rows where it
 * is NULL.
 */
function chosen(condition: SqlExpression, nullThen: boolean): SqlExpression {
  return condition.kind !== 'lit' && (nullThen || isConstant(condition)) ? call('ifNull', condition, lit(false)) : condition;
}

/** True if ClickHouse may find that the value is NULL for every row. */
function maybeNull(value: SqlExpression): boolean {
  const plain = bare(value);
  return !(plain.kind === 'lit' && plain.value !== null) && isConstant(value);
}

function columnName(column: resolved.Column, span: Expr['span'], env: Environment): SqlExpression {
  const name = nameIn(env, column.id);
  if (name !== undefined) return name;
  return fail('internal', span, `column ${column.name} is not visible here`);
}

/** Writes an expression with one bit pattern for each value, as keys of groups need it. */
export const lowerGroupValue = (expr: Expr, env: Environment, l: Lowering): SqlExpression =>
  groupValue(lowerExpr(expr, env, l), expr.type, l.isFinite(expr), l.fresh);

/** Returns the arguments by the parameter names of the signature; repeated ones as an array. */
export function namedArguments(signature: string, args: readonly (Expr | null)[], env: Environment, l: Lowering): NamedArguments {
  const parameters = signaturesOf(signature)[0]?.parameters ?? [];
  const named: Record<string, SqlExpression | readonly SqlExpression[] | undefined> = {};
  const lowered = args.map((a) => (a === null ? undefined : lowerExpr(a, env, l)));
  for (const [i, parameter] of parameters.entries()) {
    named[parameter.name] = parameter.repeated ? lowered.slice(i).filter((a) => a !== undefined) : lowered[i];
  }
  return named;
}

export function callContext(
  expr: { readonly type: Type; readonly safe: boolean; readonly span: Expr['span'] },
  args: readonly (Expr | null)[],
  l: Lowering,
  env: Environment | null = null,
): LowerCall {
  const ofArg = <T>(position: number, property: (arg: Expr) => T): T | undefined => {
    const arg = args[position];
    return arg == null ? undefined : property(arg);
  };
  return {
    args,
    type: expr.type,
    safe: expr.safe,
    typeOf: (position) => args[position]?.type ?? INT64,
    constant: (position) => constantOf(args[position] ?? null),
    finite: (position) => ofArg(position, l.isFinite) ?? true,
    neverNull: (position) => ofArg(position, l.isNeverNull) ?? false,
    nearNow: (position) => ofArg(position, l.isNearNow) ?? false,
    range: (position) => ofArg(position, l.rangeOf),
    digits: (position) => ofArg(position, l.digitsOf),
    occasion: () => tuple(lit(expr.span.start), ...columnPerTable(env)),
    fresh: (base) => l.fresh(base),
    failIf: (condition, message, value) => (expr.safe ? iff(condition, NULL, value) : failIf(condition, message, value)),
    numberUnless: (condition, message, value) => (expr.safe ? iff(condition, NULL, value) : numberUnless(condition, message, value)),
    cast: (value, from, to) => convert(value, from, to, { fresh: l.fresh, safe: expr.safe }),
  };
}

/**
 * Returns a column of each table and each unnested array. ClickHouse computes a value that reads none of their columns before it joins them
 * or unnests the array.
 */
function columnPerTable(env: Environment | null): readonly SqlExpression[] {
  const found = new Map<string, SqlExpression>();
  for (const name of env?.names.values() ?? []) {
    if (name.kind !== 'ident' || name.constant === true) continue;
    const table = name.parts.length > 1 ? (name.parts[0] ?? '') : `.${name.parts[0]}`;
    if (!found.has(table)) found.set(table, name);
  }
  return [...found.values()];
}

function constantOf(arg: Expr | null): LiteralValue | undefined {
  if (arg === null) return undefined;
  if (arg.kind === 'date_part') return arg.part;
  // CAST(NULL AS …) is a NULL too.
  if (arg.kind === 'cast' && arg.operand.kind === 'literal' && arg.operand.value === null) return null;
  return arg.kind === 'literal' ? arg.value : undefined;
}

/** ClickHouse has no name for Unicode's own order, which is that of English. */
const ROOT = 'en';

/** ClickHouse sorts NULLs last unless told otherwise. BigQuery puts NaN below all numbers. */
export function lowerOrder(items: readonly resolved.OrderItem[], env: Environment, l: Lowering): readonly OrderBy[] {
  return items.flatMap(({ value: written, descending, nullsFirst }): readonly OrderBy[] => {
    const text = written.kind === 'call' && written.fn.name === '$collated' ? written.args[0] : undefined;
    const value = text ?? written;
    const lowered = lowerExpr(value, env, l);
    const constant = value.kind === 'literal' || value.kind === 'parameter';
    if (constant) return [];
    const key = value.type.kind === 'INTERVAL' ? intervalMicros(lowered) : unwidened(lowered);
    const collate = text === undefined ? {} : { collate: ROOT };
    const finite = l.isFinite(value);
    // ClickHouse puts NaN where NULLs are to stand, between NULLs and numbers, which is below all numbers in BigQuery's own order of NULLs.
    if (finite || nullsFirst !== descending)
      return [{ value: key, descending, nullsFirst: nullsFirst && !(finite && l.isPresent(value)) ? true : null, ...collate }];
    // In the other order NaN stands on the other side of the numbers, so two more keys say whether a value is NULL and whether it is NaN.
    return [
      { value: isNull(lowered), descending: nullsFirst, nullsFirst: null },
      { value: call('ifNull', call('isNaN', lowered), lit(0)), descending: !descending, nullsFirst: null },
      { value: lowered, descending, nullsFirst: null },
    ];
  });
}
