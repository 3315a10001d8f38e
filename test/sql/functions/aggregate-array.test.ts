// What ARRAY_AGG, ARRAY_CONCAT_AGG and STRING_AGG become and give.
import { testTable } from '../../support/table-rows.ts';

const table = `
  SELECT 1 AS id, 'a' AS g, 3 AS n, 1.5 AS f, 'x' AS s, DATE '2026-01-01' AS day, [1, 2] AS list
  UNION ALL SELECT 2, 'a', NULL, CAST('nan' AS FLOAT64), NULL, NULL, [3]
  UNION ALL SELECT 3, 'b', 3, -2.0, 'y', DATE '2026-01-02', [5]
  UNION ALL SELECT 4, 'b', -1, 4.0, 'Z', DATE '2026-01-03', [4]`;

testTable({
  table,
  expressions: {
    ARRAY_AGG: [
      ['ARRAY_AGG(n IGNORE NULLS)', 'groupArray(n)', [3, 3, -1]],
      ['ARRAY_AGG(n)', 'arrayMap(`row` -> tupleElement(`row`, 1), groupArray(tuple(n)))', [3, null, 3, -1]],
      [
        'ARRAY_AGG(n ORDER BY n, id DESC)',
        'arrayMap(`row` -> tupleElement(`row`, 1), arraySort(row_2 -> tupleElement(row_2, 2), groupArray((n, (n IS NOT NULL, n, id IS NULL, bitNot(id))))))',
        [null, -1, 3, 3],
      ],
      [
        'ARRAY_AGG(id ORDER BY n DESC, id)',
        'arrayMap(`row` -> tupleElement(`row`, 1), arrayReverseSort(row_2 -> tupleElement(row_2, 2), groupArray((id, (n IS NOT NULL, n, id IS NULL, bitNot(id))))))',
        [1, 3, 4, 2],
      ],
      [
        'ARRAY_AGG(id ORDER BY n DESC NULLS FIRST, id DESC LIMIT 3)',
        'arrayMap(`row` -> tupleElement(`row`, 1), arraySlice(arrayReverseSort(row_2 -> tupleElement(row_2, 2), groupArray((id, (n IS NULL, n, id IS NOT NULL, id)))), 1, 3))',
        [2, 3, 1],
      ],
      [
        'ARRAY_AGG(id ORDER BY f)',
        'arrayMap(`row` -> tupleElement(`row`, 1), arraySort(row_2 -> tupleElement(row_2, 2), groupArray((id, (f IS NOT NULL, NOT isNaN(f), f)))))',
        [2, 3, 1, 4],
      ],
      [
        'ARRAY_AGG(id ORDER BY f DESC)',
        'arrayMap(`row` -> tupleElement(`row`, 1), arrayReverseSort(row_2 -> tupleElement(row_2, 2), groupArray((id, (f IS NOT NULL, NOT isNaN(f), f)))))',
        [4, 1, 3, 2],
      ],
      [
        'ARRAY_AGG(DISTINCT n IGNORE NULLS ORDER BY n)',
        'arrayMap(`row` -> tupleElement(`row`, 1), arraySort(row_2 -> tupleElement(row_2, 2), groupArrayIf(DISTINCT (n, (n IS NOT NULL, n)), n IS NOT NULL)))',
        [-1, 3],
      ],
      [
        'ARRAY_AGG(id ORDER BY g DESC, s)',
        "arrayMap(`row` -> tupleElement(`row`, 1), arrayReverseSort(row_2 -> tupleElement(row_2, 2), groupArray((id, (g IS NOT NULL, g, s IS NULL, concat(translate(hex(s), '0123456789ABCDEF', 'FEDCBA9876543210'), 'G'))))))",
        [4, 3, 2, 1],
      ],
      [
        'ARRAY_AGG(id ORDER BY g, s DESC)',
        "arrayMap(`row` -> tupleElement(`row`, 1), arraySort(row_2 -> tupleElement(row_2, 2), groupArray((id, (g IS NOT NULL, g, s IS NULL, concat(translate(hex(s), '0123456789ABCDEF', 'FEDCBA9876543210'), 'G'))))))",
        [1, 2, 3, 4],
      ],
      [
        'ARRAY_AGG(id ORDER BY day DESC, s)',
        'arrayMap(`row` -> tupleElement(`row`, 1), arraySort(row_2 -> tupleElement(row_2, 2), groupArray((id, (day IS NULL, -toInt32(day), s IS NOT NULL, s)))))',
        [4, 3, 1, 2],
      ],
      [
        'ARRAY_AGG(n ORDER BY id LIMIT 2)',
        'arrayMap(`row` -> tupleElement(`row`, 1), arraySlice(arraySort(row_2 -> tupleElement(row_2, 2), groupArray((n, (id IS NOT NULL, id)))), 1, 2))',
        [3, null],
      ],
    ],
    STRING_AGG: [
      ['STRING_AGG(s)', "if(count(s) = 0, NULL, arrayStringConcat(groupArray(s), ','))", 'x,y,Z'],
      [
        "STRING_AGG(s, '' ORDER BY s)",
        "if(count(s) = 0, NULL, arrayStringConcat(arrayMap(`row` -> tupleElement(`row`, 1), arraySort(row_2 -> tupleElement(row_2, 2), groupArrayIf((s, (s IS NOT NULL, s)), s IS NOT NULL))), ''))",
        'Zxy',
      ],
      [
        "STRING_AGG(s, '; ' ORDER BY id DESC LIMIT 2)",
        "if(empty(arrayMap(`row` -> tupleElement(`row`, 1), arraySlice(arrayReverseSort(row_2 -> tupleElement(row_2, 2), groupArrayIf((s, (id IS NOT NULL, id)), s IS NOT NULL)), 1, 2))), NULL, arrayStringConcat(arrayMap(`row` -> tupleElement(`row`, 1), arraySlice(arrayReverseSort(row_2 -> tupleElement(row_2, 2), groupArrayIf((s, (id IS NOT NULL, id)), s IS NOT NULL)), 1, 2)), '; '))",
        'Z; y',
      ],
      [
        'STRING_AGG(IF(id > 9, s, NULL))',
        "if(count(if(id > 9, s, CAST(NULL, 'Nullable(String)'))) = 0, NULL, arrayStringConcat(groupArray(if(id > 9, s, CAST(NULL, 'Nullable(String)'))), ','))",
        null,
      ],
      [
        "STRING_AGG(DISTINCT g, '-' ORDER BY g DESC)",
        "if(count(g) = 0, NULL, arrayStringConcat(arrayMap(`row` -> tupleElement(`row`, 1), arrayReverseSort(row_2 -> tupleElement(row_2, 2), groupArrayIf(DISTINCT (g, (g IS NOT NULL, g)), g IS NOT NULL))), '-'))",
        'b-a',
      ],
      [
        "STRING_AGG(IF(id > 2, '', s))",
        "if(count(if(id > 2, '', s)) = 0, NULL, arrayStringConcat(groupArray(if(id > 2, '', s)), ','))",
        'x,,',
      ],
    ],
    ARRAY_CONCAT_AGG: [
      [
        'ARRAY_CONCAT_AGG(list ORDER BY id)',
        'arrayFlatten(arrayMap(`row` -> tupleElement(`row`, 1), arraySort(row_2 -> tupleElement(row_2, 2), groupArray((list, (id IS NOT NULL, id))))))',
        [1, 2, 3, 5, 4],
      ],
      [
        'ARRAY_CONCAT_AGG(list ORDER BY id DESC LIMIT 2)',
        'arrayFlatten(arrayMap(`row` -> tupleElement(`row`, 1), arraySlice(arrayReverseSort(row_2 -> tupleElement(row_2, 2), groupArray((list, (id IS NOT NULL, id)))), 1, 2)))',
        [4, 5],
      ],
    ],
  },
  failures: [
    ['ARRAY_AGG(list)', 'ARRAY_AGG can’t collect arrays'],
    ['STRING_AGG(s, CAST(NULL AS STRING))', 'the delimiter of STRING_AGG can’t be NULL'],
  ],
});
