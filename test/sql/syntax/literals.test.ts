// Literals, names, comments and parameters: the lexical structure of GoogleSQL.
import { describe, expect, test } from 'vitest';
import { expressionTree, failure, parseExpression, withoutSpans } from './trees.ts';

const string = (value: string): unknown => ({ kind: 'string_literal', value });
const bytes = (value: string): unknown => ({ kind: 'bytes_literal', value });
const int = (value: bigint): unknown => ({ kind: 'int_literal', value });
const float = (text: string): unknown => ({ kind: 'float_literal', text });
const typed = (type: string, text: string): unknown => ({ kind: 'typed_literal', type, text });
const path = (...parts: string[]): unknown => ({ kind: 'path', parts: parts.map((name) => ({ kind: 'identifier', name, quoted: false })) });

describe('a literal is read with its value', () => {
  const rows: readonly (readonly [string, unknown])[] = [
    [`'a"b'`, string('a"b')],
    [`"it's"`, string("it's")],
    [`''`, string('')],
    [`""`, string('')],
    [`'''a'b''c'''`, string("a'b''c")],
    [`"""a\nb"""`, string('a\nb')],
    [`'''a\r\nb\rc'''`, string('a\nb\nc')],
    [`''''''`, string('')],
    [String.raw`'\a\b\f\n\r\t\v\\\?\"\'\`'`, string('\x07\b\f\n\r\t\v\\?"\'`')],
    [String.raw`'\101\x41\X4a\u00e9\U0001F600'`, string('AAJé😀')],
    [String.raw`r'\d+\.'`, string(String.raw`\d+\.`)],
    [String.raw`R"a\"b"`, string(String.raw`a\"b`)],
    [String.raw`r'''\'''x'''`, string(String.raw`\'''x`)],
    [`b'abc'`, bytes('abc')],
    [String.raw`B"\xff\000\377"`, bytes('\xff\0\xff')],
    [`b'é'`, bytes('\xc3\xa9')],
    [String.raw`rb'\x'`, bytes(String.raw`\x`)],
    [String.raw`bR"""\n"""`, bytes(String.raw`\n`)],
    [`'a' "b" r'c'`, string('abc')],
    [`'a' -- one\n 'b'`, string('ab')],
    [`b'a' b'b'`, bytes('ab')],
    ['0', int(0n)],
    ['9223372036854775808', int(9223372036854775808n)],
    ['0xFf', int(255n)],
    ['1.', float('1.')],
    ['.5', float('.5')],
    ['1.5e-3', float('1.5e-3')],
    ['1E10', float('1E10')],
    ['1.e3', float('1.e3')],
    ['.5e+2', float('.5e+2')],
    ['true', { kind: 'bool_literal', value: true }],
    ['Null', { kind: 'null_literal' }],
    [`date '2026-01-02'`, typed('DATE', '2026-01-02')],
    [`TIMESTAMP "2026-01-02 03:04:05+00"`, typed('TIMESTAMP', '2026-01-02 03:04:05+00')],
    [`DATETIME r'2026'`, typed('DATETIME', '2026')],
    [`TIME '01:02:03'`, typed('TIME', '01:02:03')],
    [`DECIMAL '1.5'`, typed('NUMERIC', '1.5')],
    [`BIGDECIMAL '1.5'`, typed('BIGNUMERIC', '1.5')],
    [`JSON '{"a":' '1}'`, typed('JSON', '{"a":1}')],
  ];
  test.each(rows)('%s', (text, tree) => {
    expect(expressionTree(text)).toEqual(tree);
  });
});

