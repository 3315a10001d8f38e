// Cuts ClickHouse SQL into tokens, in two ways. Text that quern is about to send is cut as the engine itself would cut it, whatever it holds; text that
// users wrote is refused wherever the engine could read it in two ways. https://clickhouse.com/docs/sql-reference/syntax
import { QuernError } from '../base/errors.ts';
import type { SourceText } from '../base/source-text.ts';

const LINE_COMMENT = '--[^\\n]*';
const TEXT = "'(?:[^'\\\\]|\\\\[\\s\\S]|'')*'";

/**
 * Comments, strings, quoted names (both also in typographic quotes), heredocs, words, and any other character: as the engine's own lexer
 * cuts them, since a difference would hide words from a check. A word may hold `$`, and then begins no heredoc.
 */
const PIECE = new RegExp(
  [
    LINE_COMMENT,
    /#[ !][^\n]*/.source,
    /\/\*[\s\S]*?\*\//.source,
    TEXT,
    /"(?:[^"\\]|\\[\s\S]|"")*"/.source,
    /`(?:[^`\\]|\\[\s\S]|``)*`/.source,
    /‘[^’]*’|“[^”]*”/.source,
    /\$(\w*)\$[\s\S]*?\$\1\$/.source,
    /[\w$]+|\s+|[\s\S]/.source,
  ].join('|'),
  'gy',
);
const IGNORED = /^(?:\s|--|#[ !]|\/\*)/;

/** The text in the pieces that the engine's lexer would cut it into; together they are the text. */
export const sqlPieces = (sql: string): readonly string[] => sql.match(PIECE) ?? [];

/** True if a piece is blank or a comment. */
export const isIgnored = (piece: string): boolean => IGNORED.test(piece);

export interface ClickHouseToken {
  readonly kind: 'word' | 'quoted_name' | 'string' | 'number' | 'parameter' | 'symbol';
  /** A word as written; the content of a quoted name; the whole text of anything else. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** In the order ClickHouse tries them. */
const PATTERNS: readonly (readonly [ClickHouseToken['kind'] | 'skip', RegExp])[] = [
  ['skip', new RegExp(`[ \\t\\r\\n\\f\\v]+|${LINE_COMMENT}|\\/\\*(?:(?!\\/\\*|\\*\\/)[\\s\\S])*\\*\\/`, 'y')],
  ['string', new RegExp(TEXT, 'y')],
  // Escapes in names are refused: `\\x73ystem` names the same table as `system`.
  ['quoted_name', /"[^"\\]*"(?!")|`[^`\\]*`(?!`)/y],
  ['parameter', /\{\s*[A-Za-z_]\w*\s*:[^{}'"`]*(?:'[^'\\]*'[^{}'"`]*)*\}/y],
  // Not before a letter: ClickHouse takes `1a` for a name.
  ['number', /(?:0[xX][0-9a-fA-F]+|0[bB][01]+|(?:\d(?:_?\d)*(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)(?!\w)/y],
  ['word', /[A-Za-z_]\w*/y],
  // Not among them: # and // (comments or not, by what follows), $ (heredocs), letters beyond ASCII (ClickHouse takes some for quotes).
  ['symbol', /(?!\/\/|\/\*)[-+*/%=<>!?:,.()[\];|^@]/y],
];

/** Throws QuernError `syntax` at text whose meaning depends on the version of ClickHouse, or that never ends. */
export function tokenizeClickHouse(source: SourceText): readonly ClickHouseToken[] {
  const { text } = source;
  const tokens: ClickHouseToken[] = [];
  for (let at = 0; at < text.length; ) {
    const match = firstMatch(text, at);
    if (match === undefined) throw unreadable(source, at);
    const { kind, length } = match;
    const written = text.slice(at, at + length);
    if (kind !== 'skip') tokens.push({ kind, text: kind === 'quoted_name' ? written.slice(1, -1) : written, start: at, end: at + length });
    at += length;
  }
  return tokens;
}

function firstMatch(text: string, at: number): { readonly kind: ClickHouseToken['kind'] | 'skip'; readonly length: number } | undefined {
  for (const [kind, pattern] of PATTERNS) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match !== null) return { kind, length: match[0].length };
  }
  return undefined;
}

/** An unquoted word, in any case. */
export function isWord(token: ClickHouseToken | undefined, word: string): boolean {
  return token?.kind === 'word' && token.text.toLowerCase() === word;
}

/** A sign; a name in quotes may hold the same text. */
export function isSymbol(token: ClickHouseToken | undefined, text: string): boolean {
  return token?.kind === 'symbol' && token.text === text;
}

/** True for words and quoted names. */
export function isName(token: ClickHouseToken | undefined): token is ClickHouseToken {
  return token?.kind === 'word' || token?.kind === 'quoted_name';
}

const REASONS: Readonly<Record<string, string>> = {
  '/*': 'this comment is not closed, or contains another one',
  '//': 'write comments with --',
  "'": 'this text is not closed',
  '"': 'this name is not closed, or contains an escape',
  '`': 'this name is not closed, or contains an escape',
  '#': 'write comments with --',
  $: 'write text in single quotes',
  '{': 'write parameters as {name:Type}',
};

function unreadable(source: SourceText, at: number): QuernError {
  const start = source.text.slice(at, at + 2);
  return new QuernError('syntax', `unexpected ${JSON.stringify(source.text.slice(at, at + 1))} in ClickHouse SQL`, {
    source,
    span: { start: at, end: at + 1 },
    hint: REASONS[start] ?? REASONS[start.charAt(0)] ?? 'put names with such letters in backquotes',
  });
}
