// Values of expressions that are known before anything runs: those that decide which statements of a text are reached, and the texts of EXECUTE IMMEDIATE.
import type { Binary, Call, Expr } from '../ast.ts';
import { refuseDeepTree } from '../tree-depth.ts';

/** A value of STRING, INT64 (bigint), FLOAT64 or BOOL, or NULL. */
export type Constant = string | bigint | number | boolean | null;

/** Returns what a variable is, by its name in lower case; undefined for one that is not known. */
type Constants = (name: string) => Constant | undefined;

/** The most characters of a value, as of a variable. */
const MOST_TEXT = 1_000_000;

/** Returns undefined where the value depends on rows, parameters or the time, or is computed by anything that is not listed here. */
export function constantOf(expr: Expr, known: Constants): Constant | undefined {
  refuseDeepTree(expr);
  return compute(expr, known);
}

function compute(expr: Expr, known: Constants): Constant | undefined {
  switch (expr.kind) {
    case 'null_literal':
      return null;
    case 'bool_literal':
    case 'int_literal':
    case 'string_literal':
      return expr.value;
    case 'float_literal':
      return Number(expr.text);
    case 'path':
      return expr.parts.length === 1 ? known(expr.parts[0]?.name.toLowerCase() ?? '') : undefined;
    case 'unary': {
      const value = compute(expr.operand, known);
      if (value === null) return null;
      if (expr.operator === 'NOT') return typeof value === 'boolean' ? !value : undefined;
      if (typeof value === 'number') return expr.operator === '-' ? -value : undefined;
      return expr.operator === '-' && typeof value === 'bigint' ? inRange(-value) : undefined;
    }
    case 'binary':
      return binary(expr, compute(expr.left, known), compute(expr.right, known));
    case 'is_test': {
      const value = compute(expr.operand, known);
      if (value === undefined || (expr.test !== 'NULL' && logical(value) === undefined)) return undefined;
      const wanted = { NULL: null, UNKNOWN: null, TRUE: true, FALSE: false }[expr.test];
      return (value === wanted) !== expr.not;
    }
    case 'in':
      return expr.in.kind === 'list'
        ? negated(anyOf(expr.in.items.map((item) => compare('=', compute(expr.operand, known), compute(item, known)))), expr.not)
        : undefined;
    case 'cast': {
      const value = compute(expr.operand, known);
      if (expr.to.name !== 'STRING' || expr.to.parameters.length > 0 || expr.format !== null) return undefined;
      return typeof value === 'string' || value === null ? value : textOf(value);
    }
    case 'case': {
      for (const { when, then } of expr.whens) {
        const condition = expr.operand === null ? compute(when, known) : compare('=', compute(expr.operand, known), compute(when, known));
        if (logical(condition) === undefined) return undefined;
        if (condition === true) return compute(then, known);
      }
      return expr.otherwise === null ? null : compute(expr.otherwise, known);
    }
    case 'call':
      return called(expr, known);
    default:
      return undefined;
  }
}

function binary({ operator }: Binary, left: Constant | undefined, right: Constant | undefined): Constant | undefined {
  switch (operator) {
    case 'AND':
      return negated(anyOf([negated(logical(left), true), negated(logical(right), true)]), true);
    case 'OR':
      return anyOf([logical(left), logical(right)]);
    case '=':
    case '<>':
    case '<':
    case '<=':
    case '>':
    case '>=':
      return compare(operator, left, right);
    case '||':
      return joined([left, right]);
    case '+':
    case '-':
    case '*': {
      if (left === undefined || right === undefined) return undefined;
      if (left === null || right === null) return null;
      if (typeof left !== 'bigint' || typeof right !== 'bigint') return undefined;
      if (operator === '*') return inRange(left * right);
      return inRange(operator === '+' ? left + right : left - right);
    }
    default:
      return undefined;
  }
}

type Known = boolean | null | undefined;

const logical = (value: Constant | undefined): Known => (typeof value === 'boolean' || value === null ? value : undefined);
const negated = (value: Known, not: boolean): Known => (typeof value === 'boolean' && not ? !value : value);

/** TRUE OR what is not known is TRUE. */
function anyOf(values: readonly Known[]): Known {
  if (values.includes(true)) return true;
  if (values.includes(undefined)) return undefined;
  return values.includes(null) ? null : false;
}

type Comparison = '=' | '<>' | '<' | '<=' | '>' | '>=';

