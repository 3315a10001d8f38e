// Finds the calls of aggregate functions.
import { findFunction } from '../functions/index.ts';
import type { Call, Expr } from '../syntax/ast.ts';

/** Returns the called name in capitals, its parts joined by dots. */
export const calledName = (call: Call): string => call.name.map(({ name }) => name.toUpperCase()).join('.');

/** Returns the calls of aggregate functions over the rows themselves: not those of windows, nor those in subqueries. */
export function aggregateCalls(expression: Expr): readonly Call[] {
  const calls: Call[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const node = value as Partial<Expr>; // `kind` says what it is, if it is a node
    if (node.kind === 'subquery' || (value as { readonly kind?: unknown }).kind === 'query') return;
    if (node.kind === 'call' && node.over === null && findFunction(calledName(node as Call))?.kind === 'aggregate')
      calls.push(node as Call);
    else for (const child of Object.values(value)) visit(child);
  };
  visit(expression);
  return calls;
}
