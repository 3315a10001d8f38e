// Characters by their numbers, and what is done to a text character by character.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/string_functions#to_code_points

import { quoteBytes } from '../../../clickhouse/quote.ts';
import { fail } from '../../base/fail.ts';
import type { SqlExpression } from '../../target/ast.ts';
import { array, bare, call, ident, iff, infix, isNull, lambda, lit, NULL, not, raw } from '../../target/build.ts';
import { isConstant } from '../../target/constant.ts';
import type { Family, LowerCall } from '../define.ts';
import { nullsPass, strict } from '../strict.ts';
import { writtenOnce } from '../written-once.ts';
import { int64, isBytes } from './string.ts';

const characters = (value: SqlExpression): SqlExpression => call('extractAll', value, lit('.'));
/** Surrogates and what lies beyond Unicode are no characters. */
const isNoCharacter = (code: SqlExpression): SqlExpression =>
  infix(
    'OR',
    infix('OR', infix('<', code, lit(0)), infix('>', code, lit(0x10ffff))),
    infix('AND', infix('>=', code, lit(0xd800)), infix('<=', code, lit(0xdfff))),
  );

/** The number of one character, from its UTF-8 bytes. */
function codePoint(character: SqlExpression): SqlExpression {
  const byte = (i: number): SqlExpression => call('toInt64', call('reinterpretAsUInt8', call('substring', character, lit(i), lit(1))));
  const tail = (i: number, shift: number): SqlExpression => infix('*', infix('-', byte(i), lit(128)), lit(2 ** shift));
  const sum = (first: SqlExpression, ...more: SqlExpression[]): SqlExpression => more.reduce((a, b) => infix('+', a, b), first);
  const lead = (offset: number, shift: number): SqlExpression => infix('*', infix('-', byte(1), lit(offset)), lit(2 ** shift));
  return call(
    'multiIf',
    infix('<', byte(1), lit(0x80)),
    byte(1),
    infix('<', byte(1), lit(0xe0)),
    sum(lead(0xc0, 6), tail(2, 0)),
    infix('<', byte(1), lit(0xf0)),
    sum(lead(0xe0, 12), tail(2, 6), tail(3, 0)),
    sum(lead(0xf0, 18), tail(2, 12), tail(3, 6), tail(4, 0)),
  );
}

/** The character of a number as UTF-8. */
function character(code: SqlExpression): SqlExpression {
  const tail = (shift: number): SqlExpression => infix('+', infix('%', call('intDiv', code, lit(2 ** shift)), lit(64)), lit(128));
  const lead = (offset: number, shift: number): SqlExpression => infix('+', call('intDiv', code, lit(2 ** shift)), lit(offset));
  return call(
    'multiIf',
    infix('<', code, lit(0x80)),
    call('char', code),
    infix('<', code, lit(0x800)),
    call('char', lead(0xc0, 6), tail(0)),
    infix('<', code, lit(0x10000)),
    call('char', lead(0xe0, 12), tail(6), tail(0)),
    call('char', lead(0xf0, 18), tail(12), tail(6), tail(0)),
  );
}

/** ClickHouse's soundex lets vowels, H and W separate equal codes. Here the letters behind the first are coded without them, runs as one. */
function soundex(value: SqlExpression): SqlExpression {
  const written = call('replaceRegexpAll', value, lit('[^A-Za-z]+'), lit(''));
  const letters = call('upper', written);
  const all = call('translate', letters, lit('ABCDEFGHIJKLMNOPQRSTUVWXYZ'), lit('01230120022455012623010202'));
  const codes = call(
    'concat',
    call('substring', all, lit(1), lit(1)),
    call('replaceAll', call('substring', all, lit(2)), lit('0'), lit('')),
  );
  const runs = [1, 2, 3, 4, 5, 6].reduce<SqlExpression>(
    (at, digit) => call('replaceRegexpAll', at, lit(`${digit}+`), lit(`${digit}`)),
    codes,
  );
  const first = call('substring', written, lit(1), lit(1));
  const code = call('substring', call('concat', first, call('substring', runs, lit(2)), lit('000')), lit(1), lit(4));
  return iff(infix('=', letters, lit('')), lit(''), code);
}

/** White space, and the signs that BigQuery names. */
const SEPARATORS = ` \t\n\v\f\r\u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000[](){}/|\\<>!?@"^#$&~_,.:;*%+-`;

