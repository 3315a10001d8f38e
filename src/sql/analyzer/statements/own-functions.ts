// The functions that a text defines.
import type { Span } from '../../../base/source-text.ts';
import { fail } from '../../base/fail.ts';
import type { OwnFunction } from '../../syntax/ast.ts';

/** Returns the functions by their names in lower case. */
export function functionsByName(functions: readonly OwnFunction[]): ReadonlyMap<string, OwnFunction> {
  const found = new Map<string, OwnFunction>();
  for (const definition of functions) {
    const { name, span } = definition.name;
    if (found.has(name.toLowerCase())) fail('type', span, `the function ${name} is created twice`, 'keep one of the two');
    found.set(name.toLowerCase(), definition);
  }
  return found;
}

interface OwnCall {
  readonly args: readonly unknown[];
  readonly span: Span;
}

/** Refuses a call inside of the function itself, and one with another number of arguments; `expanding` are the functions around it. */
export function refuseMiscall(
  { kind, name: { name }, parameters }: OwnFunction,
  { args, span }: OwnCall,
  expanding: readonly string[],
): void {
  if (expanding.includes(name))
    fail(
      'unsupported',
      span,
      `the function ${name} calls itself (${[...expanding, name].join(' → ')})`,
      `BigQuery ${kind === 'create_function' ? 'SQL functions' : 'functions'} can’t be recursive`,
    );
  if (args.length !== parameters.length)
    fail(
      'type',
      span,
      `${name} takes ${parameters.length} arguments, not ${args.length}`,
      `${name}(${parameters.map((p) => p.name.name).join(', ')})`,
    );
}
