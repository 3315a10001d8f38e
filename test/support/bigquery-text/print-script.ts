// Writes a whole script as BigQuery text; reading it back gives the same tree but for its spans.
import type { FunctionDefinition, Script } from '../../../src/sql/syntax/ast.ts';
import { printExpr } from './print-expression.ts';
import { printName, printType } from './print-name.ts';
import { printQuery } from './print-query.ts';

export function printScript({ functions, query }: Script): string {
  return [...functions.map(printFunction), printQuery(query)].join(';\n');
}

function printFunction({ name, parameters, returns, body }: FunctionDefinition): string {
  const list = parameters.map(
    (parameter) => `${printName(parameter.name)} ${parameter.type === null ? 'ANY TYPE' : printType(parameter.type)}`,
  );
  const type = returns === null ? '' : ` RETURNS ${printType(returns)}`;
  return `CREATE TEMP FUNCTION ${printName(name)}(${list.join(', ')})${type} AS (${printExpr(body)})`;
}
