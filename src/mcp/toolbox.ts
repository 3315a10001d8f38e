// The abilities of an agent, wherever it connects: the tools are made of this interface.
import type { ParameterDeclaration } from '../queries/saved-query.ts';
import type { TranslatedColumn } from '../sql/translation.ts';

/** A saved query that may be run. */
export interface OfferedQuery {
  readonly name: string;
  readonly description: string;
  readonly parameters: readonly ParameterDeclaration[];
  readonly maxRows: number;
}

export interface OfferedSource {
  readonly name: string;
  /** Of a table whose rows have been counted. */
  readonly rows?: number | undefined;
  readonly bytes?: number | undefined;
  /** A line about it. */
  readonly description: string;
}

interface ExplainedQuery {
  readonly sql: string;
  readonly columns: readonly TranslatedColumn[];
  readonly sources: readonly string[];
  readonly maxRows: number;
}

/** All of these throw, or reject with, QuernError. */
export interface Toolbox {
  /** True if a run can be as of another time than now. */
  readonly takesAsOf: boolean;
  /** Lists the queries that the caller may run, by name. */
  queries(): Promise<readonly OfferedQuery[]>;
  /** The rows as JSON text, `{"result": […]}`. */
  run(
    query: string,
    given: Readonly<Record<string, unknown>>,
    how: { readonly asOf?: string; readonly signal: AbortSignal },
  ): Promise<string>;
  /** Explains the ClickHouse SQL of a saved query. */
  explain(query: string): Promise<ExplainedQuery>;
  /** Absent where SQL of others is not taken. What becomes of SQL, and what is wrong with it. */
  readonly translate?: (sql: string) => Promise<object>;
  /** Absent where SQL of the agent's own is not run. The rows as JSON text, at most `maxRows` of them. */
  readonly query?: (
    sql: string,
    how: { readonly maxRows: number; readonly asOf?: string; readonly signal: AbortSignal },
  ) => Promise<string>;
  /** Absent where tables are not told. Tables of the user's own come first. */
  readonly sources?: {
    list(): Promise<readonly OfferedSource[]>;
    /** Its columns as data; undefined for a name that is no source. */
    read(name: string): Promise<object | undefined>;
  };
}
