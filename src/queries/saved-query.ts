// A saved query: the SQL text and what its header says.

import type { SourceText } from '../base/source-text.ts';
import type { ExecutionLimits } from '../engine/engine.ts';
import type { CheckDefinition } from './check-definition.ts';
import type { TextFormatName } from './text-formats/text-format.ts';

export type ScalarParameterName =
  | 'string'
  | 'integer'
  | 'float'
  | 'boolean'
  | 'timestamp'
  | 'date'
  | 'datetime'
  | 'time'
  | 'numeric'
  | 'bignumeric'
  | 'bytes'
  | 'json'
  | 'interval';
export type ParameterTypeName = ScalarParameterName | 'struct';

/** The type of a parameter, or of a field of one. */
export interface ParameterType {
  readonly type: ParameterTypeName;
  /** `array of <type>`. */
  readonly array: boolean;
  /** The fields of a struct. */
  readonly fields?: readonly ParameterField[] | undefined;
}

export interface ParameterField extends ParameterType {
  /** null for a field without a name. */
  readonly name: string | null;
}

/** Text, a number, a boolean, a list of those, or an object with the fields of a struct. */
export type WrittenValue = string | number | boolean | readonly unknown[] | Readonly<Record<string, unknown>>;

export interface ParameterDeclaration extends ParameterType {
  readonly name: string;
  readonly required: boolean;
  /** Its value in GoogleSQL, where that stands in the text in its place. */
  readonly expression?: string;
  /** The format that texts must have; for strings and arrays of them. */
  readonly format?: TextFormatName | undefined;
  readonly description?: string | undefined;
  readonly enum?: readonly (string | number)[] | undefined;
  /** Known values, of which forms and completion make an offer; others are allowed. */
  readonly suggest?: readonly (string | number)[] | undefined;
  readonly default?: WrittenValue | undefined;
  readonly example?: WrittenValue | undefined;
}

export interface SavedQuery {
  /** Dotted name: the file name without `.sql`. */
  readonly name: string;
  readonly id: string;
  readonly description: string;
  readonly dialect: 'bigquery' | 'clickhouse';
  /** Upper bound on rows returned. */
  readonly maxRows: number;
  /** Seconds an entry is fresh; 0 disables the cache. */
  readonly ttlSeconds: number;
  /** Rows of whole buckets of time are kept beyond that, as long as their data are the same. Default: true. */
  readonly keepBuckets?: boolean;
  readonly warmingSeconds?: number;
  /** Callers may send SQL that reads the query's WITH tables. */
  readonly sandbox: boolean;
  /** Addresses of people are hidden when the rows are served. */
  readonly redactPii: boolean;
  /** The query's own; what it leaves out is for the settings to say. */
  readonly limits: ExecutionLimits;
  readonly parameters: readonly ParameterDeclaration[];
  /** The checks of its rows, for `quern check`. */
  readonly checks?: readonly CheckDefinition[];
  /** Which of the queries in its text it is, counted from 0. Default: the last. */
  readonly result?: number | undefined;
  /** The SQL has the comments of the text. */
  readonly keepComments?: true;
  /** The whole file, header included (it is a comment), so that spans point into it. */
  readonly source: SourceText;
}

/** A query without a header. */
export const DRAFT: Omit<SavedQuery, 'name' | 'source' | 'maxRows'> = {
  id: '',
  description: '',
  dialect: 'bigquery',
  ttlSeconds: 0,
  sandbox: false,
  redactPii: false,
  limits: {},
  parameters: [],
};

/** Rows of a query whose header does not say it. */
export const DEFAULT_MAX_ROWS = 1000;

/** The query of a file without a header. */
export const draftOf = (source: SourceText, name: string): SavedQuery => ({ ...DRAFT, maxRows: DEFAULT_MAX_ROWS, name, source });
