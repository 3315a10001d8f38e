// The query of SEARCH as a tree of terms. https://cloud.google.com/bigquery/docs/reference/standard-sql/search_functions#search
import type { Span } from '../../../base/source-text.ts';
import { fail } from '../../base/fail.ts';

/** `words`: all of them, anywhere; `phrase`: next to each other in this order; `exact`: this text between delimiters, capitals as they are. */
export type SearchTerm =
  | { readonly kind: 'words' | 'phrase'; readonly text: string }
  | { readonly kind: 'exact'; readonly text: string }
  | { readonly kind: 'and' | 'or'; readonly terms: readonly SearchTerm[] };

const RESERVED = '[]<>(){}|!\'"*&?+/:=-\\~^';
const RESERVED_WORDS: ReadonlySet<string> = new Set(['AND', 'NOT', 'OR', 'IN', 'NEAR']);

type Token = '(' | ')' | 'AND' | 'OR' | SearchTerm;

/** AND, written or meant by a space, binds closer than OR. */
export function parseSearch(query: string, span: Span): SearchTerm {
  const tokens = tokensOf(query, span);
  let at = 0;
  const bad = (): never =>
    fail('type', span, 'this is not a search query', 'write words, AND, OR, parentheses, "a phrase" or `an exact text`');
  const either = (): SearchTerm => {
    const terms = [both()];
    while (tokens[at] === 'OR') {
      at++;
      terms.push(both());
    }
    return joined('or', terms);
  };
  const both = (): SearchTerm => {
    const terms = [one()];
    while (at < tokens.length && tokens[at] !== 'OR' && tokens[at] !== ')') {
      if (tokens[at] === 'AND') at++;
      terms.push(one());
    }
    return joined('and', terms);
  };
  const one = (): SearchTerm => {
    const token = tokens[at++];
    if (token === '(') {
      const inner = either();
      if (tokens[at++] !== ')') bad();
      return inner;
    }
    return token === undefined || typeof token === 'string' ? bad() : token;
  };
  if (tokens.length === 0) fail('type', span, 'the search query has no words', 'write what to look for');
  const tree = either();
  return at < tokens.length ? bad() : tree;
}

const joined = (kind: 'and' | 'or', terms: readonly SearchTerm[]): SearchTerm => {
  const [first] = terms;
  return first !== undefined && terms.length === 1 ? first : { kind, terms };
};

function tokensOf(query: string, span: Span): readonly Token[] {
  const tokens: Token[] = [];
  let rest = query;
  while (rest !== '') {
    const [whole = '', space, bracket, exact, phrase, word] =
      /^(?:(\s+)|([()])|`((?:\\`|[^`])+)`|"((?:\\"|[^"])+)"|((?:\\.|[^\\\s()`"])+))/su.exec(rest) ?? [];
    if (whole === '') return fail('type', span, 'this is not a search query', 'close every quote and backtick, with something inside');
    rest = rest.slice(whole.length);
    if (space !== undefined) continue;
    if (bracket === '(' || bracket === ')') tokens.push(bracket);
    else if (exact !== undefined) tokens.push({ kind: 'exact', text: exact.replaceAll('\\`', '`') });
    else if (phrase !== undefined) tokens.push({ kind: 'phrase', text: phrase.replaceAll('\\"', '"') });
    else if (word === 'AND' || word === 'OR') tokens.push(word);
    else tokens.push(words(word ?? '', span));
  }
  return tokens;
}

function words(written: string, span: Span): SearchTerm {
  if (RESERVED_WORDS.has(written.toUpperCase()))
    fail(
      'type',
      span,
      `${written} is a reserved word in search queries`,
      `write it in backticks: \`${written}\`; AND and OR are written in capitals`,
    );
  const reserved = [...written.replaceAll(/\\./gsu, '')].find((sign) => RESERVED.includes(sign));
  if (reserved !== undefined)
    fail('type', span, `${reserved} is reserved in search queries`, 'write the text in backticks, or put \\\\ before the character');
  return { kind: 'words', text: written.replaceAll(/\\(.)/gsu, '$1') };
}