/** Writes characters after a delimiter in upper case, other characters in lower case, and delimiters as they are. */
function initcap(value: SqlExpression, delimiters: SqlExpression | undefined, c: LowerCall): SqlExpression {
  const separators = delimiters ?? lit(SEPARATORS);
  const all = characters(value);
  const [one, before] = [c.fresh('character'), c.fresh('before')];
  const isSeparator = (ch: SqlExpression): SqlExpression => infix('>', call('position', separators, ch), lit(0));
  // An empty text stands before the first character.
  const starts = infix('OR', infix('=', ident(before), lit('')), isSeparator(ident(before)));
  // A character whose upper case is several stays as it is, and of several lower ones the first is taken.
  const upper = call('upperUTF8', ident(one));
  const capital = iff(infix('=', call('lengthUTF8', upper), lit(1)), upper, ident(one));
  const lower = call('substringUTF8', call('lowerUTF8', ident(one)), lit(1), lit(1));
  const cased = lambda([one, before], call('multiIf', isSeparator(ident(one)), ident(one), starts, capital, lower));
  const previous = call('arrayPushFront', call('arrayPopBack', all), lit(''));
  const text = call('arrayStringConcat', call('arrayMap', cased, all, iff(call('empty', all), all, previous)));
  return nullsPass(c, [value, delimiters], text);
}

const TWICE = 'TRANSLATE: a character to replace is listed twice';

/** Characters, or bytes, as an array. */
const each = (value: SqlExpression, c: LowerCall): SqlExpression =>
  isBytes(c) ? call('splitByString', lit(''), value) : characters(value);

/** The characters of a row are replaced by those of its own. */
function translateByRow(value: SqlExpression, from: SqlExpression, to: SqlExpression, c: LowerCall): SqlExpression {
  const item = c.fresh('character');
  const text = (arg: SqlExpression): SqlExpression => each(call('ifNull', arg, lit('')), c);
  const [sources, targets] = [text(from), text(to)];
  const place = call('indexOf', sources, ident(item));
  // Behind the last element of texts ClickHouse reads ''.
  const mapped = iff(infix('=', place, lit(0)), ident(item), call('arrayElement', targets, place));
  const all = call('arrayStringConcat', call('arrayMap', lambda([item], mapped), text(value)));
  const isTwice = infix('!=', call('length', call('arrayDistinct', sources)), call('length', sources));
  return c.failIf(isTwice, TWICE, nullsPass(c, [value, from, to], all));
}

function translate(value: SqlExpression, from: SqlExpression, to: SqlExpression, c: LowerCall): SqlExpression {
  const [source, target] = [c.constant(1), c.constant(2)];
  const span = c.args[1]?.span ?? { start: 0, end: 0 };
  if (typeof source !== 'string' || typeof target !== 'string') return translateByRow(value, from, to, c);
  const sources = [...source];
  if (new Set(sources).size < sources.length) return fail('type', span, TWICE);
  if (sources.length === 0) return value;
  const targets = [...target];
  const item = c.fresh('character');
  const all = each(value, c);
  const literal = (text: string): SqlExpression => (isBytes(c) ? raw(quoteBytes(text)) : lit(text));
  const replacements = sources.map((_, i) => literal(targets[i] ?? ''));
  const mapped = call('transform', ident(item), array(...sources.map(literal)), array(...replacements), ident(item));
  return iff(isNull(value), NULL, call('arrayStringConcat', call('arrayMap', lambda([item], mapped), all)));
}

