// The translator alone, for browsers, workers, Deno and Bun: it imports nothing of Node and no package. library.md describes it.
import { QuernError } from './errors.ts';
import { type Position, positionAt, type Span } from './source-text.ts';
import { fidelityNotesOf, parse, type TranslateOptions, translate, warningsOf } from './sql/index.ts';

export { type ErrorCode, type ErrorDetails, type Problem, QuernError } from './errors.ts';
export { type Position, positionAt, type SourceText, type Span } from './source-text.ts';
export {
  type DialectFunction,
  dialectFunctions as functions,
  formatQuery as format,
  type KeywordCase,
  parse,
  type Script,
  type TranslatedColumn,
  type TranslatedParameter,
  type TranslateOptions,
  type Translation,
  translate,
} from './sql/index.ts';
export type { Source, SourceCatalog } from './sql/source.ts';
export type { Type } from './sql/types.ts';

/** What is wrong with a text, or likely a mistake in it. */
export interface TextFinding extends Position {
  /** Errors keep the query from being translated; warnings are hardly meant; notes are to be known. */
  readonly severity: 'error' | 'warning' | 'note';
  /** The code of an error, or what is looked for. */
  readonly rule: string;
  readonly message: string;
  readonly hint?: string;
  readonly span: Span;
}

/**
 * What is wrong with a text of the BigQuery dialect, and likely mistakes in it, in its order; `options` as for `translate`. Throws nothing
 * but faults of quern itself.
 */
export function lint(text: string, options: TranslateOptions = {}): readonly TextFinding[] {
  const findings: TextFinding[] = [];
  const add = (span: Span, finding: Pick<TextFinding, 'severity' | 'rule' | 'message' | 'hint'>): void => {
    findings.push({ ...finding, ...positionAt(text, span.start), span });
  };
  const attempt = <T>(action: () => T): T | undefined => {
    try {
      return action();
    } catch (error) {
      if (!(error instanceof QuernError) || error.code === 'internal') throw error;
      const { span = { start: 0, end: text.length }, hint, source } = error.details;
      const { code: rule, message } = error;
      // The place is in the text of a function or of another saved query.
      const here = source === undefined || source.text === text ? span : { start: 0, end: text.length };
      add(here, { severity: 'error', rule, message, ...(hint === undefined ? {} : { hint }) });
      return undefined;
    }
  };
  const script = attempt(() => parse(text));
  if (script === undefined) return findings;
  const translation = attempt(() => translate(text, options));
  const unread = (table: string): readonly string[] =>
    translation === undefined ? [] : (options.sources?.find(table)?.unread?.map(({ name }) => name) ?? []);
  for (const { rule, message, hint, span } of warningsOf(script, undefined, unread))
    add(span, { severity: 'warning', rule, message, hint });
  for (const { construct, rows, note, span } of fidelityNotesOf(script))
    if (note !== undefined && rows === 'approximate') add(span, { severity: 'note', rule: rows, message: `${construct}: ${note}` });
  return findings.sort((a, b) => a.span.start - b.span.start);
}
