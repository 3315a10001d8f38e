// Warnings about parts of a query that are allowed and yet hardly meant: its rows differ between runs, or are not the intended ones.
import type { Span } from '../../base/source-text.ts';
import { findFunction } from '../functions/index.ts';
import type { Expr, Query, Script, Select, TableExpr, TableName } from '../syntax/ast.ts';
import { calledName } from './aggregate-calls.ts';
import { type KnownValues, neverTrueIn } from './comparisons.ts';
import { isCall, isQuery, isSelect, visitNodes } from './fidelity-notes.ts';
import { undoneJoinsOf } from './undone-joins.ts';

type Ctes = ReadonlyMap<string, Query>;

interface Warning {
  readonly rule:
    | 'limit-without-order'
    | 'rows-without-order'
    | 'limit-above-max-rows'
    | 'select-star'
    | 'star-leaves-out'
    | 'struct-of-nulls'
    | 'order-by-position'
    | 'never-true'
    | 'left-join-undone'
    | 'not-stored';
  readonly message: string;
  readonly hint: string;
  readonly span: Span;
}

/** The facts of a table that warnings need. */
interface TableFacts {
  /** The columns that queries cannot read. */
  readonly unread?: readonly { readonly name: string }[];
  /** The STRUCTs that may be NULL, and are read as STRUCTs of NULLs. */
  readonly structsOfNulls?: readonly string[];
}

/** Returns the warnings. `maxRows`: the bound on rows that the header sets, if it does. `source` finds a table by its name. `known`: the values of parameters. */
export function warningsOf(
  { statements, creates, query }: Script,
  maxRows: number | undefined,
  source: (table: string) => TableFacts | undefined,
  known: KnownValues = new Map(),
): readonly Warning[] {
  const warnings: Warning[] = [];
  const ctes = new Map<string, Query>();
  for (const one of statements) if (one.kind === 'create_table') ctes.set(one.table.name.name.toLowerCase(), one.table.query);
  visitNodes([statements, query], (node) => {
    if (isQuery(node)) for (const cte of node.ctes) ctes.set(cte.name.name.toLowerCase(), cte.query);
  });
  visitNodes([statements, query], (node) => {
    if (isQuery(node) && node.limit !== null && cutsAtRandom(node, ctes))
      warnings.push({
        rule: 'limit-without-order',
        message: 'LIMIT without ORDER BY takes any rows, and may take others the next time',
        hint: 'add ORDER BY before it',
        span: node.limit.span,
      });
  });
  if (maxRows !== undefined && query.limit === null && query.pipes.length === 0 && cutsAtRandom(query, ctes))
    warnings.push({
      rule: 'rows-without-order',
      message: `max_rows: ${maxRows} cuts off the rows after it, and without ORDER BY they may be any rows`,
      hint: 'add ORDER BY to the last SELECT',
      span: firstWord(query.body.span),
    });
  if (maxRows !== undefined && query.limit?.kind === 'int_literal' && query.limit.value > BigInt(maxRows))
    warnings.push({
      rule: 'limit-above-max-rows',
      message: `LIMIT ${query.limit.value} is above max_rows: ${maxRows}, which cuts off the rows first`,
      hint: 'raise max_rows in the header, or lower the limit',
      span: query.limit.span,
    });
  if (creates !== null)
    warnings.push({
      rule: 'not-stored',
      message: `nothing is stored: these are the rows for ${creates.name}`,
      hint: 'to keep them, write them to a file with --output, or load them: quern query … | quern load NAME -',
      span: creates.span,
    });
  for (const finding of neverTrueIn([statements, query], known)) warnings.push({ rule: 'never-true', ...finding });
  visitNodes([statements, query], (node) => {
    if (isQuery(node))
      for (const { value } of node.orderBy)
        if (value.kind === 'int_literal')
          warnings.push({
            rule: 'order-by-position',
            message: `ORDER BY ${value.value} sorts by whichever column is at that position`,
            hint: 'name the column',
            span: value.span,
          });
    if (isSelect(node) && node.from !== null)
      for (const { alias, span } of undoneJoinsOf(node.from))
        warnings.push({
          rule: 'left-join-undone',
          message: `this join drops the events that LEFT JOIN keeps: those without ${alias}`,
          hint: `write LEFT JOIN UNNEST(…) ON TRUE here too, or an inner join for ${alias}`,
          span,
        });
  });
  const star = isSelect(query.body) ? starOfTable(query.body, ctes) : undefined;
  if (star !== undefined)
    warnings.push({
      rule: 'select-star',
      message: 'SELECT * returns whatever columns the table has, and these may change',
      hint: 'name the columns that the query returns',
      span: star,
    });
  visitNodes([statements, query], (node) => {
    if (!isSelect(node) || node.from === null) return;
    const stars = node.items.filter((item) => item.kind === 'star_item');
    for (const table of tablesOf(node.from)) {
      const name = writtenName(table);
      const { unread = [], structsOfNulls = [] } = (ctes.has(nameOf(table)) ? undefined : source(name)) ?? {};
      const star = stars.find(({ of }) => of === null || isTable(of, table))?.span;
      if (star !== undefined && unread.length > 0)
        warnings.push({
          rule: 'star-leaves-out',
          message: `* leaves out the columns of ${name} that queries cannot read: ${unread.map((column) => column.name).join(', ')}`,
          hint: `\`quern sources ${name}\` says why; name the columns that the query returns`,
          span: star,
        });
      for (const column of structsOfNulls) {
        // The star shows the column as a whole.
        const span = column.includes('.') ? wholeColumn(node, column) : (star ?? wholeColumn(node, column));
        if (span === undefined) continue;
        warnings.push({
          rule: 'struct-of-nulls',
          message: `where ${column} is NULL in the Parquet files of ${name}, it is read as a STRUCT of NULLs: ClickHouse cannot tell them apart`,
          hint: `instead of the whole column, read or test its fields, such as ${column}.field IS NULL`,
          span,
        });
      }
    }
  });
  return warnings.sort((a, b) => a.span.start - b.span.start);
}

