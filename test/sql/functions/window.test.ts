// What numbering and navigation functions become and give.
import { testTable } from '../../support/table-rows.ts';

const table = `
  SELECT 1 AS id, 'a' AS g, 3 AS n, 1.5 AS f
  UNION ALL SELECT 2, 'a', NULL, CAST('nan' AS FLOAT64)
  UNION ALL SELECT 3, 'b', 3, -2.0
  UNION ALL SELECT 4, 'b', -1, 4.0`;

testTable({
  table,
  rest: 'ORDER BY id',
  expressions: {
    numbering: [
      ['ROW_NUMBER() OVER (ORDER BY id DESC)', 'toInt64(row_number() OVER (ORDER BY id DESC))', 4, 3, 2, 1],
      ['RANK() OVER (ORDER BY n)', 'toInt64(rank() OVER (ORDER BY n NULLS FIRST))', 3, 1, 3, 2],
      ['DENSE_RANK() OVER (ORDER BY n DESC)', 'toInt64(dense_rank() OVER (ORDER BY n DESC))', 1, 3, 1, 2],
      ['RANK() OVER (ORDER BY f)', 'toInt64(rank() OVER (ORDER BY f NULLS FIRST))', 3, 1, 2, 4],
      ['PERCENT_RANK() OVER (ORDER BY id)', 'percent_rank() OVER (ORDER BY id)', 0, 0.3333333333333333, 0.6666666666666666, 1],
      ['CUME_DIST() OVER (ORDER BY n)', 'cume_dist() OVER (ORDER BY n NULLS FIRST)', 1, 0.25, 1, 0.5],
      ['NTILE(3) OVER (ORDER BY id)', 'toInt64(ntile(3) OVER (ORDER BY id))', 1, 1, 2, 3],
    ],
    navigation: [
      ['LAG(n) OVER (ORDER BY id)', 'lag(toNullable(n), 1) OVER (ORDER BY id)', null, 3, null, 3],
      ['LEAD(n, 2, 0) OVER (ORDER BY id)', "lead(toNullable(n), 2, CAST(toInt64(0), 'Nullable(Int64)')) OVER (ORDER BY id)", 3, -1, 0, 0],
      [
        'FIRST_VALUE(n) OVER (PARTITION BY g ORDER BY id)',
        'first_value_respect_nullsOrNull(n) OVER (PARTITION BY g ORDER BY id)',
        3,
        3,
        3,
        3,
      ],
      ['LAST_VALUE(n IGNORE NULLS) OVER (ORDER BY id)', 'last_valueOrNull(n) OVER (ORDER BY id)', 3, 3, 3, -1],
      ['LAST_VALUE(n) OVER (ORDER BY id)', 'last_value_respect_nullsOrNull(n) OVER (ORDER BY id)', 3, null, 3, -1],
      ['NTH_VALUE(n, 2) OVER (ORDER BY id)', 'nth_value(toNullable(n), 2) OVER (ORDER BY id)', null, null, null, null],
      ['NTH_VALUE(n, 2 IGNORE NULLS) OVER (ORDER BY id)', 'arrayElementOrNull(groupArray(n) OVER (ORDER BY id), 2)', null, null, 3, 3],
    ],
  },
  failures: [
    ['LAG(n, -1) OVER (ORDER BY id)', 'the offset of LAG must be a constant, 0 or more'],
    ['LEAD(n, 1, id) OVER (ORDER BY id)', 'the default of LEAD must be a constant'],
    ['NTILE(0) OVER (ORDER BY id)', 'the number of buckets of NTILE must be a constant, 1 or more'],
    ['NTH_VALUE(n, id) OVER (ORDER BY id)', 'the position of NTH_VALUE must be a constant, 1 or more'],
    ['RANK() OVER ()', 'RANK needs ORDER BY in its window'],
  ],
});
