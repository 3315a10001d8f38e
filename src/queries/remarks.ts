// Likely mistakes in a text: all of them for `quern lint`, and for a run those that make rows wrong with any data, that are missing from them, or that were
// left undone.
import { QuernError } from '../base/errors.ts';
import { positionAt, type Span } from '../base/source-text.ts';
import { sourceOrError } from '../sources/source-problem.ts';
import { parse, warningsOf } from '../sql/index.ts';
import type { Source, SourceCatalog } from '../sql/source.ts';
import type { Doubt } from '../sql/translation.ts';
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
    const found = sourceOrError(sources, table);
    return found instanceof QuernError ? undefined : found;
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

/** The remarks on a valid text that no comment turns off. `maxRows` is how many rows its header allows, if it says so. */
export function remarksIn(
  { source: { text }, parameters }: Remarked,
  doubts: readonly Doubt[],
  sourceOf: SourceCatalog['find'],
  maxRows?: number,
): readonly Remark[] {
  const isOff = turnedOffIn(text);
  const known = new Map(
    parameters.flatMap(({ name, enum: allowed }) => (allowed === undefined ? [] : [[name.toLowerCase(), allowed.map(String)]])),
  );
  return [
    ...warningsOf(parse(text), maxRows, sourceOf, known),
    ...doubts.map((doubt) => ({ rule: doubt.kind, span: doubt.span, ...doubtText(doubt) })),
  ]
    .filter(({ rule, span }) => !isOff(positionAt(text, span.start).line, rule))
    .sort((a, b) => a.span.start - b.span.start);
}

function doubtText({ kind, name, instead }: Doubt): { readonly message: string; readonly hint: string } {
  if (kind === 'undeclared-field')
    return { message: `the record declares no field ${name}, so it is NULL unless an event has it`, hint: `did you mean ${instead}?` };
  const format = instead.toLowerCase();
  const type = instead === 'TIMESTAMP' || instead === 'DATE' ? `type: ${format}, or with ` : '';
  return {
    message: `@${name} is text, but is compared with a ${instead}`,
    hint: `declare it with ${type}format: ${format}, so that other values are refused right away`,
  };
}

const COMMENT = /(?:--|#)\s*quern-lint:\s*off\b([^\n]*)/i;

/**
 * Reads `-- quern-lint: off` and `-- quern-lint: off limit-without-order, select-star`: warnings that the author has seen. Behind code it is about its own
 * line, alone in a line about the next one that has code. Returns whether a rule is off in a line, counted from 1.
 */
export function turnedOffIn(text: string): (line: number, rule: string) => boolean {
  const off = new Map<number, ReadonlySet<string> | 'all'>();
  const lines = text.split('\n');
  lines.forEach((line, i) => {
    const found = COMMENT.exec(line);
    if (found === null) return;
    const rules = found[1]?.match(/[a-z]+(?:-[a-z]+)+/g) ?? [];
    const alone = line.slice(0, found.index).trim() === '';
    const about = alone ? lines.findIndex((other, at) => at > i && other.trim() !== '' && !/^\s*(?:--|#)/.test(other)) : i;
    const before = off.get(about + 1);
    off.set(about + 1, rules.length === 0 || before === 'all' ? 'all' : new Set([...(before ?? []), ...rules]));
  });
  return (line, rule) => {
    const rules = off.get(line);
    return rules === 'all' || rules?.has(rule) === true;
  };
}
