// Calls: temporary functions expanded, table functions matched to their signatures, aggregate and window calls set apart.
import { nearest } from '../../errors.ts';
import type { Span } from '../../source-text.ts';
import { fail } from '../fail.ts';
import { builtIn, findFunction, functionNames } from '../functions/index.ts';
import { type Pattern, signaturesOf } from '../functions/signature.ts';
import type { AggregateDefinition, AnyDefinition } from '../logical/function.ts';
import type { AggregateCall, Expr, OrderItem } from '../logical/resolved.ts';
import type * as ast from '../syntax/ast.ts';
import { BOOL, INT64, STRING, TIMESTAMP, type Type } from '../types.ts';
import { coerce, settle, unify } from './coerce.ts';
import { type Context, withNames } from './context.ts';
import { analyzeExpr } from './expression.ts';
import { matchSignature, patternType } from './match-signature.ts';
import { expandTemporaryFunction } from './temporary-function.ts';
import { analyzeWindowCall, groupable } from './window-call.ts';

/** Calls a function of the tables by name with resolved arguments: operators, and what syntax stands for. */
export function callFunction(name: string, args: readonly (Expr | null)[], span: Span, safe = false): Expr {
  const fn = builtIn(name);
  if (fn.kind !== 'function') throw new RangeError(`${name} is not a scalar function`);
  const matched = matchSignature(OPERATOR_TEXT[name] ?? name, signaturesOf(fn.signature), args, span);
  return { kind: 'call', fn, args: matched.args, safe, type: matched.type, span };
}

/** How operators are called in messages. */
const OPERATOR_TEXT: Readonly<Record<string, string>> = {
  $add: 'operator +',
  $subtract: 'operator -',
  $multiply: 'operator *',
  $divide: 'operator /',
  $concat: 'operator ||',
  $equal: 'operator =',
  $not_equal: 'operator <>',
  $less: 'operator <',
  $less_or_equal: 'operator <=',
  $greater: 'operator >',
  $greater_or_equal: 'operator >=',
  $and: 'AND',
  $or: 'OR',
  $not: 'NOT',
  $like: 'LIKE',
  $between: 'BETWEEN',
  $in_list: 'IN',
  $in_array: 'IN UNNEST',
  $negate: 'operator -',
  $plus: 'operator +',
  $bit_not: 'operator ~',
  $bit_and: 'operator &',
  $bit_or: 'operator |',
  $bit_xor: 'operator ^',
  $shift_left: 'operator <<',
  $shift_right: 'operator >>',
  $offset: 'OFFSET',
  $ordinal: 'ORDINAL',
  $safe_offset: 'SAFE_OFFSET',
  $safe_ordinal: 'SAFE_ORDINAL',
  $is_null: 'IS NULL',
  $is_not_null: 'IS NOT NULL',
  $is_distinct: 'IS DISTINCT FROM',
  $is_not_distinct: 'IS NOT DISTINCT FROM',
  $json_subscript: 'a JSON subscript',
};

export function analyzeCall(node: ast.Call, context: Context): Expr {
  const name = node.name
    .map((p) => p.name)
    .join('.')
    .toUpperCase();
  const temporary = node.name.length === 1 ? context.analysis.temporaryFunctions.get(name.toLowerCase()) : undefined;
  if (temporary !== undefined) return expandTemporaryFunction(temporary, node, context);
  if (name === 'IF') return analyzeIf(node, context);
  if (name === 'MAX_BY' || name === 'MIN_BY') return analyzeCall(anyValueBy(node, name), context);
  const current = CURRENT[name];
  if (current !== undefined) return analyzeCurrent(node, name, current, context);
  const fn = findFunction(name);
  if (fn === undefined) return unknownFunction(name, node, context);
  if (node.over !== null) {
    if (fn.kind === 'function')
      fail('type', node.span, `${name} can’t be used with OVER: it is neither an aggregate nor a window function`);
    return analyzeWindowCall(node, fn, name, context);
  }
  switch (fn.kind) {
    case 'window':
      return fail('type', node.span, `${name} needs OVER (…)`, `e.g. ${name}(…) OVER (ORDER BY timestamp)`);
    case 'aggregate':
      return analyzeAggregateCall(node, fn, name, context);
    case 'function':
      refuseModifiers(node, name);
      return { ...matched(node, fn, name, context), kind: 'call', fn, safe: node.safe, span: node.span };
  }
}

