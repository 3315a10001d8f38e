// The built-in rules of assertions as BigQuery expressions.
import type { Rule } from '../queries/check-definition.ts';
import { type Expression, readExpression } from './expression.ts';

export interface RuleSql extends Expression {
  /** Columns by which rows that break the rule are best looked at. */
  readonly orderBy: readonly string[];
}

/** Throws QuernError `syntax` for an expression that is none. */
export function ruleSql(rule: Rule): RuleSql {
  const expression = readExpression(textOf(rule));
  const { measures } = expression;
  return {
    ...expression,
    measures: rule.kind === 'freshness' ? measures.map((measure) => ({ ...measure, name: `the newest ${rule.column}` })) : measures,
    orderBy: rule.kind === 'unique' ? rule.columns.map(column) : [],
  };
}

function textOf(rule: Rule): string {
  switch (rule.kind) {
    case 'expression':
      return rule.text;
    case 'not_null':
      return rule.columns.map((name) => `${column(name)} is not null`).join(' and ');
    case 'unique': {
      // NULL equals nothing, so it repeats nothing.
      const columns = rule.columns.map(column);
      const absent = columns.map((name) => `${name} is null`).join(' or ');
      return `${absent} or count(*) over (partition by ${columns.join(', ')}) = 1`;
    }
    case 'accepted_values':
      return `${column(rule.column)} is null or ${column(rule.column)} in (${rule.values.map(literal).join(', ')})`;
    case 'freshness':
      return `cast(max(${column(rule.column)}) as timestamp) >= timestamp_sub(current_timestamp(), interval ${Math.round(rule.withinSeconds * 1e6)} microsecond)`;
    case 'row_count': {
      const { min, max } = rule;
      return [min === undefined ? [] : `count(*) >= ${min}`, max === undefined ? [] : `count(*) <= ${max}`].flat().join(' and ');
    }
  }
}

/** Names of columns hold no back quotes: whoever read the rule has seen to it. */
const column = (name: string): string =>
  name
    .split('.')
    .map((part) => `\`${part}\``)
    .join('.');

/** JSON's escapes of text are among BigQuery's. */
const literal = (value: string | number | boolean): string => (typeof value === 'string' ? JSON.stringify(value) : String(value));
