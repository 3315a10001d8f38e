// The kind of a statement, as jobs and dry runs say it.
import { expect, test } from 'vitest';
import { statementType } from '../../../../src/server/doors/bigquery/statement-type.ts';

test.each([
  ['select 1', 'SELECT'],
  ['-- create table x\n /* ; */ # insert;\nWith a as (select 1) select * from a;', 'SELECT'],
  ['(select 1)', 'SELECT'],
  ['from t |> where a', 'SELECT'],
  [`select ';' as a, "create ; table", '''it's ; one''' from \`a;b\``, 'SELECT'],
  ["select r'\\'; '", 'SELECT'],
  ['create temp function f(x int64) as (x); create temporary aggregate function g(x int64) as (sum(x)); select f(1)', 'SELECT'],
  ['declare x int64; select x', 'SCRIPT'],
  ['begin select 1; end', 'SCRIPT'],
  ['select 1; select 2', 'SCRIPT'],
  ['create temp table t as select 1 as a; select * from t', 'SCRIPT'],
  ['create or replace table d.t as select 1 as a', 'CREATE_TABLE_AS_SELECT'],
  ['create temp table t (a int64)', 'CREATE_TABLE'],
  ['create table t as (select 1)', 'CREATE_TABLE_AS_SELECT'],
  ['create table function f() as select 1', 'CREATE_TABLE_FUNCTION'],
  ['create materialized view v as select 1', 'CREATE_MATERIALIZED_VIEW'],
  ['create function d.f(x int64) as (x)', 'CREATE_FUNCTION'],
  ['insert into t select 1', 'INSERT'],
  ['merge t using s on true when matched then delete', 'MERGE'],
  ['drop table t', 'DROP_TABLE'],
  ['alter table t add column a int64', 'ALTER_TABLE'],
  ['truncate table t', 'TRUNCATE_TABLE'],
  ['selekt 1', undefined],
  ['', undefined],
])('%s: %s', (sql, type) => {
  expect(statementType(sql)).toBe(type);
});

test('a long text takes no long time', () => {
  const from = performance.now();
  for (const part of ["'", '"""', '/*', '--', 'create ', '( ', '\\']) statementType(part.repeat(131_072 / part.length));
  expect(performance.now() - from).toBeLessThan(1000);
});
