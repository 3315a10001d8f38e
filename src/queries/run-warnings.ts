// The warnings of `quern lint` that a run prints next to its rows: whatever makes rows wrong with any data, is missing from them, or was left undone.
import { QuernError } from '../base/errors.ts';
import { positionAt, type Span } from '../base/source-text.ts';
import { parse, warningsOf } from '../sql/index.ts';
import type { Source, SourceCatalog } from '../sql/source.ts';
import type { Doubt } from '../sql/translation.ts';
import { doubtText } from './doubt-text.ts';
import { knownValues } from './known-values.ts';
import { isOff, lintCommentsOf } from './lint-comments.ts';
import type { SavedQuery } from './saved-query.ts';

/** Others are about what may come: rows in another order, another column at a position. */
const NEVER_MEANT: ReadonlySet<string> = new Set(['undeclared-field', 'never-true', 'left-join-undone', 'not-stored']);
/** Whoever reads the rows should know what they lack. */
const TOLD: ReadonlySet<string> = new Set(['star-leaves-out', 'struct-of-nulls']);

/** Lines in the order of the text; none that a comment turns off. */
interface RunRemarks {
  /** The causes of wrong rows, and what was not done, each with its place. */
  readonly warnings: readonly string[];
  /** Notes on what the rows do not have, for people at a terminal. */
  readonly notes: readonly string[];
}

/** A table of the query, by the name that the query has for it; undefined for what is none, such as a saved query, for which some catalogs fail. */
export function tableFinder(sources: SourceCatalog): (table: string) => Source | undefined {
  return (table) => {
    try {
      return sources.find(table);
    } catch (error) {
      if (error instanceof QuernError && error.code !== 'internal') return undefined;
      throw error;
    }
  };
}

/** The text of the query must be valid. `sourceOf`: the table called so. */
export function runRemarks(query: SavedQuery, doubts: readonly Doubt[], sourceOf: SourceCatalog['find']): RunRemarks {
  const { source } = query;
  const all = remarksIn(query, doubts, sourceOf);
  return {
    warnings: all
      .filter(({ rule }) => NEVER_MEANT.has(rule))
      .map(({ message, hint, span }) => {
        const { line, column } = positionAt(source.text, span.start);
        return `${source.name}:${line}:${column}: ${message}; ${hint}`;
      }),
    notes: [...new Set(all.filter(({ rule }) => TOLD.has(rule)).map(({ message, hint }) => `${message}; ${hint}`))],
  };
}

/** Returns the causes of wrong rows in a valid text, each with its place. */
export const wrongRowsIn = (query: Remarked, doubts: readonly Doubt[]): readonly Remark[] =>
  remarksIn(query, doubts, () => undefined).filter(({ rule }) => NEVER_MEANT.has(rule));

interface Remark {
  readonly rule: string;
  readonly message: string;
  readonly hint: string;
  readonly span: Span;
}

type Remarked = Pick<SavedQuery, 'source' | 'parameters'>;

function remarksIn(query: Remarked, doubts: readonly Doubt[], sourceOf: SourceCatalog['find']): readonly Remark[] {
  const { text } = query.source;
  const comments = lintCommentsOf(text);
  return [
    ...warningsOf(parse(text), undefined, sourceOf, knownValues(query)),
    ...doubts.map((doubt) => ({ rule: doubt.kind, span: doubt.span, ...doubtText(doubt) })),
  ]
    .filter(({ rule, span }) => !isOff(comments, positionAt(text, span.start).line, rule))
    .sort((a, b) => a.span.start - b.span.start);
}
