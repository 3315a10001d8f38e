// What a function is to the logical plan: its name, its signature, and how a call of it is written in ClickHouse. The functions themselves are in functions/.

import type { Range } from '../base/number-range.ts';
import type { TextKind, Type } from '../base/types.ts';
import type { SqlExpression } from '../target/ast.ts';
import type { Expr, LiteralValue } from './nodes.ts';

/** What lowering knows of one call, besides the written arguments. */
export interface LowerCall {
  /** Arguments as resolved, by position; null where left out. */
  readonly args: readonly (Expr | null)[];
  /** The call's own GoogleSQL type. */
  readonly type: Type;
  /** The call was written with SAFE. */
  readonly safe: boolean;
  /** Type of the argument at `position` (repeated arguments count on). */
  typeOf(position: number): Type;
  /** Value of a constant argument (date parts: their text), or undefined. */
  constant(position: number): LiteralValue | undefined;
  /** The argument is known to be neither NaN nor infinite (every type but FLOAT64 is). */
  finite(position: number): boolean;
  /** The argument is a column that is known never to be NULL. */
  neverNull(position: number): boolean;
  /** Between which bounds the argument lies, where that is known. */
  range(position: number): Range | undefined;
  /** What tells this call from others and one row from another, for functions that give a new value at each call: ClickHouse computes equal calls once. */
  occasion(): SqlExpression;
  /** A name unused elsewhere in the query, for lambda parameters. */
  fresh(base: string): string;
  /** `value`, but the query fails with `message` where `condition` is true; with SAFE. the value is NULL there. */
  failIf(condition: SqlExpression, message: string, value: SqlExpression): SqlExpression;
  /** `value` as CAST writes it in another type, SAFE_CAST in a SAFE. call. */
  cast(value: SqlExpression, from: Type, to: Type): SqlExpression;
}

/** What lowering knows of one aggregate call. */
export interface LowerAggregateCall extends LowerCall {
  readonly distinct: boolean;
  readonly ignoreNulls: boolean;
  readonly respectNulls: boolean;
  /** A check of every value costs nothing measurable here: the values are sorted, compared or in an array anyway. */
  readonly checked: boolean;
  /** ORDER BY inside the call: rows are put in this order. */
  readonly orderBy: readonly SortItem[];
  /** LIMIT inside the call. */
  readonly limit: SqlExpression | null;
  /** Writes the ClickHouse aggregate, with the call's DISTINCT, its HAVING MAX/MIN, and its OVER clause where it is a window call. */
  aggregate(name: string, args: readonly SqlExpression[], options?: AggregateOptions): SqlExpression;
}

interface AggregateOptions {
  readonly params?: readonly SqlExpression[];
  /** Instead of the call's own DISTINCT. */
  readonly distinct?: boolean;
  /** Only rows for which this holds. */
  readonly where?: SqlExpression;
}

export interface SortItem {
  readonly value: SqlExpression;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
  readonly type: Type;
  /** Never NaN. */
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
  /** Another value at every call (RAND). */
  readonly volatile?: boolean;
  /** How a call is written where it is no call: `+`, `IS NULL`. */
  readonly operator?: string;
  /** NULL where any argument is NULL, or where the first one is. */
  readonly strict?: 'any' | 'first';
  /** A FLOAT64 result is neither NaN nor infinite where no argument is. */
  readonly finite?: true;
  /** Bounds of the result, or of the elements of an array: always the same ones, or made of those of the arguments. */
  readonly range?: Range | ((...args: readonly (Range | undefined)[]) => Range | undefined);
  /** An array of different values, none of them NULL, whatever the arguments. */
  readonly series?: true;
  /** True only of a first argument that has the second one in it, or a text that the second one as a regular expression without signs says. */
  readonly searches?: 'value' | 'regexp';
  /** The element of an array, the first argument, at a position that counts from here. */
  readonly elementFrom?: 0 | 1;
  /** The value of the first argument that is not NULL. */
  readonly firstPresent?: true;
  /** NULL for NULL alone: never of arguments none of which is NULL. */
  readonly nullForNullOnly?: true;
  /** It compares its arguments, so that BigQuery must know when two values of their type are equal. */
  readonly compares?: true;
  /** A comparison of two values, and which one says the same of them with the sides changed. */
  readonly turned?: string;
  /** True where two values are the same, and only there. */
  readonly equality?: true;
  /** Whether the second argument, a pattern or an array of them, takes the first. */
  readonly matches?: true;
  /** The argument at this position, where it is a text, must be one of this kind: the call fails for others. */
  readonly readsText?: readonly [position: number, kind: TextKind];
  /** How many characters, bytes or elements the argument has. */
  readonly length?: true;
  /** Writes values of all types as text or JSON: NULL is written too. */
  readonly writesAny?: true;
  /** An array read from JSON, NULL where there is no such array. */
  readonly readsJsonArray?: true;
  /** Cuts a time, the first argument, to a part, the second. */
  readonly cutsTime?: true;
  /** The first argument is divided by the second, which is what it fails for. */
  readonly divides?: true;
  /** It fails for no arguments, so that SAFE. changes nothing. */
  readonly neverFails?: true;
  /** Gives the same for an empty array as for NULL, or an empty array, and then it is known elsewhere whether that one stands for NULL. */
  readonly emptyLikeNull?: true;
  /** An array whose elements may be NULL: `made`, whatever the arguments are; `given`, where an argument is NULL. Of other functions, where those of an argument are. */
  readonly nullElements?: 'made' | 'given';
  /** An aggregate that collects values in an array, NULL over no rows: unless the call says more, `all` of them, NULLs too, or those `present`. */
  readonly collects?: 'all' | 'present';
  /** The value of one of the rows, NULL where there is no such row. */
  readonly picks?: true;
}

/** What a definition may say besides its signature. */
export type Facts = Partial<Omit<Definition, 'name' | 'signature'>>;

export interface FunctionDefinition extends Definition {
  readonly kind: 'function';
  readonly lower: (args: NamedArguments, call: LowerCall) => SqlExpression;
}

export interface AggregateDefinition extends Definition {
  readonly kind: 'aggregate';
  readonly lower: (args: NamedArguments, call: LowerAggregateCall) => SqlExpression;
  /** Modifiers it takes besides DISTINCT and HAVING MAX/MIN. */
  readonly takes: { readonly distinct: boolean; readonly orderBy: boolean; readonly limit: boolean; readonly nulls: boolean };
  /** Over no rows the value is 0 (COUNT, COUNTIF), not NULL. */
  readonly zeroWhenEmpty: boolean;
  /** May be called with OVER. */
  readonly windowed: boolean;
}

export interface WindowDefinition extends Definition {
  readonly kind: 'window';
  readonly lower: (args: NamedArguments, call: LowerAggregateCall) => SqlExpression;
  /** `order`: null where ORDER BY may be left out, else whether it must or must not be there. */
  readonly takes: { readonly frame: boolean; readonly nulls: boolean; readonly order: boolean | null };
}

export type AnyDefinition = FunctionDefinition | AggregateDefinition | WindowDefinition;