/** MAX_BY(x, y) is short for ANY_VALUE(x HAVING MAX y). https://cloud.google.com/bigquery/docs/reference/standard-sql/aggregate_functions#max_by */
function anyValueBy(node: ast.Call, name: 'MAX_BY' | 'MIN_BY'): ast.Call {
  const [value, key] = node.args;
  const [word] = node.name;
  if (value === undefined || key === undefined || key.value.kind === 'lambda' || word === undefined || node.args.length > 2)
    return fail('type', node.span, `${name} takes 2 arguments, not ${node.args.length}`, `it is ${name}(value, key)`);
  if (node.having !== null || node.over !== null)
    return fail('type', node.span, `${name} does not take ${node.over === null ? 'HAVING' : 'OVER'}`);
  return {
    ...node,
    name: [{ ...word, name: 'ANY_VALUE' }],
    args: [value],
    having: { which: name === 'MAX_BY' ? 'MAX' : 'MIN', value: key.value },
  };
}

function unknownFunction(name: string, node: ast.Call, context: Context): never {
  const last = node.name.at(-1)?.span ?? node.span;
  const span = { start: node.name[0]?.span.start ?? node.span.start, end: last.end };
  const near = nearest(name, [
    ...functionNames(),
    ...Object.keys(CURRENT),
    'MAX_BY',
    'MIN_BY',
    ...[...context.analysis.temporaryFunctions.values()].map((f) => f.name.name),
  ]);
  const definition = near === undefined ? undefined : findFunction(near);
  const example =
    definition === undefined
      ? near
      : `${near}(${signaturesOf(definition.signature)[0]
          ?.parameters.map((p) => p.name)
          .join(', ')})`;
  const written = node.name.map((p) => p.name).join('.');
  return fail(
    'unknown-function',
    span,
    `${written} is not a function quern can translate`,
    example === undefined ? 'docs/dialect.md lists the functions' : `did you mean ${example}?`,
  );
}

function refuseModifiers(node: ast.Call, name: string): void {
  const modifier = node.star
    ? '*'
    : node.distinct
      ? 'DISTINCT'
      : node.nulls !== null
        ? `${node.nulls} NULLS`
        : node.having !== null
          ? 'HAVING'
          : node.orderBy.length > 0
            ? 'ORDER BY'
            : node.limit !== null
              ? 'LIMIT'
              : null;
  if (modifier !== null) fail('type', node.span, `${name} does not take ${modifier}: it is not an aggregate function`);
}

/** The call's arguments, resolved and matched to the definition's signatures. */
export function matched(node: ast.Call, fn: AnyDefinition, name: string, context: Context): { args: readonly (Expr | null)[]; type: Type } {
  const signatures = signaturesOf(fn.signature);
  const ordered = positional(node, fn, name);
  const patternsAt = (i: number): readonly Pattern[] => signatures.flatMap((s) => s.parameters[i]?.pattern ?? []);
  const early = ordered.map((arg, i): Expr | null => {
    if (arg === null || arg.kind === 'lambda') return null;
    if (patternsAt(i).some((p) => p.kind === 'part')) {
      const part = datePart(arg);
      if (part !== undefined) return { kind: 'date_part', part, type: STRING, span: arg.span };
    }
    return analyzeExpr(arg, context);
  });
  const args = ordered.map((arg, i): Expr | null => {
    if (arg === null || arg.kind !== 'lambda') return early[i] ?? null;
    const pattern = patternsAt(i).find((p) => p.kind === 'lambda' && p.parameters.length >= arg.parameters.length);
    if (pattern?.kind !== 'lambda') return fail('type', arg.span, `argument ${i + 1} of ${name} is not a lambda`);
    return analyzeLambda(arg, pattern, early, signatures, context);
  });
  const result = matchSignature(name, signatures, args, node.span);
  return { args: result.args, type: result.type };
}

/** Arguments by position: named ones are put where the signature has them. */
function positional(node: ast.Call, fn: AnyDefinition, name: string): readonly (ast.Expr | ast.Lambda | null)[] {
  const parameters = signaturesOf(fn.signature)[0]?.parameters ?? [];
  const args: (ast.Expr | ast.Lambda | null)[] = [];
  for (const arg of node.args) {
    if (arg.name === null) {
      args.push(arg.value);
      continue;
    }
    const wanted = arg.name.name.toLowerCase();
    const at = parameters.findIndex((p) => p.name.toLowerCase() === wanted);
    if (at < 0)
      fail(
        'type',
        arg.name.span,
        `${name} has no argument named ${arg.name.name}`,
        `its arguments are ${parameters.map((p) => p.name).join(', ')}`,
      );
    while (args.length < at) args.push(null);
    args[at] = arg.value;
  }
  return args;
}

