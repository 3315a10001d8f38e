// The functions that a text brings along.
import { fail } from '../../base/fail.ts';
import type { OwnFunction } from '../../syntax/ast.ts';

/** By their names in lower case. */
export function functionsByName(functions: readonly OwnFunction[]): ReadonlyMap<string, OwnFunction> {
  const found = new Map<string, OwnFunction>();
  for (const definition of functions) {
    const { name, span } = definition.name;
    if (found.has(name.toLowerCase())) fail('type', span, `the function ${name} is created twice`, 'keep one of the two');
    found.set(name.toLowerCase(), definition);
  }
  return found;
}
