// What lint finds of tables that the test describes itself.
import { expect, test } from 'vitest';
import { QuernError } from '../../src/base/errors.ts';
import { lintSource } from '../../src/queries/lint.ts';
import { INT64 } from '../../src/sql/base/types.ts';
import type { Source } from '../../src/sql/source.ts';
import { fixedSources } from '../support/fixed-sources.ts';

const SHAPES: Source = {
  name: 'shapes',
  table: 'shapes',
  columns: [{ name: 'id', type: INT64, read: { layout: 'column', column: 'id', clickhouseType: 'Int64' } }],
  unread: [
    { name: 'area', stored: 'Polygon', why: 'GEOGRAPHY is not supported' },
    { name: 'uniques', stored: 'AggregateFunction(uniq, Int64)', why: 'it holds states' },
  ],
};

test('a table is asked for by the name that the query has for it: a rule of names leads to no other', async () => {
  const find = (name: string): Source => {
    if (name !== 'My.Shapes') throw new QuernError('unknown-source', `there is no ${name}`);
    return SHAPES;
  };
  const findings = await lintSource({ name: 'q.sql', text: 'select * from My.Shapes order by id' }, 'q', {
    catalog: { find: () => undefined, names: [], list: () => [], functions: () => [] } as never,
    sources: fixedSources(() => ({ names: [], find })),
    prepare: () => Promise.resolve({}),
  });
  expect(findings.map(({ message }) => message)).toContain('* leaves out the columns of My.Shapes that queries cannot read: area, uniques');
});

test.each([
  ['select * from shapes', ['star-leaves-out: * leaves out the columns of shapes that queries cannot read: area, uniques', 'select-star']],
  ['select s.* from Shapes s join shapes t using (id)', ['star-leaves-out']],
  ['select * from shapes s cross join shapes t', ['star-leaves-out', 'star-leaves-out']],
  ['with w as (select * except (id) from shapes) select * from w', ['star-leaves-out']],
  ['with shapes as (select 1 as id) select * from shapes', []],
  ['select id from shapes', []],
  ['insert into `p.d.totals` select id from shapes', ['not-stored: nothing is stored: these are the rows for p.d.totals']],
  ['create table t as select id from shapes', ['not-stored']],
  ['create temp table t as select id from shapes; select id from t', []],
  ['select count(*) as n from shapes', []],
  ['select * from unnest([1])', []],
])('%s', async (text, expected) => {
  const findings = await lintSource({ name: 'q.sql', text }, 'q', {
    catalog: { find: () => undefined, names: [], list: () => [], functions: () => [] } as never,
    sources: fixedSources(() => ({ names: ['shapes'], find: (name) => (name.toLowerCase() === 'shapes' ? SHAPES : undefined) })),
    prepare: () => Promise.resolve({}),
  });
  const told = findings.map(({ rule, message }) => `${rule}: ${message}`);
  expect(told).toHaveLength(expected.length);
  for (const [i, start] of expected.entries()) expect(told.sort().reverse()[i]).toContain(start);
});
