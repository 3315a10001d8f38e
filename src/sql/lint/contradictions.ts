// Finds tests of one value that AND joins and that no value passes together.
import type { Span } from '../../base/source-text.ts';
import type { Binary, BinaryOperator, Expr } from '../syntax/ast.ts';
import { holds, type Literal, literalOf, literalsOf } from './literals.ts';

/** The condition that a value must meet. */
type Demand =
  | { readonly kind: 'one-of'; readonly values: readonly Literal[] }
  | { readonly kind: 'none-of'; readonly values: readonly Literal[] }
  | { readonly kind: 'bound'; readonly operator: BinaryOperator; readonly value: Literal }
  | { readonly kind: 'null' };

interface Test {
  /** The column, field or parameter. */
  readonly of: string;
  readonly demands: readonly Demand[];
  readonly span: Span;
}

/** Returns the second test of each such value; `seen` gets the conjunctions inside `chain`, which need not be looked at again. */
export function contradictionsIn(chain: Binary, seen: Set<object>): readonly Span[] {
  const byName = new Map<string, Test[]>();
  for (const part of partsOf(chain, seen)) {
    const test = testOf(part);
    if (test !== undefined) byName.set(test.of, [...(byName.get(test.of) ?? []), test]);
  }
  return [...byName.values()].flatMap((tests) => {
    const second = tests.find((test, i) => tests.slice(0, i).some((earlier) => exclude(earlier, test)));
    return second === undefined ? [] : [second.span];
  });
}

function partsOf(expr: Expr, seen: Set<object>): readonly Expr[] {
  if (expr.kind !== 'binary' || expr.operator !== 'AND') return [expr];
  seen.add(expr);
  return [...partsOf(expr.left, seen), ...partsOf(expr.right, seen)];
}

function testOf(expr: Expr): Test | undefined {
  const { span } = expr;
  const test = (operand: Expr, demands: readonly Demand[] | undefined): Test | undefined => {
    const of = nameOf(operand);
    return of === undefined || demands === undefined ? undefined : { of, demands, span };
  };
  if (expr.kind === 'binary') {
    const flipped = FLIPPED[expr.operator];
    const [left, right] = [literalOf(expr.left), literalOf(expr.right)];
    if (flipped === undefined) return undefined;
    if (right !== undefined) return test(expr.left, [demandOf(expr.operator, right)]);
    return left === undefined ? undefined : test(expr.right, [demandOf(flipped, left)]);
  }
  if (expr.kind === 'in' && expr.in.kind === 'list') {
    const values = expr.in.items.length > MANY_VALUES ? undefined : literalsOf(expr.in.items);
    return test(expr.operand, values && [{ kind: expr.not ? 'none-of' : 'one-of', values }]);
  }
  if (expr.kind === 'between' && !expr.not) {
    const bounds = [
      { operator: '>=', value: literalOf(expr.low) },
      { operator: '<=', value: literalOf(expr.high) },
    ] as const;
    const demands = bounds.flatMap(({ operator, value }): Demand[] => (value === undefined ? [] : [{ kind: 'bound', operator, value }]));
    return test(expr.operand, demands);
  }
  return expr.kind === 'is_test' && expr.test === 'NULL' && !expr.not ? test(expr.operand, [{ kind: 'null' }]) : undefined;
}

/** The most values of a list: lists are compared value by value, and a run waits for it. */
const MANY_VALUES = 100;

/** The comparison that says the same with the sides changed. */
const FLIPPED: Readonly<Partial<Record<BinaryOperator, BinaryOperator>>> = {
  '=': '=',
  '<>': '<>',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
};

function demandOf(operator: BinaryOperator, value: Literal): Demand {
  if (operator === '=' || operator === '<>') return { kind: operator === '=' ? 'one-of' : 'none-of', values: [value] };
  return { kind: 'bound', operator, value };
}

const exclude = (a: Test, b: Test): boolean =>
  a.demands.some((one) => b.demands.some((other) => excludes(one, other) || excludes(other, one)));

/** True if no value passes both, given in one order of the two. */
function excludes(a: Demand, b: Demand): boolean {
  if (a.kind === 'null') return b.kind !== 'null';
  if (a.kind === 'one-of') return b.kind !== 'null' && a.values.every((value) => !mayPass(value, b));
  if (a.kind !== 'bound' || b.kind !== 'bound' || !a.operator.startsWith('>') || !b.operator.startsWith('<')) return false;
  const bothInclude = a.operator === '>=' && b.operator === '<=';
  return holds(a.value, bothInclude ? '>' : '>=', b.value) === true;
}

function mayPass(value: Literal, demand: Exclude<Demand, { readonly kind: 'null' }>): boolean {
  if (demand.kind === 'one-of') return demand.values.some((other) => holds(value, '=', other) !== false);
  if (demand.kind === 'none-of') return demand.values.every((other) => holds(value, '<>', other) !== false);
  return holds(value, demand.operator, demand.value) !== false;
}

/** Returns a key for the tested value: a name alone ignores case, a field of a JSON value does not. */
function nameOf(expr: Expr): string | undefined {
  if (expr.kind === 'parameter') return `@${expr.name.toLowerCase()}`;
  if (expr.kind !== 'path') return undefined;
  const names = expr.parts.map(({ name }) => name);
  return names.length === 1 ? names[0]?.toLowerCase() : JSON.stringify(names);
}
