// Syntax nodes of expressions and their parts: types, order items, windows.
import type { Span } from '../../base/source-text.ts';
import type { Query } from './ast-query.ts';

/** The properties of every node. */
export interface Node {
  readonly span: Span;
}

/** A name as written, with its case, but without backticks. */
export interface Identifier extends Node {
  readonly kind: 'identifier';
  readonly name: string;
  readonly quoted: boolean;
}

interface NullLiteral extends Node {
  readonly kind: 'null_literal';
}
interface BoolLiteral extends Node {
  readonly kind: 'bool_literal';
  readonly value: boolean;
}
/** Decimal or 0x hexadecimal, never negative (the sign is a unary operator). */
interface IntLiteral extends Node {
  readonly kind: 'int_literal';
  readonly value: bigint;
}
/** `1.5e-3`, `.5`, `2.`: the text as written. */
interface FloatLiteral extends Node {
  readonly kind: 'float_literal';
  readonly text: string;
}
/** A string after escapes; adjacent literals are one value already. */
interface StringLiteral extends Node {
  readonly kind: 'string_literal';
  readonly value: string;
}
/** Bytes as a Latin-1 string: one character per byte. */
interface BytesLiteral extends Node {
  readonly kind: 'bytes_literal';
  readonly value: string;
}
export type TypedLiteralType = 'DATE' | 'TIME' | 'DATETIME' | 'TIMESTAMP' | 'NUMERIC' | 'BIGNUMERIC' | 'JSON';
/** `DATE '2026-01-02'`, `NUMERIC '1.5'`; DECIMAL and BIGDECIMAL read as NUMERIC and BIGNUMERIC. */
export interface TypedLiteral extends Node {
  readonly kind: 'typed_literal';
  readonly type: TypedLiteralType;
  readonly text: string;
}
/** `INTERVAL x DAY`, `INTERVAL '1-2' YEAR TO MONTH`; parts in upper case. */
export interface IntervalExpr extends Node {
  readonly kind: 'interval';
  readonly value: Expr;
  readonly from: string;
  readonly to: string | null;
}
interface Parameter extends Node {
  readonly kind: 'parameter';
  readonly name: string;
}
/** `a`, `a.b.c`, as far as it has only names: the analysis decides which part is table, column or field. */
export interface Path extends Node {
  readonly kind: 'path';
  readonly parts: readonly Identifier[];
}
/** `expr.field` where expr is not a path, e.g. `f(x).field`, `arr[0].field`. */
interface FieldAccess extends Node {
  readonly kind: 'field_access';
  readonly of: Expr;
  readonly field: Identifier;
}
/** `arr[i]`, `arr[OFFSET(i)]`, `json['key']`; mode is the wrapper in lower case. */
export interface Subscript extends Node {
  readonly kind: 'subscript';
  readonly of: Expr;
  readonly mode: 'plain' | 'offset' | 'ordinal' | 'safe_offset' | 'safe_ordinal' | 'key' | 'safe_key';
  readonly index: Expr;
}
export type UnaryOperator = '-' | '+' | '~' | 'NOT';
export interface Unary extends Node {
  readonly kind: 'unary';
  readonly operator: UnaryOperator;
  readonly operand: Expr;
}
/** `!=` is read as `<>`. */
export type BinaryOperator =
  | '+'
  | '-'
  | '*'
  | '/'
  | '||'
  | '&'
  | '|'
  | '^'
  | '<<'
  | '>>'
  | '='
  | '<>'
  | '<'
  | '<='
  | '>'
  | '>='
  | 'AND'
  | 'OR';
export interface Binary extends Node {
  readonly kind: 'binary';
  readonly operator: BinaryOperator;
  readonly left: Expr;
  readonly right: Expr;
}
/** `x IS [NOT] NULL | TRUE | FALSE | UNKNOWN`. */
interface IsTest extends Node {
  readonly kind: 'is_test';
  readonly operand: Expr;
  readonly test: 'NULL' | 'TRUE' | 'FALSE' | 'UNKNOWN';
  readonly not: boolean;
}
interface IsDistinct extends Node {
  readonly kind: 'is_distinct';
  readonly left: Expr;
  readonly right: Expr;
  /** `IS NOT DISTINCT FROM`. */
  readonly not: boolean;
}
interface Between extends Node {
  readonly kind: 'between';
  readonly operand: Expr;
  readonly low: Expr;
  readonly high: Expr;
  readonly not: boolean;
}
/** Right-hand side of IN and of quantified LIKE. */
export type Membership =
  | { readonly kind: 'list'; readonly items: readonly Expr[] }
  | { readonly kind: 'in_query'; readonly query: Query }
  | { readonly kind: 'unnest'; readonly array: Expr };
