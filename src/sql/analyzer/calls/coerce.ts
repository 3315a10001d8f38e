// Implicit conversions and common types.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/conversion_rules
import type { Span } from '../../../base/source-text.ts';
import { isOnLastDay, parseDate, parseDatetime, parseTime, parseTimestamp } from '../../base/civil.ts';
import { decimalText } from '../../base/decimal-text.ts';
import { fail } from '../../base/fail.ts';
import { arrayOf, INT64, type ScalarName, STRING, sameType, structOf, type Type, typeName } from '../../base/types.ts';
import { castTo } from '../../logical/build.ts';
import type { Expr, Literal } from '../../logical/nodes.ts';

/** The types that every expression of the key type may become without being asked, nearest first. */
const WIDENINGS: Readonly<Partial<Record<ScalarName, readonly ScalarName[]>>> = {
  INT64: ['NUMERIC', 'BIGNUMERIC', 'FLOAT64'],
  NUMERIC: ['BIGNUMERIC', 'FLOAT64'],
  BIGNUMERIC: ['FLOAT64'],
  DATE: ['DATETIME', 'TIMESTAMP'],
  DATETIME: ['TIMESTAMP'],
};
/** The types that only literals and parameters may become. */
const LITERAL_COERCIONS: Readonly<Partial<Record<ScalarName, readonly ScalarName[]>>> = {
  STRING: ['DATE', 'DATETIME', 'TIME', 'TIMESTAMP'],
  FLOAT64: ['NUMERIC', 'BIGNUMERIC'],
};

/** Returns an expression that stands for a value of which only the type is known. */
const opaque = (type: Type, span: Span): Expr => ({ kind: 'instant', type, span });

export const isNullLiteral = (expr: Expr): boolean => expr.kind === 'literal' && expr.value === null && expr.typed !== true;

/** True of a literal that is written where it stands, so that it takes the type that its place wants. */
export const isLiteral = (expr: Expr): boolean => expr.kind === 'literal' && expr.typed !== true;

/** True of ERROR('…'), which never has a value: like NULL it takes the type that its place wants. */
const isErrorCall = (expr: Expr): boolean => expr.kind === 'call' && expr.fn.name === 'ERROR';

const isScalar = ({ kind }: Type): boolean => kind !== 'ARRAY' && kind !== 'STRUCT' && kind !== 'RECORD' && kind !== 'DYNAMIC';

/** Returns how far `expr` is from `target`: 0 for the same type, more for conversions, undefined when there is none. */
export function coercionCost(expr: Expr, target: Type): number | undefined {
  if (sameType(expr.type, target)) return 0;
  if (isNullLiteral(expr) || isErrorCall(expr)) return 1;
  if (expr.type.kind === 'DYNAMIC') return target.kind === 'STRING' ? 1 : SCALAR_FROM_DYNAMIC[target.kind];
  // [] is an array of anything unless it has a type.
  if (isEmptyArray(expr) && target.kind === 'ARRAY' && expr.type.kind === 'ARRAY' && expr.type.element.kind !== 'INT64')
    return coercionCost(opaque(expr.type.element, expr.span), target.element);
  if (expr.kind === 'array' && target.kind === 'ARRAY') return worst(expr.elements, () => target.element);
  if (expr.kind === 'struct' && target.kind === 'STRUCT' && expr.fields.length === target.fields.length) {
    return worst(expr.fields, (i) => target.fields[i]?.type ?? STRING);
  }
  if (expr.type.kind === 'STRUCT' && target.kind === 'STRUCT') {
    const { fields } = target;
    if (expr.type.fields.length !== fields.length) return undefined;
    return worst(
      expr.type.fields.map((f) => opaque(f.type, expr.span)),
      (i) => fields[i]?.type ?? STRING,
    );
  }
  const from = expr.type.kind;
  // indexOf wants a scalar's name; any other kind is simply not found.
  if (from === 'ARRAY' || from === 'STRUCT' || from === 'RECORD' || target.kind === 'ARRAY' || target.kind === 'STRUCT') return undefined;
  const widening = WIDENINGS[from]?.indexOf(target.kind as ScalarName) ?? -1;
  if (widening >= 0) return 2 + widening;
  if (isLiteral(expr) || expr.kind === 'parameter') {
    const literal = LITERAL_COERCIONS[from]?.indexOf(target.kind as ScalarName) ?? -1;
    if (literal >= 0) return 6 + literal;
  }
  return undefined;
}

/** The costs of reading an undeclared field as a type. Decimals come last, since JSON has none. */
const SCALAR_FROM_DYNAMIC: Readonly<Partial<Record<Type['kind'], number>>> = {
  INT64: 2,
  FLOAT64: 2,
  NUMERIC: 9,
  BIGNUMERIC: 9,
  BOOL: 2,
  TIMESTAMP: 2,
  DATETIME: 2,
  DATE: 2,
  JSON: 2,
};

