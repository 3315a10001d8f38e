// The interface of a rule of the optimizer. It changes single relations and expressions; the driver walks over the plan.

import type { Type } from '../base/types.ts';
import type { Column, Expr, LogicalPlan, Rel, ScanColumn, SourceScan } from '../logical/nodes.ts';

export interface Rule {
  /** The name of its file in rules/. */
  readonly name: string;
  /** Looks at the whole plan, and returns the changes to make; undefined where there is nothing for the rule. */
  readonly changes: (plan: LogicalPlan, context: RuleContext) => Changes | undefined;
}

export interface RuleContext {
  newColumn(name: string, type: Type): Column;
  /** Returns a column that the scan reads from now on, or reads already: a part of a column of its source. */
  scanColumn(scan: SourceScan, from: ScanColumn['from'], part: ScanColumn['part'], type: Type): Column;
}

/** The changes of relations and expressions by kind; they return the same object where nothing changes. */
export interface Changes {
  /**
   * `bottom-up`, the default: the parts of a node are changed before it. `top-down`: the node is changed first; the walk goes on in the new relation,
   * but not in the new expression.
   */
  readonly order?: 'bottom-up' | 'top-down';
  readonly relations?: { readonly [K in Rel['kind']]?: (rel: Extract<Rel, { readonly kind: K }>) => Rel };
  readonly expressions?: { readonly [K in Expr['kind']]?: (expr: Extract<Expr, { readonly kind: K }>) => Expr };
  /** Changes the whole plan after all that. */
  readonly plan?: (plan: LogicalPlan) => LogicalPlan;
}
