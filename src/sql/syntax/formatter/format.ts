// The formatter of BigQuery text: it changes blanks, line breaks and the case of keywords, and nothing else.
import { QuernError } from '../../../base/errors.ts';
import { COMMENT } from '../lexer/comments.ts';
import { tokenize } from '../lexer/lexer.ts';
import { parseText } from '../parser/parse-script.ts';
import { layOut } from './format-layout.ts';
import { type KeywordCase, readParts } from './format-pieces.ts';

export type { KeywordCase } from './format-pieces.ts';

/** The most rounds: a line break of one round may make another one necessary. */
const MOST_ROUNDS = 4;

/**
 * Formats the text; comments stay where they were. `keywords` is the case of keywords, by default that which most of them have. Throws QuernError
 * `syntax` for a text that cannot be parsed, and never returns a text that means something else.
 */
export function formatQuery(text: string, keywords?: KeywordCase): string {
  const meaning = meaningOf(text);
  let formatted = layOut(readParts(text, parseText(text), keywords));
  for (let round = 1; round < MOST_ROUNDS; round++) {
    const again = layOut(readParts(formatted, parseText(formatted), keywords));
    if (again === formatted) break;
    formatted = again;
  }
  if (meaningOf(formatted) !== meaning) {
    throw new QuernError('internal', 'formatting would have changed what the query means', {
      hint: 'the text was left as it is; please report it',
    });
  }
  return formatted;
}

/** Returns the syntax tree and the tokens without their places, and the comments: the same for texts that differ in nothing else than layout. */
function meaningOf(text: string): string {
  const tree = JSON.stringify(parseText(text), (key, value: unknown) => {
    if (key === 'span') return undefined;
    return typeof value === 'bigint' ? `${value}` : value;
  });
  const { tokens } = tokenize(text);
  const words = tokens.map(({ kind, text: word, value }) => [kind, word, kind === 'word' ? '' : value]);
  const gaps = tokens.map((token, i) => text.slice(tokens[i - 1]?.end ?? 0, token.start));
  const comments = gaps.flatMap((gap) => gap.match(COMMENT) ?? []).map((comment) => comment.trimEnd());
  return JSON.stringify([tree, words, comments]);
}
