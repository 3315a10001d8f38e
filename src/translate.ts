// The translator alone, for browsers, workers, Deno and Bun: it imports nothing of Node and no package. library.md describes it. Every function waits for
// the parts of the translator that its text needs, see later.ts.
import { createdTables } from './catalog/created-tables.ts';
import { QuernError } from './errors.ts';
import { withParts } from './later.ts';
import { type Position, positionAt, type Span } from './source-text.ts';
import * as sql from './sql/index.ts';
import type { Source, SourceCatalog } from './sql/source.ts';
import { typeName } from './sql/types.ts';
import { type Suggestion, suggestionsAt } from './suggest/suggest.ts';

export { type ErrorCode, type ErrorDetails, type Problem, QuernError } from './errors.ts';
export { type Position, positionAt, type SourceText, type Span } from './source-text.ts';
export type {
  DialectFunction,
  KeywordCase,
  Script,
  TranslatedColumn,
  TranslatedParameter,
  TranslateOptions,
  Translation,
} from './sql/index.ts';
export type { Type } from './sql/types.ts';
export type { Suggestion } from './suggest/suggest.ts';
export type { Source, SourceCatalog };

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
 * Translates one BigQuery query (with its temporary functions) to a ClickHouse SELECT that returns the same rows. Rejects with QuernError `syntax`,
 * `unknown-function`, `unknown-column`, `unknown-source`, `type`, `unsupported`, `too-complex` or `parameter`, each with the span of the offending text.
 */
export const translate = (text: string, options: sql.TranslateOptions = {}): Promise<sql.Translation> =>
  withParts(() => sql.translate(text, options));

/** The syntax tree of a text. Rejects with QuernError `syntax`. */
export const parse = (text: string): Promise<sql.Script> => withParts(() => sql.parse(text));

/** The text laid out. Rejects with QuernError `syntax` where it cannot be read. */
export const format = (text: string, keywords?: sql.KeywordCase): Promise<string> => withParts(() => sql.formatQuery(text, keywords));

/** The functions that are translated, by name. */
export const functions = (): Promise<readonly sql.DialectFunction[]> => withParts(sql.dialectFunctions);

/**
 * Sources for `translate`: tables from the CREATE TABLE statements of ClickHouse that made them, as SHOW CREATE TABLE prints them. Rejects with QuernError
 * `syntax` or `config` and a place.
 */
export const sourcesFrom = (statements: string): Promise<SourceCatalog> => withParts(() => createdTables(statements));

/** The logical plan of a query as it is written, and as it is after the optimizer. Rejects as `translate` does. */
export async function explain(
  text: string,
  options: sql.TranslateOptions = {},
): Promise<{ readonly written: string; readonly optimized: string }> {
  const { before, rules } = await withParts(() => sql.explainLogical(text, options));
  return { written: before, optimized: rules.at(-1)?.plan ?? before };
}

/** What may be written at an offset of a text, which may be unfinished: tables, columns, fields, functions, parameters, words. `options` as for `translate`. */
export const complete = (text: string, offset: number, options: sql.TranslateOptions = {}): Promise<readonly Suggestion[]> =>
  withParts(() =>
    suggestionsAt(text, offset, {
      async ask(query) {
        try {
          return sql.translate(query, options);
        } catch (error) {
          if (error instanceof QuernError) return undefined;
          throw error;
        }
      },
      tables: async () => (options.sources?.names ?? []).map((name) => ({ name, kind: 'source' })),
      parameters: () => Object.entries(options.parameters ?? {}).map(([name, type]) => ({ name, type: typeName(type) })),
    }),
  );

/**
 * What is wrong with a text of the BigQuery dialect, and likely mistakes in it, in its order; `options` as for `translate`. Rejects with nothing but
 * faults of quern itself.
 */
export const lint = (text: string, options: sql.TranslateOptions = {}): Promise<readonly TextFinding[]> =>
  withParts(() => findingsIn(text, options));

function findingsIn(text: string, options: sql.TranslateOptions): readonly TextFinding[] {
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
  const script = attempt(() => sql.parse(text));
  if (script === undefined) return findings;
  const translation = attempt(() => sql.translate(text, options));
  const sourceOf = (table: string) => (translation === undefined ? undefined : options.sources?.find(table));
  for (const { rule, message, hint, span } of sql.warningsOf(script, undefined, sourceOf))
    add(span, { severity: 'warning', rule, message, hint });
  for (const { construct, rows, note, span } of sql.fidelityNotesOf(script))
    if (note !== undefined && rows === 'approximate') add(span, { severity: 'note', rule: rows, message: `${construct}: ${note}` });
  return findings.sort((a, b) => a.span.start - b.span.start);
}
