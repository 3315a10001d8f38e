// The definition of a function in the logical plan: its name, its signature, its facts, and how a call of it is written in ClickHouse. The functions are in functions/.

import type { Range } from '../base/number-range.ts';
import type { TextKind, Type } from '../base/types.ts';
import type { SqlExpression } from '../target/ast.ts';
import type { Expr, LiteralValue } from './nodes.ts';

/** The facts that lowering has of one call, besides the written arguments. */
export interface LowerCall {
  /** The arguments as resolved, by position; null where left out. */
  readonly args: readonly (Expr | null)[];
  /** The call's own GoogleSQL type. */
  readonly type: Type;
  /** True if the call was written with SAFE. */
  readonly safe: boolean;
  /** Returns the type of the argument at `position` (repeated arguments count on). */
  typeOf(position: number): Type;
  /** Returns the value of a constant argument (of date parts their text), or undefined. */
  constant(position: number): LiteralValue | undefined;
  /** True if the argument is neither NaN nor infinite (no type but FLOAT64 has such values). */
  finite(position: number): boolean;
  /** True if the argument is a column that is never NULL. */
  neverNull(position: number): boolean;
  /** True of a time that is made of the current one and constants, and so of our age. */
  nearNow(position: number): boolean;
  /** Returns the bounds of the argument, where they are known. */
  range(position: number): Range | undefined;
  /** Returns the most digits after the point that a NUMERIC argument has, where it is known. */
  digits(position: number): number | undefined;
  /** Returns an argument that differs between calls and rows, for functions that give a new value at each call: ClickHouse computes equal calls once. */
  occasion(): SqlExpression;
  /** Returns a name unused elsewhere in the query, for lambda parameters. */
  fresh(base: string): string;
  /** Returns `value`, but the query fails with `message` where `condition` is true; with SAFE. the value is NULL there. */
  failIf(condition: SqlExpression, message: string, value: SqlExpression): SqlExpression;
  /** The same of an INT64 or a FLOAT64, which costs less. */
  numberUnless(condition: SqlExpression, message: string, value: SqlExpression): SqlExpression;
  /** Converts `value` as CAST does, as SAFE_CAST in a SAFE. call. */
  cast(value: SqlExpression, from: Type, to: Type): SqlExpression;
}

/** The facts that lowering has of one aggregate call. */
export interface LowerAggregateCall extends LowerCall {
  readonly distinct: boolean;
  readonly ignoreNulls: boolean;
  readonly respectNulls: boolean;
  /** True if a check of every value costs nothing measurable: the values are sorted, compared or in an array anyway. */
  readonly checked: boolean;
  /** ORDER BY inside the call. */
  readonly orderBy: readonly SortItem[];
  /** LIMIT inside the call. */
  readonly limit: SqlExpression | null;
  /** Writes the ClickHouse aggregate, with the call's DISTINCT, its HAVING MAX/MIN, and its OVER clause where it is a window call. */
  aggregate(name: string, args: readonly SqlExpression[], options?: AggregateOptions): SqlExpression;
}

interface AggregateOptions {
  readonly params?: readonly SqlExpression[];
  /** Replaces the call's own DISTINCT. */
  readonly distinct?: boolean;
  /** The condition for rows that count. */
  readonly where?: SqlExpression;
  /** Keeps the form that is NULL over no rows, also where there are some. */
  readonly orNull?: boolean;
}

export interface SortItem {
  readonly value: SqlExpression;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
  readonly type: Type;
  /** True if the value is never NaN. */
  readonly finite: boolean;
}

/** Arguments as lowering passes them: by name; repeated ones as arrays. */
export type NamedArguments = Readonly<Record<string, SqlExpression | readonly SqlExpression[] | undefined>>;

