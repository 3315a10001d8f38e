// The built-in rules of assertions as BigQuery expressions.
import { QuernError } from '../base/errors.ts';
import type { Rule } from '../queries/check-definition.ts';
import { type Expression, readExpression } from './expression.ts';

export interface RuleSql extends Expression {
  /** Columns by which rows that break the rule are best looked at. */
  readonly orderBy: readonly string[];
}

/** Throws QuernError `syntax` for an expression that is none. */
export function ruleSql(rule: Rule): RuleSql {
  const expression = readExpression(textOf(rule));
  return {
    ...expression,
    measures: measuresOf(rule, expression.measures),
    orderBy: rule.kind === 'unique' ? rule.columns.map(column) : [],
  };
}

function measuresOf(rule: Rule, measures: Expression['measures']): Expression['measures'] {
  if (rule.kind === 'freshness') return measures.map((measure) => ({ ...measure, name: `the newest ${rule.column}` }));
  return rule.kind === 'change' ? [{ sql: rule.of, name: rule.of.replace(/\s+/g, ' ') }] : measures;
}

/** The condition on rows as an expression. Throws QuernError `syntax` for what is none, `config` for one about all rows together. */
export function filterSql(text: string): RuleSql {
  const expression = readExpression(text);
  if (!expression.aggregate) return { ...expression, orderBy: [] };
  throw new QuernError('config', 'this is about all rows together, but `where` is about each row', {
    span: { start: 0, end: text.length },
    hint: 'use an assertion instead',
  });
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
    case 'relationships': {
      const { columns, to, keys } = rule;
      const absent = columns.map((name) => `${column(name)} is null`).join(' or ');
      // Without its table a key that the other has not would be one of the rows around.
      const others = keys.map((name) => `other.${column(name)}`);
      const known = others.map((name) => `${name} is not null`).join(' and ');
      const tuple = (names: readonly string[]): string => (names.length === 1 ? names.join() : `struct(${names.join(', ')})`);
      return `${absent} or ${tuple(columns.map(column))} in (select ${tuple(others)} from ${column(to)} as other where ${known})`;
    }
    case 'change':
      return `(${rule.of}) is not null`;
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