function compare(operator: Comparison, left: Constant | undefined, right: Constant | undefined): Known {
  if (left === undefined || right === undefined) return undefined;
  if (left === null || right === null) return null;
  const comparable = typeof left === typeof right || (isNumber(left) && isNumber(right));
  if (!comparable) return undefined;
  if (operator === '=') return sameValue(left, right);
  if (operator === '<>') return !sameValue(left, right);
  // JavaScript orders texts by UTF-16 units, and GoogleSQL by code points.
  if (typeof left === 'string' && /[\ud800-\udfff]/.test(left + String(right))) return undefined;
  switch (operator) {
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '>':
      return left > right;
    case '>=':
      return left >= right;
  }
}

const isNumber = (value: Constant): boolean => typeof value === 'bigint' || typeof value === 'number';
const sameValue = (left: Constant, right: Constant): boolean =>
  // biome-ignore lint/suspicious/noDoubleEquals: an INT64 and a FLOAT64 of the same value are equal
  isNumber(left) ? left == right : left === right;

const LARGEST = 2n ** 63n;
const inRange = (value: bigint): bigint | undefined => (value >= -LARGEST && value < LARGEST ? value : undefined);

/** FLOAT64 has no text here: BigQuery writes it in another way than JavaScript. */
const textOf = (value: Constant | undefined): string | undefined =>
  typeof value === 'bigint' || typeof value === 'boolean' ? String(value) : undefined;

function joined(values: readonly (Constant | undefined)[]): string | null | undefined {
  if (values.includes(undefined)) return undefined;
  if (values.includes(null)) return null;
  return values.every((value) => typeof value === 'string') && fits(values) ? values.join('') : undefined;
}

function called({ name, args, safe, distinct, star, over }: Call, known: Constants): Constant | undefined {
  if (name.length !== 1 || safe || distinct || star || over !== null) return undefined;
  const values = args.map(({ value }) => (value.kind === 'lambda' ? undefined : compute(value, known)));
  const [first, second, third] = values;
  switch (name[0]?.name.toUpperCase()) {
    case 'IF':
      if (logical(first) === undefined || values.length !== 3) return undefined;
      return first === true ? second : third;
    case 'COALESCE':
    case 'IFNULL': {
      const at = values.findIndex((value) => value !== null);
      return at === -1 ? null : values[at];
    }
    case 'CONCAT':
      return joined(values.map((value) => (typeof value === 'bigint' || typeof value === 'boolean' ? String(value) : value)));
    case 'FORMAT':
      return formatted(values);
    case 'LOWER':
      return typeof first === 'string' && isAscii(first) ? first.toLowerCase() : undefined;
    case 'UPPER':
      return typeof first === 'string' && isAscii(first) ? first.toUpperCase() : undefined;
    case 'REPLACE':
      if (typeof first !== 'string' || typeof second !== 'string' || typeof third !== 'string') return undefined;
      if (second === '') return first;
      return fits([first, { length: (first.split(second).length - 1) * third.length }]) ? first.replaceAll(second, () => third) : undefined;
    default:
      return undefined;
  }
}

/** Texts that are joined again and again would grow without end. */
const fits = (values: readonly unknown[]): boolean =>
  values.reduce<number>((sum, value) => sum + ((value as { readonly length?: number } | null | undefined)?.length ?? 0), 0) <= MOST_TEXT;

const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);

/** FORMAT with %s, %d, %t, %T and %%, of values whose text is as it is written. */
function formatted([format, ...values]: readonly (Constant | undefined)[]): string | undefined {
  if (typeof format !== 'string' || !fits([format, ...values])) return undefined;
  let isKnown = true;
  const text = format.replace(/%(.?)/gs, (_, kind: string) => {
    if (kind === '%') return '%';
    const value = values.shift();
    const written = writtenAs(kind, value);
    isKnown &&= written !== undefined;
    return written ?? '';
  });
  return isKnown && values.length === 0 ? text : undefined;
}

function writtenAs(kind: string, value: Constant | undefined): string | undefined {
  if (typeof value === 'string') {
    if (kind === 'T') return /["'\\\n\r\t]|[^ -~]/.test(value) ? undefined : `"${value}"`;
    return kind === 's' || kind === 't' ? value : undefined;
  }
  if (typeof value === 'bigint') return ['d', 'i', 't', 'T'].includes(kind) ? String(value) : undefined;
  return typeof value === 'boolean' && (kind === 't' || kind === 'T') ? String(value) : undefined;
}
