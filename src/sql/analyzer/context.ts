// What the analysis carries along: the query-wide state, and what holds at one place.

import type { Type } from '../base/types.ts';
import type { Column, CteDefinition, Expr } from '../logical/nodes.ts';
import type * as ast from '../syntax/ast.ts';
import type { TranslateOptions } from '../translation.ts';
import type { AnalyzedFrom, AnalyzedQuery } from './analyzed.ts';
import { createDepths, type Depths } from './depth.ts';
import { refuseGrowth } from './limits.ts';
import type { Scope, ScopeColumn } from './names/scope.ts';
import { type Library, openLibrary } from './statements/library.ts';
import { functionsByName } from './statements/own-functions.ts';

/** The body of a temporary function, analyzed: its parameters are columns, for which each call puts its arguments. */
export interface FunctionBody {
  readonly parameters: readonly Column[];
  readonly value: Expr;
  readonly size: number;
  readonly uses: ReadonlyMap<number, number>;
}

/** The two that hold each other: what stands in both reaches them through the context, see analyze.ts. */
export interface Analyzers {
  readonly expr: (node: ast.Expr, context: Context) => Expr;
  readonly query: (body: ast.QueryBody, context: Context) => AnalyzedQuery;
}

/** State of one translation. Ids are handed out once, so equal ids are the same column or CTE everywhere. */
export interface Analysis {
  readonly analyzers: Analyzers;
  readonly options: TranslateOptions;
  readonly temporaryFunctions: ReadonlyMap<string, ast.OwnFunction>;
  /** Functions of files. */
  readonly library: Library;
  /** Bodies that are the same at every call. */
  readonly functionBodies: Map<ast.FunctionDefinition, FunctionBody>;
  readonly sourcesRead: Set<string>;
  /** Ids of the volatile tables that are read already. */
  readonly volatileRead: Set<number>;
  /** CTE definitions by id, in the order they were made. */
  readonly ctes: CteDefinition[];
  readonly depths: Depths;
  newColumn(name: string, type: Type): Column;
  newCteId(): number;
  /** Names of saved queries being expanded, outermost first; functions likewise: both find cycles. */
  readonly expanding: readonly string[];
  /** FROM sees WITH tables only: `options` has neither sources nor saved queries. */
  readonly onlyCtes?: true;
}

/** A CTE as seen by FROM. `definition` is null while a recursive CTE is being read. */
export interface VisibleCte {
  readonly id: number;
  readonly columns: readonly ScopeColumn[];
  /** The rows are values (SELECT AS STRUCT / AS VALUE): the one column is the row. */
  readonly value: boolean;
  /** What a created table is called in FROM without an alias: the last part of its name. WITH tables have their whole name. */
  readonly calledAs?: string;
  /** A created table of rows that are others each time they are made, as of RAND(). */
  readonly volatile?: boolean;
  /** Analyzes the rows anew, of a table that reads parameters of the function around it: it stands wherever it is read, as a subquery. */
  readonly inPlace?: () => AnalyzedQuery;
}

/** What holds at a place in the query. */
export interface Context {
  readonly analysis: Analysis;
  readonly scope: Scope;
  readonly ctes: ReadonlyMap<string, VisibleCte>;
  /** null where aggregate calls are allowed, else the place's name for the error (`WHERE`). */
  readonly noAggregates: string | null;
  readonly noWindows: string | null;
  /** Named windows of the SELECT. */
  readonly windows: ReadonlyMap<string, ast.WindowRef>;
}

export function createAnalysis(analyzers: Analyzers, options: TranslateOptions, functions: readonly ast.OwnFunction[]): Analysis {
  let columns = 0;
  let cteIds = 0;
  return {
    analyzers,
    options,
    temporaryFunctions: functionsByName(functions),
    library: openLibrary(options.functions ?? []),
    functionBodies: new Map(),
    sourcesRead: new Set(),
    volatileRead: new Set(),
    ctes: [],
    depths: createDepths(),
    newColumn: (name, type) => {
      refuseGrowth(columns, name, type);
      return { id: ++columns, name, type };
    },
    newCteId: () => ++cteIds,
    expanding: [],
  };
}

/** The same place, with other names in scope. */
export const within = (context: Context, scope: Scope): Context => ({ ...context, scope });

/** A scope of the tables of a FROM clause. */
export const scopeOf = (from: AnalyzedFrom, context: Context): Scope => ({ tables: from.tables, names: from.names, parent: context.scope });

/** A scope inside `context` in which each name stands for an expression (function arguments, WITH expressions, lambda parameters). */
export function withNames(context: Context, names: ReadonlyMap<string, Expr>): Context {
  return within(context, { tables: [], names, parent: context.scope });
}
