// The built-in rules of assertions as BigQuery expressions.
import { QuernError } from '../base/errors.ts';
import { quoted, type Rule, sqlOfRule } from '../queries/header/rules.ts';
import { type Expression, readExpression } from './expression.ts';

export interface RuleSql extends Expression {
  /** Columns by which rows that break the rule are best looked at. */
  readonly orderBy: readonly string[];
}

/** Throws QuernError `syntax` for an expression that is none. */
export function ruleSql(rule: Rule): RuleSql {
  const expression = readExpression(sqlOfRule(rule));
  return {
    ...expression,
    measures: measuresOf(rule, expression.measures),
    orderBy: rule.kind === 'unique' ? rule.columns.map(quoted) : [],
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
