// Writes pipe operators as BigQuery text.
import type { PipeOperator } from '../../../src/sql/syntax/ast.ts';
import { printExpr, printExprs } from './print-expression.ts';
import { printAlias, printName, printNames } from './print-name.ts';
import { printCtes, printGroupBy, printQuery, printSelectHead, printSelectItem, printSetOperator } from './print-query.ts';
import { printJoinCondition, printJoinType, printTable, printTableOperator } from './print-table.ts';
import { printDirection, printOrderBy, printWindowClause } from './print-window.ts';

type PipePrinters = { readonly [K in PipeOperator['kind']]: (node: Extract<PipeOperator, { kind: K }>) => string };

/** The operator without its `|>`. */
export function printPipe(pipe: PipeOperator): string {
  const print = PRINTERS[pipe.kind] as (node: PipeOperator) => string; // the table pairs each kind with its own printer
  return print(pipe);
}

const PRINTERS: PipePrinters = {
  pipe_select: (node) => `${printSelectHead(node)}${printWindowClause(node.windows)}`,
  pipe_extend: ({ items, windows }) => `EXTEND ${items.map(printSelectItem).join(', ')}${printWindowClause(windows)}`,
  pipe_set: ({ items }) => `SET ${items.map(({ column, value }) => `${printName(column)} = ${printExpr(value)}`).join(', ')}`,
  pipe_drop: ({ columns }) => `DROP ${printNames(columns)}`,
  pipe_rename: ({ columns }) => `RENAME ${columns.map(({ from, to }) => printName(from) + printAlias(to)).join(', ')}`,
  pipe_as: ({ alias }) => `AS ${printName(alias)}`,
  pipe_where: ({ condition }) => `WHERE ${printExpr(condition)}`,
  pipe_limit: ({ limit, offset }) => `LIMIT ${printExpr(limit)}${offset === null ? '' : ` OFFSET ${printExpr(offset)}`}`,
  pipe_aggregate: ({ items, groupBy, orderGroups }) => {
    const aggregates = items.map((item) => ` ${printSelectItem(item)}${printDirection(item.order)}`).join(',');
    return `AGGREGATE${aggregates}${groupBy === null ? '' : ` GROUP ${orderGroups ? 'AND ORDER ' : ''}BY ${printGroupBy(groupBy)}`}`;
  },
  pipe_distinct: () => 'DISTINCT',
  pipe_order_by: ({ items }) => printOrderBy(items),
  pipe_set_operation: (node) => `${printSetOperator(node)} ${node.queries.map((query) => `(${printQuery(query)})`).join(', ')}`,
  pipe_join: ({ type, right, on, using }) => `${printJoinType(type).trimStart()}${printTable(right)}${printJoinCondition({ on, using })}`,
  pipe_assert: ({ condition, payload }) => `ASSERT ${printExprs([condition, ...payload])}`,
  pipe_with: ({ ctes }) => `WITH ${printCtes(ctes)}`,
  pipe_window: ({ items, windows }) => `WINDOW ${items.map(printSelectItem).join(', ')}${printWindowClause(windows)}`,
  pivot: printTableOperator,
  unpivot: printTableOperator,
  tablesample: printTableOperator,
};
