// The syntax tree of the ClickHouse SQL that quern writes: just what lowering needs, printed by print.ts.

export interface Lit {
  readonly kind: 'lit';
  readonly value: string | number | bigint | boolean | null;
}
/** A number or other text to print as it is; only for digits that are not a JS number (decimals, hex) and type-checked keywords. */
interface Raw {
  readonly kind: 'raw';
  readonly text: string;
}
/** `{name:Type}`. */
export interface Param {
  readonly kind: 'param';
  readonly name: string;
  readonly type: string;
}
/** `alias.column.path`, each part quoted where needed. */
export interface Ident {
  readonly kind: 'ident';
  readonly parts: readonly string[];
  /** Index of the part that a JSON sub-object starts at: `alias.column.^path` is the object, where `alias.column.path` is a value. */
  readonly subobjectAt?: number;
  /** A name that WITH gives to a constant expression. */
  readonly constant?: true;
}
/** `name(params)(args)`. */
export interface Func {
  readonly kind: 'func';
  readonly name: string;
  readonly params: readonly SqlExpression[];
  readonly args: readonly SqlExpression[];
  readonly distinct: boolean;
  readonly over: Over | null;
}
/** Stands for `value`; the query fails with `message` where `condition` is true. */
export interface Check {
  readonly kind: 'check';
  /** Never NULL, but for constants. */
  readonly condition: SqlExpression;
  readonly message: string;
  /** If null, the check stands for the number 0. */
  readonly value: SqlExpression | null;
  /** Is never returned: it gives ClickHouse the type of the branch that fails. Null for an INT64 or FLOAT64, which is written without branches. */
  readonly otherwise: SqlExpression | null;
  /**
   * Which rows may fail the check. `reached`: rows that the choices around it (IF, CASE) leave. `all`: any row, because rows that a choice
   * leaves out pass anyway. `constant`: the condition is the same for every row, and ClickHouse computes it before it reads any.
   */
  readonly rows: 'reached' | 'all' | 'constant';
  /** A call that does the same, for as long as the check stands as it was made. */
  readonly as?: SqlExpression;
}
export interface Infix {
  readonly kind: 'infix';
  readonly operator: string;
  readonly left: SqlExpression;
  readonly right: SqlExpression;
}
interface Prefix {
  readonly kind: 'prefix';
  readonly operator: 'NOT' | '-';
  readonly operand: SqlExpression;
}
interface IsNull {
  readonly kind: 'is_null';
  readonly operand: SqlExpression;
  readonly not: boolean;
}
interface InList {
  readonly kind: 'in';
  readonly operand: SqlExpression;
  readonly items: readonly SqlExpression[] | Statement;
  readonly not: boolean;
  /** The subquery is read once, and its rows are sent to the shards. */
  readonly global?: true;
  /** The only item is an array, and the set is its elements. */
  readonly ofArray?: true;
}
export interface CastTo {
  readonly kind: 'cast';
  readonly operand: SqlExpression;
  readonly type: string;
  /** The type of the operand, where it holds the same numbers, days or seconds in fewer bits: compared and grouped, both are the same. */
  readonly widens?: string;
  /** The type of the operand's elements, where it is an array of the same values: structs, or what is never NULL. */
  readonly full?: string;
  /** How many digits the operand has after the point, where it is a decimal with fewer than `type`. */
  readonly digits?: number;
}
interface ArrayOf {
  readonly kind: 'array';
  readonly elements: readonly SqlExpression[];
}
export interface LambdaOf {
  readonly kind: 'lambda';
  readonly parameters: readonly string[];
  readonly body: SqlExpression;
}
interface SubqueryOf {
  readonly kind: 'subquery';
  readonly statement: Statement;
}
interface ExistsOf {
  readonly kind: 'exists';
  readonly statement: Statement;
}
interface Between {
  readonly kind: 'between';
  readonly operand: SqlExpression;
  readonly low: SqlExpression;
  readonly high: SqlExpression;
}
/** `expr.path.path` into a JSON value that is not a plain column. */
interface SubcolumnOf {
  readonly kind: 'subcolumn';
  readonly of: SqlExpression;
  readonly path: readonly string[];
  readonly type: string | null;
}
export type SqlExpression =
  | Lit
  | Raw
  | Param
  | Ident
  | Func
  | Check
  | Infix
  | Prefix
  | IsNull
  | InList
  | CastTo
  | ArrayOf
  | LambdaOf
  | SubqueryOf
  | ExistsOf
  | Between
  | SubcolumnOf;

