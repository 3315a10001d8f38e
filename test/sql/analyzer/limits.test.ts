// Short queries that would grow without end: refused at once, whoever sends them.
import { expect, test } from 'vitest';
import { withSteps } from '../../../src/sql/base/budget.ts';
import { refusal } from '../../support/query-rows.ts';

const list = (count: number, item: (i: number) => string, separator = ', ') =>
  Array.from({ length: count }, (_, i) => item(i)).join(separator);

const stars = (levels: number) => {
  const tables = list(
    levels,
    (level) => `t${level + 1} as (select ${list(20, (i) => `x${i}.*`)} from ${list(20, (i) => `t${level} x${i}`)})`,
  );
  return `with t0 as (select 1 as a, 2 as b), ${tables} select * from t${levels}`;
};
const structs = (levels: number) => {
  const tables = list(levels, (i) => `t${i + 1} as (select struct(s as a, s as b) as s from t${i})`);
  return `with t0 as (select struct(1 as a) as s), ${tables} select s from t${levels}`;
};
const names = (levels: number) =>
  `select ${list(levels, (i) => `with(x${i + 1} as x${i} + x${i}, `, '')}x${levels}${')'.repeat(levels)} as v from (select 1 as x0)`;

/** A tenth of a second. */
const MOST_STEPS = 1_000_000;

test.each<[string, string, string]>([
  ['columns of *', stars(12), 'too-complex: the tables and subqueries of this query have more than 100000 columns'],
  ['fields of structs in structs', structs(200), 'too-complex: the values of s would have more than 10000 fields'],
  [
    'the same, when it stands in an error',
    structs(200).replace('select s from', 'select s + 1 as s from'),
    'too-complex: the values of s would have more than 10000 fields',
  ],
  ['names that stand for names', names(60), 'too-complex: the expression x14 is too large once the names in it are expanded'],
])('%s', (_, sql, message) => {
  expect(withSteps(MOST_STEPS, () => refusal(sql))).toBe(message);
});
