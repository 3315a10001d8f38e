// Calls of the functions that operators and other syntax stand for.
import type { Span } from '../../../base/source-text.ts';
import { scalarBuiltIn } from '../../functions/index.ts';
import type { FunctionDefinition } from '../../logical/function.ts';
import type { Expr } from '../../logical/nodes.ts';
import { matchSignature } from './match-signature.ts';

/** Calls a function of the tables by name with resolved arguments. */
export function callFunction(name: string, args: readonly (Expr | null)[], span: Span, safe = false): Expr {
  const fn = scalarBuiltIn(name);
  const matched = matchSignature(calledName(fn), fn, args, span);
  return { kind: 'call', fn, args: matched.args, safe, type: matched.type, span };
}

/** How messages call a function: operators are not written by their names. */
const calledName = ({ name, operator }: FunctionDefinition): string =>
  operator === undefined ? name : /^\w/.test(operator) ? operator : `operator ${operator}`;
