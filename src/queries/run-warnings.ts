// What `quern lint` warns of that makes rows wrong whatever the data are: a run says it beside its rows.
import { positionAt } from '../source-text.ts';
import { parse, warningsOf } from '../sql/index.ts';
import type { Doubt } from '../sql/translation.ts';
import { doubtText } from './doubt-text.ts';
import { knownValues } from './known-values.ts';
import { isOff, lintCommentsOf } from './lint-comments.ts';
import type { SavedQuery } from './saved-query.ts';

/** Others are about what may come: rows in another order, another column at a position. */
const NEVER_MEANT: ReadonlySet<string> = new Set(['undeclared-field', 'never-true', 'left-join-undone']);

/** A line for each, with its place, in the order of the text; none that a comment turns off. The text of the query must be valid. */
export function runWarnings(query: SavedQuery, doubts: readonly Doubt[] = []): readonly string[] {
  const { source } = query;
  const comments = lintCommentsOf(source.text);
  const all = [
    ...warningsOf(parse(source.text), undefined, () => [], knownValues(query)),
    ...doubts.map((doubt) => ({ rule: doubt.kind, span: doubt.span, ...doubtText(doubt) })),
  ];
  return all
    .filter(({ rule }) => NEVER_MEANT.has(rule))
    .sort((a, b) => a.span.start - b.span.start)
    .flatMap(({ rule, message, hint, span }) => {
      const { line, column } = positionAt(source.text, span.start);
      return isOff(comments, line, rule) ? [] : [`${source.name}:${line}:${column}: ${message}; ${hint}`];
    });
}
