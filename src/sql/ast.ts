// The syntax tree of a BigQuery query, as the parser reads it: plain readonly objects, one discriminated union, every node with its span.
import type { Span } from '../source-text.ts';

interface Node {
  readonly span: Span;
}

/** A name as written: back quotes removed, letters' case kept. */
export interface Identifier extends Node {
  readonly kind: 'identifier';
  readonly name: string;
  readonly quoted: boolean;
}

// ---- expressions ------------------------------------------------------------------------------------------------------------

export interface NullLiteral extends Node {
  readonly kind: 'null_literal';
}
export interface BoolLiteral extends Node {
  readonly kind: 'bool_literal';
  readonly value: boolean;
}
/** Decimal or 0x hexadecimal, never negative (the sign is a unary operator). */
export interface IntLiteral extends Node {
  readonly kind: 'int_literal';
  readonly value: bigint;
}
/** Text as written, e.g. `1.5e-3`, `.5`, `2.`. */
export interface FloatLiteral extends Node {
  readonly kind: 'float_literal';
  readonly text: string;
}
/** Value after escapes; adjacent literals are one value already. */
export interface StringLiteral extends Node {
  readonly kind: 'string_literal';
  readonly value: string;
}
/** Bytes as a Latin-1 string: one character per byte. */
export interface BytesLiteral extends Node {
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
export interface Parameter extends Node {
  readonly kind: 'parameter';
  readonly name: string;
}
/** `a`, `a.b.c` as far as it is only names: which part is table, column or field is for the analysis. */
export interface Path extends Node {
  readonly kind: 'path';
  readonly parts: readonly Identifier[];
}
/** `expr.field` where expr is not a path, e.g. `f(x).field`, `arr[0].field`. */
export interface FieldAccess extends Node {
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
export interface IsTest extends Node {
  readonly kind: 'is_test';
  readonly operand: Expr;
  readonly test: 'NULL' | 'TRUE' | 'FALSE' | 'UNKNOWN';
  readonly not: boolean;
}
export interface IsDistinct extends Node {
  readonly kind: 'is_distinct';
  readonly left: Expr;
  readonly right: Expr;
  /** `IS NOT DISTINCT FROM`. */
  readonly not: boolean;
}
export interface Between extends Node {
  readonly kind: 'between';
  readonly operand: Expr;
  readonly low: Expr;
  readonly high: Expr;
  readonly not: boolean;
}
/** Right-hand side of IN and of quantified LIKE. */
export type Membership =
  | { readonly kind: 'list'; readonly items: readonly Expr[] }
  | { readonly kind: 'query'; readonly query: Query }
  | { readonly kind: 'unnest'; readonly array: Expr };
export interface InTest extends Node {
  readonly kind: 'in';
  readonly operand: Expr;
  readonly in: Membership;
  readonly not: boolean;
}
export interface Like extends Node {
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
/** Any call, aggregate and window calls included; `name` parts as written (`SAFE.SUBSTR`, `NET.HOST`), SAFE. removed. */
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

// ---- queries ----------------------------------------------------------------------------------------------------------------

/** `[WITH …] body [ORDER BY …] [LIMIT …]`, then pipe operators. */
export interface Query extends Node {
  readonly kind: 'query';
  readonly recursive: boolean;
  readonly ctes: readonly Cte[];
  readonly body: QueryBody;
  readonly orderBy: readonly OrderItem[];
  readonly limit: Expr | null;
  readonly offset: Expr | null;
  readonly pipes: readonly PipeOperator[];
}
export interface Cte extends Node {
  readonly kind: 'cte';
  readonly name: Identifier;
  readonly columns: readonly Identifier[];
  readonly query: Query;
}
/** `from` as a body is the pipe syntax's leading `FROM x`. */
export type QueryBody = Select | SetOperation | Query | FromBody;
export interface FromBody extends Node {
  readonly kind: 'from';
  readonly from: TableExpr;
}
export interface SetOperation extends Node {
  readonly kind: 'set_operation';
  readonly operator: 'UNION' | 'INTERSECT' | 'EXCEPT';
  readonly all: boolean;
  /** `[FULL|LEFT|INNER] … BY NAME` / `CORRESPONDING`; null: by position. */
  readonly byName: { readonly mode: 'INNER' | 'LEFT' | 'FULL' | 'STRICT'; readonly columns: readonly Identifier[] | null } | null;
  /** Two or more; BigQuery joins equal operators into one left-to-right chain. */
  readonly inputs: readonly QueryBody[];
}
export interface Select extends Node {
  readonly kind: 'select';
  readonly distinct: boolean;
  readonly as: 'STRUCT' | 'VALUE' | null;
  readonly items: readonly SelectItem[];
  readonly from: TableExpr | null;
  readonly where: Expr | null;
  readonly groupBy: GroupBy | null;
  readonly having: Expr | null;
  readonly qualify: Expr | null;
  readonly windows: readonly { readonly name: Identifier; readonly window: WindowRef }[];
}
export interface ExprItem extends Node {
  readonly kind: 'expr_item';
  readonly value: Expr;
  readonly alias: Identifier | null;
}
/** `*`, `t.*`, `(expr).*` with EXCEPT and REPLACE. */
export interface StarItem extends Node {
  readonly kind: 'star_item';
  readonly of: Expr | null;
  readonly except: readonly Identifier[];
  readonly replace: readonly ExprItem[];
}
export type SelectItem = ExprItem | StarItem;

export interface GroupBy extends Node {
  readonly kind: 'group_by';
  /** `GROUP BY ALL`. */
  readonly all: boolean;
  readonly items: readonly GroupingItem[];
}
/** An expression (with an alias in pipe syntax), `()`, ROLLUP, CUBE or GROUPING SETS; inside sets, a parenthesised list is a `set`. */
export type GroupingItem =
  | {
      readonly kind: 'expr';
      readonly value: Expr;
      readonly alias: Identifier | null;
      readonly order: OrderItem | null;
      readonly span: Span;
    }
  | { readonly kind: 'set'; readonly items: readonly Expr[]; readonly span: Span }
  | { readonly kind: 'rollup' | 'cube'; readonly items: readonly (readonly Expr[])[]; readonly span: Span }
  | { readonly kind: 'grouping_sets'; readonly items: readonly GroupingItem[]; readonly span: Span };

// ---- FROM -------------------------------------------------------------------------------------------------------------------

/** A table, CTE, or array path (`t.arr`): which, the analysis decides. `a.b.c`, `` `a.b.c` `` (one quoted part holding dots is split by the analysis). */
export interface TableName extends Node {
  readonly kind: 'table_name';
  readonly parts: readonly Identifier[];
  readonly alias: Identifier | null;
  readonly withOffset: WithOffset | null;
  readonly forSystemTime: Expr | null;
  readonly operators: readonly TableOperator[];
}
export interface WithOffset extends Node {
  readonly kind: 'with_offset';
  readonly alias: Identifier | null;
}
export interface Unnest extends Node {
  readonly kind: 'unnest';
  readonly array: Expr;
  readonly alias: Identifier | null;
  readonly withOffset: WithOffset | null;
  readonly operators: readonly TableOperator[];
}
export interface TableSubquery extends Node {
  readonly kind: 'table_subquery';
  readonly query: Query;
  readonly alias: Identifier | null;
  readonly operators: readonly TableOperator[];
}
export interface Join extends Node {
  readonly kind: 'join';
  /** COMMA is a cross join written with a comma. */
  readonly type: 'INNER' | 'LEFT' | 'RIGHT' | 'FULL' | 'CROSS' | 'COMMA';
  readonly left: TableExpr;
  readonly right: TableExpr;
  readonly on: Expr | null;
  readonly using: readonly Identifier[];
}
/** A parenthesised join. */
export interface ParenthesisedJoin extends Node {
  readonly kind: 'parenthesised_join';
  readonly join: TableExpr;
  readonly operators: readonly TableOperator[];
}
export type TableExpr = TableName | Unnest | TableSubquery | Join | ParenthesisedJoin;

export interface PivotColumn {
  readonly value: Expr;
  readonly alias: Identifier | null;
}
export interface Pivot extends Node {
  readonly kind: 'pivot';
  readonly aggregates: readonly { readonly call: Expr; readonly alias: Identifier | null }[];
  readonly input: Expr;
  readonly columns: readonly PivotColumn[];
  readonly alias: Identifier | null;
}
export interface Unpivot extends Node {
  readonly kind: 'unpivot';
  readonly includeNulls: boolean;
  readonly values: readonly Identifier[];
  readonly name: Identifier;
  readonly columns: readonly { readonly columns: readonly Path[]; readonly label: Expr | null }[];
  readonly alias: Identifier | null;
}
/** `TABLESAMPLE SYSTEM (n PERCENT)`. */
export interface TableSample extends Node {
  readonly kind: 'tablesample';
  readonly percent: Expr;
}
export type TableOperator = Pivot | Unpivot | TableSample;

// ---- pipe syntax ------------------------------------------------------------------------------------------------------------

interface Pipe<K extends string> extends Node {
  readonly kind: K;
}
export type PipeOperator =
  | (Pipe<'pipe_select'> & {
      readonly distinct: boolean;
      readonly as: 'STRUCT' | 'VALUE' | null;
      readonly items: readonly SelectItem[];
      readonly windows: Select['windows'];
    })
  | (Pipe<'pipe_extend'> & { readonly items: readonly SelectItem[]; readonly windows: Select['windows'] })
  | (Pipe<'pipe_set'> & { readonly items: readonly { readonly column: Identifier; readonly value: Expr }[] })
  | (Pipe<'pipe_drop'> & { readonly columns: readonly Identifier[] })
  | (Pipe<'pipe_rename'> & { readonly columns: readonly { readonly from: Identifier; readonly to: Identifier }[] })
  | (Pipe<'pipe_as'> & { readonly alias: Identifier })
  | (Pipe<'pipe_where'> & { readonly condition: Expr })
  | (Pipe<'pipe_limit'> & { readonly limit: Expr; readonly offset: Expr | null })
  | (Pipe<'pipe_aggregate'> & {
      readonly items: readonly (ExprItem & { readonly order: OrderItem | null })[];
      readonly groupBy: GroupBy | null;
      readonly orderGroups: boolean;
    })
  | (Pipe<'pipe_distinct'> & Node)
  | (Pipe<'pipe_order_by'> & { readonly items: readonly OrderItem[] })
  | (Pipe<'pipe_set_operation'> & {
      readonly operator: SetOperation['operator'];
      readonly all: boolean;
      readonly byName: SetOperation['byName'];
      readonly queries: readonly Query[];
    })
  | (Pipe<'pipe_join'> & {
      readonly type: Join['type'];
      readonly right: TableExpr;
      readonly on: Expr | null;
      readonly using: readonly Identifier[];
    })
  | (Pipe<'pipe_assert'> & { readonly condition: Expr; readonly payload: readonly Expr[] })
  | (Pipe<'pipe_with'> & { readonly ctes: readonly Cte[] })
  | (Pipe<'pipe_window'> & { readonly items: readonly ExprItem[]; readonly windows: Select['windows'] })
  | Pivot
  | Unpivot
  | TableSample;

// ---- statements -------------------------------------------------------------------------------------------------------------

export interface FunctionDefinition extends Node {
  readonly kind: 'create_function';
  readonly name: Identifier;
  /** type null: `ANY TYPE`. */
  readonly parameters: readonly { readonly name: Identifier; readonly type: TypeRef | null }[];
  readonly returns: TypeRef | null;
  readonly body: Expr;
}

/** A whole text: temporary functions, then one query. */
export interface Script extends Node {
  readonly kind: 'script';
  readonly functions: readonly FunctionDefinition[];
  readonly query: Query;
}
