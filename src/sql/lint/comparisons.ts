// Finds comparisons with one outcome for all rows: no value is at once above and below a bound, or a value that its parameter can't have.
import type { Span } from '../../base/source-text.ts';
import type { Expr } from '../syntax/ast.ts';
import { falseConstantsIn } from './constant-conditions.ts';
import { contradictionsIn } from './contradictions.ts';
import { visitNodes } from './fidelity-notes.ts';
import { holds, literalOf } from './literals.ts';

/** The values of parameters that have an `enum`, as text, by name in lower case. */
export type KnownValues = ReadonlyMap<string, readonly string[]>;

interface NeverTrue {
  readonly message: string;
  readonly hint: string;
  readonly span: Span;
}

export function neverTrueIn(tree: unknown, known: KnownValues): readonly NeverTrue[] {
  const found: NeverTrue[] = [];
  /** The conjunctions whose parts were looked at with a larger one around them. */
  const seen = new Set<object>();
  visitNodes(tree, (node) => {
    const expr = node as Expr; // the visitor shows every node; kinds of others are not asked for
    if (expr.kind === 'between' && !expr.not) {
      const [low, high] = [literalOf(expr.low), literalOf(expr.high)];
      if (low !== undefined && high !== undefined && holds(low, '>', high) === true)
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
    if (expr.kind === 'binary' && expr.operator === 'AND' && !seen.has(expr))
      for (const span of contradictionsIn(expr, seen))
        found.push({
          message: 'this can’t be true together with an earlier comparison of the same value, because AND joins them',
          hint: 'join them with OR, or use IN, if either may hold',
          span,
        });
  });
  for (const expr of falseConstantsIn(tree))
    found.push({ message: 'this comparison of constants is never true', hint: hintFor(expr), span: expr.span });
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

/** Returns the hint. A text before the operator that could be a name was hardly meant as a text. */
function hintFor(expr: Expr): string {
  let text = expr;
  if (expr.kind === 'binary') text = expr.left;
  else if (expr.kind === 'in' || expr.kind === 'between') text = expr.operand;
  return text.kind === 'string_literal' && /^[a-z_]\w*$/i.test(text.value)
    ? `text in quotes is not a column: for the column, write ${text.value} without quotes`
    : 'remove it, or write FALSE if no row is meant';
}