/** True of more than one row, in no order. */
function cutsAtRandom({ body, orderBy, pipes }: Query, ctes: Ctes): boolean {
  if (orderBy.length > 0 || pipes.length > 0) return false;
  if (isQuery(body)) return body.orderBy.length === 0;
  if (!isSelect(body)) return true;
  return body.from !== null && !isOrdered(body.from, ctes) && !isOneRow(body);
}

/** The first rows of an ordered table are taken in its order. */
function isOrdered(from: TableExpr, ctes: Ctes): boolean {
  if (from.kind === 'table_subquery') return from.query.orderBy.length > 0;
  return from.kind === 'table_name' && (ctes.get(nameOf(from))?.orderBy.length ?? 0) > 0;
}

function tablesOf(from: TableExpr): readonly TableName[] {
  if (from.kind === 'join') return [...tablesOf(from.left), ...tablesOf(from.right)];
  return from.kind === 'table_name' ? [from] : [];
}

/** Finds the places where the column is read as a whole, and not a field of it. */
function wholeColumn(select: Select, column: string): Span | undefined {
  const name = column.slice(column.lastIndexOf('.') + 1).toLowerCase();
  let span: Span | undefined;
  visitNodes(select, (node) => {
    if (node.kind !== 'path') return;
    const { parts, span: place } = node as Extract<Expr, { readonly kind: 'path' }>;
    if (parts.at(-1)?.name.toLowerCase() === name) span ??= place;
  });
  return span;
}

/** True if the expression is the table's name in the query. */
function isTable(of: Expr, { alias, parts }: TableName): boolean {
  const called = alias ?? parts.at(-1);
  return of.kind === 'path' && of.parts.length === 1 && of.parts[0]?.name.toLowerCase() === called?.name.toLowerCase();
}

/** Finds a table by its name; only a rule of names leads to some tables. */
const writtenName = ({ parts }: TableName): string => parts.map(({ name }) => name).join('.');

const nameOf = (table: TableName): string => writtenName(table).toLowerCase();

/** True of aggregates over all rows, which return one row. */
function isOneRow({ items, groupBy }: Select): boolean {
  if (groupBy !== null) return false;
  let aggregates = false;
  for (const item of items)
    visitNodes(item, (node) => {
      if (!isCall(node) || node.over !== null) return;
      if (findFunction(calledName(node))?.kind === 'aggregate') aggregates = true;
    });
  return aggregates;
}

function starOfTable({ items, from }: Select, ctes: Ctes): Span | undefined {
  const star = items.find((item) => item.kind === 'star_item' && item.of === null);
  if (star === undefined || from?.kind !== 'table_name') return undefined;
  return ctes.has(nameOf(from)) ? undefined : star.span;
}

const firstWord = ({ start }: Span): Span => ({ start, end: start + 'SELECT'.length });
