// The logical plan: relational operators over columns with identities, and expressions that all know their GoogleSQL type.
// The analysis builds it from the syntax tree, rules rewrite it, lowering writes it as ClickHouse SQL. Names play no part any more.
import type { Span } from '../../base/source-text.ts';
import type { IntervalValue } from '../base/interval.ts';
import type { Type } from '../base/types.ts';
import type { Source, SourceColumn } from '../source.ts';
import type { AggregateDefinition, FunctionDefinition, WindowDefinition } from './function.ts';

/** A column: equal ids are the same column. `name` is only for SQL text and messages. */
export interface Column {
  readonly id: number;
  readonly name: string;
  readonly type: Type;
}

// ---- expressions ------------------------------------------------------------------------------------------------------------

interface Typed {
  readonly type: Type;
  readonly span: Span;
}

/**
 * The value by type: BOOL boolean; INT64 bigint; FLOAT64 number; STRING text; BYTES Latin-1 text; NUMERIC, BIGNUMERIC decimal text; JSON text;
 * DATE days since 1970; TIME microseconds; DATETIME, TIMESTAMP microseconds since 1970 (bigint); INTERVAL IntervalValue; null for NULL of any type.
 */
export type LiteralValue = null | boolean | bigint | number | string | IntervalValue;

export interface Literal extends Typed {
  readonly kind: 'literal';
  readonly value: LiteralValue;
  /** A FLOAT64 as it was written: as NUMERIC it keeps all its digits. */
  readonly text?: string;
  /** True of the value of a variable, whose type is fixed; other literals take the one that their place wants. */
  readonly typed?: true;
}
export interface ColumnRef extends Typed {
  readonly kind: 'column';
  readonly column: Column;
}
interface ParameterRef extends Typed {
  readonly kind: 'parameter';
  readonly name: string;
}
/** CURRENT_TIMESTAMP(): one instant for the whole query. */
interface Instant extends Typed {
  readonly kind: 'instant';
}
export interface FunctionCall extends Typed {
  readonly kind: 'call';
  readonly fn: FunctionDefinition;
  /** By position; null for an optional argument left out. */
  readonly args: readonly (Expr | null)[];
  /** SAFE.: NULL where the function would fail. */
  readonly safe: boolean;
}
export interface Cast extends Typed {
  readonly kind: 'cast';
  readonly operand: Expr;
  readonly safe: boolean;
  readonly format: Expr | null;
  readonly timeZone: Expr | null;
}
export interface Case extends Typed {
  readonly kind: 'case';
  readonly whens: readonly { readonly when: Expr; readonly then: Expr }[];
  readonly otherwise: Expr | null;
}
interface StructExpr extends Typed {
  readonly kind: 'struct';
  readonly fields: readonly Expr[];
}
/** The field of a STRUCT by position. */
export interface Field extends Typed {
  readonly kind: 'field';
  readonly of: Expr;
  readonly index: number;
}
/** The field of a RECORD or DYNAMIC value by name. */
export interface RecordField extends Typed {
  readonly kind: 'record_field';
  readonly of: Expr;
  readonly name: string;
}
interface ArrayExpr extends Typed {
  readonly kind: 'array';
  readonly elements: readonly Expr[];
}
/** `scalar`, `array` and `exists` over the first column; `in`: needle IN (subquery). */
export interface Subquery extends Typed {
  readonly kind: 'subquery';
  readonly mode: 'scalar' | 'array' | 'exists' | 'in';
  readonly input: Rel;
  /** The column whose values are wanted. */
  readonly column: Column;
  readonly needle: Expr | null;
}
export interface Lambda extends Typed {
  readonly kind: 'lambda';
  readonly parameters: readonly Column[];
  readonly body: Expr;
}
/** A date part as an argument: `DAY`, `WEEK(MONDAY)`. */
interface DatePart extends Typed {
  readonly kind: 'date_part';
  readonly part: string;
}
/** An aggregate call before its query is grouped; the analysis replaces it by a column of Aggregate. */
interface AggregateExpr extends Typed {
  readonly kind: 'aggregate';
  readonly call: AggregateCall;
}
/** A window call before its place is found; the analysis replaces it by a column of Window. */
interface WindowExpr extends Typed {
  readonly kind: 'window';
  readonly call: WindowCall;
}

export type Expr =
  | Literal
  | ColumnRef
  | ParameterRef
  | Instant
  | FunctionCall
  | Cast
  | Case
  | StructExpr
  | Field
  | RecordField
  | ArrayExpr
  | Subquery
  | Lambda
  | DatePart
  | AggregateExpr
  | WindowExpr;

export interface OrderItem {
  readonly value: Expr;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
}

export interface AggregateCall {
  readonly fn: AggregateDefinition;
  readonly args: readonly (Expr | null)[];
  readonly distinct: boolean;
  /** null: the function's default. */
  readonly nulls: 'IGNORE' | 'RESPECT' | null;
  readonly having: { readonly which: 'MAX' | 'MIN'; readonly value: Expr } | null;
  readonly orderBy: readonly OrderItem[];
  readonly limit: Expr | null;
  readonly safe: boolean;
  readonly type: Type;
  readonly span: Span;
}

export interface FrameBound {
  readonly kind: 'unbounded_preceding' | 'preceding' | 'current_row' | 'following' | 'unbounded_following';
  readonly offset: Expr | null;
}
export interface Frame {
  readonly unit: 'ROWS' | 'RANGE';
  readonly start: FrameBound;
  readonly end: FrameBound;
}
export interface WindowCall {
  /** A numbering or navigation function, or an aggregate used as a window function. */
  readonly fn: WindowDefinition | AggregateDefinition;
  readonly args: readonly (Expr | null)[];
  readonly distinct: boolean;
  readonly nulls: 'IGNORE' | 'RESPECT' | null;
  readonly partitionBy: readonly Expr[];
  readonly orderBy: readonly OrderItem[];
  readonly frame: Frame | null;
  readonly safe: boolean;
  readonly type: Type;
  readonly span: Span;
}

