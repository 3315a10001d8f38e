// Long values that stand several times in what is made of them: written once, and named, they do not multiply where calls are nested.
import { printedNodes } from '../base/size.ts';
import type { SqlExpression } from '../target/ast.ts';
import { array, call, ident, lambda, lit } from '../target/build.ts';

/** Shorter values cost less when they are repeated than an array does. */
const MOST_NODES = 24;

/** `use(value)`, with a long value written once; `name` is what it is called there. */
export function writtenOnce(value: SqlExpression, name: string, use: (value: SqlExpression) => SqlExpression): SqlExpression {
  if (printedNodes(value) <= MOST_NODES) return use(value);
  return call('arrayElement', call('arrayMap', lambda([name], use(ident(name))), array(value)), lit(1));
}