function datePart(arg: ast.Expr): string | undefined {
  if (arg.kind === 'path' && arg.parts.length === 1) return arg.parts[0]?.name.toUpperCase();
  if (arg.kind === 'call' && arg.name.length === 1 && arg.args.length === 1) {
    const inner = arg.args[0]?.value;
    const weekday = inner?.kind === 'path' ? inner.parts[0]?.name.toUpperCase() : undefined;
    return arg.name[0]?.name.toUpperCase() === 'WEEK' && weekday !== undefined ? `WEEK(${weekday})` : undefined;
  }
  return undefined;
}

function analyzeLambda(
  node: ast.Lambda,
  pattern: Extract<Pattern, { kind: 'lambda' }>,
  others: readonly (Expr | null)[],
  signatures: ReturnType<typeof signaturesOf>,
  context: Context,
): Expr {
  const bindings = new Map<string, Type>();
  for (const signature of signatures) {
    for (const [i, parameter] of signature.parameters.entries()) {
      const type = others[i]?.type;
      if (type === undefined) continue;
      if (parameter.pattern.kind === 'array' && parameter.pattern.element.kind === 'variable' && type.kind === 'ARRAY')
        bindings.set(parameter.pattern.element.name, type.element);
      if (parameter.pattern.kind === 'variable') bindings.set(parameter.pattern.name, type);
    }
  }
  const parameters = node.parameters.map((p, i) =>
    context.analysis.newColumn(p.name, patternType(pattern.parameters[i] ?? { kind: 'type', type: INT64 }, bindings)),
  );
  const names = new Map(
    parameters.map((column, i) => [
      column.name.toLowerCase(),
      { kind: 'column', column, type: column.type, span: node.parameters[i]?.span ?? node.span } as const,
    ]),
  );
  const body = settle(analyzeExpr(node.body, { ...withNames(context, names), noAggregates: 'a lambda', noWindows: 'a lambda' }));
  return { kind: 'lambda', parameters, body, type: body.type, span: node.span };
}

/** The current date, time or timestamp by name, with or without parentheses, and the function that takes it from the instant of the query. */
const CURRENT: Readonly<Record<string, string>> = {
  CURRENT_TIMESTAMP: 'TIMESTAMP',
  CURRENT_DATETIME: 'DATETIME',
  CURRENT_DATE: 'DATE',
  CURRENT_TIME: 'TIME',
};

function analyzeCurrent(node: ast.Call, name: string, conversion: string, context: Context): Expr {
  refuseModifiers(node, name);
  const instant: Expr = { kind: 'instant', type: TIMESTAMP, span: node.span };
  const zones = node.args.map((a) => a.value).filter((v): v is ast.Expr => v.kind !== 'lambda');
  const most = conversion === 'TIMESTAMP' ? 0 : 1;
  if (zones.length > most) return fail('type', node.span, `${name} takes ${most === 0 ? 'no argument' : 'a time zone at most'}`);
  if (conversion === 'TIMESTAMP') return instant;
  const zone = zones.map((z) => coerce(analyzeExpr(z, context), STRING, 'the time zone'));
  return callFunction(conversion, [instant, ...zone], node.span);
}

/** IF(condition, then, else) is a CASE. */
function analyzeIf(node: ast.Call, context: Context): Expr {
  refuseModifiers(node, 'IF');
  const [condition, then, otherwise, ...more] = node.args.map((a) => a.value).filter((v): v is ast.Expr => v.kind !== 'lambda');
  if (condition === undefined || then === undefined || otherwise === undefined || more.length > 0) {
    return fail('type', node.span, `IF takes 3 arguments, here are ${node.args.length}`, 'write IF(condition, then, else)');
  }
  const { type, exprs } = unify([analyzeExpr(then, context), analyzeExpr(otherwise, context)], 'the results of IF');
  const when = coerce(analyzeExpr(condition, context), BOOL, 'the condition of IF');
  return { kind: 'case', whens: [{ when, then: exprs[0] ?? when }], otherwise: exprs[1] ?? null, type, span: node.span };
}

