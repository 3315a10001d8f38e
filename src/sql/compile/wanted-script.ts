// Chooses one of the queries of a text, each of which is translated by itself.
import { QuernError } from '../../base/errors.ts';
import type { Script } from '../syntax/ast.ts';
import { parseScript } from '../syntax/parser/parse-script.ts';
import type { CommentPlaces } from '../target/with-comments.ts';
import type { TranslateOptions, Translation } from '../translation.ts';
import { commentPlaces } from './comment-places.ts';

/** The script of one query, with the comments that its SQL keeps. */
export interface Commented {
  readonly script: Script;
  readonly comments?: CommentPlaces;
}

/**
 * Returns the query that `result` chooses, by default of the last, and the number of queries where there are several. Throws what parsing
 * throws, and QuernError `usage` where there is no such query.
 */
export function wantedScript(
  text: string,
  { result, commentsFrom }: Pick<TranslateOptions, 'result' | 'commentsFrom'>,
): Commented & { readonly results: Pick<Translation, 'results'> } {
  const last = parseScript(text);
  const all = [...(last.earlier ?? []), last];
  const script = result === undefined ? last : all[result];
  if (script === undefined) throw new QuernError('usage', `the text has no query ${(result ?? 0) + 1}: it has ${all.length}`);
  const results = all.length === 1 ? {} : { results: all.length };
  if (commentsFrom === undefined) return { script, results };
  // The comments of a query end with its last line.
  const lineEnd = ({ query }: Script): number => text.slice(query.span.end).search(/[\r\n]|$/) + query.span.end;
  const before = all[all.indexOf(script) - 1];
  const range = {
    start: Math.max(commentsFrom, before === undefined ? 0 : lineEnd(before)),
    end: script === last ? text.length : lineEnd(script),
  };
  return { script, results, comments: commentPlaces(text, script.query, range) };
}
