// A saved query: the SQL text and what its header says.

import type { SourceText } from '../base/source-text.ts';
import type { ExecutionLimits } from '../engine/engine.ts';
import type { CheckDefinition } from './check-definition.ts';
import type { TextFormatName } from './text-formats/text-format.ts';

export type ParameterTypeName = 'string' | 'integer' | 'float' | 'boolean' | 'timestamp' | 'date';

export interface ParameterDeclaration {
  readonly name: string;
  readonly type: ParameterTypeName;
  /** `array of <type>`. */
  readonly array: boolean;
  readonly required: boolean;
  /** The expression that it stands for, in GoogleSQL over other parameters, where no value can be bound as its type. */
  readonly expression?: string;
  /** The format that texts must have; for strings and arrays of them. */
  readonly format?: TextFormatName | undefined;
  readonly description?: string | undefined;
  readonly enum?: readonly (string | number)[] | undefined;
  /** Known values, of which forms and completion make an offer; others are allowed. */
  readonly suggest?: readonly (string | number)[] | undefined;
  readonly default?: string | number | boolean | readonly (string | number | boolean)[] | undefined;
  readonly example?: string | number | boolean | undefined;
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
  /** The whole file, header included (it is a comment), so that spans point into it. */
  readonly source: SourceText;
}
