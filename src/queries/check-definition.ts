// What is to hold of the rows of a saved query, as a header or a file of checks says it.
import type { SourceText, Span } from '../base/source-text.ts';

/** Where something was written. */
export interface Place {
  readonly source: SourceText;
  readonly span: Span;
}

export type Severity = 'error' | 'warn';

/** What must be true: of every row, or of all rows together. */
export type Rule =
  | { readonly kind: 'expression'; readonly text: string }
  | { readonly kind: 'not_null' | 'unique'; readonly columns: readonly string[] }
  | { readonly kind: 'accepted_values'; readonly column: string; readonly values: readonly (string | number | boolean)[] }
  | { readonly kind: 'freshness'; readonly column: string; readonly within: string; readonly withinSeconds: number }
  | { readonly kind: 'row_count'; readonly min?: number | undefined; readonly max?: number | undefined }
  /** The columns have values that the keys of the rows of `to` have, a saved query or a source. */
  | { readonly kind: 'relationships'; readonly columns: readonly string[]; readonly to: string; readonly keys: readonly string[] }
  /** What `of` comes to is near what it came to in the last run. */
  | { readonly kind: 'change'; readonly of: string; readonly within: Distance };

/** How far a number may be from another: `20%` of that, or so much. */
export interface Distance {
  readonly text: string;
  readonly amount: number;
  readonly percent: boolean;
}

/** A number of rows that is too many: `> 10`; or a share of them: `> 1%`. */
export interface Threshold {
  readonly operator: '>' | '>=' | '=' | '!=';
  readonly rows: number;
  readonly percent?: true;
}

/** A condition on rows: those of which it is not true are not looked at. */
export interface RowFilter {
  readonly text: string;
  readonly place: Place;
}

export interface AssertionDefinition {
  /** As given, or made of the rule. */
  readonly name: string;
  readonly description?: string | undefined;
  readonly severity: Severity;
  readonly tags: readonly string[];
  readonly rule: Rule;
  /** All of them must be true of a row. */
  readonly where: readonly RowFilter[];
  readonly warnIf?: Threshold | undefined;
  readonly errorIf?: Threshold | undefined;
  /** Of the rule, or of the threshold that needs rows to count. */
  readonly place: Place;
  readonly thresholdPlace?: Place;
}

/** Assertions over one run of a saved query. */
export interface CheckDefinition {
  /** Name, UUID or path of the saved query, and where it is named; absent in the query's own header. */
  readonly query?: { readonly reference: string; readonly place: Place };
  readonly params: Readonly<Record<string, unknown>>;
  readonly assertions: readonly AssertionDefinition[];
  readonly place: Place;
}
