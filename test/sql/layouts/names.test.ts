// A layout is at home in its folder: code elsewhere asks the layout of a column what it needs to know, and does not go by its name.
import { expect, test } from 'vitest';
import { RECORD_LAYOUTS } from '../../../src/sql/layouts/index.ts';
import { textsOf } from '../../support/source-imports.ts';

/** Of plain columns and their stored times, and the rules for one layout alone. */
const KNOWN = [
  'src/sources/table-source.ts: column',
  'src/sql/optimizer/rules/eliminate-outer-unnest.ts: nested',
  'src/sql/optimizer/rules/prune-nested-fields.ts: nested',
  'src/sql/optimizer/rules/prune-nested-fields.ts: nested',
  'src/sql/optimizer/rules/push-filters-below-unnests.ts: nested',
  'src/sql/optimizer/rules/search-record-text.ts: text',
  'src/sql/optimizer/stored-times.ts: column',
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
