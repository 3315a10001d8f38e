// Turns BigQuery text into tokens. A mistake becomes the last token, so that an earlier mistake of grammar is reported first.
import { QuernError } from '../../../base/errors.ts';
import type { Span } from '../../../base/source-text.ts';
import { positionalName, positionOf } from '../../base/positional.ts';
import { type QuotedForm, readQuoted } from './lex-quoted.ts';
import type { Token, TokenKind } from './token.ts';

interface Tokens {
  readonly tokens: readonly Token[];
  /** The error at the token of kind `error`, if there is one. */
  readonly error: QuernError | null;
}

const BLANK = /\s+|--[^\n\r]*|#[^\n\r]*|\/\*[\s\S]*?\*\//y;
const WORD = /[A-Za-z_]\w*/y;
// A path part after a dot, or a part of a dashed project name, may begin with a digit.
const PART = /\w+/y;
// The `1a` of `my-1a.dataset.table`; `x-1e3` and `x-1.5` are differences.
const DASHED = /(?!\d+[eE][+-]?\d)\d+[A-Za-z_]\w*(?:-\w+){0,20}\.[A-Za-z_`]/y;
const NUMBER = /0[xX][0-9a-fA-F]+|(?:\d+\.(?![A-Za-z_])\d*|\d+\.(?=[eE][+-]?\d)|\.\d+|\d+)(?:[eE][+-]?\d+)?/y;
const QUOTES_AND_PREFIXES = '\'"rRbB';
const STRING_PREFIX = /(?:[rR][bB]?|[bB][rR]?)?(?=['"])/y;
// `>>` stays two tokens, for the end of `ARRAY<ARRAY<INT64>>`; the expression parser joins them where it wants a shift.
const SYMBOL = /\|>|=>|->|::|\|\||<<|<=|>=|<>|!=|==|&&|[-+*/~&|^=<>()[\],.;!%{}:$]/y;

/** Splits the whole text; the last token is of kind `end` or `error`. */
export function tokenize(text: string): Tokens {
  const tokens: Token[] = [];
  let at = 0;
  try {
    for (;;) {
      for (let blank = blankAt(text, at); blank !== ''; blank = blankAt(text, at)) at += blank.length;
      if (at >= text.length) break;
      const token = readToken(text, at, tokens);
      tokens.push(token);
      at = token.end;
    }
  } catch (error) {
    if (!(error instanceof QuernError)) throw error;
    const span = error.details.span ?? { start: at, end: at };
    tokens.push(makeToken('error', { start: at, end: span.end }));
    return { tokens, error };
  }
  tokens.push(makeToken('end', { start: text.length, end: text.length }));
  return { tokens, error: null };
}

/** Returns the blank at a place. Most places have none, which their first character shows. */
function blankAt(text: string, at: number): string {
  const code = text.charCodeAt(at);
  return code > 32 && code < 128 && code !== 35 && code !== 45 && code !== 47 ? '' : matchAt(BLANK, text, at);
}

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.test(text) ? text.slice(at, pattern.lastIndex) : '';
}

const makeToken = (kind: TokenKind, { start, end }: Span, value = '', text = ''): Token => ({ kind, text, value, start, end });

function readToken(text: string, at: number, tokens: readonly Token[]): Token {
  const char = text.charAt(at);
  if (QUOTES_AND_PREFIXES.includes(char)) {
    STRING_PREFIX.lastIndex = at;
    const prefix = STRING_PREFIX.exec(text)?.[0];
    if (prefix !== undefined) {
      const form: QuotedForm = { what: /b/i.test(prefix) ? 'bytes literal' : 'string', raw: /r/i.test(prefix) };
      const { value, end } = readQuoted(text, at, at + prefix.length, form);
      return makeToken(form.what === 'string' ? 'string' : 'bytes', { start: at, end }, value);
    }
  }
  if (char === '`') {
    const { value, end } = readQuoted(text, at, at, { what: 'name', raw: false });
    return makeToken('quoted', { start: at, end }, value);
  }
  const word = matchAt(canBeginWithDigit(text, at, tokens) ? PART : WORD, text, at);
  if (word !== '') return makeToken('word', { start: at, end: at + word.length }, word, word.toUpperCase());
  const number = char === '.' && followsName(at, tokens) ? '' : matchAt(NUMBER, text, at);
  if (number !== '') return readNumber(text, at, number);
  if (char === '@') return readParameter(text, at);
  if (char === '?') return makeToken('parameter', { start: at, end: at + 1 }, positionalName(positionalIn(tokens) + 1));
  if (text.startsWith('/*', at)) throw mistake('this comment is not closed: no */ follows', at, at + 2, 'close it with */');
  const symbol = matchAt(SYMBOL, text, at);
  if (symbol !== '') return makeToken('symbol', { start: at, end: at + symbol.length }, '', symbol);
  throw unknownCharacter(text, at);
}

