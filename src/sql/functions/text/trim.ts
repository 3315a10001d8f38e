// Trimming and padding. https://cloud.google.com/bigquery/docs/reference/standard-sql/string_functions#trim
import type { SqlExpression } from '../../target/ast.ts';
import { bare, call, ident, iff, infix, lambda, lit, rarely } from '../../target/build.ts';
import type { Family, LowerCall } from '../define.ts';
import { nullsPass, strict } from '../strict.ts';
import { isAscii, isBytes, MOST_BYTES } from './string.ts';

type Side = 'both' | 'left' | 'right';
const TRIM = { both: 'trimBoth', left: 'trimLeft', right: 'trimRight' } as const;
const ASCII_SPACES = ' \t\n\v\f\r';
/** Unicode's White_Space as an RE2 class. https://www.unicode.org/Public/UCD/latest/ucd/PropList.txt */
const SPACES = '[\\s\\v\\x{85}\\p{Z}]+';

function withoutSpaces(value: SqlExpression, side: Side): SqlExpression {
  const pattern = { both: `^${SPACES}|${SPACES}$`, left: `^${SPACES}`, right: `${SPACES}$` }[side];
  const ofAscii = call(TRIM[side], value, lit(ASCII_SPACES));
  const ofAny = (text: SqlExpression): SqlExpression => call('replaceRegexpAll', text, lit(pattern), lit(''));
  return rarely(call('isValidASCII', value), ofAscii, [value], ofAny);
}

/**
 * trimBoth takes its characters byte by byte, and the same ones for all rows: other than ASCII characters, and those of a column, are searched one
 * character at a time.
 */
function withoutCharacters(value: SqlExpression, characters: SqlExpression, side: Side, c: LowerCall): SqlExpression {
  const known = c.constant(1);
  const inBytes = isBytes(c);
  if ((inBytes && known !== undefined) || (typeof known === 'string' && isAscii(known))) return call(TRIM[side], value, characters);
  const all = inBytes ? call('splitByString', lit(''), value) : call('extractAll', value, lit('.'));
  const kept = c.fresh('character');
  const isKept = lambda([kept], infix('=', call('position', characters, ident(kept)), lit(0)));
  const first = call('arrayFirstIndex', isKept, all);
  const last = call('arrayLastIndex', isKept, all);
  const from = side === 'right' ? lit(1) : first;
  const to = side === 'left' ? call('length', all) : last;
  // No character is kept: both indexes are 0.
  const rest = call(inBytes ? 'substring' : 'substringUTF8', value, from, infix('+', infix('-', to, from), lit(1)));
  return nullsPass(c, [value, characters], iff(infix('=', first, lit(0)), lit(''), rest));
}

const SIGNATURE = 'value STRING, [characters STRING] -> STRING | value BYTES, characters BYTES -> BYTES';
const trimming = (side: Side) =>
  strict(
    SIGNATURE,
    ({ value, characters }, c) => (characters === undefined ? withoutSpaces(value, side) : withoutCharacters(value, characters, side, c)),
    { nullForNullOnly: true },
  );

/** ClickHouse pads with one text for all rows; other texts are repeated by hand. */
function filledUp(value: SqlExpression, size: SqlExpression, pattern: SqlExpression, side: 'left' | 'right', c: LowerCall): SqlExpression {
  const [cut, count] = isBytes(c) ? ['substring', 'length'] : ['substringUTF8', 'lengthUTF8'];
  const missing = call('greatest', infix('-', size, call(count, value)), lit(0));
  const fill = call(cut, call('repeat', pattern, missing), lit(1), missing);
  return call(cut, side === 'left' ? call('concat', fill, value) : call('concat', value, fill), lit(1), size);
}

/** To which ClickHouse pads. */
const LONGEST = 1_000_000;

const padding = (side: 'left' | 'right') =>
  strict(
    'value STRING, length INT64, [pattern STRING] -> STRING | value BYTES, length INT64, [pattern BYTES] -> BYTES',
    ({ value, length, pattern }, c) => {
      const known = c.constant(1);
      const size = bare(length);
      const isShort = typeof known === 'bigint' && known >= 0n && known <= BigInt(MOST_BYTES / 4);
      // ClickHouse pads what a column has in a NULL's place too, and fails there.
      const held = isShort ? size : iff(infix('AND', infix('>=', size, lit(0)), infix('<=', size, lit(LONGEST))), size, lit(0));
      const knownPattern = pattern === undefined ? ' ' : c.constant(2);
      const padded =
        knownPattern !== undefined
          ? call(`${side}Pad${isBytes(c) ? '' : 'UTF8'}`, value, held, pattern ?? lit(' '))
          : filledUp(value, held, pattern ?? lit(' '), side, c);
      const tooLong = infix('OR', infix('>', size, lit(LONGEST)), infix('>', call('length', padded), lit(MOST_BYTES)));
      const checked = isShort ? padded : c.failIf(tooLong, 'the padded text is longer than 1 MB', padded);
      const sized =
        typeof known === 'bigint' && known >= 0n
          ? checked
          : c.failIf(infix('<', size, lit(0)), 'the length of the padded text is negative', checked);
      const result = isShort ? sized : nullsPass(c, [undefined, length], sized);
      if (knownPattern !== undefined && knownPattern !== '') return result;
      return c.failIf(infix('=', pattern ?? lit(' '), lit('')), 'the padding pattern is empty', result);
    },
  );

export const trim = (): Family => ({
  TRIM: trimming('both'),
  LTRIM: trimming('left'),
  RTRIM: trimming('right'),
  LPAD: padding('left'),
  RPAD: padding('right'),
});
