// Parts of a text and where they are: STRING counts characters, BYTES counts bytes.
import { COUNT } from '../../base/number-range.ts';
import type { SqlExpression } from '../../target/ast.ts';
import { bare, call, ident, iff, infix, lambda, lit, negate, rarely } from '../../target/build.ts';
import type { Family, LowerCall } from '../define.ts';
import { nullsPass, strict } from '../strict.ts';
import { latin1 } from './like.ts';
import { containsAnywhere } from './search.ts';
import { int64, isAscii, isBytes } from './string.ts';

const lengthOf = (value: SqlExpression, c: LowerCall): SqlExpression => call(isBytes(c) ? 'length' : 'lengthUTF8', value);
const cut = (value: SqlExpression, from: SqlExpression, count: SqlExpression | null, c: LowerCall): SqlExpression =>
  call(isBytes(c) ? 'substring' : 'substringUTF8', value, from, ...(count === null ? [] : [count]));

const isNegative = (value: unknown): boolean => typeof value === 'bigint' && value < 0n;

/** A count of characters that must not be negative. */
function checked(value: SqlExpression, count: SqlExpression, position: number, what: string, c: LowerCall): SqlExpression {
  const known = c.constant(position);
  return typeof known === 'bigint' && known >= 0n ? value : c.failIf(infix('<', bare(count), lit(0)), `${what} is negative`, value);
}

/** The argument at `position`. ClickHouse takes that of a NULL text too, and has no use for the least of all numbers. */
function bounded(count: SqlExpression, position: number, c: LowerCall, floor: bigint = -(2n ** 63n) + 1n): SqlExpression {
  const least = c.range(position)?.[0];
  const isPlain = typeof c.constant(position) === 'bigint' || (least !== undefined && least > -(2 ** 62));
  return isPlain ? bare(count) : call('greatest', bare(count), lit(floor));
}

/** A negative one fails where there is a text. */
const boundedLength = (length: SqlExpression, position: number, c: LowerCall): SqlExpression => bounded(length, position, c, 0n);