function worst(parts: readonly Expr[], target: (index: number) => Type): number | undefined {
  let cost = 0;
  for (const [i, part] of parts.entries()) {
    const one = coercionCost(part, target(i));
    if (one === undefined) return undefined;
    cost = Math.max(cost, one);
  }
  return cost;
}

/** Converts `expr` to `target`; `what` names the place in the error (`argument 2 of SUBSTR`). */
export function coerce(expr: Expr, target: Type, what: string): Expr {
  if (coercionCost(expr, target) === undefined) {
    fail('type', expr.span, `${what} must be ${typeName(target)}, but this is ${typeName(expr.type)}`, castHint(expr.type, target));
  }
  return convert(expr, target);
}

/** Converts `expr` to a declared type, whose fields have the names that the type gives them. */
export function coerceToDeclared(expr: Expr, target: Type, what: string): Expr {
  const value = coerce(expr, target, what);
  if (typeName(value.type) === typeName(target)) return value;
  if (value.kind === 'struct' && target.kind === 'STRUCT')
    return { ...value, type: target, fields: value.fields.map((f, i) => coerceToDeclared(f, target.fields[i]?.type ?? f.type, what)) };
  return castTo(value, target);
}

function castHint(from: Type, to: Type): string | undefined {
  return from.kind === 'ARRAY' || to.kind === 'ARRAY' || from.kind === 'STRUCT' || to.kind === 'STRUCT'
    ? undefined
    : `if that is what you mean, write CAST(… AS ${typeName(to)})`;
}

function convert(expr: Expr, target: Type): Expr {
  if (sameType(expr.type, target)) return expr;
  if (expr.kind === 'literal') return convertLiteral(expr, target);
  if (isErrorCall(expr)) return { ...expr, type: target };
  if (expr.kind === 'array' && target.kind === 'ARRAY') {
    return { ...expr, type: target, elements: expr.elements.map((e) => convert(e, target.element)) };
  }
  if (expr.kind === 'struct' && target.kind === 'STRUCT') {
    return { ...expr, type: target, fields: expr.fields.map((f, i) => convert(f, target.fields[i]?.type ?? f.type)) };
  }
  // An undeclared field that does not fit reads as NULL: its type is only a guess of the context.
  return castTo(expr, target, { safe: expr.type.kind === 'DYNAMIC' });
}

function convertLiteral(expr: Literal, target: Type): Expr {
  const { value, span } = expr;
  if (value === null) return { ...expr, type: target };
  switch (target.kind) {
    case 'FLOAT64':
      return { ...expr, type: target, value: Number(value) };
    case 'NUMERIC':
    case 'BIGNUMERIC': {
      const digits = decimalText(expr.text ?? String(value), target.kind);
      if (digits === undefined) return fail('type', span, `${expr.text ?? value} is out of range for ${target.kind}`);
      return { kind: 'literal', type: target, value: digits, span };
    }
    case 'DATE':
    case 'DATETIME':
    case 'TIME':
    case 'TIMESTAMP':
      if (expr.type.kind === 'STRING') return temporalLiteral(String(value), target.kind, span);
      return castTo(expr, target);
    default:
      return fail('internal', span, `a ${typeName(expr.type)} literal can’t be converted to ${typeName(target)}`);
  }
}

/** Reads `DATE 'text'` and its kin, also a string literal where such a value is wanted. */
export function temporalLiteral(text: string, kind: 'DATE' | 'DATETIME' | 'TIME' | 'TIMESTAMP', span: Span): Expr {
  const bad = (): never => fail('type', span, `'${text}' is not a ${kind}`, `write it like ${SAMPLES[kind]}`);
  switch (kind) {
    case 'DATE':
      return { kind: 'literal', type: { kind }, value: BigInt(parseDate(text) ?? bad()), span };
    case 'TIME':
      return { kind: 'literal', type: { kind }, value: parseTime(text) ?? bad(), span };
    case 'DATETIME':
      return { kind: 'literal', type: { kind }, value: parseDatetime(text) ?? bad(), span };
    case 'TIMESTAMP': {
      const zoned = parseTimestamp(text) ?? bad();
      const literal: Literal = { kind: 'literal', type: { kind }, value: zoned.micros, span };
      if (zoned.zone === '' || zoned.zone === 'Z') return literal;
      if (isOnLastDay(zoned.micros)) fail('type', span, `'${text}' is, or may be, outside 0001-01-01 to 9999-12-31 in UTC`);
      const wallClock: Literal = { ...literal, type: { kind: 'DATETIME' } };
      const zone: Literal = { kind: 'literal', type: STRING, value: zoned.zone, span };
      return { ...castTo(wallClock, { kind }), timeZone: zone };
    }
  }
}

const SAMPLES = { DATE: '2026-01-31', TIME: '13:45:00', DATETIME: '2026-01-31 13:45:00', TIMESTAMP: '2026-01-31 13:45:00+00' } as const;