/** Resolves the ORDER BY of a call; GoogleSQL puts NULLs first when ascending, last when descending. */
export function analyzeOrderItems(items: readonly ast.OrderItem[], context: Context): readonly OrderItem[] {
  return items.map((item) => {
    if (item.collate !== null) fail('unsupported', item.span, 'COLLATE is not supported', 'order by LOWER(text) for an order without case');
    const value = settle(analyzeExpr(item.value, context));
    return {
      value: orderable(value),
      descending: item.descending,
      nullsFirst: item.nulls === null ? !item.descending : item.nulls === 'FIRST',
    };
  });
}

export function orderable(value: Expr): Expr {
  const kind = value.type.kind;
  if (kind === 'ARRAY' || kind === 'STRUCT' || kind === 'RECORD' || kind === 'JSON')
    fail('type', value.span, `values of type ${kind} have no order`);
  return value;
}

/** Parts of an aggregate call, shared with its use as a window function; there its arguments may be aggregates (`nested`). */
export function analyzeAggregateParts(
  node: ast.Call,
  fn: AggregateDefinition,
  name: string,
  context: Context,
  nested = false,
): AggregateCall {
  // Aliases of the SELECT list hide columns in HAVING and ORDER BY, but not inside an aggregate: MAX(x) AS x … HAVING MAX(x) > 1.
  const scope = context.scope.aliases === true && context.scope.parent !== null ? context.scope.parent : context.scope;
  const inner: Context = {
    ...context,
    scope,
    noAggregates: nested ? context.noAggregates : `the arguments of ${name}`,
    noWindows: `the arguments of ${name}`,
  };
  if (node.distinct && !fn.takes.distinct) fail('type', node.span, `${name} does not take DISTINCT`);
  if (node.nulls !== null && !fn.takes.nulls) fail('type', node.span, `${name} does not take ${node.nulls} NULLS`);
  if (node.orderBy.length > 0 && !fn.takes.orderBy) fail('type', node.span, `${name} does not take ORDER BY`);
  if (node.limit !== null && !fn.takes.limit) fail('type', node.span, `${name} does not take LIMIT`);
  const parts = node.star ? starArgs(node, name) : matched(node, fn, name, inner);
  const [value] = parts.args;
  if (node.distinct && value !== null && value !== undefined) groupable(value, 'DISTINCT');
  return {
    fn,
    args: parts.args,
    distinct: node.distinct,
    nulls: node.nulls,
    having: node.having === null ? null : { which: node.having.which, value: orderable(settle(analyzeExpr(node.having.value, inner))) },
    orderBy: analyzeOrderItems(node.orderBy, inner),
    limit: node.limit === null ? null : coerce(analyzeExpr(node.limit, inner), INT64, `LIMIT in ${name}`),
    safe: node.safe,
    type: parts.type,
    span: node.span,
  };
}

function starArgs(node: ast.Call, name: string): { args: readonly Expr[]; type: Type } {
  if (name !== 'COUNT') fail('type', node.span, `${name} does not take *`, 'only COUNT(*) does');
  if (node.distinct) fail('type', node.span, 'COUNT(DISTINCT *) is not allowed', 'name the column');
  return { args: [], type: INT64 };
}

function analyzeAggregateCall(node: ast.Call, fn: AggregateDefinition, name: string, context: Context): Expr {
  if (context.noAggregates !== null) {
    fail(
      'type',
      node.span,
      `${name} is an aggregate function and can’t be used in ${context.noAggregates}`,
      context.noAggregates === 'WHERE' ? 'filter groups with HAVING' : undefined,
    );
  }
  const call = analyzeAggregateParts(node, fn, name, context);
  return { kind: 'aggregate', call, type: call.type, span: node.span };
}

/** `EXTRACT(part FROM value)`: DATE, TIME and DATETIME parts are conversions. */
export function analyzeExtract({ part, from, timeZone, span }: ast.Extract, context: Context): Expr {
  const value = analyzeExpr(from, context);
  const zone = timeZone === null ? [] : [coerce(analyzeExpr(timeZone, context), STRING, 'AT TIME ZONE')];
  if (part === 'DATE' || part === 'TIME' || part === 'DATETIME') return callFunction(part, [value, ...zone], span);
  return callFunction('EXTRACT', [{ kind: 'date_part', part, type: STRING, span }, value, ...zone], span);
}
