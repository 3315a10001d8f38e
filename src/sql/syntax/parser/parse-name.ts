// Reads names: identifiers, aliases, dotted paths and lists of names.
import type { Identifier } from '../ast.ts';
import { RESERVED } from '../keywords.ts';
import type { Token } from '../lexer/token.ts';
import type { Parser } from './parser.ts';

/** True if a token can be a name: in backticks, or a word that is not reserved. Words such as 5x only follow a dot or a dash. */
export function isName(token: Token): boolean {
  return token.kind === 'quoted' || (token.kind === 'word' && !RESERVED.has(token.text) && !/^\d/.test(token.text));
}

export function parseName(s: Parser, what = 'a name'): Identifier {
  if (isName(s.token)) return takeName(s);
  if (s.token.kind === 'string') s.fail(what, 'quotes make a string; a name is written plain or in backticks');
  s.fail(what);
}

/** Reads the name after a dot, where even reserved words need no backticks. */
export function parseNameAfterDot(s: Parser): Identifier {
  if (s.token.kind === 'word' || s.token.kind === 'quoted') return takeName(s);
  return parseName(s, 'a field name');
}

/** Takes the current word or back-quoted name, whatever it is. */
export function takeName(s: Parser): Identifier {
  const token = s.advance();
  return { kind: 'identifier', name: token.value, quoted: token.kind === 'quoted', span: { start: token.start, end: token.end } };
}

/** Reads the name of a table, part by part. */
export function parseTablePath(s: Parser): Identifier[] {
  const parts = [parseFirstPart(s)];
  while (s.take('.')) parts.push(parseNameAfterDot(s));
  return parts;
}

/** Reads a name; the first of a table may hold dashes: `my-project.dataset.table`. */
function parseFirstPart(s: Parser): Identifier {
  const first = parseName(s, 'a table');
  if (first.quoted) return first;
  while (s.is('-') && s.token.start === s.end && s.peek().start === s.token.end && /^(?:word|int)$/.test(s.peek().kind)) {
    s.advance();
    s.advance();
  }
  const span = s.span(first.span.start);
  return { ...first, name: s.text.slice(span.start, span.end), span };
}

/** Reads `AS name`, or a name alone; null when neither follows. */
export function parseAlias(s: Parser): Identifier | null {
  if (s.take('AS')) {
    if (s.is('*')) s.fail('a name', '* means all columns and is not a name: write it alone, or name the column');
    return parseName(s, 'a name');
  }
  return isName(s.token) ? takeName(s) : null;
}

/** Reads items separated by commas. */
export function parseList<T>(s: Parser, parseItem: (s: Parser) => T): T[] {
  return continueList(s, parseItem(s), parseItem);
}

/** Reads the items behind `first`. */
export function continueList<T>(s: Parser, first: T, parseItem: (s: Parser) => T): T[] {
  const items = [first];
  while (s.take(',')) {
    if (s.is(')') || s.is(']')) s.fail('another item', 'remove the comma before it');
    items.push(parseItem(s));
  }
  return items;
}

/** Reads `(item, …)`, at least one item. */
export function parseParenthesisedList<T>(s: Parser, parseItem: (s: Parser) => T): T[] {
  s.expect('(');
  const items = parseList(s, parseItem);
  closeList(s);
  return items;
}

/** Takes the `)` after a list, where a forgotten comma shows. */
export function closeList(s: Parser): void {
  if (!s.take(')')) s.fail('"," or ")"', missingCommaHint(s));
}

/** True of a value or a name right behind another. */
export function missingCommaHint(s: Parser): string | undefined {
  const value = s.token.kind !== 'symbol' && s.token.kind !== 'end' && !RESERVED.has(s.token.text);
  return value ? 'a comma may be missing before it' : undefined;
}

/** Reads `(name, …)`. */
export function parseNameList(s: Parser): Identifier[] {
  return parseParenthesisedList(s, (stream) => parseName(stream, 'a column name'));
}