// ---- relations --------------------------------------------------------------------------------------------------------------

/** One row without columns: SELECT without FROM. */
interface OneRow {
  readonly kind: 'one_row';
}
/**
 * A column of a scan, read from a column of its source: the whole column; the same as it is stored, without the cast to its GoogleSQL type; the value
 * at a path inside its record or struct, or only where text is stored there; whether the record at a path exists; of a nested column, the values at a path of
 * all its elements, an array for each level; of an array of structs, these with the fields in `path` alone; or of a map the entry of the key that is `path`.
 */
export interface ScanColumn {
  readonly column: Column;
  readonly from: SourceColumn;
  readonly part:
    | { readonly kind: 'whole' | 'stored' }
    | { readonly kind: 'path' | 'text' | 'present' | 'elements' | 'fields' | 'entry'; readonly path: readonly string[] };
}
export interface SourceScan {
  readonly kind: 'source_scan';
  readonly source: Source;
  readonly columns: readonly ScanColumn[];
  /** Its name in the query. */
  readonly alias: string;
}
/** Reads a CTE: `columns` are new columns, by position those of the CTE. */
export interface CteScan {
  readonly kind: 'cte_scan';
  readonly cte: number;
  readonly columns: readonly Column[];
  readonly alias: string;
}
export interface Join {
  readonly kind: 'join';
  readonly type: 'INNER' | 'LEFT' | 'RIGHT' | 'FULL' | 'CROSS';
  readonly left: Rel;
  readonly right: Rel;
  readonly on: Expr | null;
  /** Each shard joins its own rows: those that belong together are on one. */
  readonly colocated?: true;
}
/** Makes a row for each element of the array in each row of input (null: one row); `outer` keeps rows with an empty array. */
export interface Unnest {
  readonly kind: 'unnest';
  /**
   * Arrays as long as `array` in every row, walked in step with it. Then they and `array` are leaves of a nested column: elements that may be
   * absent are Nullable, or their type's default stands for them.
   */
  readonly zipped?: readonly { readonly array: Expr; readonly element: Column }[];
  readonly input: Rel | null;
  readonly array: Expr;
  readonly element: Column;
  readonly offset: Column | null;
  readonly outer: boolean;
}
export interface Filter {
  readonly kind: 'filter';
  readonly input: Rel;
  readonly condition: Expr;
}
/** Adds computed columns; the input's columns stay visible. */
export interface Project {
  readonly kind: 'project';
  readonly input: Rel;
  readonly items: readonly { readonly column: Column; readonly value: Expr }[];
}
/** Groups rows; above it only keys, aggregates and grouping ids are visible. */
export interface Aggregate {
  readonly kind: 'aggregate';
  readonly input: Rel;
  readonly keys: readonly { readonly column: Column; readonly value: Expr }[];
  /** Index sets into keys; null: one set of all keys. */
  readonly groupingSets: readonly (readonly number[])[] | null;
  readonly aggregates: readonly { readonly column: Column; readonly call: AggregateCall }[];
  /** GROUPING(key): 1 where the key is rolled up. */
  readonly groupings: readonly { readonly column: Column; readonly key: number }[];
}
export interface Window {
  readonly kind: 'window';
  readonly input: Rel;
  readonly items: readonly { readonly column: Column; readonly call: WindowCall }[];
}
/** Makes rows distinct over `columns`, which alone stay visible. */
interface Distinct {
  readonly kind: 'distinct';
  readonly input: Rel;
  readonly columns: readonly Column[];
}
export interface OrderLimit {
  readonly kind: 'order_limit';
  readonly input: Rel;
  readonly orderBy: readonly OrderItem[];
  readonly limit: Expr | null;
  readonly offset: Expr | null;
}
/** Combines rows; the inputs' columns become `columns` by position. */
export interface SetOperation {
  readonly kind: 'set_operation';
  readonly operator: 'UNION' | 'INTERSECT' | 'EXCEPT';
  readonly all: boolean;
  readonly inputs: readonly { readonly rel: Rel; readonly columns: readonly Column[] }[];
  readonly columns: readonly Column[];
}
/** The rows of a table that is spread over shards, as the server that was asked has them: what stands above runs there alone. */
export interface Gather {
  readonly kind: 'gather';
  readonly input: Rel;
}
export interface CteDefinition {
  readonly id: number;
  readonly name: string;
  readonly rel: Rel;
  readonly columns: readonly Column[];
  /** True if it reads itself (WITH RECURSIVE). */
  readonly recursive: boolean;
}
export type Rel =
  | OneRow
  | SourceScan
  | CteScan
  | Join
  | Unnest
  | Filter
  | Project
  | Aggregate
  | Window
  | Distinct
  | OrderLimit
  | SetOperation
  | Gather;

/** What the text calls the columns of its WITH tables and subqueries, and these themselves, by the columns' ids. */
export interface QueryNames {
  readonly columns: ReadonlyMap<number, string>;
  readonly tables: ReadonlyMap<number, string>;
}

/** A whole query: the relation, and the columns that its result shows, in order. */
export interface LogicalPlan {
  readonly rel: Rel;
  readonly outputs: readonly { readonly name: string; readonly column: Column }[];
  readonly ctes: readonly CteDefinition[];
}
