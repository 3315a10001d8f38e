// Texts of columns that are LowCardinality: some functions of ClickHouse take none that are Nullable too.
import { expect, test } from 'vitest';
import { sourceTables } from '../../support/source-tables.ts';

const { outcome } = sourceTables({
  t: {
    columns: 'id Int64, label LowCardinality(Nullable(String)), plain LowCardinality(String)',
    rows: `VALUES (1, '{"a": 1}', '{"a": [2]}'), (2, NULL, '"x"'), (3, '[7]', '')`,
  },
});

test.each([
  [
    "id, JSON_VALUE(label, '$.a'), JSON_QUERY(plain, '$.a')",
    [
      [1, '1', '[2]'],
      [2, null, null],
      [3, null, null],
    ],
  ],
  [
    'id, JSON_VALUE(label), JSON_VALUE(plain)',
    [
      [1, null, null],
      [2, null, 'x'],
      [3, null, null],
    ],
  ],
  [
    'id, JSON_QUERY(label), JSON_QUERY(plain)',
    [
      [1, '{"a":1}', '{"a":[2]}'],
      [2, null, '"x"'],
      [3, '[7]', null],
    ],
  ],
  [
    'id, JSON_QUERY_ARRAY(label)',
    [
      [1, []],
      [2, []],
      [3, ['7']],
    ],
  ],
  [
    'id, JSON_TYPE(PARSE_JSON(label))',
    [
      [1, 'object'],
      [2, null],
      [3, 'array'],
    ],
  ],
  [
    'id, COUNT(*) OVER (ORDER BY LENGTH(label) RANGE BETWEEN 5 PRECEDING AND CURRENT ROW)',
    [
      [1, 2],
      [2, 1],
      [3, 1],
    ],
  ],
  [
    'id, COUNT(*) OVER (ORDER BY LENGTH(label) / 2 RANGE BETWEEN 1 PRECEDING AND CURRENT ROW)',
    [
      [1, 1],
      [2, 1],
      [3, 1],
    ],
  ],
])('%s', async (items, rows) => {
  expect(await outcome(`SELECT ${items} FROM t`)).toEqual(rows);
});
