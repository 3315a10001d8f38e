// Arrays with NULL elements: BigQuery computes with them and does not return them.
import { expect, test } from 'vitest';
import { translate } from '../../src/sql/index.ts';
import { queryRunner } from '../support/query-rows.ts';

const { rows, engineFailure } = queryRunner({ nullElements: 'fail' });

const T = 'unnest([struct(1 as k, "x" as v), (1, null), (2, "y")])';

test.each<readonly [string, string]>([
  ['select array_agg(nullif(x, 2)) as xs from unnest([1, 2, 3]) as x', 'xs'],
  [`select k, array_agg(v) as vs from ${T} group by k order by k`, 'vs'],
  [`with t as (select array_agg(v order by k) as vs from ${T}) select array_reverse(vs) as back from t`, 'back'],
  ['select [1, null] as list', 'list'],
  ['select [1, null]', '1'],
  [`select array(select v from ${T}) as list`, 'list'],
  ['select [1] as list union all select [cast(null as int64)]', 'list'],
  [`select array_agg(v) over () as vs from ${T} limit 1`, 'vs'],
  ['select if(x = 1, [x, nullif(x, 1)], []) as list from unnest([1, 2]) as x', 'list'],
  ['select array_transform([1, 2], e -> nullif(e, 1)) as list', 'list'],
  [`select json_value_array('["a", null]') as list`, 'list'],
  ['select struct([1, null] as a, 2 as b) as s', 's'],
  ['select struct(1 as a, struct([x, nullif(x, 1)] as c) as b) as s from unnest([1]) as x', 's'],
  ['select [struct([1, null] as a)] as list', 'list'],
  [`select array(select as struct array_agg(v) as vs from ${T} group by k) as list`, 'list'],
  ['select s.a as list from (select struct([1, null] as a, 2 as b) as s)', 'list'],
])('%s', async (sql, column) => {
  expect(await engineFailure(sql)).toContain(`column ${column}: as in BigQuery, a result can’t hold an array with a NULL element`);
});

test.each<readonly [string, unknown]>([
  [`select array_agg(v ignore nulls order by v) as vs from ${T}`, [[['x', 'y']]]],
  [`select array_length(array_agg(v)) as n from ${T}`, [[3]]],
  [`with t as (select array_agg(v) as vs from ${T}) select count(*) as n from t, unnest(vs) as v`, [[3]]],
  [
    `select k, array_agg(v order by v) as vs from ${T} where v is not null group by k order by k`,
    [
      [1, ['x']],
      [2, ['y']],
    ],
  ],
  ['select struct([1, 2] as a, cast(null as int64) as b) as s', [[[[1, 2], null]]]],
  ['select s.b from (select struct([1, null] as a, 2 as b) as s)', [[2]]],
  ['select [1, 2] as list, array<int64>[] as none', [[[1, 2], []]]],
  ['select b from (select [b"a"] as b)', [[['YQ==']]]],
])('%s', async (sql, expected) => {
  expect(await rows(sql)).toEqual(expected);
});

test.each(['select split("a,b") as parts', 'select [1, 2] as list', 'select generate_array(1, x) as list from unnest([1, 2]) as x'])(
  'nothing is added where no element can be NULL: %s',
  (sql) => {
    expect(translate(sql, { nullElements: 'fail' }).sql).toBe(translate(sql).sql);
  },
);

test('without being asked for, they are returned', () => {
  expect(translate('select [1, null] as list').sql).not.toContain('BigQuery returns');
});
