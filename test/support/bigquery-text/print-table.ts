// Writes the tables of FROM as BigQuery text.
import type { Join, TableExpr, TableOperator, WithOffset } from '../../../src/sql/syntax/ast.ts';
import { printExpr } from './print-expression.ts';
import { printAlias, printName, printNames, printPath } from './print-name.ts';
import { printQuery } from './print-query.ts';

type TablePrinters = { readonly [K in TableExpr['kind']]: (node: Extract<TableExpr, { kind: K }>) => string };
type OperatorPrinters = { readonly [K in TableOperator['kind']]: (node: Extract<TableOperator, { kind: K }>) => string };

export function printTable(table: TableExpr): string {
  const print = TABLES[table.kind] as (node: TableExpr) => string; // the table pairs each kind with its own printer
  return print(table);
}

const TABLES: TablePrinters = {
  table_name: ({ parts, alias, withOffset, forSystemTime, operators }) => {
    const time = forSystemTime === null ? '' : ` FOR SYSTEM_TIME AS OF ${printExpr(forSystemTime)}`;
    return `${printPath(parts)}${printAlias(alias)}${printWithOffset(withOffset)}${time}${printOperators(operators)}`;
  },
  table_call: ({ name, args, alias, operators }) => {
    const list = args.map((arg) => {
      const value = arg.value.kind === 'table_name' ? `TABLE ${printTable(arg.value)}` : printExpr(arg.value);
      return arg.name === null ? value : `${printName(arg.name)} => ${value}`;
    });
    return `${printPath([name])}(${list.join(', ')})${printAlias(alias)}${printOperators(operators)}`;
  },
  unnest: ({ array, alias, withOffset, operators }) =>
    `UNNEST(${printExpr(array)})${printAlias(alias)}${printWithOffset(withOffset)}${printOperators(operators)}`,
  table_subquery: ({ query, alias, operators }) => `(${printQuery(query)})${printAlias(alias)}${printOperators(operators)}`,
  join: ({ type, left, right, on, using }) =>
    `${printTable(left)}${printJoinType(type)}${printTable(right)}${printJoinCondition({ on, using })}`,
  parenthesised_join: ({ join, operators }) => `(${printTable(join)})${printOperators(operators)}`,
};

/** The words between two tables, with the blanks around them. */
export function printJoinType(type: Join['type']): string {
  if (type === 'COMMA') return ', ';
  return type === 'INNER' ? ' JOIN ' : ` ${type} JOIN `;
}

export function printJoinCondition({ on, using }: Pick<Join, 'on' | 'using'>): string {
  if (on !== null) return ` ON ${printExpr(on)}`;
  return using.length === 0 ? '' : ` USING (${printNames(using)})`;
}

function printWithOffset(withOffset: WithOffset | null): string {
  return withOffset === null ? '' : ` WITH OFFSET${printAlias(withOffset.alias)}`;
}

function printOperators(operators: readonly TableOperator[]): string {
  return operators.map((operator) => ` ${printTableOperator(operator)}`).join('');
}

export function printTableOperator(operator: TableOperator): string {
  const print = OPERATORS[operator.kind] as (node: TableOperator) => string; // the table pairs each kind with its own printer
  return print(operator);
}

const OPERATORS: OperatorPrinters = {
  pivot: ({ aggregates, input, columns, alias }) => {
    const calls = aggregates.map((aggregate) => printExpr(aggregate.call) + printAlias(aggregate.alias)).join(', ');
    const values = columns.map((column) => printExpr(column.value) + printAlias(column.alias)).join(', ');
    return `PIVOT(${calls} FOR ${printExpr(input)} IN (${values}))${printAlias(alias)}`;
  },
  unpivot: ({ includeNulls, values, name, columns, alias }) => {
    const sets = columns.map((set) => {
      const paths = set.columns.map(printExpr).join(', ');
      return `(${paths})${set.label === null ? '' : ` AS ${printExpr(set.label)}`}`;
    });
    const nulls = includeNulls ? 'INCLUDE NULLS ' : '';
    return `UNPIVOT ${nulls}((${printNames(values)}) FOR ${printName(name)} IN (${sets.join(', ')}))${printAlias(alias)}`;
  },
  tablesample: ({ percent }) => `TABLESAMPLE SYSTEM (${printExpr(percent)} PERCENT)`,
};
