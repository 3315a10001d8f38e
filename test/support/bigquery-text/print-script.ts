// Writes a whole script as BigQuery text; reading it back gives the same tree but for its spans.
import type { OwnFunction, Script, Statement } from '../../../src/sql/syntax/ast.ts';
import { printExpr } from './print-expression.ts';
import { printName, printType } from './print-name.ts';
import { printQuery } from './print-query.ts';

export function printScript({ functions, statements, creates, query, earlier = [] }: Script): string {
  const queriesAt = (place: number): readonly string[] =>
    earlier.filter((one) => one.statements.length === place).map((one) => printQuery(one.query));
  return [
    ...functions.map(printFunction),
    ...statements.flatMap((statement, place) => [...queriesAt(place), printStatement(statement)]),
    ...queriesAt(statements.length),
    `${creates === null ? '' : `CREATE TABLE ${printName(creates)} AS `}${printQuery(query)}`,
  ].join(';\n');
}

function printStatement(statement: Statement): string {
  switch (statement.kind) {
    case 'declare': {
      const { names, type, value } = statement;
      return `DECLARE ${names.map(printName).join(', ')}${type === null ? '' : ` ${printType(type)}`}${value === null ? '' : ` DEFAULT ${printExpr(value)}`}`;
    }
    case 'set': {
      const names = statement.names.map(printName).join(', ');
      return `SET ${statement.each ? `(${names})` : names} = ${printExpr(statement.value)}`;
    }
    case 'create_table': {
      const { name, columns, query } = statement.table;
      const list = columns.length === 0 ? '' : ` (${columns.map(printName).join(', ')})`;
      return `CREATE TEMP TABLE ${printName(name)}${list} AS ${printQuery(query)}`;
    }
    case 'drop_table':
      return `DROP TABLE ${printName(statement.name)}`;
  }
}

function printFunction(definition: OwnFunction): string {
  const { name, parameters, returns } = definition;
  const list = parameters.map(
    (parameter) => `${printName(parameter.name)} ${parameter.type === null ? 'ANY TYPE' : printType(parameter.type)}`,
  );
  const type = returns === null ? '' : ` RETURNS ${printType(returns)}`;
  const head = `FUNCTION ${printName(name)}(${list.join(', ')})${type}`;
  if (definition.kind === 'create_table_function') return `CREATE TABLE ${head} AS ${printQuery(definition.query)}`;
  return `CREATE TEMP ${definition.aggregates ? 'AGGREGATE ' : ''}${head} AS (${printExpr(definition.body)})`;
}