/** Returns the type that all of `exprs` can be coerced to, or undefined. Untyped NULLs take the others' type; only NULLs give INT64. */
export function commonType(exprs: readonly Expr[]): Type | undefined {
  const first = exprs[0]?.type;
  // Most expressions have one type already.
  if (first !== undefined && isScalar(first) && exprs.every((e) => e.type.kind === first.kind)) return first;
  const typed = exprs.filter((e) => !isNullLiteral(e) && !isErrorCall(e) && !isEmptyArray(e));
  if (typed.length === 0) return exprs.find(isEmptyArray)?.type ?? exprs[0]?.type ?? INT64;
  // Beside a decimal, numbers that are written out become decimals with all their digits.
  const decimal = typed.find((e) => e.type.kind === 'BIGNUMERIC') ?? typed.find((e) => e.type.kind === 'NUMERIC');
  if (decimal !== undefined && typed.every((e) => e.type.kind !== 'FLOAT64' || isLiteral(e))) {
    if (typed.every((e) => coercionCost(e, decimal.type) !== undefined)) return decimal.type;
  }
  // Literals follow the type of what is no literal, wherever they can be written in it.
  const others = typed.filter((e) => !isLiteral(e));
  if (others.length > 0 && others.length < typed.length) {
    const wanted = commonType(others);
    if (wanted !== undefined && exprs.every((e) => coercionCost(e, wanted) !== undefined)) return wanted;
  }
  const candidates: Type[] = [];
  for (const expr of typed) {
    const settled = expr.type.kind === 'DYNAMIC' ? STRING : expr.type;
    if (!candidates.some((c) => sameType(c, settled))) candidates.push(settled);
    if (settled.kind !== 'ARRAY' && settled.kind !== 'STRUCT' && settled.kind !== 'RECORD') {
      for (const kind of WIDENINGS[settled.kind] ?? []) if (!candidates.some((c) => c.kind === kind)) candidates.push({ kind });
    }
  }
  let best: { type: Type; cost: number } | undefined;
  for (const type of candidates) {
    const costs = exprs.map((e) => coercionCost(e, type));
    if (costs.includes(undefined)) continue;
    const cost = costs.reduce<number>((sum, c) => sum + (c ?? 0), 0);
    if (best === undefined || cost < best.cost) best = { type, cost };
  }
  return best?.type ?? commonStruct(typed);
}

export const isEmptyArray = (expr: Expr): boolean => expr.kind === 'array' && expr.elements.length === 0;

function commonStruct(exprs: readonly Expr[]): Type | undefined {
  const structs = exprs.map((e) => e.type);
  const first = structs[0];
  if (first?.kind === 'ARRAY' && structs.every((s) => s.kind === 'ARRAY')) {
    const literals = exprs.flatMap((e) =>
      e.kind === 'array' ? e.elements : [opaque(e.type.kind === 'ARRAY' ? e.type.element : e.type, e.span)],
    );
    const element = commonType(literals);
    return element === undefined || exprs.some((e) => coercionCost(e, arrayOf(element)) === undefined) ? undefined : arrayOf(element);
  }
  if (first?.kind !== 'STRUCT') return undefined;
  const fields = first.fields.map((f, i) => {
    const column = exprs.map((e): Expr | undefined => {
      if (e.kind === 'struct') return e.fields[i];
      const type = e.type.kind === 'STRUCT' ? e.type.fields[i]?.type : undefined;
      return type === undefined ? undefined : opaque(type, e.span);
    });
    const known = column.filter((c) => c !== undefined);
    const type = known.length === exprs.length ? commonType(known) : undefined;
    return type === undefined ? undefined : { name: f.name, type };
  });
  const known = fields.filter((f) => f !== undefined);
  const same = structs.every((s) => s.kind === 'STRUCT' && s.fields.length === first.fields.length);
  return same && known.length === fields.length ? structOf(known) : undefined;
}

/** Converts all of `exprs` to their common type. */
export function unify(exprs: readonly Expr[], what: string): { type: Type; exprs: readonly Expr[] } {
  const type = commonType(exprs);
  if (type === undefined) {
    const kinds = [...new Set(exprs.filter((e) => !isNullLiteral(e)).map((e) => typeName(e.type)))];
    return fail(
      'type',
      exprs.find((e) => !sameType(e.type, exprs[0]?.type ?? INT64))?.span ?? exprs[0]?.span ?? { start: 0, end: 0 },
      `${what} have no common type: ${kinds.join(', ')}`,
      'CAST them to one type',
    );
  }
  return { type, exprs: exprs.map((e) => coerce(e, type, what)) };
}

/** Reads an undeclared field as STRING, where it leaves the query or meets an operator that takes any type. */
export function resolveDynamic(expr: Expr): Expr {
  return expr.type.kind === 'DYNAMIC' ? convert(expr, STRING) : expr;
}
