// The checks of the rows of a saved query, as a header or a file of checks says them.
import type { SourceText, Span } from '../base/source-text.ts';
import type { Rule } from './header/rules.ts';

/** The place in a file where something was written. */
export interface Place {
  readonly source: SourceText;
  readonly span: Span;
}

export type Severity = 'error' | 'warn';

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

/** What an assertion takes from the group it is in. */
export interface Inherited {
  readonly severity: Severity;
  readonly tags: readonly string[];
  /** All of them must be true of a row. */
  readonly where: readonly RowFilter[];
}

export interface AssertionDefinition extends Inherited {
  /** As given, or made of the rule. */
  readonly name: string;
  readonly description?: string | undefined;
  readonly rule: Rule;
  readonly warnIf?: Threshold | undefined;
  readonly errorIf?: Threshold | undefined;
  /** The place of the rule, or of the threshold that needs rows to count. */
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
