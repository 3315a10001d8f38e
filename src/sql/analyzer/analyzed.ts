// What the analysis makes of a query and of a FROM clause.
import type { Span } from '../../base/source-text.ts';
import { fail } from '../base/fail.ts';
import type { Column, Expr, Rel } from '../logical/nodes.ts';
import type { RangeVariable } from './names/scope.ts';

export interface Output {
  /** '' for an expression without a name. */
  readonly name: string;
  readonly column: Column;
}

export interface AnalyzedQuery {
  readonly rel: Rel;
  readonly outputs: readonly Output[];
  /** SELECT AS STRUCT or AS VALUE: the one output is the row. */
  readonly value: boolean;
}

export interface AnalyzedFrom {
  readonly rel: Rel;
  readonly tables: readonly RangeVariable[];
  /** Names that are neither tables nor their columns: USING columns of a full join. */
  readonly names: ReadonlyMap<string, Expr>;
}

export function rangeVariable(
  name: string | null,
  outputs: readonly { readonly name: string; readonly column: Column }[],
  value: boolean,
): RangeVariable {
  const only = outputs[0];
  if (value && only !== undefined) return { name, columns: [], value: only.column };
  return { name, columns: outputs, value: null };
}

/** A name in FROM means one table. */
export function withDifferentNames(from: AnalyzedFrom, span: Span): AnalyzedFrom {
  const seen = new Set<string>();
  for (const { name } of from.tables) {
    if (name === null) continue;
    if (seen.has(name.toLowerCase())) fail('type', span, `FROM has two tables called ${name}`, 'give one of them another alias');
    seen.add(name.toLowerCase());
  }
  return from;
}
