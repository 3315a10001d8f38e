// Reads quoted tokens: strings, bytes and back-quoted names, with every escape of GoogleSQL.
import { QuernError } from '../../../base/errors.ts';
import type { Span } from '../../../base/source-text.ts';

const SIMPLE_ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  '?': '?',
  '"': '"',
  "'": "'",
  '`': '`',
};

interface Quoted {
  readonly value: string;
  readonly end: number;
}

/** The kind of a quoted token: bytes give one character per byte, raw keeps backslashes. */
export interface QuotedForm {
  readonly what: 'string' | 'bytes literal' | 'name';
  readonly raw: boolean;
}

/**
 * Reads from the opening quote at `open` to its closing quote; `start` is the beginning of the token (a prefix such as `r` included).
 * @throws QuernError `syntax` on a missing closing quote or an escape outside GoogleSQL.
 */
export function readQuoted(text: string, start: number, open: number, form: QuotedForm): Quoted {
  const quote = text.charAt(open);
  const triple = quote !== '`' && text.startsWith(quote.repeat(3), open);
  const closing = triple ? quote.repeat(3) : quote;
  const bytes = form.what === 'bytes literal';
  let value = '';
  let at = open + closing.length;
  let plainFrom = at;
  const takePlain = (): void => {
    const plain = triple ? text.slice(plainFrom, at).replace(/\r\n?/g, '\n') : text.slice(plainFrom, at);
    value += bytes ? utf8(plain) : plain;
  };
  for (;;) {
    const char = text.charAt(at);
    if (char === '' || (!triple && (char === '\n' || char === '\r'))) throw unclosed(text, { start, end: at }, closing, form.what);
    if (char === quote && text.startsWith(closing, at)) break;
    if (char !== '\\') {
      at++;
    } else if (form.raw) {
      // A quote after a backslash does not end a raw literal, but both characters stay in the value.
      if (at + 1 >= text.length) throw unclosed(text, { start, end: at + 1 }, closing, form.what);
      at += 2;
    } else {
      takePlain();
      const escaped = readEscape(text, at, bytes);
      value += escaped.value;
      at = escaped.end;
      plainFrom = at;
    }
  }
  takePlain();
  const end = at + closing.length;
  if (form.what === 'name' && value === '') {
    throw new QuernError('syntax', 'a name in backticks is empty', { span: { start, end } });
  }
  return { value, end };
}

function unclosed(text: string, { start, end }: Span, closing: string, what: QuotedForm['what']): QuernError {
  const hint =
    closing.length === 1 && what !== 'name' && end < text.length
      ? `close it with ${closing} on the same line, or write it in ${closing.repeat(3)} to span lines`
      : `close it with ${closing}`;
  return new QuernError('syntax', `this ${what} is not closed: no ${closing} follows`, {
    span: { start, end: Math.max(end, start + 1) },
    hint,
  });
}

function readEscape(text: string, at: number, bytes: boolean): Quoted {
  const letter = text.charAt(at + 1);
  const simple = SIMPLE_ESCAPES[letter];
  if (simple !== undefined) return { value: simple, end: at + 2 };
  const octal = /^[0-3][0-7]{2}/.exec(text.slice(at + 1, at + 4));
  if (octal !== null) return { value: String.fromCharCode(Number.parseInt(octal[0], 8)), end: at + 4 };
  const digits = { x: 2, X: 2, u: 4, U: 8 }[letter];
  if (digits !== undefined && !(bytes && digits > 2)) {
    const hex = text.slice(at + 2, at + 2 + digits);
    const code = /^[0-9a-fA-F]+$/.test(hex) && hex.length === digits ? Number.parseInt(hex, 16) : -1;
    const character = code >= 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
    if (character) return { value: String.fromCodePoint(code), end: at + 2 + digits };
  }
  const end = Math.min(text.length, at + 2 + (digits ?? 0));
  const hint = 'a backslash is written \\\\; in a raw string such as r"\\d" backslashes need no escape';
  throw new QuernError('syntax', `${text.slice(at, end)} is not an escape sequence in BigQuery`, { span: { start: at, end }, hint });
}

/** Returns the UTF-8 bytes of a text, one character per byte. */
function utf8(text: string): string {
  let out = '';
  for (const byte of new TextEncoder().encode(text)) out += String.fromCharCode(byte);
  return out;
}
