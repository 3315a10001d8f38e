// Which numbers need care for NaN, and what undeclared fields of a record count as.
import { expect, test } from 'vitest';
import { arrayOf, FLOAT64, INT64, recordOf, STRING } from '../../../src/sql/base/types.ts';
import { translate } from '../../../src/sql/index.ts';
import type { Source } from '../../../src/sql/source.ts';
import { itemText } from '../../support/table-rows.ts';

const LOGS: Source = {
  name: 'logs',
  table: 'logs',
  columns: [
    { name: 'id', type: STRING, read: { layout: 'column', column: 'id', clickhouseType: 'String' } },
    { name: 'ratio', type: FLOAT64, read: { layout: 'column', column: 'ratio', clickhouseType: 'Float64' } },
    {
      name: 'metadata',
      type: arrayOf(
        recordOf([
          { name: 'ms', type: FLOAT64 },
          { name: 'status', type: INT64 },
        ]),
      ),
      read: { layout: 'json', column: 'metadata', typedPaths: { ms: 'Nullable(Float64)', status: 'Nullable(Int64)' } },
    },
  ],
};

const translated = (expression: string) =>
  translate(`SELECT ${expression} AS x FROM logs, UNNEST(metadata) m`, {
    sources: { find: (name) => (name === 'logs' ? LOGS : undefined), names: ['logs'] },
  });

test.each([
  ['MAX(m.ms)', 'maxOrNull(metadata.ms)'],
  ['MAX(m.ms / 2 + m.status)', 'maxOrNull(metadata.ms / 2.0 + toFloat64(metadata.status))'],
  ['MAX(ratio)', 'if(maxOrNull(isNaN(ratio)), nan, maxOrNull(ratio))'],
  ['APPROX_QUANTILES(m.ms, 100)[OFFSET(95)]', 'quantileExactOrNull(0.9499999999)(metadata.ms)'],
  ['COUNT(DISTINCT ratio)', 'toInt64(count(DISTINCT if(isNaN(ratio), nan, ratio + 0.0)))'],
])('%s takes care for NaN only where there may be one', (expression, clickhouse) => {
  expect(itemText(translated(expression).sql)).toBe(clickhouse);
});

test.each([
  ['SUM(m.size)', 'FLOAT64'],
  ['AVG(m.size)', 'FLOAT64'],
  ['m.size / 1000', 'FLOAT64'],
  ['m.size + 1', 'INT64'],
  ['SUM(m.status)', 'INT64'],
  ['MAX(m.size)', 'STRING'],
])('%s of an undeclared field is %s', (expression, type) => {
  expect(translated(expression).columns.map((c) => c.type.kind)).toEqual([type]);
});
