// Literals of a syntax tree, and comparisons of two of them that hold whatever the type of the other operand.
import type { BinaryOperator, Expr } from '../syntax/ast.ts';

export type Literal = string | bigint | number | boolean;

/** The value of a literal. A text may stand for a time, which `compare` allows for. */
export function literalOf(expr: Expr): Literal | undefined {
  if (expr.kind === 'int_literal' || expr.kind === 'bool_literal' || expr.kind === 'string_literal') return expr.value;
  if (expr.kind === 'float_literal') return Number(expr.text);
  if (expr.kind === 'typed_literal' && TIMES.has(expr.type)) return expr.text;
  if (expr.kind !== 'unary' || expr.operator !== '-') return undefined;
  const operand = literalOf(expr.operand);
  return typeof operand === 'bigint' || typeof operand === 'number' ? -operand : undefined;
}

const TIMES: ReadonlySet<string> = new Set(['DATE', 'TIME', 'DATETIME', 'TIMESTAMP']);

/** Returns the values of all expressions, or undefined. */
export function literalsOf(exprs: readonly Expr[]): readonly Literal[] | undefined {
  const values = exprs.map(literalOf);
  return values.every((value) => value !== undefined) ? values : undefined;
}

/** Compares two values: below 0, 0 or above it; undefined where that depends on the operand they are compared with. */
export function compare(a: Literal, b: Literal): number | undefined {
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b);
  const [one, other] = [groupOf(a), groupOf(b)];
  return one === other && one !== 'string' ? order(a, b) : undefined;
}

/** Returns the outcome of `a operator b`; undefined where it is not known, and for operators that do not compare. */
export function holds(a: Literal, operator: BinaryOperator, b: Literal): boolean | undefined {
  const compared = compare(a, b);
  return compared === undefined ? undefined : COMPARISONS[operator]?.(compared);
}

const COMPARISONS: Readonly<Partial<Record<BinaryOperator, (compared: number) => boolean>>> = {
  '=': (compared) => compared === 0,
  '<>': (compared) => compared !== 0,
  '<': (compared) => compared < 0,
  '<=': (compared) => compared <= 0,
  '>': (compared) => compared > 0,
  '>=': (compared) => compared >= 0,
};

const groupOf = (value: Literal): string => (typeof value === 'bigint' ? 'number' : typeof value);

function order(a: Literal, b: Literal): number {
  if (a < b) return -1;
  return a > b ? 1 : 0;
}

const TIME_LIKE = /^\s*\d+[-/:]/;
const DAY = /^(\d{4}-\d\d-\d\d)(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?Z?$/;
const CLOCK = /^\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/;

/** Compares texts for which the order of texts and that of times agree, or returns undefined: one time can be written in several ways. */
function compareTexts(a: string, b: string): number | undefined {
  if (a === b) return 0;
  if (!TIME_LIKE.test(a) || !TIME_LIKE.test(b)) return order(a, b);
  const [day, other] = [DAY.exec(a)?.[1], DAY.exec(b)?.[1]];
  if (day !== undefined && other !== undefined && day !== other) return order(day, other);
  const bothKnown = (day !== undefined && other !== undefined) || (CLOCK.test(a) && CLOCK.test(b));
  return bothKnown && shapeOf(a) === shapeOf(b) ? order(a, b) : undefined;
}

const shapeOf = (text: string): string => text.replaceAll(/\d/g, '9');
