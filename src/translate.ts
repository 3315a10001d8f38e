// The translator alone, for browsers, workers, Deno and Bun: it imports nothing of Node and no package. library.md describes it.

import { QuernError } from './base/errors.ts';
import { type Position, positionAt, type Span } from './base/source-text.ts';
import { type AssumedTables, assumeTables as sketchTables } from './sources/assumed-tables.ts';
import { createdTables } from './sources/created-tables.ts';
import { optionsFor, type ProductOptions } from './sources/presets/for-product.ts';
import { typeName } from './sql/base/types.ts';
import { explainLogical, fidelityNotesOf, parse, type Translation, translate as translateText, warningsOf } from './sql/index.ts';
import type { Source, SourceCatalog } from './sql/source.ts';
import { placeAt, type Suggestion, suggestionsAt } from './suggest/suggest.ts';

export { type ErrorCode, type ErrorDetails, type Problem, QuernError } from './base/errors.ts';
export { type Position, positionAt, type SourceText, type Span } from './base/source-text.ts';
export type { AssumedTable, AssumedTables } from './sources/assumed-tables.ts';
export type { ProductOptions as TranslateOptions } from './sources/presets/for-product.ts';
export type { Type } from './sql/base/types.ts';
export {
  type DialectFunction,
  dialectFunctions as functions,
  formatQuery as format,
  type KeywordCase,
  parse,
  type Script,
  type TranslatedColumn,
  type TranslatedParameter,
  type Translation,
} from './sql/index.ts';
export type { Suggestion } from './suggest/suggest.ts';
export type { Source, SourceCatalog };

/** An error in a text, or a likely mistake. */
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
 * Sources for `translate`: tables from the CREATE TABLE statements of ClickHouse that made them, as SHOW CREATE TABLE prints them. Throws QuernError
 * `syntax` or `config` and a place.
 */
export const sourcesFrom = (statements: string): SourceCatalog => createdTables(statements);

/**
 * Sketches the tables of a text that `options` do not know from the text itself: the columns that it names, of types that fit. Its `sources` are those of
 * the options and these. Throws QuernError `syntax`.
 */
export const assumeTables = (text: string, options: ProductOptions = {}): AssumedTables => sketchTables(text, optionsFor(options));

/**
 * Translates one BigQuery query (with its temporary functions) to a ClickHouse SELECT that returns the same rows. Throws QuernError `syntax`,
 * `unknown-function`, `unknown-column`, `unknown-source`, `type`, `unsupported`, `too-complex` or `parameter`, with the span of the offending text.
 */
export const translate = (text: string, options: ProductOptions = {}): Translation => translateText(text, optionsFor(options));

/** The logical plan of a query as it is written, and as it is after the optimizer. Throws as `translate` does. */
export function explain(text: string, options: ProductOptions = {}): { readonly written: string; readonly optimized: string } {
  const { before, rules } = explainLogical(text, optionsFor(options));
  return { written: before, optimized: rules.at(-1)?.plan ?? before };
}

/** Lists what may be written at an offset of a text, which may be unfinished: tables, columns, fields, functions, parameters, words. `options` as for `translate`. */
export function complete(text: string, offset: number, options: ProductOptions = {}): readonly Suggestion[] {
  const columnsOf = (query: string): Translation | undefined => {
    try {
      return translate(query, options);
    } catch (error) {
      if (error instanceof QuernError) return undefined;
      throw error;
    }
  };
  const place = placeAt(text, offset);
  const { sources, parameters = {} } = optionsFor(options);
  return suggestionsAt(place, {
    columns: place.probes.map(columnsOf),
    tables: (sources?.names ?? []).map((name) => ({ name, kind: 'source' })),
    parameters: Object.entries(parameters).map(([name, type]) => ({ name, type: typeName(type) })),
  });
}

/**
 * Finds errors and likely mistakes in a text of the BigQuery dialect, in its order; `options` as for `translate`. Throws nothing but
 * faults of quern itself.
 */
export function lint(text: string, options: ProductOptions = {}): readonly TextFinding[] {
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
      add(here, { severity: 'error', rule, message, hint });
      return undefined;
    }
  };
  const script = attempt(() => parse(text));
  if (script === undefined) return findings;
  const translation = attempt(() => translate(text, options));
  const sourceOf = (table: string) => (translation === undefined ? undefined : optionsFor(options).sources?.find(table));
  for (const { rule, message, hint, span } of warningsOf(script, undefined, sourceOf))
    add(span, { severity: 'warning', rule, message, hint });
  for (const { construct, rows, note, span } of fidelityNotesOf(script))
    if (note !== undefined && rows === 'approximate') add(span, { severity: 'note', rule: rows, message: `${construct}: ${note}` });
  for (const message of translation?.differences ?? []) add({ start: 0, end: 0 }, { severity: 'note', rule: 'differs', message });
  return findings.sort((a, b) => a.span.start - b.span.start);
}
