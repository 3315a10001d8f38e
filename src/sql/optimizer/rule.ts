// What a rule of the optimizer is. It says what becomes of single relations and expressions; the walk over the plan is the driver's.

import type { Type } from '../base/types.ts';
import type { Column, Expr, LogicalPlan, Rel, ScanColumn, SourceScan } from '../logical/nodes.ts';

export interface Rule {
  /** As its file in rules/ is called. */
  readonly name: string;
  /** Looks at the whole plan, and says what is to be changed in it; undefined where there is nothing for the rule. */
  readonly changes: (plan: LogicalPlan, context: RuleContext) => Changes | undefined;
}

export interface RuleContext {
  newColumn(name: string, type: Type): Column;
  /** A column that the scan reads from now on, or reads already: a part of a column of its source. */
  scanColumn(scan: SourceScan, from: ScanColumn['from'], part: ScanColumn['part'], type: Type): Column;
}

/** What becomes of the relations and expressions of a kind; the same object where nothing does. */
export interface Changes {
  /**
   * `bottom-up`, the default: what a node is made of has been changed before it. `top-down`: the node goes first; in what a relation becomes, the walk goes on,
   * in what an expression becomes, it does not.
   */
  readonly order?: 'bottom-up' | 'top-down';
  readonly relations?: { readonly [K in Rel['kind']]?: (rel: Extract<Rel, { readonly kind: K }>) => Rel };
  readonly expressions?: { readonly [K in Expr['kind']]?: (expr: Extract<Expr, { readonly kind: K }>) => Expr };
  /** After all that, for what is no change of single nodes. */
  readonly plan?: (plan: LogicalPlan) => LogicalPlan;
}
