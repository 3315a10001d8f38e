// The interface of columns that a table stores in another form than the one they are shown in, and of comparisons in that form. A key does not see through the conversion.
import type { Expr, FunctionCall, OrderItem } from '../../logical/nodes.ts';

/** A shown value, compared with one value that is the same for all rows, or with the two of BETWEEN. */
export interface Comparison {
  /** The comparison with the shown value on the left. */
  readonly name: string;
  readonly value: Expr;
  readonly to?: Expr;
}

/** The comparisons in the stored form; each is undefined where there is none. */
export interface StoredForm {
  /** Returns `at`, the comparison, made with the stored value: NULL, true and false for the same rows. */
  readonly compared: (comparison: Comparison, at: FunctionCall) => Expr | undefined;
  /** Returns `at`, an IN of these items, likewise. */
  readonly listed?: (items: readonly (Expr | null)[], at: FunctionCall) => Expr | undefined;
  /** Returns a condition that is true for the rows whose value equals a constant; elsewhere it may be false instead of NULL. */
  readonly equals?: (constant: Expr, at: Expr) => Expr | undefined;
  /** Returns a condition that holds wherever the comparison does, and that a key sees. */
  readonly implied?: (comparison: Comparison, at: Expr) => Expr | undefined;
  /** Returns the values by which rows are ordered instead. */
  readonly ordered?: (item: OrderItem, isLast: boolean) => readonly OrderItem[];
}
