// Calls of functions that the syntax stands for, such as operators.
import type { Span } from '../../../base/source-text.ts';
import { scalarBuiltIn } from '../../functions/index.ts';
import type { Expr } from '../../logical/nodes.ts';
import { matchSignature } from './match-signature.ts';

/** Calls a function of the tables by name with resolved arguments. */
export function callFunction(name: string, args: readonly (Expr | null)[], span: Span): Expr {
  const fn = scalarBuiltIn(name);
  return { kind: 'call', fn, safe: false, span, ...matchSignature(fn, args, span) };
}
