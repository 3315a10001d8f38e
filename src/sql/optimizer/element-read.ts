// Reads of array elements: `array[OFFSET(0)]`.
import type { Expr } from '../logical/nodes.ts';

/** Returns the array and the element, counted from 0, that the expression reads, if that is known. */
export function elementRead(expr: Expr): { readonly array: Expr; readonly position: bigint } | undefined {
  if (expr.kind !== 'call' || expr.fn.elementFrom === undefined) return undefined;
  const [array, index] = expr.args;
  if (array == null || index?.kind !== 'literal' || typeof index.value !== 'bigint') return undefined;
  return { array, position: index.value - BigInt(expr.fn.elementFrom) };
}