interface Definition {
  readonly name: string;
  /**
   * `name TYPE, [optional TYPE], ...repeated TYPE -> RESULT`, overloads separated by ` | ` with the same argument names.
   * T and U are any types, unified; ANY takes each argument as it is; PART is a date part. The first overload that the arguments can be coerced to is taken,
   * exact matches before coercions.
   */
  readonly signature: string;
  /** How results may differ from BigQuery's, for the documentation. */
  readonly approximate?: string;
  /** True if every call gives another value (RAND). */
  readonly volatile?: boolean;
  /** The operator with which a call is written: `+`, `IS NULL`. */
  readonly operator?: string;
  /** The result is NULL where any argument is NULL, or where the first one is. */
  readonly strict?: 'any' | 'first';
  /** A FLOAT64 result is neither NaN nor infinite if no argument is. */
  readonly finite?: true;
  /** The bounds of the result, or of the elements of an array: constants, or computed from those of the arguments. */
  readonly range?: Range | ((...args: readonly (Range | undefined)[]) => Range | undefined);
  /** The most digits after the point that a NUMERIC result has, from those of the arguments. */
  readonly digits?: (...args: readonly (number | undefined)[]) => number | undefined;
  /** The result is an array of different values, none of them NULL, whatever the arguments. */
  readonly series?: true;
  /** The call is true only if the first argument contains the second one, or matches it as a regular expression without signs. */
  readonly searches?: 'value' | 'regexp';
  /** The call returns the element of the first argument, an array, at a position that counts from here. */
  readonly elementFrom?: 0 | 1;
  /** The call returns the first argument that is not NULL. */
  readonly firstPresent?: true;
  /** The result is never NULL if no argument is. */
  readonly nullForNullOnly?: true;
  /** The call compares its arguments, so that BigQuery must know when two values of their type are equal. */
  readonly compares?: true;
  /** The call compares two values; this comparison says the same of them with the sides changed. */
  readonly turned?: string;
  /** The call is true where two values are the same, and only there. */
  readonly equality?: true;
  /** The call tests whether the second argument, a pattern or an array of them, matches the first. */
  readonly matches?: true;
  /** The argument at this position, where it is a text, must be one of this kind: the call fails for others. */
  readonly readsText?: readonly [position: number, kind: TextKind];
  /** The call returns how many characters, bytes or elements the argument has. */
  readonly length?: true;
  /** The call writes values of all types as text or JSON: NULL is written too. */
  readonly writesAny?: true;
  /** The call reads an array from JSON, NULL where there is no such array. */
  readonly readsJsonArray?: true;
  /** The call truncates a time, the first argument, to a part, the second. */
  readonly cutsTime?: true;
  /** The call divides the first argument by the second, and fails for nothing else. */
  readonly divides?: true;
  /** The call never fails, so that SAFE. changes nothing. */
  readonly neverFails?: true;
  /** The result is the same for an empty array as for NULL, or an empty array, of which it is known elsewhere whether it stands for NULL. */
  readonly emptyLikeNull?: true;
  /** The result is an array whose elements may be NULL: `made`, whatever the arguments are; `given`, where an argument is NULL. Of other functions, where those of an argument are. */
  readonly nullElements?: 'made' | 'given';
  /** The aggregate collects values in an array, NULL over no rows: unless the call says more, `all` of them, NULLs too, or those `present`. */
  readonly collects?: 'all' | 'present';
  /** The aggregate returns the value of one of the rows, NULL where there is no such row. */
  readonly picks?: true;
}

/** The facts of a definition, besides its signature. */
export type Facts = Partial<Omit<Definition, 'name' | 'signature'>>;

export interface FunctionDefinition extends Definition {
  readonly kind: 'function';
  readonly lower: (args: NamedArguments, call: LowerCall) => SqlExpression;
}

export interface AggregateDefinition extends Definition {
  readonly kind: 'aggregate';
  readonly lower: (args: NamedArguments, call: LowerAggregateCall) => SqlExpression;
  /** The modifiers that it takes besides HAVING MAX/MIN. */
  readonly takes: { readonly distinct: boolean; readonly orderBy: boolean; readonly limit: boolean; readonly nulls: boolean };
  /** True if the value over no rows is 0 (COUNT, COUNTIF), not NULL. */
  readonly zeroWhenEmpty: boolean;
  /** True if it may be called with OVER. */
  readonly windowed: boolean;
}

export interface WindowDefinition extends Definition {
  readonly kind: 'window';
  readonly lower: (args: NamedArguments, call: LowerAggregateCall) => SqlExpression;
  /** `order`: null where ORDER BY may be left out, else whether it must or must not be there. */
  readonly takes: { readonly frame: boolean; readonly nulls: boolean; readonly order: boolean | null };
}

export type AnyDefinition = FunctionDefinition | AggregateDefinition | WindowDefinition;
