// The results of the analysis: of a query and of a FROM clause.
import type { Span } from '../../base/source-text.ts';
import { fail } from '../base/fail.ts';
import type { Column, Expr, Rel } from '../logical/nodes.ts';
import type * as ast from '../syntax/ast.ts';
import type { RangeVariable } from './names/scope.ts';

export interface Output {
  /** '' for an expression without a name. */
  readonly name: string;
  readonly column: Column;
}

export interface AnalyzedQuery {
  readonly rel: Rel;
  readonly outputs: readonly Output[];
  /** True of SELECT AS STRUCT and AS VALUE, whose one output is the row. */
  readonly value: boolean;
}

export interface AnalyzedFrom {
  readonly rel: Rel;
  readonly tables: readonly RangeVariable[];
  /** Names that are neither tables nor their columns: USING columns of a full join. */
  readonly names: ReadonlyMap<string, Expr>;
}

/** Returns the rows of a query as a table of that name. */
export function rangeVariable(name: string | null, { outputs, value }: Pick<AnalyzedQuery, 'outputs' | 'value'>): RangeVariable {
  const [only] = outputs;
  if (value && only !== undefined) return { name, columns: [], value: only.column };
  return { name, columns: outputs, value: null };
}

/** Returns the rows of a query as a FROM clause with one table of that name. */
export const asFrom = (query: AnalyzedQuery, name: string | null): AnalyzedFrom => ({
  rel: query.rel,
  tables: [rangeVariable(name, query)],
  names: new Map(),
});

/** Refuses a list of column names that has another length than the rows. */
export function refuseColumnCount({ name: { name, span }, columns }: ast.Cte, returned: number): void {
  if (columns.length > 0 && columns.length !== returned)
    fail('type', span, `${name} names ${columns.length} columns, but its query returns ${returned}`);
}

/** Refuses two tables of one name in FROM. */
export function withDifferentNames(from: AnalyzedFrom, span: Span): AnalyzedFrom {
  const seen = new Set<string>();
  for (const { name } of from.tables) {
    if (name === null) continue;
    if (seen.has(name.toLowerCase())) fail('type', span, `FROM has two tables called ${name}`, 'give one of them another alias');
    seen.add(name.toLowerCase());
  }
  return from;
}
