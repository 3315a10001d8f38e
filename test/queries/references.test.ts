// The tables that a text reads: those of its WITH are none, where they can be seen.
import { expect, test } from 'vitest';
import { QuernError } from '../../src/base/errors.ts';
import { namesInFunctions, referencesIn } from '../../src/queries/references.ts';
import { INT64 } from '../../src/sql/base/types.ts';
import { translate } from '../../src/sql/index.ts';
import type { Source } from '../../src/sql/source.ts';

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
  ['create temp table t as select x from t; select x from t', ['t']],
  ['create temp table t as select 1 as x; drop table t; select x from t', ['t']],
  ['select x from (from u |> with t as (select x from t) |> join t using (x)) join t using (x)', ['u', 't', 't']],
  ['from u |> with t as (select 1 as x) |> join t using (x)', ['u']],
])('%s', (sql, tables) => {
  expect(referencesIn(sql).tables.map(({ name }) => name)).toEqual(tables);
  expect([...askedFor(sql)].filter((name) => !tables.includes(name))).toEqual([]);
});

test('names in functions of files are those of functions that may be called', () => {
  const files = [
    { name: 'a.sql', text: 'create function most() as ((select max(x) from t))' },
    { name: 'b.sql', text: 'create function twice() as (2 * most())' },
    { name: 'c.sql', text: 'create function other() as ((select min(x) from u))' },
    { name: 'd.sql', text: 'create function damaged( from' },
  ];
  expect(namesInFunctions(files, 'select twice()')).toEqual(['t']);
  expect(namesInFunctions(files, 'select other()')).toEqual(['t', 'u']);
});

/** The names for which the translator asks. */
function askedFor(sql: string): ReadonlySet<string> {
  const asked = new Set<string>();
  const source: Source = {
    name: 't',
    table: 't',
    columns: [{ name: 'x', type: INT64, read: { layout: 'column', column: 'x', clickhouseType: 'Int64' } }],
  };
  const find = (name: string): Source => {
    asked.add(name);
    return source;
  };
  try {
    translate(sql, { sources: { names: [], find } });
  } catch (error) {
    if (!(error instanceof QuernError)) throw error;
  }
  return asked;
}
