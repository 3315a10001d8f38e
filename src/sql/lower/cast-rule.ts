// A rule of CAST writes the ClickHouse expression for one pair of types.

import type { Span } from '../../base/source-text.ts';
import type { Type } from '../base/types.ts';
import type { Expr, LiteralValue } from '../logical/nodes.ts';
import type { SqlExpression } from '../target/ast.ts';

export interface CastContext {
  /** SAFE_CAST: the result is NULL where CAST would fail. */
  readonly safe: boolean;
  readonly to: Type;
  readonly from: Type;
  /** AT TIME ZONE as resolved and as written in ClickHouse; if absent, UTC. */
  readonly zoneArg: Expr | null;
  readonly zone: SqlExpression | undefined;
  /** The value of the operand if it is a constant. */
  readonly constant: LiteralValue | undefined;
  /** A column whose type is not Nullable is cast: nothing stands behind a NULL. */
  readonly isPresent: boolean;
  /** FORMAT, with its text if it is a constant. */
  readonly format: { readonly value: SqlExpression; readonly constant: LiteralValue | undefined } | null;
  readonly span: Span;
  /** Returns a name unused elsewhere in the query. */
  fresh(base: string): string;
}
export type CastRule = (value: SqlExpression, context: CastContext) => SqlExpression;

/** Rules by their pair of types, such as `INT64>STRING`. */
export type CastRules = Readonly<Record<string, CastRule>>;
