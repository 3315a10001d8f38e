// The functions that a text brings along.
import { fail } from '../fail.ts';
import type { FunctionDefinition } from '../syntax/ast.ts';

/** By their names in lower case. */
export function functionsByName(functions: readonly FunctionDefinition[]): ReadonlyMap<string, FunctionDefinition> {
  const found = new Map<string, FunctionDefinition>();
  for (const definition of functions) {
    const { name, span } = definition.name;
    if (found.has(name.toLowerCase())) fail('type', span, `the function ${name} is created twice`, 'keep one of the two');
    found.set(name.toLowerCase(), definition);
  }
  return found;
}
