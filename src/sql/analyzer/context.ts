// The state of the analysis: that of the whole query, and that of one place in it.

import type { Type } from '../base/types.ts';
import type { Column, CteDefinition, Expr } from '../logical/nodes.ts';
import type * as ast from '../syntax/ast.ts';
import type { TranslateOptions } from '../translation.ts';
import type { AnalyzedFrom, AnalyzedQuery } from './analyzed.ts';
import { createDepths, type Depths } from './depth.ts';
import { refuseGrowth } from './limits.ts';
import { EMPTY_SCOPE, type Scope, type ScopeColumn, type Variable } from './names/scope.ts';
import { type Library, openLibrary } from './statements/library.ts';
import { functionsByName } from './statements/own-functions.ts';

/** The analyzed body of a temporary function: its parameters are columns, which each call replaces by its arguments. */
export interface FunctionBody {
  readonly parameters: readonly Column[];
  readonly value: Expr;
  readonly size: number;
  readonly uses: ReadonlyMap<number, number>;
}

/** The two analyzers that call each other; everything between them reaches them through the context, see analyze.ts. */
export interface Analyzers {
  readonly expr: (node: ast.Expr, context: Context) => Expr;
  readonly query: (body: ast.QueryBody, context: Context) => AnalyzedQuery;
}

/** The state of one translation. Each id is given once, so equal ids are the same column or CTE everywhere. */
export interface Analysis {
  readonly analyzers: Analyzers;
  readonly options: TranslateOptions;
  readonly temporaryFunctions: ReadonlyMap<string, ast.OwnFunction>;
  /** The functions of files. */
  readonly library: Library;
  /** The bodies that are the same at every call. */
  readonly functionBodies: Map<ast.FunctionDefinition, FunctionBody>;
  readonly sourcesRead: Set<string>;
  /** The first name that the text has for each, which is the innermost. */
  readonly names: { readonly columns: Map<number, string>; readonly tables: Map<number, string> };
  /** The ids of the volatile tables that have been read. */
  readonly volatileRead: Set<number>;
  /** The definitions of CTEs, in the order in which they were made. */
  readonly ctes: CteDefinition[];
  readonly depths: Depths;
  newColumn(name: string, type: Type): Column;
  newCteId(): number;
  /** The names of the saved queries and functions that are being expanded, outermost first: with them cycles are found. */
  readonly expanding: readonly string[];
  /** What the parameters of a saved query that is called as a function stand for, by their names in lower case. */
  readonly given: ReadonlyMap<string, Variable>;
  /** Is called with each expression before it is analyzed, and with each name of USING on each side. */
  readonly onExpr?: ((node: ast.Expr, context: Context) => void) | undefined;
  /** True if FROM sees WITH tables only: `options` has neither sources nor saved queries. */
  readonly onlyCtes?: true;
}

/** A CTE as seen by FROM. */
export interface VisibleCte {
  readonly id: number;
  readonly columns: readonly ScopeColumn[];
  /** True if the rows are values (SELECT AS STRUCT / AS VALUE): the one column is the row. */
  readonly value: boolean;
  /** The name of a created table in FROM without an alias: the last part of its own. WITH tables have their whole name. */
  readonly calledAs?: string;
  /** True of a created table whose rows differ each time they are made, as of RAND(). */
  readonly volatile?: boolean;
  /** Analyzes the rows again, for a table that reads parameters of the function around it: it stands wherever it is read, as a subquery. */
  readonly inPlace?: () => AnalyzedQuery;
}

/** The state at a place in the query. */
export interface Context {
  readonly analysis: Analysis;
  readonly scope: Scope;
  readonly ctes: ReadonlyMap<string, VisibleCte>;
  /** The place's name for the error (`WHERE`) where aggregate calls are refused, else null. */
  readonly noAggregates: string | null;
  readonly noWindows: string | null;
  /** The named windows of the SELECT. */
  readonly windows: ReadonlyMap<string, ast.WindowRef>;
}

export function createAnalysis(
  analyzers: Analyzers,
  options: TranslateOptions,
  functions: readonly ast.OwnFunction[],
  onExpr?: Analysis['onExpr'],
): Analysis {
  let columns = 0;
  let cteIds = 0;
  return {
    analyzers,
    options,
    temporaryFunctions: functionsByName(functions),
    library: openLibrary(options.functions ?? []),
    functionBodies: new Map(),
    sourcesRead: new Set(),
    names: { columns: new Map(), tables: new Map() },
    volatileRead: new Set(),
    ctes: [],
    depths: createDepths(),
    newColumn: (name, type) => {
      refuseGrowth(columns, name, type);
      return { id: ++columns, name, type };
    },
    newCteId: () => ++cteIds,
    expanding: [],
    given: new Map(),
    onExpr,
  };
}

/** A place that sees nothing of the text around it: only `ctes` and `variables`. */
export const apart = (analysis: Analysis, ctes: Context['ctes'] = new Map(), variables?: Scope['variables']): Context => ({
  analysis,
  scope: { ...EMPTY_SCOPE, variables },
  ctes,
  noAggregates: null,
  noWindows: null,
  windows: new Map(),
});

/** The same place, where aggregate and window calls are refused: `place` names it for the error. */
export const atPlace = (place: string, context: Context): Context => ({ ...context, noAggregates: place, noWindows: place });

/** The same place for a subquery, which has aggregates and windows of its own. */
export const inSubquery = (context: Context): Context => ({ ...context, noAggregates: null, noWindows: null });

/** The same place, with other names in scope. */
export const within = (context: Context, scope: Scope): Context => ({ ...context, scope });

/** Returns a scope of the tables of a FROM clause. */
export const scopeOf = (from: AnalyzedFrom, context: Context): Scope => ({ tables: from.tables, names: from.names, parent: context.scope });

/** The same place, where each name stands for an expression (function arguments, WITH expressions, lambda parameters). */
export const withNames = (context: Context, names: ReadonlyMap<string, Expr>): Context =>
  within(context, { tables: [], names, parent: context.scope });
