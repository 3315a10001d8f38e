// Sketches of both kinds: BYTES that begin with their own description, so that sketches of BigQuery, or of other values, are not misread.
import { fail } from '../../base/fail.ts';
import type { SqlExpression } from '../../target/ast.ts';
import { array, call, ident, infix, isNotNull, lambda, lit, not } from '../../target/build.ts';
import type { LowerAggregateCall, LowerCall } from '../define.ts';

/** `HLL` or `KLL`, and three signs for the type of the values. */
const SKETCH_HEAD = 14;
export const sketchHead = (family: 'HLL' | 'KLL', type: string): string => `quern ${family} ${type} `;

/** `body` with a name for `value`, which it reads more than once. */
export function bind(base: string, value: SqlExpression, c: LowerCall, body: (name: SqlExpression) => SqlExpression): SqlExpression {
  const name = c.fresh(base);
  return call('arrayElement', call('arrayMap', lambda([name], body(ident(name))), array(value)), lit(1));
}

/** Returns the part behind the head; `''` stands for a NULL sketch. `type` is that of the values, if it is known. */
export function sketchBody(given: SqlExpression, family: 'HLL' | 'KLL', type: string | null, c: LowerCall): SqlExpression {
  return bind('sketch', given, c, (sketch) => checkedBody(sketch, family, type, c));
}

const TYPE_NAMES: Readonly<Record<string, string>> = { F64: 'FLOAT64', U64: 'UINT64' };

function checkedBody(sketch: SqlExpression, family: 'HLL' | 'KLL', type: string | null, c: LowerCall): SqlExpression {
  const isOurs = call('startsWith', sketch, lit(type === null ? `quern ${family} ` : sketchHead(family, type)));
  const what = type === null ? '' : ` of type ${TYPE_NAMES[type] ?? 'INT64'}`;
  const body = call('substring', sketch, lit(SKETCH_HEAD + 1));
  const checked = c.failIf(
    infix('AND', not(isOurs), isNotNull(sketch)),
    `these BYTES are not ${family === 'HLL' ? 'an' : 'a'} ${family} sketch${what} made by quern; sketches from BigQuery can’t be read`,
    body,
  );
  return call('assumeNotNull', call('ifNull', checked, lit('')));
}

/** The head of merged sketches, which must all be of one type of values. */
export function mergedHead(sketch: SqlExpression, family: 'HLL' | 'KLL', c: LowerAggregateCall): SqlExpression {
  const head = call('substring', sketch, lit(1), lit(SKETCH_HEAD));
  const [least, greatest] = (['min', 'max'] as const).map((name) => c.aggregate(name, [head], { distinct: false }));
  return c.failIf(
    infix('!=', least as SqlExpression, greatest as SqlExpression),
    `${family} sketches of values of different types cannot be merged`,
    least as SqlExpression,
  );
}

/** The precision, which decides nothing here but whether the call is right; false where it is NULL. */
export function hasPrecision(c: LowerCall, position: number, least: bigint, most: bigint): boolean {
  const arg = c.args[position] ?? null;
  if (arg === null) return true;
  const known = c.constant(position);
  if (known === null) return false;
  if (typeof known === 'bigint' && known >= least && known <= most) return true;
  return fail('type', arg.span, `the precision must be a constant from ${least} to ${most}`);
}
