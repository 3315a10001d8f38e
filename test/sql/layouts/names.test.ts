// A layout is at home in its folder: code elsewhere asks the layout of a column what it needs to know, and does not go by its name.
import { expect, test } from 'vitest';
import { RECORD_LAYOUTS } from '../../../src/sql/layouts/records.ts';
import { textsOf } from '../../support/source-imports.ts';

/** Of plain columns and what is stored of them, and the rules for one layout alone. */
const KNOWN = [
  'src/sources/information-schema/list-tables.ts: column',
  'src/sources/table/table-source.ts: column',
  'src/sources/table/table-source.ts: text',
  'src/sql/analyzer/names/said-column.ts: column',
  'src/sql/compile/buckets.ts: column',
  'src/sql/logical/properties/range.ts: column',
  'src/sql/optimizer/colocated.ts: column',
  'src/sql/optimizer/rules/compare-stored.ts: column',
  'src/sql/optimizer/rules/compare-stored.ts: column',
  'src/sql/optimizer/rules/eliminate-outer-unnest.ts: nested',
  'src/sql/optimizer/rules/prune-nested-fields.ts: nested',
  'src/sql/optimizer/rules/prune-nested-fields.ts: nested',
  'src/sql/optimizer/rules/prune-struct-fields.ts: column',
  'src/sql/optimizer/rules/push-filters-below-unnests.ts: nested',
  'src/sql/optimizer/rules/read-map-entries.ts: column',
  'src/sql/optimizer/rules/search-record-text.ts: text',
  'src/sql/optimizer/stored/day.ts: column',
  'src/sql/optimizer/stored/time.ts: column',
];

test('no code outside of layouts/ goes by the name of a layout, but the rules for one alone', () => {
  const named = [...textsOf('src')]
    .filter(([file]) => !file.startsWith('src/sql/layouts/'))
    .flatMap(([file, text]) => [...text.matchAll(/\blayout [!=]== '(\w+)'/g)].map(([, name]) => `${file}: ${name}`));
  expect(named.sort()).toEqual(KNOWN);
});

test('the layouts have names of their own', () => {
  const names = RECORD_LAYOUTS.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
});
