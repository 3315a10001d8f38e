// Results that are certain to be small, which are read in memory.
import { describe, expect, test } from 'vitest';
import { INT64, STRING } from '../../../src/sql/base/types.ts';
import { translateSpecializable } from '../../../src/sql/index.ts';
import type { Source, SourceCatalog } from '../../../src/sql/source.ts';

const ticks: Source = {
  name: 'ticks',
  database: 'default',
  table: 'ticks',
  columns: [
    { name: 'id', type: INT64, read: { layout: 'column', column: 'id', clickhouseType: 'Int64' } },
    { name: 'word', type: STRING, read: { layout: 'column', column: 'word', clickhouseType: 'String' } },
  ],
};
const sources: SourceCatalog = { names: ['ticks'], find: (name) => (name === 'ticks' ? ticks : undefined) };
const isSmall = (sql: string): boolean => translateSpecializable(sql, { sources, parameters: { n: INT64 } }).small === true;

describe('one row of short values:', () => {
  test.each([
    "select 1 as one, 2.5 as x, date '2026-01-02' as d, numeric '1.5' as n, true as yes, null as nothing",
    'select @n + 1 as n',
    'select count(*) as c, avg(id) as mean from ticks',
    'select c + 1 as c from (select count(*) as c from ticks) where c > 2',
    'select id from ticks order by id limit 1',
  ])('%s', (sql) => expect(isSmall(sql)).toBe(true));
});

describe('more rows, or values of any length:', () => {
  test.each([
    'select id from ticks',
    'select id from ticks limit 2',
    'select id, count(*) as c from ticks group by id',
    'select id, count(*) as c from ticks group by rollup (id)',
    'select 1 as one union all select 2',
    'select n from unnest([1, 2]) as n',
    "select repeat('x', @n) as x",
    'select max(word) as word from ticks',
    'select [1, 2] as list',
    'select struct(1 as a) as s',
  ])('%s', (sql) => expect(isSmall(sql)).toBe(false));
});
