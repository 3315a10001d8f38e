// How a BigQuery function is defined: one signature text, which is also its documentation, and how it is written in ClickHouse.
import type {
  AggregateDefinition,
  Facts,
  FunctionDefinition,
  LowerAggregateCall,
  LowerCall,
  WindowDefinition,
} from '../logical/function.ts';
import type { SqlExpression } from '../target/ast.ts';

export type { AnyDefinition, Facts, FunctionDefinition, LowerAggregateCall, LowerCall, SortItem } from '../logical/function.ts';

type Parameters_<S> = S extends `${infer P} -> ${string}` ? (P extends '' ? never : Split<P>) : never;
type Split<P> = P extends `${infer Head}, ${infer Rest}` ? Head | Split<Rest> : P;
type ArgumentOf<P> = P extends `[${infer N} ${string}]`
  ? { readonly [K in N]?: SqlExpression }
  : P extends `...${infer N} ${string}`
    ? { readonly [K in N]: readonly SqlExpression[] }
    : P extends `${infer N} ${string}`
      ? { readonly [K in N]: SqlExpression }
      : never;
type Together<U> = (U extends unknown ? (x: U) => void : never) extends (x: infer I) => void ? I : never;
/** Arguments by the names of the (first) signature. */
export type Arguments<S extends string> = Together<ArgumentOf<Parameters_<FirstOf<S>>>>;
type FirstOf<S> = S extends `${infer First} | ${string}` ? First : S;

export function define<const S extends string>(
  signature: S,
  lower: (args: Arguments<S>, call: LowerCall) => SqlExpression,
  facts: Facts = {},
): Omit<FunctionDefinition, 'name'> {
  // The names in `args` come from the same signature text, read at run time by signature.ts.
  return { kind: 'function', signature, lower: lower as FunctionDefinition['lower'], ...facts };
}

export function defineAggregate<const S extends string>(
  signature: S,
  lower: (args: Arguments<S>, call: LowerAggregateCall) => SqlExpression,
  options: Partial<AggregateDefinition['takes'] & Pick<AggregateDefinition, 'zeroWhenEmpty' | 'windowed'>> & Facts = {},
): Omit<AggregateDefinition, 'name'> {
  const { zeroWhenEmpty = false, windowed = true, distinct = true, orderBy = false, limit = false, nulls = false, ...facts } = options;
  return {
    kind: 'aggregate',
    signature,
    lower: lower as AggregateDefinition['lower'],
    takes: { distinct, orderBy, limit, nulls },
    zeroWhenEmpty,
    windowed,
    ...facts,
  };
}

export function defineWindow<const S extends string>(
  signature: S,
  lower: (args: Arguments<S>, call: LowerAggregateCall) => SqlExpression,
  options: Partial<WindowDefinition['takes']> & Facts = {},
): Omit<WindowDefinition, 'name'> {
  const { frame = false, nulls = false, order = true, ...facts } = options;
  return {
    kind: 'window',
    signature,
    lower: lower as WindowDefinition['lower'],
    takes: { frame, nulls, order },
    ...facts,
  };
}

/** A family of functions as a table: name → definition without its name. */
export type Family = Readonly<
  Record<string, Omit<FunctionDefinition, 'name'> | Omit<AggregateDefinition, 'name'> | Omit<WindowDefinition, 'name'>>
>;
