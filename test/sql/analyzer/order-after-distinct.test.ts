// ORDER BY after SELECT DISTINCT: by what the distinct rows have, on the engine. Rows and refusals are those of the reference implementation.
import { expect, test } from 'vitest';
import { queryRunner, refusal } from '../../support/query-rows.ts';

const { rows } = queryRunner();
const T = "from unnest([struct(1 as a, 'x' as b), (3, 'y'), (2, 'z'), (1, 'x')]) as t";
const UP = [
  [1, 'x'],
  [2, 'z'],
  [3, 'y'],
];

test.each([
  [`select distinct as struct a, b ${T} order by a`, UP],
  [`select distinct as struct a, b ${T} order by 1`, UP],
  [`select distinct as struct a, b ${T} order by t.a`, UP],
  [`select distinct as struct a as k, b ${T} order by k`, UP],
  [`select distinct as struct a as k, b ${T} order by a`, UP],
  [
    `select distinct as struct a, b ${T} order by 2 desc limit 2`,
    [
      [2, 'z'],
      [3, 'y'],
    ],
  ],
  [
    `select distinct as struct a + 1 as k, b ${T} order by k + 1`,
    [
      [2, 'x'],
      [3, 'z'],
      [4, 'y'],
    ],
  ],
  [
    `select distinct as struct a, sum(1) as n ${T} group by a order by n desc, a`,
    [
      [1, 2],
      [2, 1],
      [3, 1],
    ],
  ],
  [
    `select distinct as struct a, row_number() over (order by a, b) as n ${T} order by n desc limit 2`,
    [
      [3, 4],
      [2, 3],
    ],
  ],
  [
    `select array(select distinct as struct a, b ${T} order by a desc) as l`,
    [
      [
        [
          [3, 'y'],
          [2, 'z'],
          [1, 'x'],
        ],
      ],
    ],
  ],
  // The values of the rows may be computed with.
  [`select distinct a as k ${T} order by -k`, [[3], [2], [1]]],
  [`select distinct a ${T} order by mod(t.a, 3), a`, [[3], [1], [2]]],
  [`select distinct lower(b) as b ${T} order by upper(b) desc`, [['z'], ['y'], ['x']]],
  [
    `select distinct a, count(*) as c ${T} group by a order by -c, -a`,
    [
      [1, 2],
      [3, 1],
      [2, 1],
    ],
  ],
  ['select array(select distinct b from unnest(["y", "x", "y"]) as b order by concat(b, o)) as l from unnest(["o"]) as o', [[['x', 'y']]]],
])('%s', async (sql, expected) => {
  expect(await rows(sql)).toEqual(expected);
});

test.each([
  `select distinct as struct a ${T} order by b`,
  `select distinct a ${T} order by a + length(b)`,
  `select distinct as value struct(a, b) ${T} order by a`,
  `select distinct upper(b) as c ${T} order by b`,
])('%s is refused', (sql) => {
  expect(refusal(sql)).toBe('type: ORDER BY after SELECT DISTINCT can use only what SELECT returns');
});

test.each(['union all', 'union distinct'])('%s of structs has no names to order by', (operator) => {
  expect(refusal(`select as struct 1 as a ${operator} select as struct 2 order by a`)).toBe(
    'unknown-column: there is no column or table a here',
  );
});
