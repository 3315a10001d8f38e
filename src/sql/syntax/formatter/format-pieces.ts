// The text of a query as the formatter sees it: tokens with the comments before them, brackets and CASE … END as groups.

import type { Binary } from '../ast-expression.ts';
import { RESERVED, RESERVED_FUNCTIONS } from '../keywords.ts';
import { COMMENT } from '../lexer/comments.ts';
import { tokenize } from '../lexer/lexer.ts';
import type { Token } from '../lexer/token.ts';

export interface Comment {
  readonly text: string;
  /** True if it ends with its line. */
  readonly toLineEnd: boolean;
  /** True if nothing but blanks stands before it on its line. */
  readonly ownLine: boolean;
  readonly blankLineBefore: boolean;
}

export interface Piece {
  readonly kind: 'piece';
  readonly token: Token;
  readonly text: string;
  readonly comments: readonly Comment[];
  /** The layout between it and the token before, comments apart. */
  readonly newlineBefore: boolean;
  readonly blankLineBefore: boolean;
  readonly spaceBefore: boolean;
  /** It is an operator between two values, or a part of one; `<` also begins a type, and `-` a negative value. */
  readonly isOperator: boolean;
}

export interface Group {
  readonly kind: 'group';
  readonly open: Piece;
  readonly inner: readonly Part[];
  readonly close: Piece;
}

export type Part = Piece | Group;
export type KeywordCase = 'lower' | 'upper' | 'keep';

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', CASE: 'END' };

/** Reads the parts of a text that parses to `tree`; the last is the end, which has no text. Throws the error of the lexer. */
export function readParts(text: string, tree: unknown, wanted: KeywordCase | undefined): readonly Part[] {
  const { tokens, error } = tokenize(text);
  if (error !== null) throw error;
  const keywordCase = wanted ?? usualCase(tokens);
  const operators = operatorsOf(tree, tokens);
  const pieces = tokens.map((token, i) => ({
    ...readPiece(text, token, { before: tokens[i - 1], after: tokens[i + 1] }, keywordCase),
    isOperator: operators.has(token),
  }));
  let at = 0;
  const read = (closing: string | undefined): readonly Part[] => {
    const parts: Part[] = [];
    for (; at < pieces.length; at++) {
      const piece = pieces[at] as Piece; // at is below the length
      if (closing !== undefined && isWord(piece, closing)) break;
      const ends = isName(pieces[at - 1]) ? undefined : CLOSING[piece.token.text];
      if (ends === undefined) parts.push(piece);
      else {
        at++;
        const inner = read(ends);
        const close = pieces[at];
        if (close === undefined || close.token.kind === 'end') return [...parts, piece, ...inner, ...(close === undefined ? [] : [close])];
        parts.push({ kind: 'group', open: piece, inner, close });
      }
    }
    return parts;
  };
  return read(undefined);
}

/** True of the dot before the rest of a name, which is no keyword. */
const isName = (before: Piece | undefined): boolean => before?.token.text === '.';

export const isWord = (part: Part | undefined, ...words: readonly string[]): boolean =>
  part?.kind === 'piece' && (part.token.kind === 'word' || part.token.kind === 'symbol') && words.includes(part.token.text);

export const firstPiece = (part: Part): Piece => (part.kind === 'piece' ? part : part.open);

interface Neighbours {
  readonly before: Token | undefined;
  readonly after: Token | undefined;
}

/** Returns the tokens of the operators between two values, for those that are also something else. */
function operatorsOf(tree: unknown, tokens: readonly Token[]): ReadonlySet<Token> {
  const gaps: (readonly [start: number, end: number])[] = [];
  binaries(tree, ({ left, right }) => gaps.push([left.span.end, right.span.start]));
  gaps.sort(([a], [b]) => a - b);
  const found = new Set<Token>();
  let at = 0;
  for (const token of tokens) {
    while ((gaps[at]?.[1] ?? Number.POSITIVE_INFINITY) <= token.start) at++;
    if ((gaps[at]?.[0] ?? Number.POSITIVE_INFINITY) <= token.start && token.kind === 'symbol' && /^[<>-]+$/.test(token.text))
      found.add(token);
  }
  return found;
}

/** Calls `visit` for each operation of two values; those within the left one come before it in the text. */
function binaries(node: unknown, visit: (binary: Pick<Binary, 'left' | 'right'>) => void): void {
  if (typeof node !== 'object' || node === null) return;
  if ('kind' in node && node.kind === 'binary' && 'left' in node && 'right' in node) visit(node as Binary);
  for (const child of Object.values(node)) binaries(child, visit);
}

function readPiece(text: string, token: Token, neighbours: Neighbours, keywordCase: KeywordCase): Omit<Piece, 'isOperator'> {
  const { before } = neighbours;
  const from = before?.end ?? 0;
  const gap = text.slice(from, token.start);
  const comments: Comment[] = [];
  let end = 0;
  for (const match of gap.matchAll(COMMENT)) {
    const blank = gap.slice(end, match.index);
    comments.push({
      text: match[0].trimEnd(),
      toLineEnd: !match[0].startsWith('/*'),
      ownLine: /[\n\r]/.test(blank) || (from === 0 && before === undefined && end === 0),
      blankLineBefore: hasBlankLine(blank),
    });
    end = match.index + match[0].length;
  }
  const rest = gap.slice(end);
  const written = text.slice(token.start, token.end);
  const cased = { lower: written.toLowerCase(), upper: written.toUpperCase(), keep: written }[keywordCase];
  return {
    kind: 'piece',
    token,
    text: isKeyword(token, neighbours) ? cased : written,
    comments,
    newlineBefore: /[\n\r]/.test(gap),
    blankLineBefore: hasBlankLine(rest),
    spaceBefore: gap !== '',
  };
}

const hasBlankLine = (blank: string): boolean => /\n[ \t\r]*\n/.test(blank);

/** True of reserved words, which are never names, except behind a dot, and where they call a function. */
const isKeyword = (token: Token, { before, after }: Neighbours): boolean =>
  token.kind === 'word' &&
  (RESERVED.has(token.text)
    ? before?.text !== '.' && !(RESERVED_FUNCTIONS.has(token.text) && after?.text === '(')
    : STATEMENT_WORDS.has(token.text) && (before === undefined || before.text === ';'));

/** The words that are keywords only at the beginning of a statement. */
const STATEMENT_WORDS: ReadonlySet<string> = new Set(['DECLARE', 'DROP']);

/** Returns the case that most keywords have. */
function usualCase(tokens: readonly Token[]): KeywordCase {
  const keywords = tokens.filter((token, i) => isKeyword(token, { before: tokens[i - 1], after: tokens[i + 1] }));
  const upper = keywords.filter(({ value }) => value === value.toUpperCase()).length;
  return upper > keywords.length / 2 ? 'upper' : 'lower';
}
