// The tables that a text reads: those of its WITH are none, where they can be seen.
import { expect, test } from 'vitest';
import { referencesIn } from '../../src/queries/references.ts';

test.each([
  ['with a as (select 1 as x) select * from a', []],
  ['with a as (select * from a) select * from a', ['a']],
  ['with a as (select * from b), b as (select * from a) select * from b', ['b']],
  ['with recursive a as (select 1 as x union all select x + 1 from a where x < 3) select * from a', []],
  ['with recursive a as (select * from b), b as (select 1 as x) select * from a', []],
  ['with a as (with b as (select * from A) select * from b) select * from a join b using (x)', ['A', 'b']],
  ['with a as (select 1 as x), b as (with a as (select * from a) select * from a) select * from b', []],
  ['with a as (select * from b) select * from (with b as (select 1 as x) select * from b) join a using (x)', ['b']],
  ['create table function f(t table<x int64>) as select * from t; select * from f(table u), t', ['u', 't']],
  ['create temp table t as select 1 as x; select * from t', []],
])('%s', (sql, tables) => {
  expect(referencesIn(sql).tables.map(({ name }) => name)).toEqual(tables);
});
