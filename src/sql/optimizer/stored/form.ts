// How a table holds a column in another form than the one it is shown in, and how values are compared in it. A key does not see through the conversion.
import type { Expr, FunctionCall, OrderItem } from '../../logical/nodes.ts';

/** A value that is shown, compared with one value that is the same for all rows, or with the two of BETWEEN. */
export interface Comparison {
  /** With what is shown on the left. */
  readonly name: string;
  readonly value: Expr;
  readonly to?: Expr;
}

/** Each answer is undefined where it can't be said in the stored form. */
export interface StoredForm {
  /** Returns `at`, the comparison, made with what is stored: NULL, true and false for the same rows. */
  readonly compared: (comparison: Comparison, at: FunctionCall) => Expr | undefined;
  /** Returns `at`, an IN of these items, likewise. */
  readonly listed?: (items: readonly (Expr | null)[], at: FunctionCall) => Expr | undefined;
  /** Returns what is true for the rows whose value equals a constant; elsewhere it may be false instead of NULL. */
  readonly equals?: (constant: Expr, at: Expr) => Expr | undefined;
  /** Returns a condition that holds wherever the comparison does, and that a key sees. */
  readonly implied?: (comparison: Comparison, at: Expr) => Expr | undefined;
  /** Returns what rows are ordered by instead. */
  readonly ordered?: (item: OrderItem, isLast: boolean) => readonly OrderItem[];
}