export const codePoints = (): Family => ({
  ASCII: strict('value STRING -> INT64 | value BYTES -> INT64', ({ value }, c) =>
    isBytes(c)
      ? int64(call('reinterpretAsUInt8', call('substring', value, lit(1), lit(1))))
      : c.failIf(
          infix('>', call('reinterpretAsUInt8', call('substring', value, lit(1), lit(1))), lit(127)),
          'ASCII: the first character is not ASCII',
          int64(call('ascii', value)),
        ),
  ),
  UNICODE: strict('value STRING -> INT64', ({ value }, c) =>
    writtenOnce(value, c.fresh('text'), (text) =>
      iff(infix('=', text, lit('')), lit(0), codePoint(call('substringUTF8', text, lit(1), lit(1)))),
    ),
  ),
  CHR: strict('code INT64 -> STRING', ({ code }, c) =>
    c.failIf(isNoCharacter(bare(code)), 'CHR: there is no such character', character(bare(code))),
  ),
  TO_CODE_POINTS: strict(
    'value STRING -> ARRAY<INT64> | value BYTES -> ARRAY<INT64>',
    ({ value }, c) => {
      const item = c.fresh('character');
      const all = isBytes(c) ? call('splitByString', lit(''), value) : characters(value);
      const code = isBytes(c) ? int64(call('reinterpretAsUInt8', ident(item))) : codePoint(ident(item));
      return iff(
        isNull(value),
        array(),
        call('arrayMap', lambda([item], code), iff(infix('=', value, lit('')), call('emptyArrayString'), all)),
      );
    },
    { neverFails: true },
  ),
  CODE_POINTS_TO_STRING: strict('codes ARRAY<INT64> -> STRING', ({ codes }, c) => {
    const [item, bad] = [c.fresh('code'), c.fresh('code')];
    const text = call('arrayStringConcat', call('arrayMap', lambda([item], character(ident(item))), codes));
    const hasNull = call('has', codes, NULL);
    const wrong = infix('AND', not(hasNull), call('arrayExists', lambda([bad], isNoCharacter(ident(bad))), codes));
    return c.failIf(wrong, 'CODE_POINTS_TO_STRING: there is no such character', iff(hasNull, NULL, text));
  }),
  CODE_POINTS_TO_BYTES: strict('codes ARRAY<INT64> -> BYTES', ({ codes }, c) => {
    const [item, bad] = [c.fresh('code'), c.fresh('code')];
    const isNoByte = infix('OR', infix('<', ident(bad), lit(0)), infix('>', ident(bad), lit(255)));
    const bytes = call('arrayStringConcat', call('arrayMap', lambda([item], call('char', ident(item))), codes));
    const hasNull = call('has', codes, NULL);
    const wrong = infix('AND', not(hasNull), call('arrayExists', lambda([bad], isNoByte), codes));
    return c.failIf(wrong, 'CODE_POINTS_TO_BYTES: a byte must be from 0 to 255', iff(hasNull, NULL, bytes));
  }),
  SOUNDEX: strict('value STRING -> STRING', ({ value }) => soundex(value)),
  INITCAP: strict('value STRING, [delimiters STRING] -> STRING', ({ value, delimiters }, c) => initcap(value, delimiters, c)),
  TRANSLATE: strict(
    'value STRING, from STRING, to STRING -> STRING | value BYTES, from BYTES, to BYTES -> BYTES',
    ({ value, from, to }, c) => translate(value, from, to, c),
  ),
  EDIT_DISTANCE: strict(
    'left STRING, right STRING, [max_distance INT64] -> INT64 | left BYTES, right BYTES, [max_distance INT64] -> INT64',
    ({ left, right, max_distance }, c) => {
      const distance = int64(call(isBytes(c) ? 'editDistance' : 'editDistanceUTF8', left, right));
      if (max_distance === undefined) return distance;
      return c.failIf(
        infix('<', bare(max_distance), lit(0)),
        'EDIT_DISTANCE: max_distance is negative',
        call('least', distance, max_distance),
      );
    },
  ),
  NORMALIZE: strict('value STRING, [mode PART] -> STRING', ({ value }, c) => normalize(value, c)),
  NORMALIZE_AND_CASEFOLD: strict('value STRING, [mode PART] -> STRING', ({ value }, c) => call('caseFoldUTF8', normalize(value, c))),
  SAFE_CONVERT_BYTES_TO_STRING: strict('value BYTES -> STRING', ({ value }, c) => validText(value, c)),
});

/** UTF-8 characters as Latin-1 shows their bytes. */
const TAIL = '[\\x{80}-\\x{bf}]';
const UTF8_CHARACTERS = [
  '[\\x{00}-\\x{7f}]',
  `[\\x{c2}-\\x{df}]${TAIL}`,
  `\\x{e0}[\\x{a0}-\\x{bf}]${TAIL}`,
  `[\\x{e1}-\\x{ec}\\x{ee}\\x{ef}]${TAIL}{2}`,
  `\\x{ed}[\\x{80}-\\x{9f}]${TAIL}`,
  `\\x{f0}[\\x{90}-\\x{bf}]${TAIL}{2}`,
  `[\\x{f1}-\\x{f3}]${TAIL}{3}`,
  `\\x{f4}[\\x{80}-\\x{8f}]${TAIL}{2}`,
].join('|');

/** Every byte that is part of no character becomes U+FFFD; ClickHouse's own function writes one for several. */
function validText(value: SqlExpression, c: LowerCall): SqlExpression {
  const [latin1, utf8] = [lit('ISO-8859-1'), lit('UTF-8')];
  const piece = c.fresh('piece');
  const bad = infix('AND', infix('=', call('lengthUTF8', ident(piece)), lit(1)), infix('>=', ident(piece), lit('\u0080')));
  const text = iff(bad, lit('\ufffd'), call('convertCharset', ident(piece), utf8, latin1));
  const pieces = call('extractAll', call('convertCharset', value, latin1, utf8), lit(`(?:${UTF8_CHARACTERS})+|[\\x{80}-\\x{ff}]`));
  // NULL is neither valid nor invalid.
  return iff(not(call('isValidUTF8', value)), call('arrayStringConcat', call('arrayMap', lambda([piece], text), pieces)), value);
}

function normalize(value: SqlExpression, c: LowerCall): SqlExpression {
  const mode = (c.args[1] ?? null) === null ? 'NFC' : String(c.constant(1));
  if (!['NFC', 'NFD', 'NFKC', 'NFKD'].includes(mode))
    return fail(
      'type',
      c.args[1]?.span ?? { start: 0, end: 0 },
      `${mode} is not a normalization mode`,
      'the modes are NFC, NFD, NFKC and NFKD',
    );
  const normal = (text: SqlExpression): SqlExpression => call(`normalizeUTF8${mode}`, text);
  // ClickHouse normalizes what stands under a NULL too, and fails where that is no text.
  return c.neverNull(0) || isConstant(value) ? normal(value) : iff(isNull(value), NULL, normal(call('ifNull', value, lit(''))));
}
