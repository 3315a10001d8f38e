// Comparisons that are the same for all rows: no value is at once above and below a bound, or a value that its parameter can't have.
import type { Span } from '../../source-text.ts';
import type { Binary, Expr } from '../syntax/ast.ts';
import { visitNodes } from './fidelity-notes.ts';

/** Parameters that have an `enum`, by name in lower case, with the values as text. */
export type KnownValues = ReadonlyMap<string, readonly string[]>;

interface NeverTrue {
  readonly message: string;
  readonly hint: string;
  readonly span: Span;
}

export function neverTrueIn(tree: unknown, known: KnownValues): readonly NeverTrue[] {
  const found: NeverTrue[] = [];
  /** Conjunctions whose parts were looked at with a larger one around them. */
  const seen = new Set<object>();
  visitNodes(tree, (node) => {
    const expr = node as Expr; // the visitor shows every node; kinds of others are not asked for
    if (expr.kind === 'between' && !expr.not) {
      const [low, high] = [literalOf(expr.low), literalOf(expr.high)];
      if (isAbove(low, high))
        found.push({
          message: 'this BETWEEN is never true: its upper bound is below its lower bound',
          hint: 'swap the two bounds',
          span: expr.span,
        });
    }
    if (expr.kind === 'binary' && expr.operator === '=') found.push(...outsideEnum(expr.left, [expr.right], known));
    if (expr.kind === 'in' && !expr.not && expr.in.kind === 'list') found.push(...outsideEnum(expr.operand, expr.in.items, known));
    if (expr.kind === 'case' && expr.operand !== null)
      found.push(
        ...outsideEnum(
          expr.operand,
          expr.whens.map(({ when }) => when),
          known,
        ),
      );
    if (expr.kind === 'binary' && expr.operator === 'AND' && !seen.has(expr)) found.push(...contradictions(expr, seen));
  });
  return found;
}

function outsideEnum(left: Expr, values: readonly Expr[], known: KnownValues): readonly NeverTrue[] {
  const allowed = left.kind === 'parameter' ? known.get(left.name.toLowerCase()) : undefined;
  if (left.kind !== 'parameter' || allowed === undefined) return [];
  return values.flatMap((value) => {
    if (value.kind !== 'string_literal' && value.kind !== 'int_literal') return [];
    if (allowed.includes(String(value.value))) return [];
    const written = value.kind === 'string_literal' ? JSON.stringify(value.value) : String(value.value);
    return [
      {
        message: `@${left.name} is never ${written}: its enum has ${allowed.join(', ')}`,
        hint: 'add the value to the enum, or compare with one of its values',
        span: value.span,
      },
    ];
  });
}

interface Bound {
  readonly operator: string;
  readonly value: Literal;
  readonly test: Binary;
}

/** Tests of one operand in a chain of AND that exclude each other. */
function contradictions(chain: Binary, seen: Set<object>): readonly NeverTrue[] {
  const bounds = new Map<string, Bound[]>();
  for (const test of partsOf(chain, seen)) {
    if (test.kind !== 'binary') continue;
    const name = nameOf(test.left);
    const value = literalOf(test.right);
    if (name !== undefined && value !== undefined)
      bounds.set(name, [...(bounds.get(name) ?? []), { operator: test.operator, value, test }]);
  }
  return [...bounds.values()].flatMap((tests): readonly NeverTrue[] => {
    for (const [i, second] of tests.entries()) {
      const first = tests.slice(0, i).find((one) => excludes(one, second) || excludes(second, one));
      if (first !== undefined)
        return [
          {
            message: 'this can’t be true together with an earlier comparison of the same value, because AND joins them',
            hint: 'join them with OR, or use IN, if either may hold',
            span: second.test.span,
          },
        ];
    }
    return [];
  });
}

function partsOf(expr: Expr, seen: Set<object>): readonly Expr[] {
  if (expr.kind !== 'binary' || expr.operator !== 'AND') return [expr];
  seen.add(expr);
  return [...partsOf(expr.left, seen), ...partsOf(expr.right, seen)];
}

/** Whether no value passes both; told for one order of the two. */
function excludes(a: Bound, b: Bound): boolean {
  const compared = compare(a.value, b.value);
  if (compared === undefined) return false;
  if (a.operator === '=' && b.operator === '=') return compared !== 0;
  if (a.operator === '=') return !passes(compared, b.operator);
  const low = a.operator === '>' || a.operator === '>=';
  const high = b.operator === '<' || b.operator === '<=';
  if (!low || !high) return false;
  return compared > 0 || (compared === 0 && !(a.operator === '>=' && b.operator === '<='));
}

function passes(compared: number, operator: string): boolean {
  switch (operator) {
    case '<':
      return compared < 0;
    case '<=':
      return compared <= 0;
    case '>':
      return compared > 0;
    case '>=':
      return compared >= 0;
    case '<>':
      return compared !== 0;
    default:
      return true;
  }
}

type Literal = string | bigint | number;

/** Only literals that are compared as they are written; a text may stand for a time, and be written in several ways. */
function literalOf(expr: Expr): Literal | undefined {
  if (expr.kind === 'int_literal') return expr.value;
  if (expr.kind === 'float_literal') return Number(expr.text);
  if (expr.kind === 'string_literal' && !/^\d/.test(expr.value)) return expr.value;
  if (expr.kind !== 'unary' || expr.operator !== '-') return undefined;
  const operand = literalOf(expr.operand);
  return typeof operand === 'string' || operand === undefined ? undefined : -operand;
}

function compare(a: Literal, b: Literal): number | undefined {
  if ((typeof a === 'string') !== (typeof b === 'string')) return undefined;
  return a < b ? -1 : a > b ? 1 : 0;
}

function isAbove(a: Literal | undefined, b: Literal | undefined): boolean {
  return a !== undefined && b !== undefined && compare(a, b) === 1;
}

const nameOf = (expr: Expr): string | undefined =>
  expr.kind === 'path'
    ? expr.parts.map(({ name }) => name.toLowerCase()).join('.')
    : expr.kind === 'parameter'
      ? `@${expr.name.toLowerCase()}`
      : undefined;
