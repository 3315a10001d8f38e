// Values that stand several times in expressions around them: written once, and named, they do not multiply where calls are nested.
import { printedNodes } from '../base/size.ts';
import type { SqlExpression } from '../target/ast.ts';
import { array, call, ident, lambda, lit } from '../target/build.ts';

/** Shorter values cost less when they are repeated than an array does. */
const MOST_NODES = 24;

/** Returns `use(value)` with the value written once, under `name`. */
export const once = (value: SqlExpression, name: string, use: (value: SqlExpression) => SqlExpression): SqlExpression =>
  call('arrayElement', call('arrayMap', lambda([name], use(ident(name))), array(value)), lit(1));

/** Returns `use(value)` with a long value written once. */
export function writtenOnce(value: SqlExpression, name: string, use: (value: SqlExpression) => SqlExpression): SqlExpression {
  return printedNodes(value) <= MOST_NODES ? use(value) : once(value, name, use);
}
