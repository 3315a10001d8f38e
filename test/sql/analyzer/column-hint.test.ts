// A field of a repeated record written as a column: the error says how it is reached, and what it says works.
import { expect, test } from 'vitest';
import { QuernError } from '../../../src/base/errors.ts';
import { embeddedSources } from '../../../src/sources/log/log-catalog.ts';
import { translate } from '../../../src/sql/index.ts';
import type { Source, SourceCatalog } from '../../../src/sql/source.ts';

const logs = embeddedSources({ sources: {} });
const grid: Source = {
  name: 'grid',
  table: 'grid',
  columns: [],
  unread: [{ name: 'cells', stored: 'Array(Array(Int32))', why: 'BigQuery has no arrays of arrays' }],
};
const sources: SourceCatalog = { names: [...logs.names, 'grid'], find: (name) => (name === 'grid' ? grid : logs.find(name)) };

function hintOf(text: string): string | undefined {
  try {
    translate(text, { sources });
  } catch (error) {
    if (error instanceof QuernError) return error.details.hint;
    throw error;
  }
  return 'translated';
}

test.each([
  [
    'select path from edge_logs',
    'it is the field metadata.request.path: CROSS JOIN UNNEST(edge_logs.metadata) AS r1 CROSS JOIN UNNEST(r1.request) AS r2, then r2.path',
  ],
  [
    'select t.status_code from edge_logs as t',
    'it is the field metadata.response.status_code: CROSS JOIN UNNEST(t.metadata) AS r1 CROSS JOIN UNNEST(r1.response) AS r2, then r2.status_code',
  ],
  ['select timestmp from edge_logs', 'did you mean timestamp?'],
  ['select Cells from grid', 'the table has it as Array(Array(Int32)), which queries cannot read: BigQuery has no arrays of arrays'],
  ['select g.cells from grid as g', 'the table has it as Array(Array(Int32)), which queries cannot read: BigQuery has no arrays of arrays'],
])('%s', (text, hint) => {
  expect(hintOf(text)).toBe(hint);
});

test('the query that the hint makes is translated', () => {
  const joins = 'CROSS JOIN UNNEST(t.metadata) AS r1 CROSS JOIN UNNEST(r1.response) AS r2';
  expect(hintOf(`select r2.status_code from edge_logs as t ${joins}`)).toBe('translated');
});