/** True right after `name.`, and inside `my-project-1`: there the digits belong to a name. */
function canBeginWithDigit(text: string, at: number, tokens: readonly Token[]): boolean {
  const code = text.charCodeAt(at);
  if (code < 48 || code > 57) return false;
  const joint = tokens.at(-1);
  const before = tokens.at(-2);
  if (joint === undefined || before === undefined || joint.end !== at) return false;
  if (joint.text === '.') return true;
  const dashed = joint.text === '-' && before.kind === 'word' && before.end === joint.start;
  return dashed && matchAt(DASHED, text, at) !== '';
}

/** True of the dot in `t.5x`, which ends a name; it does not begin the number `.5`. */
function followsName(at: number, tokens: readonly Token[]): boolean {
  const before = tokens.at(-1);
  return before !== undefined && before.end === at && (before.kind === 'word' || before.kind === 'quoted' || /^[)\]]$/.test(before.text));
}

function readNumber(text: string, at: number, number: string): Token {
  const end = at + number.length;
  const glued = matchAt(PART, text, end);
  if (glued !== '') {
    const hint = 'put a space between the number and the name; a name that begins with a digit is written in backticks';
    throw mistake(`${number}${glued} is neither a number nor a name`, at, end + glued.length, hint);
  }
  return makeToken(/^(?:0[xX]|\d+$)/.test(number) ? 'int' : 'float', { start: at, end }, number);
}

function readParameter(text: string, at: number): Token {
  if (text.startsWith('@@', at)) {
    const name = matchAt(PART, text, at + 2);
    throw refused(`@@${name} is a system variable`, at, at + 2 + name.length, 'a saved query has only parameters: write @name');
  }
  if (text.charAt(at + 1) === '{' || /\d/.test(text.charAt(at + 1))) {
    throw refused('a query hint (@{…}) is not translated', at, at + 2, 'remove the hint; it does not change the rows');
  }
  if (text.charAt(at + 1) === '`') {
    const { value, end } = readQuoted(text, at + 1, at + 1, { what: 'name', raw: false });
    return makeToken('parameter', { start: at, end }, value);
  }
  const name = matchAt(WORD, text, at + 1);
  if (name === '') throw mistake('@ begins a parameter, but no name follows', at, at + 1, 'write @name');
  return makeToken('parameter', { start: at, end: at + 1 + name.length }, name);
}

/** How many of the tokens are `?`: the last one has their number. */
function positionalIn(tokens: readonly Token[]): number {
  const last = tokens.findLast(({ kind, value }) => kind === 'parameter' && positionOf(value) !== undefined);
  return last === undefined ? 0 : (positionOf(last.value) ?? 0);
}

function unknownCharacter(text: string, at: number): QuernError {
  const char = String.fromCodePoint(text.codePointAt(at) ?? 0);
  const end = at + char.length;
  if (/[‘’“”]/.test(char)) return mistake(`${char} is a typographic quote`, at, end, `write strings in straight quotes: ' or "`);
  if (/\p{L}/u.test(char))
    return mistake(`${char} cannot be part of a name`, at, end, 'write names with letters other than A to Z in backticks');
  return mistake(`${JSON.stringify(char)} means nothing in BigQuery SQL`, at, end);
}

function mistake(message: string, start: number, end: number, hint?: string): QuernError {
  return new QuernError('syntax', message, hint === undefined ? { span: { start, end } } : { span: { start, end }, hint });
}

function refused(message: string, start: number, end: number, hint: string): QuernError {
  return new QuernError('unsupported', message, { span: { start, end }, hint });
}
