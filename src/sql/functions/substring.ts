// Parts of a text and where they are: STRING counts characters, BYTES counts bytes.
import type { Ch } from '../clickhouse/ast.ts';
import { bare, call, iff, infix, lit, negate } from '../clickhouse/build.ts';
import { define, type Family, type LowerCall } from './define.ts';
import { int64, isBytes } from './string.ts';

const lengthOf = (value: Ch, c: LowerCall): Ch => call(isBytes(c) ? 'length' : 'lengthUTF8', value);
const cut = (value: Ch, from: Ch, count: Ch | null, c: LowerCall): Ch =>
  call(isBytes(c) ? 'substring' : 'substringUTF8', value, from, ...(count === null ? [] : [count]));

const isNegative = (value: unknown): boolean => typeof value === 'bigint' && value < 0n;

/** A count of characters that must not be negative. */
function checked(value: Ch, count: Ch, position: number, what: string, c: LowerCall): Ch {
  const known = c.constant(position);
  return typeof known === 'bigint' && known >= 0n ? value : c.failIf(infix('<', bare(count), lit(0)), `${what} is negative`, value);
}

/** Position 0 and positions before the first character mean the first one; ClickHouse would take nothing or less. */
function substr(value: Ch, position: Ch, length: Ch | undefined, c: LowerCall): Ch {
  const known = c.constant(1);
  const count = length === undefined ? null : bare(length);
  const at = bare(position);
  const part = ((): Ch => {
    if (typeof known === 'bigint' && known >= 0n) return cut(value, known === 0n ? lit(1) : at, count, c);
    // Without a length, ClickHouse too gives the whole of a text that is shorter than the negative position says.
    if (isNegative(known) && count === null) return cut(value, at, null, c);
    const outside = infix('<', at, negate(int64(lengthOf(value, c))));
    const start = isNegative(known) ? iff(outside, lit(1), at) : iff(infix('OR', infix('=', at, lit(0)), outside), lit(1), at);
    return cut(value, start, count, c);
  })();
  return length === undefined ? part : checked(part, length, 2, 'SUBSTR: the length', c);
}

/** The 1-based position of `part`, 0 where there is none. */
const find = (value: Ch, part: Ch, c: LowerCall): Ch => int64(call(isBytes(c) ? 'position' : 'positionUTF8', value, part));

export const substring: Family = {
  SUBSTR: define(
    'value STRING, position INT64, [length INT64] -> STRING | value BYTES, position INT64, [length INT64] -> BYTES',
    ({ value, position, length }, c) => substr(value, position, length, c),
  ),
  SUBSTRING: define(
    'value STRING, position INT64, [length INT64] -> STRING | value BYTES, position INT64, [length INT64] -> BYTES',
    ({ value, position, length }, c) => substr(value, position, length, c),
  ),
  LEFT: define('value STRING, length INT64 -> STRING | value BYTES, length INT64 -> BYTES', ({ value, length }, c) =>
    checked(cut(value, lit(1), bare(length), c), length, 1, 'LEFT: the length', c),
  ),
  RIGHT: define('value STRING, length INT64 -> STRING | value BYTES, length INT64 -> BYTES', ({ value, length }, c) => {
    const part = call(isBytes(c) ? 'right' : 'rightUTF8', value, bare(length));
    return checked(part, length, 1, 'RIGHT: the length', c);
  }),
  STRPOS: define('value STRING, part STRING -> INT64 | value BYTES, part BYTES -> INT64', ({ value, part }, c) => find(value, part, c)),
  CONTAINS_SUBSTR: define('value STRING, part STRING -> BOOL', ({ value, part }) =>
    infix('>', call('positionCaseInsensitiveUTF8', value, part), lit(0)),
  ),
};