export interface OrderBy {
  readonly value: SqlExpression;
  readonly descending: boolean;
  /** null where it is left out: the value is never NULL, or ClickHouse's own NULLS LAST is meant. */
  readonly nullsFirst: boolean | null;
  /** The locale whose rules order texts. Default: they are compared byte by byte. */
  readonly collate?: string;
}
export interface Over {
  readonly partitionBy: readonly SqlExpression[];
  readonly orderBy: readonly OrderBy[];
  /** Text such as `ROWS BETWEEN 2 PRECEDING AND CURRENT ROW`. */
  readonly frame: string | null;
}

/** An empty alias is left out: nothing is called by it. */
export type From =
  /**
   * With `cluster`, the table on every shard; with `wildcard`, all tables whose names begin with `name`. The rows of a `sharded` table are
   * on several servers.
   */
  | {
      readonly kind: 'table';
      readonly name: readonly string[];
      readonly alias: string;
      readonly cluster?: string;
      readonly shardingKey?: string;
      readonly wildcard?: true;
      readonly sharded?: true;
    }
  /** A table function with text arguments, such as one that reads files at an address. */
  | { readonly kind: 'table_function'; readonly name: string; readonly args: readonly string[]; readonly alias: string }
  | { readonly kind: 'select'; readonly statement: Statement; readonly alias: string }
  | {
      readonly kind: 'join';
      readonly type: 'INNER' | 'LEFT' | 'RIGHT' | 'FULL' | 'CROSS' | 'LEFT SEMI';
      readonly left: From;
      readonly right: From;
      readonly on: SqlExpression | null;
      /** Shards join their own rows. */
      readonly colocated?: true;
      /** The right side is read once, and sent to the shards that the left side is read from. */
      readonly global?: true;
    }
  | {
      readonly kind: 'array_join';
      readonly input: From;
      readonly arrays: readonly { readonly value: SqlExpression; readonly alias: string }[];
    };

export interface SelectItem {
  readonly value: SqlExpression;
  readonly alias: string;
  /** Lines that stand above it. */
  readonly comments?: readonly string[];
}
export type Clause = 'head' | 'select' | 'from' | 'where' | 'groupBy' | 'having' | 'qualify' | 'orderBy' | 'limit';
/** Lines that stand above the clauses of a statement. */
type Comments = { readonly [K in Clause]?: readonly string[] };
export interface Select {
  readonly kind: 'select';
  readonly constants: readonly NamedConstant[];
  readonly with: readonly CteText[];
  readonly recursive: boolean;
  readonly distinct: boolean;
  readonly items: readonly SelectItem[];
  readonly from: From | null;
  readonly where: SqlExpression | null;
  readonly groupBy: readonly SqlExpression[] | null;
  readonly groupingSets: readonly (readonly SqlExpression[])[] | null;
  readonly having: SqlExpression | null;
  readonly qualify: SqlExpression | null;
  readonly orderBy: readonly OrderBy[];
  readonly limit: SqlExpression | null;
  readonly offset: SqlExpression | null;
  readonly comments?: Comments;
}
export interface CteText {
  readonly name: string;
  readonly statement: Statement;
}
/** `WITH expression AS name`: the name stands for the expression everywhere; for a lambda, it is a function. */
export interface NamedConstant {
  readonly name: string;
  readonly value: SqlExpression;
  /** The helper that the lambda defines. */
  readonly helper?: string;
}
export interface SetText {
  readonly kind: 'set';
  readonly with: readonly CteText[];
  readonly recursive: boolean;
  readonly operator: 'UNION ALL' | 'UNION DISTINCT' | 'INTERSECT ALL' | 'INTERSECT DISTINCT' | 'EXCEPT ALL' | 'EXCEPT DISTINCT';
  readonly inputs: readonly Statement[];
  readonly comments?: Comments;
}
export type Statement = Select | SetText;
