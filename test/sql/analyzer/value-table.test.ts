// Rows that are one value each, read as tables behind pipes.
import { expect, test } from 'vitest';
import type { Value } from '../../../src/base/result.ts';
import { queryRunner, refusal } from '../../support/query-rows.ts';

const { rows, table } = queryRunner();
const PAIRS = 'unnest([struct(1 as a, "x" as b), (2, "y"), (2, "y")])';

test.each<readonly [string, readonly (readonly Value[])[]]>([
  ['select sum(result) as s from (select as value n from unnest([1, 2, 3]) as n order by n desc |> limit 2) as result', [[5]]],
  ['with result as (select as value n from unnest([1, 2]) as n |> limit 5) select sum(result) as s from result', [[3]]],
  ['select sum(r) as s from (from unnest([1, 2, 3]) as n |> where n > 1) as r', [[5]]],
  ['select r.a, r.b from (select as struct p.* from unnest([struct(1 as a, "x" as b)]) as p |> where a > 0) as r', [[1, 'x']]],
  [`select sum(r.a) as s from (from ${PAIRS} |> distinct) as r`, [[3]]],
  [`select r.b as b, r as whole from (from ${PAIRS} as p |> where p.a = 1) as r`, [['x', [1, 'x']]]],
  ['select sum(r) as s from (from unnest([1, 2]) |> as n |> union all (select as value 4)) as r', [[7]]],
  [
    'from unnest([1, 1, 2]) as n |> distinct |> as m |> extend m * 10 as tens |> order by tens',
    [
      [1, 10],
      [2, 20],
    ],
  ],
  [`select p.* from ${PAIRS} as p with offset as o where o = 1`, [[2, 'y']]],
  [`select p.* except (a), o from ${PAIRS} as p with offset as o where o = 0`, [['x', 0]]],
  [`select array(select as struct p.* from unnest([struct(3 as a)]) as p with offset) as list`, [[[[3]]]]],
  ["select array<struct<k int64, v string>>[(1, 'a'), struct(2 as z, null)][offset(0)].v as v", [['a']]],
  ['select array<struct<k int64, v struct<x float64>>>[(1, struct(2))][safe_offset(n)].v.x as x from unnest([0]) as n', [[2]]],
  [`select array(from ${PAIRS} as p |> where p.a = 1) as list`, [[[[1, 'x']]]]],
  ['select 2 in (from unnest([1, 2]) as n |> limit 5) as found', [[true]]],
  [
    `from ${PAIRS} |> distinct |> order by a`,
    [
      [1, 'x'],
      [2, 'y'],
    ],
  ],
])('%s', async (sql, expected) => {
  expect(await rows(sql)).toEqual(expected);
});

test('the columns of what is shown have the names they had', async () => {
  expect(await table('from unnest([1, 2]) as n |> where n > 1')).toEqual([['n'], [2]]);
  expect(await table(`select as struct 1 as a, 2 as b |> limit 1`)).toEqual([
    ['a', 'b'],
    [1, 2],
  ]);
});

test('rows with columns beside the value are no values', () => {
  expect(refusal('select sum(r) as s from (from unnest([1, 2]) as n |> extend n + 1 as m) as r')).toBe(
    'type: SUM does not take (STRUCT<n INT64, m INT64>)',
  );
});
