// Writes queries as BigQuery text.
import type { Cte, GroupBy, GroupingItem, Query, QueryBody, Select, SelectItem, SetOperation } from '../../../src/sql/syntax/ast.ts';
import { printExpr, printExprs } from './print-expression.ts';
import { printAlias, printName, printNames } from './print-name.ts';
import { printPipe } from './print-pipe.ts';
import { printTable } from './print-table.ts';
import { printDirection, printOrderBy, printWindowClause } from './print-window.ts';

type BodyPrinters = { readonly [K in QueryBody['kind']]: (node: Extract<QueryBody, { kind: K }>) => string };

export function printQuery(query: Query): string {
  const parts = [
    query.ctes.length === 0 ? '' : `WITH ${query.recursive ? 'RECURSIVE ' : ''}${printCtes(query.ctes)}`,
    printBody(query.body),
    printOrderBy(query.orderBy),
    query.limit === null ? '' : `LIMIT ${printExpr(query.limit)}`,
    query.offset === null ? '' : `OFFSET ${printExpr(query.offset)}`,
    ...query.pipes.map((pipe) => `|> ${printPipe(pipe)}`),
  ];
  return parts.filter((part) => part !== '').join(' ');
}

export function printCtes(ctes: readonly Cte[]): string {
  return ctes
    .map(
      ({ name, columns, query }) =>
        `${printName(name)}${columns.length === 0 ? '' : ` (${printNames(columns)})`} AS (${printQuery(query)})`,
    )
    .join(', ');
}

function printBody(body: QueryBody): string {
  const print = BODIES[body.kind] as (node: QueryBody) => string; // the table pairs each kind with its own printer
  return print(body);
}

const BODIES: BodyPrinters = {
  select: printSelect,
  set_operation: (node) => node.inputs.map(printBody).join(` ${printSetOperator(node)} `),
  query: (node) => `(${printQuery(node)})`,
  from: ({ from }) => `FROM ${printTable(from)}`,
};

export function printSetOperator({ operator, all, byName }: Pick<SetOperation, 'operator' | 'all' | 'byName'>): string {
  const words = `${operator} ${all ? 'ALL' : 'DISTINCT'}`;
  if (byName === null) return words;
  const prefix = byName.mode === 'STRICT' ? '' : `${byName.mode} `;
  return `${prefix}${words} BY NAME${byName.columns === null ? '' : ` ON (${printNames(byName.columns)})`}`;
}

function printSelect(node: Select): string {
  const where = node.where === null ? '' : ` WHERE ${printExpr(node.where)}`;
  const groupBy = node.groupBy === null ? '' : ` GROUP BY ${printGroupBy(node.groupBy)}`;
  const having = node.having === null ? '' : ` HAVING ${printExpr(node.having)}`;
  const qualify = node.qualify === null ? '' : ` QUALIFY ${printExpr(node.qualify)}`;
  const from = node.from === null ? '' : ` FROM ${printTable(node.from)}`;
  return `${printSelectHead(node)}${from}${where}${groupBy}${having}${qualify}${printWindowClause(node.windows)}`;
}

/** SELECT with its items. */
export function printSelectHead({ distinct, as, items }: Pick<Select, 'distinct' | 'as' | 'items'>): string {
  return `SELECT ${distinct ? 'DISTINCT ' : ''}${as === null ? '' : `AS ${as} `}${items.map(printSelectItem).join(', ')}`;
}

export function printSelectItem(item: SelectItem): string {
  if (item.kind === 'expr_item') return printExpr(item.value) + printAlias(item.alias);
  const of = item.of === null ? '' : item.of.kind === 'path' ? `${printExpr(item.of)}.` : `(${printExpr(item.of)}).`;
  const except = item.except.length === 0 ? '' : ` EXCEPT (${printNames(item.except)})`;
  const replace = item.replace.length === 0 ? '' : ` REPLACE (${item.replace.map(printSelectItem).join(', ')})`;
  return `${of}*${except}${replace}`;
}

/** What stands after GROUP BY. */
export function printGroupBy({ all, items }: GroupBy): string {
  return all ? 'ALL' : items.map(printGroupingItem).join(', ');
}

function printGroupingItem(item: GroupingItem): string {
  switch (item.kind) {
    case 'expr':
      return `${printExpr(item.value)}${printAlias(item.alias)}${printDirection(item.order)}`;
    case 'set':
      return `(${printExprs(item.items)})`;
    case 'grouping_sets':
      return `GROUPING SETS (${item.items.map(printGroupingItem).join(', ')})`;
    case 'rollup':
    case 'cube': {
      const steps = item.items.map((step) => (step.length === 1 ? printExprs(step) : `(${printExprs(step)})`));
      return `${item.kind.toUpperCase()}(${steps.join(', ')})`;
    }
  }
}
