// What the server tells the console beside the replies of the endpoints.
import type { Board } from '../../queries/boards/board-file.ts';
import type { ParameterDeclaration, SavedQuery } from '../../queries/saved-query.ts';
import type { Suggestion } from '../../suggest/suggest.ts';

/** The reply of `api/console`: everything the caller may use. */
export interface ConsoleInfo {
  readonly version: string;
  readonly compat?: 'logflare';
  /** Whether the caller needs a key. */
  readonly authentication: boolean;
  /** Name of the caller's key. */
  readonly key?: string;
  /** The caller may ask for a fresh run. */
  readonly mayRefresh: boolean;
  /** The caller may see times and projects of all that is stored. */
  readonly oversees: boolean;
  /** The caller may send SQL over all tables: there is the SQL page, and the browser of tables. */
  readonly mayRunSql: boolean;
  /** The boards with panels of queries that the caller may use, and only those panels. */
  readonly boards: readonly ConsoleBoard[];
  /** The saved queries, and boards, with errors, for those who run the server. */
  readonly broken?: readonly ConsoleBroken[];
  readonly formats: readonly ConsoleFormat[];
  /** By name. */
  readonly endpoints: readonly ConsoleEndpoint[];
}

export type ConsoleBoard = Board;

/** A saved query that cannot be served as its file says. */
export interface ConsoleBroken {
  readonly name: string;
  readonly served: string;
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly position?: { readonly file: string; readonly line: number; readonly column: number } | undefined;
  /** The line of the file in which the error is. */
  readonly text?: string | undefined;
}

export interface ConsoleFormat {
  readonly name: string;
  /** With its dot. */
  readonly extension: string;
}

export interface ConsoleEndpoint extends Pick<SavedQuery, 'name' | 'id' | 'description' | 'dialect' | 'maxRows' | 'ttlSeconds'> {
  /** The caller may send SQL of their own. */
  readonly takesSql: boolean;
  /** It ships with quern: such queries stand behind the project's own. */
  readonly ships?: true;
  /** Why the caller's key may not, where others may. */
  readonly sqlBarred?: string;
  readonly parameters: readonly ConsoleParameter[];
  /** Absent while only the engine knows them. */
  readonly columns?: readonly ConsoleColumn[];
}

export interface ConsoleParameter extends ParameterDeclaration {
  /** It is what counts as now, and none of the query's own. */
  readonly instant?: true;
  /** The value that the caller's key sets. */
  readonly pinned?: string;
}

export interface ConsoleColumn {
  readonly name: string;
  /** Kind of the GoogleSQL type, such as `TIMESTAMP`. */
  readonly type: string;
}

/** The reply of `api/console/sql`. */
export interface ConsoleSql {
  /** The saved query's text below its header, or the caller's. */
  readonly own: string;
  readonly dialect: ConsoleEndpoint['dialect'];
  readonly clickhouse: string;
  /** Parameters that the engine binds, as the ClickHouse SQL names them. */
  readonly bound: readonly { readonly name: string; readonly type: string }[];
  readonly settings: Readonly<Record<string, string | number>>;
  readonly columns?: readonly ConsoleColumn[];
  /** What makes rows wrong in the text of the SQL page. */
  readonly warnings?: readonly ConsoleWarning[];
}

export interface ConsoleWarning {
  readonly message: string;
  readonly hint?: string | undefined;
  readonly line: number;
  readonly column: number;
  readonly span: { readonly start: number; readonly end: number };
}

/** The body of a request to `api/console/sql`. */
export interface ConsoleSqlRequest {
  /** Absent: the SQL is that of the SQL page. */
  readonly endpoint?: string | undefined;
  readonly sql?: string | undefined;
  /** Of the SQL page. */
  readonly parameters?: readonly TypedParameter[] | undefined;
}

/** A parameter of the SQL page, with the type that was chosen for it; one that is not required is NULL without a value. */
export type TypedParameter = Pick<ParameterDeclaration, 'name' | 'type' | 'array'> & { readonly required?: boolean };

/** The body of a request to `api/console/format`, and its reply: a text, and the same laid out. */
export interface ConsoleFormatted {
  readonly sql: string;
}

/** The body of a request to `api/console/why-empty`. */
export interface ConsoleEmptyRequest {
  readonly endpoint: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** Its reply. */
export interface ConsoleEmpty {
  /** Absent where nothing is known. */
  readonly reason?: string;
  /** The instant as of which there are rows. */
  readonly asOf?: string;
}

/** The reply of `api/console/tables`: what SQL over all tables can read, own tables first. */
export interface ConsoleTables {
  readonly tables: readonly ConsoleTable[];
}

export interface ConsoleTable {
  /** As a query writes it in FROM, without quotes. */
  readonly name: string;
  readonly description?: string | undefined;
  /** It is a saved query. */
  readonly isQuery?: true | undefined;
  /** Where the engine knows them. */
  readonly rows?: number | undefined;
  readonly bytes?: number | undefined;
  /** With their GoogleSQL types. */
  readonly columns: readonly ConsoleColumn[];
}

/** The body of a request to `api/console/complete`: the caller's SQL for an endpoint or for the SQL page, and a place in it. */
export interface ConsoleCompleteRequest {
  readonly endpoint?: string | undefined;
  readonly sql: string;
  readonly offset: number;
  /** Of the SQL page. */
  readonly parameters?: readonly TypedParameter[] | undefined;
}

/** Its reply. */
export interface ConsoleSuggestions {
  readonly suggestions: readonly Suggestion[];
}

/** The reply of `api/console/overview`. */
export interface ConsoleOverview {
  /** What is wrong with the engine; absent while it answers. */
  readonly engine?: string;
  readonly sources: readonly ConsoleSource[];
}

export interface ConsoleSource {
  readonly name: string;
  readonly rows: number;
  /** The earliest and the latest time, ISO 8601 in UTC, where they are known. */
  readonly first?: string;
  readonly last?: string;
}
