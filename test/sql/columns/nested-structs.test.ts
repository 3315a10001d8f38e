// Structs that may be NULL, arrays and structs inside of structs, and fields without names.
import { expect, test } from 'vitest';
import { byText, sourceTables } from '../../support/source-tables.ts';

const { outcome } = sourceTables({
  nt: {
    columns: `id Int64, s Nullable(Tuple(a String, n Int32)), t Tuple(x Array(Tuple(y Int8)), z Tuple(w UInt64)), un Tuple(String, Int8)`,
    rows: `VALUES (1, ('q', 1), ([(1), (2)], (5)), ('u', 1)), (2, NULL, ([], (0)), ('', 0))`,
    settings: 'enable_nullable_tuple_type = 1',
  },
});

test.each<[sql: string, expected: string | readonly (readonly unknown[])[]]>([
  [
    'select id, s from nt',
    [
      [1, ['q', 1]],
      [2, null],
    ],
  ],
  [
    'select id, s.a, s.n from nt',
    [
      [1, 'q', 1],
      [2, null, null],
    ],
  ],
  ['select id from nt where s is null', [[2]]],
  [
    'select a.id, b.t.z.w, b.un, b.s.n from nt a left join nt b on b.id = a.id + 1',
    [
      [1, '0', ['', 0], null],
      [2, null, null, null],
    ],
  ],
  [
    "select id, x.s.y, x.s from nt left join unnest([struct(1 as k, struct('q' as y) as s)]) as x on x.k = id",
    [
      [1, 'q', ['q']],
      [2, null, null],
    ],
  ],
  [
    "select id, [struct(struct(5 as n, 'q' as y) as s)][safe_offset(id - 1)].s.n from nt",
    [
      [1, 5],
      [2, null],
    ],
  ],
  [
    "select (select struct(struct('q' as y) as s) from nt where false).s.y, lag(struct(struct(7 as y) as s)) over (order by id).s.y from nt where id = 1",
    [[null, null]],
  ],
  [
    'select id, s is null, s.a is null from nt',
    [
      [1, false, false],
      [2, true, true],
    ],
  ],
  ['select count(s), count(s.a) from nt', [[1, 1]]],
  [
    'select id, t.z.w, t.x from nt',
    [
      [1, '5', [[1], [2]]],
      [2, '0', []],
    ],
  ],
  [
    'select id, x.y from nt, unnest(t.x) x',
    [
      [1, 1],
      [1, 2],
    ],
  ],
  [
    'select id, (select sum(y) from unnest(t.x)) from nt',
    [
      [1, 3],
      [2, null],
    ],
  ],
  [
    'select id, t.x[safe_offset(1)].y from nt',
    [
      [1, 2],
      [2, null],
    ],
  ],
  [
    'select id, un from nt',
    [
      [1, ['u', 1]],
      [2, ['', 0]],
    ],
  ],
  [
    'select id, un[offset(0)], un[ordinal(2)] from nt',
    [
      [1, 'u', 1],
      [2, '', 0],
    ],
  ],
  [
    'select a.id, i.y from nt a left join nt b on a.id = b.id + 1, unnest(b.t.x) i',
    [
      [2, 1],
      [2, 2],
    ],
  ],
  [
    'with c as (select * from nt) select c.s.a, d.t.z.w from c join c d using (id)',
    [
      ['q', '5'],
      [null, '0'],
    ],
  ],
  [
    'select id, array(select y from nt.t.x) from nt',
    [
      [1, [1, 2]],
      [2, []],
    ],
  ],
  ['select t.z from nt where t.z.w > 1', [[['5']]]],
  ['select max(t.z.w) over (order by id) from nt', [['5'], ['5']]],
  ['select id from nt where exists (select 1 from unnest(t.x) as e where e.y = id)', [[1]]],
  [
    'select id, (select count(*) from nt n2 where n2.s.a = nt.s.a) from nt',
    [
      [1, 1],
      [2, 0],
    ],
  ],
  ['select id from nt where s.a in (select s.a from nt)', [[1]]],
  ['select if(id = 1, t.z, null).w from nt', [['5'], [null]]],
  ['select (select as struct s.a as b, t.z.w as c).c from nt', [['5'], ['0']]],
  ['select id from nt qualify row_number() over (order by t.z.w desc) = 1', [[1]]],
  ['select * from (select id, t.z.w as w from nt) pivot(sum(w) for id in (1, 2))', [['5', '0']]],
  [
    'select s.* from nt',
    [
      ['q', 1],
      [null, null],
    ],
  ],
  ['select t.z.* from nt', [['5'], ['0']]],
  [
    'select id, k from nt, unnest([s]) k',
    [
      [1, ['q', 1]],
      [2, null],
    ],
  ],
  ['select nt.s.a from nt order by nt.s.a limit 1', [[null]]],
  ['select s.a from nt union distinct select cast(t.z.w as string) from nt', [['q'], [null], ['5'], ['0']]],
])('%s', async (sql, expected) => {
  expect(await outcome(sql)).toEqual(byText(expected));
});
