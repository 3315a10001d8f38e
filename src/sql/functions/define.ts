// How a BigQuery function is defined: one signature text, which is also its documentation, and how it is written in ClickHouse.

import type { Expr, LiteralValue } from '../logical/resolved.ts';
import type { Ch } from '../target/ast.ts';
import type { Type } from '../types.ts';

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
  /** A name unused elsewhere in the query, for lambda parameters. */
  fresh(base: string): string;
  /** `value`, but the query fails with `message` where `condition` is true; with SAFE. the value is NULL there. */
  failIf(condition: Ch, message: string, value: Ch): Ch;
  /** `value` as CAST writes it in another type, SAFE_CAST in a SAFE. call. */
  cast(value: Ch, from: Type, to: Type): Ch;
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
  readonly limit: Ch | null;
  /** Writes the ClickHouse aggregate, with the call's DISTINCT, its HAVING MAX/MIN, and its OVER clause where it is a window call. */
  aggregate(name: string, args: readonly Ch[], options?: AggregateOptions): Ch;
}

export interface AggregateOptions {
  readonly params?: readonly Ch[];
  /** Instead of the call's own DISTINCT. */
  readonly distinct?: boolean;
  /** Only rows for which this holds. */
  readonly where?: Ch;
}

export interface SortItem {
  readonly value: Ch;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
  readonly type: Type;
  /** Never NaN. */
  readonly finite: boolean;
}

type Parameters_<S> = S extends `${infer P} -> ${string}` ? (P extends '' ? never : Split<P>) : never;
type Split<P> = P extends `${infer Head}, ${infer Rest}` ? Head | Split<Rest> : P;
type ArgumentOf<P> = P extends `[${infer N} ${string}]`
  ? { readonly [K in N]?: Ch }
  : P extends `...${infer N} ${string}`
    ? { readonly [K in N]: readonly Ch[] }
    : P extends `${infer N} ${string}`
      ? { readonly [K in N]: Ch }
      : never;
type Together<U> = (U extends unknown ? (x: U) => void : never) extends (x: infer I) => void ? I : never;
/** Arguments by the names of the (first) signature. */
export type Arguments<S extends string> = Together<ArgumentOf<Parameters_<FirstOf<S>>>>;
type FirstOf<S> = S extends `${infer First} | ${string}` ? First : S;

/** Arguments as lowering passes them: by name; repeated ones as arrays. */
export type NamedArguments = Readonly<Record<string, Ch | readonly Ch[] | undefined>>;

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
  readonly doc?: string;
  /** Another value at every call (RAND). */
  readonly volatile?: boolean;
}

export interface FunctionDefinition extends Definition {
  readonly kind: 'function';
  readonly lower: (args: NamedArguments, call: LowerCall) => Ch;
  /** The function's result is NULL-free for NULL arguments or reads them itself (documentation only). */
}

export interface AggregateDefinition extends Definition {
  readonly kind: 'aggregate';
  readonly lower: (args: NamedArguments, call: LowerAggregateCall) => Ch;
  /** Modifiers it takes besides DISTINCT and HAVING MAX/MIN. */
  readonly takes: { readonly distinct: boolean; readonly orderBy: boolean; readonly limit: boolean; readonly nulls: boolean };
  /** Over no rows the value is 0 (COUNT, COUNTIF), not NULL. */
  readonly zeroWhenEmpty: boolean;
  /** May be called with OVER. */
  readonly windowed: boolean;
}

export interface WindowDefinition extends Definition {
  readonly kind: 'window';
  readonly lower: (args: NamedArguments, call: LowerAggregateCall) => Ch;
  /** `order`: null where ORDER BY may be left out, else whether it must or must not be there. */
  readonly takes: { readonly frame: boolean; readonly nulls: boolean; readonly order: boolean | null };
}

export type AnyDefinition = FunctionDefinition | AggregateDefinition | WindowDefinition;

export function define<const S extends string>(
  signature: S,
  lower: (args: Arguments<S>, call: LowerCall) => Ch,
  notes: { readonly approximate?: string; readonly doc?: string; readonly volatile?: boolean } = {},
): Omit<FunctionDefinition, 'name'> {
  // The names in `args` come from the same signature text, read at run time by signature.ts.
  return { kind: 'function', signature, lower: lower as FunctionDefinition['lower'], ...notes };
}

export function defineAggregate<const S extends string>(
  signature: S,
  lower: (args: Arguments<S>, call: LowerAggregateCall) => Ch,
  options: Partial<AggregateDefinition['takes']> & {
    readonly zeroWhenEmpty?: boolean;
    readonly windowed?: boolean;
    readonly approximate?: string;
  } = {},
): Omit<AggregateDefinition, 'name'> {
  const { zeroWhenEmpty = false, windowed = true, approximate, distinct = true, orderBy = false, limit = false, nulls = false } = options;
  return {
    kind: 'aggregate',
    signature,
    lower: lower as AggregateDefinition['lower'],
    takes: { distinct, orderBy, limit, nulls },
    zeroWhenEmpty,
    windowed,
    ...(approximate === undefined ? {} : { approximate }),
  };
}

export function defineWindow<const S extends string>(
  signature: S,
  lower: (args: Arguments<S>, call: LowerAggregateCall) => Ch,
  options: Partial<WindowDefinition['takes']> = {},
): Omit<WindowDefinition, 'name'> {
  return {
    kind: 'window',
    signature,
    lower: lower as WindowDefinition['lower'],
    takes: { frame: false, nulls: false, order: true, ...options },
  };
}

/** A family of functions as a table: name → definition without its name. */
export type Family = Readonly<
  Record<string, Omit<FunctionDefinition, 'name'> | Omit<AggregateDefinition, 'name'> | Omit<WindowDefinition, 'name'>>
>;