/** Position 0 and positions before the first character mean the first one; ClickHouse would take nothing or less. */
function substr(value: SqlExpression, position: SqlExpression, length: SqlExpression | undefined, c: LowerCall): SqlExpression {
  const known = c.constant(1);
  const count = length === undefined ? null : boundedLength(length, 2, c);
  const at = bounded(position, 1, c);
  const part = ((): SqlExpression => {
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
const find = (value: SqlExpression, part: SqlExpression, c: LowerCall, ...from: SqlExpression[]): SqlExpression =>
  // ClickHouse overlooks some matches in bytes that are not valid UTF-8.
  int64(isBytes(c) ? call('positionUTF8', latin1(value), latin1(part), ...from) : call('positionUTF8', value, part, ...from));

/** Positions of all occurrences, overlapping ones too, counted in the search's direction from `position`. */
function instr(
  value: SqlExpression,
  part: SqlExpression,
  position: SqlExpression | undefined,
  occurrence: SqlExpression | undefined,
  c: LowerCall,
): SqlExpression {
  const from = position === undefined ? 1n : c.constant(2);
  const nth = occurrence === undefined ? 1n : c.constant(3);
  const at = bare(position ?? lit(1));
  const checked_ = (found: SqlExpression): SqlExpression => {
    const bad = [
      ...(from === undefined || from === 0n ? [infix('=', at, lit(0))] : []),
      ...(nth === undefined || (typeof nth === 'bigint' && nth < 1n) ? [infix('<', bare(occurrence ?? lit(1)), lit(1))] : []),
    ];
    const [first, second] = bad;
    if (first === undefined) return found;
    return c.failIf(
      second === undefined ? first : infix('OR', first, second),
      'INSTR: the position is 0 or the occurrence is not positive',
      found,
    );
  };
  if (typeof from === 'bigint' && from > 0n && nth === 1n) {
    const empty = c.constant(1) === undefined || c.constant(1) === '';
    // Past its end ClickHouse still finds the empty text.
    return from === 1n && !empty ? find(value, part, c) : find(value, part, c, at);
  }
  const start = c.fresh('start');
  // range() refuses NULL, which the result has its own test for.
  const allKnown = c.neverNull(0) && c.neverNull(1) && (position === undefined || c.neverNull(2));
  const plain = (bound: SqlExpression): SqlExpression => (allKnown || bound.kind === 'lit' ? bound : call('ifNull', bound, lit(0)));
  const size = int64(lengthOf(value, c));
  const isHere = lambda([start], infix('=', cut(value, ident(start), lengthOf(part, c), c), part));
  // The empty text is also found behind the last character.
  const known = c.constant(1);
  const extra = known === undefined ? infix('=', part, lit('')) : lit(known === '' ? 1 : 0);
  const forward = call('range', plain(at), plain(infix('+', infix('+', size, lit(1)), extra)));
  const backward = call(
    'range',
    plain(infix('+', infix('+', infix('+', size, at), lit(1)), extra)),
    call('toInt64', lit(0)),
    call('toInt64', lit(-1)),
  );
  const fixed = typeof from === 'bigint' && from > 0n ? forward : backward;
  const starts = typeof from === 'bigint' ? fixed : iff(infix('>', at, lit(0)), forward, backward);
  const found = call(
    'arrayElement',
    call('arrayFilter', isHere, starts),
    nth === undefined || nth === 0n ? call('greatest', bare(occurrence ?? lit(1)), lit(1)) : bare(occurrence ?? lit(1)),
  );
  return checked_(nullsPass(c, [value, part, position, occurrence], found));
}

/** Returns the form in which CONTAINS_SUBSTR compares texts: plain characters, without case. */
const normal = (text: SqlExpression): SqlExpression => call('normalizeUTF8NFKCCasefold', text);

function contains(value: SqlExpression, part: SqlExpression, c: LowerCall): SqlExpression {
  const known = c.constant(1);
  const holds = (text: SqlExpression, sought: SqlExpression): SqlExpression => infix('>', call('position', normal(text), sought), lit(0));
  if (typeof known !== 'string' || !isAscii(known)) return holds(value, normal(part));
  // Plain texts need no normalization.
  const ofAscii = infix('>', call('positionCaseInsensitive', value, part), lit(0));
  return rarely(call('isValidASCII', value), ofAscii, [value], (wide) => holds(wide, lit(known.toLowerCase())));
}

export const substring = (): Family => ({
  SUBSTR: strict(
    'value STRING, position INT64, [length INT64] -> STRING | value BYTES, position INT64, [length INT64] -> BYTES',
    ({ value, position, length }, c) => substr(value, position, length, c),
  ),
  SUBSTRING: strict(
    'value STRING, position INT64, [length INT64] -> STRING | value BYTES, position INT64, [length INT64] -> BYTES',
    ({ value, position, length }, c) => substr(value, position, length, c),
  ),
  LEFT: strict('value STRING, length INT64 -> STRING | value BYTES, length INT64 -> BYTES', ({ value, length }, c) =>
    checked(cut(value, lit(1), boundedLength(length, 1, c), c), length, 1, 'LEFT: the length', c),
  ),
  RIGHT: strict('value STRING, length INT64 -> STRING | value BYTES, length INT64 -> BYTES', ({ value, length }, c) => {
    const part = call(isBytes(c) ? 'right' : 'rightUTF8', value, boundedLength(length, 1, c));
    return checked(part, length, 1, 'RIGHT: the length', c);
  }),
  STRPOS: strict('value STRING, part STRING -> INT64 | value BYTES, part BYTES -> INT64', ({ value, part }, c) => find(value, part, c), {
    range: COUNT,
  }),
  INSTR: strict(
    'value STRING, part STRING, [position INT64], [occurrence INT64] -> INT64 | value BYTES, part BYTES, [position INT64], [occurrence INT64] -> INT64',
    ({ value, part, position, occurrence }, c) => instr(value, part, position, occurrence, c),
    { range: COUNT },
  ),
  CONTAINS_SUBSTR: strict('value STRING, part STRING -> BOOL | value ANY, part STRING -> BOOL', ({ value, part }, c) =>
    c.typeOf(0).kind === 'STRING' ? contains(value, part, c) : containsAnywhere(value, (text) => contains(text, part, c), c),
  ),
});
