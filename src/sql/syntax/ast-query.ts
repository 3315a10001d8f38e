// Syntax nodes of queries: SELECT and its clauses, FROM, pipe operators, whole scripts.
import type { Span } from '../../base/source-text.ts';
import type { Expr, Identifier, Node, OrderItem, Path, TypeRef, WindowRef } from './ast-expression.ts';

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
interface FromBody extends Node {
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

/** A table, CTE, or array path (`t.arr`), which the analysis tells apart: `a.b.c`, `` `a.b.c` `` (it also splits one quoted part that holds dots). */
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
interface ParenthesisedJoin extends Node {
  readonly kind: 'parenthesised_join';
  readonly join: TableExpr;
  readonly operators: readonly TableOperator[];
}
/** One argument of a table function: a value, or the rows of `TABLE t`. A query in parentheses is a value, which may stand for its rows. */
export interface TableArgument {
  /** `name => value`. */
  readonly name: Identifier | null;
  readonly value: Expr | TableName;
}
/** `f(1, TABLE t, name => 2)`: a function that returns rows; its name as written, dotted. */
export interface TableCall extends Node {
  readonly kind: 'table_call';
  readonly name: Identifier;
  readonly args: readonly TableArgument[];
  readonly alias: Identifier | null;
  readonly operators: readonly TableOperator[];
}
export type TableExpr = TableName | TableCall | Unnest | TableSubquery | Join | ParenthesisedJoin;

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
  /** True of CREATE AGGREGATE FUNCTION, whose body has aggregates of its parameters. */
  readonly aggregates: boolean;
  /** The name as calls write it: dotted, if it has several parts. */
  readonly name: Identifier;
  /** type null: `ANY TYPE`. */
  readonly parameters: readonly { readonly name: Identifier; readonly type: TypeRef | null }[];
  readonly returns: TypeRef | null;
  readonly body: Expr;
}

/** `CREATE TABLE FUNCTION f(x INT64, t TABLE<a INT64>) AS SELECT …`; TABLE is a type with fields. */
export interface TableFunctionDefinition extends Node {
  readonly kind: 'create_table_function';
  readonly name: Identifier;
  readonly parameters: FunctionDefinition['parameters'];
  readonly returns: TypeRef | null;
  readonly query: Query;
}

/** A function that the user defines, of either kind. */
export type OwnFunction = FunctionDefinition | TableFunctionDefinition;

/** `DECLARE a, b INT64 DEFAULT 5`: either the type or the value may be missing. */
export interface Declaration extends Node {
  readonly kind: 'declare';
  readonly names: readonly Identifier[];
  readonly type: TypeRef | null;
  readonly value: Expr | null;
}

/** `SET x = 5`; with `each`, `SET (a, b) = (1, 2)`: every name takes a field of the value. */
export interface Assignment extends Node {
  readonly kind: 'set';
  readonly names: readonly Identifier[];
  readonly each: boolean;
  readonly value: Expr;
}

/** `CREATE TEMP TABLE x AS SELECT …` and its kin; the name as FROM writes it, dotted. */
export interface CreatedTable extends Node {
  readonly kind: 'create_table';
  readonly table: Cte;
  /** True of `INSERT INTO x SELECT …`, whose rows are for a table that is there. */
  readonly adds?: true;
}

/** `DROP TABLE x`, of a table that the text itself creates. */
export interface DroppedTable extends Node {
  readonly kind: 'drop_table';
  readonly name: Identifier;
}

/** A statement that may stand before the query, functions aside. */
export type Statement = Declaration | Assignment | CreatedTable | DroppedTable;

/**
 * A whole text: functions and statements, then one query. A CREATE … AS SELECT or INSERT … SELECT at the end is that query. IF, CASE and EXECUTE IMMEDIATE
 * are read ahead: the statements are those that are reached.
 */
export interface Script extends Node {
  readonly kind: 'script';
  readonly functions: readonly OwnFunction[];
  /** The statements in the order of the text, which is that of their effects. */
  readonly statements: readonly Statement[];
  /** The table or view that the query is written for, if the text ends with its CREATE, or with an INSERT. */
  readonly creates: Identifier | null;
  readonly query: Query;
  /** Present in a text with several queries: the scripts of those before this one, which is the last. */
  readonly earlier?: readonly Script[];
}