export interface InTest extends Node {
  readonly kind: 'in';
  readonly operand: Expr;
  readonly in: Membership;
  readonly not: boolean;
}
interface Like extends Node {
  readonly kind: 'like';
  readonly operand: Expr;
  readonly pattern: Expr;
  readonly not: boolean;
}
export interface QuantifiedLike extends Node {
  readonly kind: 'quantified_like';
  readonly operand: Expr;
  readonly quantifier: 'ANY' | 'ALL';
  readonly patterns: Membership;
  readonly not: boolean;
}
export interface Case extends Node {
  readonly kind: 'case';
  /** `CASE operand WHEN …`; null for the searched form. */
  readonly operand: Expr | null;
  readonly whens: readonly { readonly when: Expr; readonly then: Expr }[];
  readonly otherwise: Expr | null;
}
export interface Cast extends Node {
  readonly kind: 'cast';
  readonly operand: Expr;
  readonly to: TypeRef;
  readonly safe: boolean;
  readonly format: Expr | null;
  readonly timeZone: Expr | null;
}
/** `EXTRACT(part FROM x [AT TIME ZONE z])`; part in upper case, `WEEK(MONDAY)` written so. */
export interface Extract extends Node {
  readonly kind: 'extract';
  readonly part: string;
  readonly from: Expr;
  readonly timeZone: Expr | null;
}
/** One argument of a call. A date part (`DAY`, `WEEK(MONDAY)`) is read as an ordinary path or call; the function that wants one says so. */
export interface Argument {
  readonly value: Expr | Lambda;
  /** `name => value`. */
  readonly name: Identifier | null;
  /** Alias inside e.g. `STRUCT(x AS a)`. */
  readonly alias: Identifier | null;
}
export interface Lambda extends Node {
  readonly kind: 'lambda';
  readonly parameters: readonly Identifier[];
  readonly body: Expr;
}
/** Any call, aggregate and window calls included; `name` has its parts as written (`SAFE.SUBSTR`, `NET.HOST`), without SAFE. */
export interface Call extends Node {
  readonly kind: 'call';
  readonly name: readonly Identifier[];
  readonly safe: boolean;
  readonly args: readonly Argument[];
  /** `COUNT(*)`. */
  readonly star: boolean;
  readonly distinct: boolean;
  readonly nulls: 'IGNORE' | 'RESPECT' | null;
  readonly having: { readonly which: 'MAX' | 'MIN'; readonly value: Expr } | null;
  readonly orderBy: readonly OrderItem[];
  readonly limit: Expr | null;
  readonly over: WindowRef | null;
}
export interface ArrayLiteral extends Node {
  readonly kind: 'array';
  /** `ARRAY<INT64>[…]`. */
  readonly elementType: TypeRef | null;
  readonly elements: readonly Expr[];
}
/** `STRUCT(…)`, `STRUCT<a INT64>(…)` and the tuple `(a, b)`. */
export interface StructLiteral extends Node {
  readonly kind: 'struct';
  readonly type: TypeRef | null;
  readonly fields: readonly { readonly value: Expr; readonly name: Identifier | null }[];
}
export interface SubqueryExpr extends Node {
  readonly kind: 'subquery';
  readonly mode: 'scalar' | 'array' | 'exists';
  readonly query: Query;
}
/** `WITH(a AS 1, b AS a + 1, a + b)` as an expression. */
export interface WithExpr extends Node {
  readonly kind: 'with_expr';
  readonly bindings: readonly { readonly name: Identifier; readonly value: Expr }[];
  readonly body: Expr;
}

export type Expr =
  | NullLiteral
  | BoolLiteral
  | IntLiteral
  | FloatLiteral
  | StringLiteral
  | BytesLiteral
  | TypedLiteral
  | IntervalExpr
  | Parameter
  | Path
  | FieldAccess
  | Subscript
  | Unary
  | Binary
  | IsTest
  | IsDistinct
  | Between
  | InTest
  | Like
  | QuantifiedLike
  | Case
  | Cast
  | Extract
  | Call
  | ArrayLiteral
  | StructLiteral
  | SubqueryExpr
  | WithExpr;

/** A type; name in upper case (`INT64`, `ARRAY`, `STRUCT`), aliases such as BIGINT replaced. */
export interface TypeRef extends Node {
  readonly kind: 'type';
  readonly name: string;
  /** `ARRAY<T>`. */
  readonly element: TypeRef | null;
  /** `STRUCT<a T, U>`. */
  readonly fields: readonly { readonly name: Identifier | null; readonly type: TypeRef }[];
  /** `NUMERIC(10, 2)`, `STRING(5)`. */
  readonly parameters: readonly bigint[];
}

export interface OrderItem extends Node {
  readonly kind: 'order_item';
  readonly value: Expr;
  readonly descending: boolean;
  readonly nulls: 'FIRST' | 'LAST' | null;
  readonly collate: Expr | null;
}

export interface FrameBound {
  readonly kind: 'unbounded_preceding' | 'preceding' | 'current_row' | 'following' | 'unbounded_following';
  readonly offset: Expr | null;
}
/** `OVER name` has only `base`; `OVER (base PARTITION BY …)` any mix. */
export interface WindowRef extends Node {
  readonly kind: 'window';
  readonly base: Identifier | null;
  /** True for `OVER name` without parentheses. */
  readonly bare: boolean;
  readonly partitionBy: readonly Expr[];
  readonly orderBy: readonly OrderItem[];
  readonly frame: { readonly unit: 'ROWS' | 'RANGE'; readonly start: FrameBound; readonly end: FrameBound } | null;
}
