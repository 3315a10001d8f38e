// What a rule of CAST is: the ClickHouse expression for one pair of types.

import type { Span } from '../../base/source-text.ts';
import type { Type } from '../base/types.ts';
import type { Expr, LiteralValue } from '../logical/nodes.ts';
import type { SqlExpression } from '../target/ast.ts';

export interface CastContext {
  /** SAFE_CAST: NULL where CAST fails. */
  readonly safe: boolean;
  readonly to: Type;
  readonly from: Type;
  /** AT TIME ZONE as resolved and as written in ClickHouse; without it UTC is meant. */
  readonly zoneArg: Expr | null;
  readonly zone: SqlExpression | undefined;
  /** The operand where it is a constant. */
  readonly constant: LiteralValue | undefined;
  /** FORMAT, and its text where it is a constant. */
  readonly format: { readonly value: SqlExpression; readonly constant: LiteralValue | undefined } | null;
  readonly span: Span;
  /** A name unused elsewhere in the query. */
  fresh(base: string): string;
}
export type CastRule = (value: SqlExpression, context: CastContext) => SqlExpression;

/** Rules by pair of types: `INT64>STRING`. */
export type CastRules = Readonly<Record<string, CastRule>>;
