// Records which part of a query each check of the ClickHouse SQL stands for, so that a run that fails in it can name the place in the
// user's text.
import type { AggregateCall, Expr, WindowCall } from '../logical/nodes.ts';
import { visit } from '../logical/walk.ts';
import type { SqlExpression } from '../target/ast.ts';
import { asCheck } from '../target/checks.ts';
import type { LoweredPart } from '../translation.ts';

/** Receives each part, the inner ones first. */
export type OnLowered = (part: Expr | AggregateCall | WindowCall, written: SqlExpression) => void;

export function recordParts(): { readonly parts: readonly LoweredPart[]; readonly onLowered: OnLowered } {
  const seen = new WeakSet<object>();
  const parts: LoweredPart[] = [];
  return {
    parts,
    onLowered(part, written) {
      const own = newNodes(written, seen);
      const messages = own.flatMap(messageOf);
      const functions = own.flatMap(functionOf);
      if (messages.length + functions.length === 0) return;
      const expr = 'kind' in part ? part : undefined; // aggregates and calls of windows have no kind
      const decided = expr === undefined ? { parameters: [], constant: false } : decidedBy(expr);
      parts.push({ span: part.span, ...nameOf(part), messages, functions, ...decided, scalar: expr?.kind === 'call' });
    },
  };
}

function nameOf(part: Expr | AggregateCall | WindowCall): { readonly name?: string } {
  if ('fn' in part) return { name: part.fn.name };
  return part.kind === 'cast' ? { name: 'CAST' } : {};
}

function decidedBy(part: Expr): Pick<LoweredPart, 'parameters' | 'constant'> {
  const guilty = part.kind === 'call' && part.fn.divides === true ? part.args[1] : part;
  if (guilty == null) return { parameters: [], constant: false };
  const names = new Set<string>();
  let ofRows = false;
  const inspect = (expr: Expr): void => {
    if (expr.kind === 'parameter') names.add(expr.name);
    ofRows ||= expr.kind === 'column' || expr.kind === 'subquery';
  };
  inspect(guilty);
  visit(guilty, inspect);
  return { parameters: ofRows ? [] : [...names], constant: !ofRows };
}

/** Returns the nodes of a tree that no earlier tree had. */
function newNodes(root: object, seen: WeakSet<object>): readonly object[] {
  const found: object[] = [];
  const waiting = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (seen.has(node)) continue;
    seen.add(node);
    found.push(node);
    for (const value of Object.values(node)) if (typeof value === 'object' && value !== null) waiting.push(value);
  }
  return found;
}

const kindOf = (node: object): unknown => ('kind' in node ? node.kind : undefined);

function messageOf(node: object): readonly string[] {
  const check = asCheck(node);
  return check === undefined ? [] : [check.message];
}

function functionOf(node: object): readonly string[] {
  if (kindOf(node) === 'func' && 'name' in node) return [String(node.name)];
  if (kindOf(node) === 'infix' && 'operator' in node) return [String(node.operator)];
  return kindOf(node) === 'cast' ? ['CAST'] : [];
}
