// The parser's cursor in the tokens: it looks ahead, takes tokens, and reports what was expected.
import { QuernError } from '../../../base/errors.ts';
import type { Span } from '../../../base/source-text.ts';
import { CLAUSE_WORDS, RESERVED } from '../keywords.ts';
import { tokenize } from './lexer.ts';
import type { Token } from './token.ts';

/**
 * The most parentheses, subqueries and the like inside each other: the parser recurses, and ClickHouse's own stops at a
 * like depth. https://clickhouse.com/docs/operations/settings/settings#max_parser_depth
 */
const MAX_NESTING = 512;

export class TokenStream {
  readonly text: string;
  readonly #tokens: readonly Token[];
  readonly #lexicalError: QuernError | null;
  readonly #end: Token;
  #index = 0;
  #nesting = 0;
  token: Token;

  constructor(text: string) {
    this.text = text;
    const { tokens, error } = tokenize(text);
    this.#tokens = tokens;
    this.#lexicalError = error;
    this.#end = { kind: 'end', text: '', value: '', start: text.length, end: text.length };
    this.token = tokens[0] ?? this.#end;
  }

  /** Returns the token `ahead` places after the current one. */
  peek(ahead = 1): Token {
    return this.#tokens[this.#index + ahead] ?? this.#end;
  }

  /** The end of the last token taken. */
  get end(): number {
    return this.#tokens[this.#index - 1]?.end ?? 0;
  }

  /** Returns the span from `start` to the end of the last token taken. */
  span(start: number): Span {
    return { start, end: this.end };
  }

  advance(): Token {
    const taken = this.token;
    this.#index++;
    this.token = this.#tokens[this.#index] ?? this.#end;
    return taken;
  }

  /** True if the current token is this keyword or symbol. */
  is(text: string): boolean {
    return this.token.text === text;
  }

  /** True if the current tokens are these keywords or symbols. */
  sees(...texts: readonly string[]): boolean {
    return texts.every((text, i) => this.peek(i).text === text);
  }

  take(text: string): boolean {
    if (this.token.text !== text) return false;
    this.advance();
    return true;
  }

  /** Takes the one of these keywords that follows; null if none does. */
  takeFirst<T extends string>(...texts: readonly T[]): T | null {
    return texts.find((text) => this.take(text)) ?? null;
  }

  /** Takes these keywords if all of them follow. */
  takeAll(...texts: readonly string[]): boolean {
    if (!this.sees(...texts)) return false;
    for (const _ of texts) this.advance();
    return true;
  }

  /** Takes these keywords or symbols, or fails at the first that is not there. */
  expect(...texts: readonly string[]): void {
    for (const text of texts) if (!this.take(text)) this.fail(/^\w/.test(text) ? text : `"${text}"`);
  }

  /**
   * Is called before a construct that can hold another of its kind, and `leave` after it; an error needs no `leave`. A construct that takes the parser
   * twice as deep as parentheses do is entered twice.
   */
  enter(): void {
    if (++this.#nesting <= MAX_NESTING) return;
    throw new QuernError('too-complex', `parentheses are nested more than ${MAX_NESTING} levels deep`, {
      span: { start: this.token.start, end: this.token.end },
      hint: 'split the query: WITH gives a subquery a name',
    });
  }

  leave(): void {
    this.#nesting--;
  }

  /** Throws that `expected` should stand here; an error of the lexer at this place goes first. */
  fail(expected: string, hint?: string): never {
    if (this.token.kind === 'error' && this.#lexicalError !== null) throw this.#lexicalError;
    const before = this.#tokens[this.#index - 1];
    const after = before === undefined ? '' : ` after ${this.#shown(before)}`;
    throw this.error(
      `expected ${expected}${after}, found ${this.#shown(this.token)}`,
      hintFor(this.peek(-1), this.token) ?? hint ?? reservedHint(expected, this.token, this.peek()) ?? this.#hintAtEnd(before),
    );
  }

  /** Returns a syntax error, by default at the current token. */
  error(message: string, hint?: string, span: Span = { start: this.token.start, end: this.token.end }): QuernError {
    return new QuernError('syntax', message, hint === undefined ? { span } : { span, hint });
  }

  /** Returns the error for valid BigQuery that quern does not take, from `start` to the current token. */
  unsupported(message: string, hint: string, start = this.token.start): QuernError {
    return new QuernError('unsupported', message, { span: { start, end: this.token.end }, hint });
  }

  /** Returns the hint for a keyword that nothing follows. */
  #hintAtEnd(before: Token | undefined): string | undefined {
    if (this.token.kind !== 'end' || before?.kind !== 'word' || !RESERVED.has(before.text)) return undefined;
    return `the query ends too early: complete it, or remove ${this.#shown(before)}`;
  }

  #shown(token: Token): string {
    if (token.kind === 'end') return 'the end of the query';
    if (token.kind === 'symbol') return `"${token.text}"`;
    const written = this.text.slice(token.start, token.end);
    return written.length > 30 ? `${written.slice(0, 29)}…` : written;
  }
}

const HINTS: Readonly<Record<string, string>> = {
  '==': 'BigQuery compares with a single =',
  '&&': 'BigQuery writes AND',
  '!': 'BigQuery writes NOT',
  '%': 'for the remainder, write MOD(x, y)',
  '=>': '=> is only for named arguments, inside a call: name => value',
  '->': 'read a field with a dot, and JSON with JSON_VALUE(json, path)',
  '~': 'match a regular expression with REGEXP_CONTAINS(x, regexp)',
  ILIKE: 'BigQuery has no ILIKE: write LOWER(x) LIKE LOWER(pattern)',
  RLIKE: 'BigQuery has no RLIKE: write REGEXP_CONTAINS(x, regexp)',
  REGEXP: 'write REGEXP_CONTAINS(x, regexp)',
  FILTER: 'BigQuery has no FILTER: write COUNTIF(condition), or SUM(IF(condition, x, NULL))',
  FETCH: 'write LIMIT count',
  MINUS: 'BigQuery writes EXCEPT DISTINCT',
  DIV: 'for the integer quotient, write DIV(x, y)',
};

/** Returns the hint about a word or sign of another dialect; `x ILIKE y` shows only at `y`, for ILIKE can be an alias. */
function hintFor(before: Token, found: Token): string | undefined {
  return HINTS[found.text] ?? (before.kind === 'word' ? HINTS[before.text] : undefined);
}

/** The tokens that may follow a name, but hardly the first word of a clause. */
const AFTER_NAMES: ReadonlySet<string> = new Set([',', ')', '=', '.', 'FROM', 'AS', ';']);

/** Words that begin a clause only where BY follows. */
const BEFORE_BY: ReadonlySet<string> = new Set(['ORDER', 'GROUP', 'PARTITION']);

function reservedHint(expected: string, found: Token, next: Token): string | undefined {
  const wantsName = /^(?:an? |the n)/.test(expected);
  if (!wantsName || found.kind !== 'word' || !RESERVED.has(found.text)) return undefined;
  if (BEFORE_BY.has(found.text) && next.kind === 'word' && !RESERVED.has(next.text) && next.text !== 'BY')
    return `a name with a space is written in backticks: \`${found.value} ${next.value}\``;
  const clause = CLAUSE_WORDS.has(found.text) && next.kind !== 'end' && !AFTER_NAMES.has(next.text);
  return clause ? undefined : `${found.value} is a reserved word; to use it as a name, write it in backticks: \`${found.value}\``;
}