describe('a name is read as written', () => {
  const rows: readonly (readonly [string, unknown])[] = [
    ['a', path('a')],
    ['_a1.B', path('_a1', 'B')],
    ['t.select.from', path('t', 'select', 'from')],
    ['t.5x', path('t', '5x')],
    ['date', path('date')],
    ['offset', path('offset')],
    ['a . b', path('a', 'b')],
    ['`a.b c`', { kind: 'path', parts: [{ kind: 'identifier', name: 'a.b c', quoted: true }] }],
    ['`a\\`b`', { kind: 'path', parts: [{ kind: 'identifier', name: 'a`b', quoted: true }] }],
    ['@p_1', { kind: 'parameter', name: 'p_1' }],
    ['@select', { kind: 'parameter', name: 'select' }],
    ['@`a b`', { kind: 'parameter', name: 'a b' }],
  ];
  test.each(rows)('%s', (text, tree) => {
    expect(expressionTree(text)).toEqual(tree);
  });
});

test('comments of all three kinds are blanks', () => {
  const text = '/* a * / ** */ 1 -- two\n + # three\r\n 2/**/+/* */3 --';
  expect(withoutSpans(parseExpression(text))).toEqual(expressionTree('1 + 2 + 3'));
});

describe('a mistake in a token shows the token', () => {
  const rows: readonly (readonly [string, string])[] = [
    [`'abc`, "syntax 1:1 ['abc] this string is not closed: no ' follows (close it with ')"],
    [
      `'abc\n'`,
      "syntax 1:1 ['abc] this string is not closed: no ' follows (close it with ' on the same line, or write it in ''' to span lines)",
    ],
    ['b"""abc', 'syntax 1:1 [b"""abc] this bytes literal is not closed: no """ follows (close it with """)'],
    ['`abc', 'syntax 1:1 [`abc] this name is not closed: no ` follows (close it with `)'],
    ['``', 'syntax 1:1 [``] a name in backticks is empty'],
    ['1 + /* a', 'syntax 1:5 [/*] this comment is not closed: no */ follows (close it with */)'],
    [
      `'it''s'`,
      `syntax 1:5 ['s'] there is no space between these two strings (a quote inside a string is written \\' or \\"; to join strings, put a space between them)`,
    ],
    [`'a' b'b'`, "syntax 1:5 [b'b'] a string and a bytes literal cannot be joined (write both with the prefix b, or both without)"],
    [
      '1abc',
      'syntax 1:1 [1abc] 1abc is neither a number nor a name (put a space between the number and the name; a name that begins with a digit is written in backticks)',
    ],
    ['@ x', 'syntax 1:1 [@] @ begins a parameter, but no name follows (write @name)'],
    ['@@now', 'unsupported 1:1 [@@now] @@now is a system variable (a saved query has only parameters: write @name)'],
    ['“a”', `syntax 1:1 [“] “ is a typographic quote (write strings in straight quotes: ' or ")`],
    ['é', 'syntax 1:1 [é] é cannot be part of a name (write names with letters other than A to Z in backticks)'],
    ['1 \x01', 'syntax 1:3 [\x01] "\\u0001" means nothing in BigQuery SQL'],
  ];
  test.each(rows)('%s', (text, picture) => {
    expect(failure(text, parseExpression)).toBe(picture);
  });

  const escapes = [
    String.raw`\d`,
    String.raw`\8`,
    String.raw`\477`,
    String.raw`\x4`,
    String.raw`\u12`,
    String.raw`\ud800`,
    String.raw`\U00110000`,
  ];
  test.each(escapes)('%s is not an escape', (escaped) => {
    expect(failure(`'${escaped}'`, parseExpression)).toMatch(/^syntax 1:2 .* is not an escape sequence in BigQuery/);
  });

  test('a dash after a name subtracts', () => {
    expect(['x-1e-3', 'x-1.5', 'x-0xF', 'f(x)-1'].map(expressionTree)).toEqual(
      ['x - 1e-3', 'x - 1.5', 'x - 0xF', 'f(x) - 1'].map(expressionTree),
    );
  });

  test('an earlier mistake of grammar goes first', () => {
    expect(failure(`SELECT a, , 'abc`)).toBe('syntax 1:11 [,] expected an expression after ",", found ","');
  });
});
