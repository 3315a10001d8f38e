// Expressions whose outcome is known now: comparisons, joined texts, times and intervals of constants, and the branches of a CASE that a constant does not choose.

import { decimalText } from '../base/decimal-text.ts';
import { BOOL } from '../base/types.ts';
import type { Case, Cast, Expr, FunctionCall, Literal } from '../logical/nodes.ts';
import { foldTime } from './time/constant-time.ts';
import { UNITS } from './time/shift.ts';

/** `expr` itself folded; what stands below it must be folded already. */
export function foldExpr(expr: Expr): Expr {
  switch (expr.kind) {
    case 'call':
      return expr.fn.name === '$concat' || expr.fn.name === 'CONCAT' ? foldConcat(expr) : foldCall(expr);
    case 'case':
      return foldCase(expr);
    case 'cast':
      return foldCast(expr);
    default:
      return expr;
  }
}

const bool = (value: boolean | null, span: Expr['span']): Literal => ({ kind: 'literal', value, type: BOOL, span });

/** Texts and bytes alike are held as JavaScript strings. */
function foldConcat(expr: FunctionCall): Expr {
  const kind = expr.type.kind;
  if (kind !== 'STRING' && kind !== 'BYTES') return expr;
  let joined = '';
  for (const arg of expr.args) {
    if (arg?.kind !== 'literal') return expr;
    if (arg.value === null) return { kind: 'literal', value: null, type: expr.type, span: expr.span };
    joined += String(arg.value);
  }
  return { kind: 'literal', value: joined, type: expr.type, span: expr.span };
}

/** Types whose literals are equal where their values are; others compare by rules of their own (1.0 = 1, NaN). */
const BY_VALUE: ReadonlySet<string> = new Set<Expr['type']['kind']>(['STRING', 'INT64', 'BOOL', 'DATE', 'DATETIME', 'TIME', 'TIMESTAMP']);

function foldCall(expr: FunctionCall): Expr {
  const [left, right] = expr.args;
  if ((expr.fn.name === 'LEAST' || expr.fn.name === 'GREATEST') && expr.args.some((arg) => arg?.kind === 'literal' && arg.value === null))
    return { kind: 'literal', value: null, type: expr.type, span: expr.span };
  if (left?.kind !== 'literal' && right?.kind !== 'literal') return expr;
  switch (expr.fn.name) {
    case '$equal': {
      if (left?.kind !== 'literal' || right?.kind !== 'literal') return expr;
      if (left.value === null || right.value === null) return bool(null, expr.span);
      const plain = BY_VALUE.has(left.type.kind) && left.type.kind === right.type.kind;
      return plain ? bool(left.value === right.value, expr.span) : expr;
    }
    case '$in_list':
      return left?.kind === 'literal' && left.value === null ? bool(null, expr.span) : expr;
    case '$not':
      return left?.kind === 'literal' ? bool(left.value === null ? null : left.value !== true, expr.span) : expr;
    case '$interval': {
      const unit = right?.kind === 'date_part' ? UNITS[right.part] : undefined;
      if (left?.kind !== 'literal' || typeof left.value !== 'bigint' || unit === undefined) return expr;
      const count = left.value;
      const amount = (field: number): bigint => (field === unit.field ? count * unit.size : 0n);
      return { ...left, type: expr.type, value: { months: amount(0), days: amount(1), micros: amount(2) }, span: expr.span };
    }
    case 'COALESCE':
    case 'IFNULL':
      return left?.kind === 'literal' && left.value !== null && left.type.kind === expr.type.kind ? left : expr;
    case '$and':
      return foldLogic(expr, left ?? null, right ?? null, true);
    case '$or':
      return foldLogic(expr, left ?? null, right ?? null, false);
    default:
      return foldTime(expr) ?? expr;
  }
}

/** `neutral` decides nothing (TRUE in AND); its opposite decides alone. NULL stays, it depends on the other side. */
function foldLogic(expr: FunctionCall, left: Expr | null, right: Expr | null, neutral: boolean): Expr {
  for (const [side, other] of [
    [left, right],
    [right, left],
  ]) {
    if (side?.kind !== 'literal' || other === null || other === undefined) continue;
    if (side.value === neutral) return other;
    if (side.value === !neutral) return side;
  }
  return expr;
}

function foldCase(expr: Case): Expr {
  const whens: Case['whens'][number][] = [];
  for (const branch of expr.whens) {
    if (branch.when.kind !== 'literal') {
      whens.push(branch);
      continue;
    }
    if (branch.when.value !== true) continue;
    // Nothing after a condition that always holds is reached.
    return whens.length === 0 ? branch.then : { ...expr, whens, otherwise: branch.then };
  }
  if (whens.length > 0) return whens.length === expr.whens.length ? expr : { ...expr, whens };
  return expr.otherwise ?? { kind: 'literal', value: null, type: expr.type, span: expr.span };
}

/** The FLOAT64 values that only a text can name. https://cloud.google.com/bigquery/docs/reference/standard-sql/conversion_functions#cast_as_floating_point */
const NAMED_FLOATS: Readonly<Record<string, number>> = {
  nan: Number.NaN,
  inf: Number.POSITIVE_INFINITY,
  infinity: Number.POSITIVE_INFINITY,
  '+inf': Number.POSITIVE_INFINITY,
  '+infinity': Number.POSITIVE_INFINITY,
  '-inf': Number.NEGATIVE_INFINITY,
  '-infinity': Number.NEGATIVE_INFINITY,
};

/** NULL of any type; decimals that are written as text; and `CAST('nan' AS FLOAT64)`, which is how BigQuery writes that literal. */
function foldCast(expr: Cast): Expr {
  const { operand, type, span } = expr;
  if (operand.kind !== 'literal') return expr;
  if (operand.value === null) return { kind: 'literal', value: null, type, span };
  if (operand.type.kind === 'STRING' && (type.kind === 'NUMERIC' || type.kind === 'BIGNUMERIC') && expr.format === null) {
    const digits = decimalText(String(operand.value), type.kind);
    return digits === undefined ? expr : { kind: 'literal', value: digits, type, span };
  }
  const named =
    type.kind === 'FLOAT64' && operand.type.kind === 'STRING' && expr.format === null
      ? NAMED_FLOATS[String(operand.value).toLowerCase()]
      : undefined;
  return named === undefined ? expr : { kind: 'literal', value: named, type, span };
}
