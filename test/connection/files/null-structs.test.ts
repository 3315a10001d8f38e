// A STRUCT that is NULL in a file is NULL to queries, and not a STRUCT of NULLs: at any depth, in one file and in several.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FilesHome, filesHome } from './support.ts';

let home: FilesHome;
beforeAll(async () => {
  home = filesHome();
  const type = 'Nullable(Tuple(a Nullable(Int64), b Nullable(Tuple(u Nullable(String))), c Array(Nullable(Tuple(k Nullable(Int64))))))';
  const rows = ["(1, tuple('a'), [tuple(7), tuple(NULL)])", 'NULL', '(NULL, NULL, [])', '(NULL, tuple(NULL), [])'];
  const rowsOf = rows.map((row, i) => `SELECT ${i + 1}::Int64 AS i, CAST(${row}, '${type}') AS s`);
  const select = `SELECT * FROM (${rowsOf.join(' UNION ALL ')}) ORDER BY i`;
  for (const [ending, format] of Object.entries({ arrow: 'Arrow', orc: 'ORC', avro: 'Avro' }))
    await home.make(`s.${ending}`, format, select);
  home.write(
    's.ndjson',
    `${[
      '{"i":1,"s":{"a":1,"b":{"u":"a"},"c":[{"k":7},{"k":null}]}}',
      '{"i":2,"s":null}',
      '{"i":3,"s":{"a":null,"b":null,"c":null}}',
      '{"i":4,"s":{"a":null,"b":{"u":null}}}',
    ].join('\n')}\n`,
  );
  home.write('s-2.ndjson', '{"i":5}\n');
  home.write(
    'quern.yaml',
    `sources:\n${['arrow', 'orc', 'avro', 'ndjson'].map((ending) => `  ${ending}: { file: s.${ending} }\n`).join('')}  both: { file: s*.ndjson }\n`,
  );
});
afterAll(() => home.remove());

const ROWS = [
  '{"i":1,"is_null":false,"inner_null":false,"u":"a","elements":2,"s":{"a":1,"b":{"u":"a"},"c":[{"k":7},{"k":null}]}}',
  '{"i":2,"is_null":true,"inner_null":true,"u":null,"elements":0,"s":null}',
  '{"i":3,"is_null":false,"inner_null":true,"u":null,"elements":0,"s":{"a":null,"b":null,"c":[]}}',
  '{"i":4,"is_null":false,"inner_null":false,"u":null,"elements":0,"s":{"a":null,"b":{"u":null},"c":[]}}',
];

test.each(['arrow', 'orc', 'avro', 'ndjson', 'both'])('%s', async (of) => {
  const elements = '(select count(*) from unnest(s.c))';
  const sql = `select i, s is null as is_null, s.b is null as inner_null, s.b.u, ${elements} as elements, s from ${of} order by i`;
  const fifth = of === 'both' ? [ROWS[1]?.replace('2', '5')] : [];
  expect((await home.rows(sql)).trim().split('\n')).toEqual([...ROWS, ...fifth]);
  const counted = await home.rows(`select count(s) as there, count(*) as all_rows from ${of} where coalesce(s.a, 0) < 2`);
  expect(counted).toBe(`{"there":3,"all_rows":${of === 'both' ? 5 : 4}}\n`);
});
