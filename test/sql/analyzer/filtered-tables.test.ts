// Which parameters all WITH tables of a saved query filter by: what a sandbox may be asked with a key that sets them.
import { describe, expect, test } from 'vitest';
import { arrayOf, INT64, STRING, TIMESTAMP, type Type } from '../../../src/sql/base/types.ts';
import { translateSpecializable } from '../../../src/sql/index.ts';
import type { Source, SourceCatalog } from '../../../src/sql/source.ts';

const column = (name: string, type: Type, clickhouseType: string) => ({
  name,
  type,
  read: { layout: 'column', column: name, clickhouseType } as const,
});
const source = (name: string): Source => ({
  name,
  database: 'default',
  table: name,
  columns: [
    column('id', INT64, 'Int64'),
    column('project', STRING, 'String'),
    column('moment', TIMESTAMP, "DateTime64(6, 'UTC')"),
    column('tags', arrayOf(STRING), 'Array(String)'),
    {
      name: 'metadata',
      type: arrayOf({ kind: 'RECORD', fields: [{ name: 'project_ref', type: STRING }] }),
      read: { layout: 'json', column: 'metadata', typedPaths: {} },
    },
  ],
});
const NAMES = ['logs', 'errors'];
const sources: SourceCatalog = { names: NAMES, find: (name) => (NAMES.includes(name) ? source(name) : undefined) };
const options = {
  sources,
  parameters: { p: STRING, q: STRING, ps: arrayOf(STRING), day: INT64, since: TIMESTAMP },
  savedQuery: (name: string) =>
    ({ 'logs.mine': 'select id, project from logs where project = @p', 'logs.all': 'select id, project from logs' })[name],
};
const filteredBy = (tables: string) => translateSpecializable(`with ${tables} select 1 as one`, options, { sandbox: true }).filteredBy;
const mine = 'mine as (select * from logs where project = @p)';

describe('all that is read is filtered by @p in:', () => {
  test.each([
    mine,
    'mine as (select id from logs where @p = project and id > 3)',
    'mine as (select id from logs where id > 3 and (project = @p and id < 9))',
    'mine as (select id from logs as l where l.project = @p order by id limit 3)',
    'mine as (from logs |> where project = @p |> aggregate count(*) as n group by id)',
    'mine as (select count(*) as n from logs where project = @p)',
    // Other comparisons with the parameter
    "mine as (select id from logs where project in (@p, concat(@p, '-old')))",
    'mine as (select id from logs where project is not distinct from @p)',
    'mine as (select id from logs where regexp_contains(project, @p))',
    "mine as (select id from logs where project like concat(@p, '%'))",
    'mine as (select id from logs where starts_with(project, @p))',
    'mine as (select id from logs where lower(project) = lower(@p))',
    'mine as (select id from logs where @p in unnest(tags))',
    "mine as (select id from logs where moment > if(@p = 'FREE', timestamp '2026-01-02', timestamp '2026-01-01'))",
    'mine as (select id from logs where (project = @p) is true)',
    'mine as (select id from logs where ifnull(project = @p, false))',
    'mine as (select id from logs where case when id > 3 then project = @p else project = @p and id = 1 end)',
    // Guards that are false once the parameter is set
    'mine as (select id from logs where (@p is null or project = @p))',
    "mine as (select id from logs where (project = @p or @p = '' or nullif(@p, '') is null))",
    "mine as (select id from logs where if(coalesce(@p, '') = '', project = @p, project = @p))",
    'mine as (select id from logs where if(@p is null, true, project = @p))',
    'mine as (select id from logs where (length(@p) = 0 or project = @p))',
    // By way of a row of parameters
    'params as (select @p as wanted), mine as (select id from logs, params where project = params.wanted)',
    'params as (select upper(@p) as wanted), mine as (select id from logs where project = (select wanted from params))',
    'params as (select @p as wanted), mine as (select id from logs where project in (select wanted from params))',
    "params as (select nullif(@p, '') as wanted), mine as (select id from logs cross join params where (wanted is null or project = wanted))",
    // Over what another table shows
    `${mine}, counts as (select id, count(*) as n from mine group by id), top as (select max(n) as most from counts)`,
    `${mine}, both as (select id from mine union all select id from mine)`,
    'mine as (select * from (select id, project as owner from logs) where owner = @p)',
    'mine as (with raw as (select * from logs) select id from raw where project = @p)',
    'mine as (select project, count(*) as n from logs group by project having project = @p)',
    'mine as (select distinct project from (select project from logs) where project = @p)',
    'mine as (select * from (select project, id from logs union all select project, id from errors) where project = @p)',
    'mine as (select * from (select project, row_number() over (partition by project order by id) as r from logs) where project = @p)',
    'mine as (select id from logs where project = @p except distinct select id from errors where project = @p)',
    'mine as (select m.project_ref from logs cross join unnest(metadata) as m where m.project_ref = @p)',
    'mine as (select id from logs where project = @p), flat as (select t from logs left join unnest(tags) as t where project = @p)',
    // Joins
    'mine as (select l.id from logs as l join errors as e on e.project = l.project where l.project = @p)',
    'mine as (select l.id from logs as l join errors as e using (project) where l.project = @p)',
    'mine as (select l.id from logs as l left join errors as e on e.project = l.project and e.id = l.id where l.project = @p)',
    'mine as (select l.id from logs as l left join (select * from errors where project = @p) as e on e.id = l.id where l.project = @p)',
    'mine as (select l.id from (select * from logs where project = @p) as l full join (select * from errors where project = @p) as e on e.id = l.id)',
    'mine as (select l.id from (select * from logs where project = @p) as l join errors as e on e.project = l.project)',
    'mine as (select id from logs as l where project = @p and exists (select 1 from errors as e where e.project = l.project and e.id = l.id))',
    'mine as (select id, (select count(*) from errors as e where e.project = l.project) as n from logs as l where project = @p)',
    // Tables that read no source
    'days as (select d from unnest(generate_array(1, 5)) as d)',
    'recursive n as (select 1 as i union all select i + 1 from n where i < 5), mine as (select id from logs where project = @p)',
    'recursive r as (select id from logs where project = @p union all select id + 1 from r where id < 5)',
    // Saved queries as tables
    'mine as (select * from logs.mine)',
    'mine as (select id from logs.all where project = @p)',
  ])('%s', (tables) => {
    expect(filteredBy(tables)).toContain('p');
  });
});

describe('something is read without a filter by @p in:', () => {
  test.each([
    'raw as (select * from logs)',
    `${mine}, raw as (select * from errors)`,
    'raw as (select * from logs), mine as (select * from raw where project = @p)',
    'mine as (select id from logs where project != @p)',
    'mine as (select id from logs where not project = @p)',
    'mine as (select id from logs where not (project != @p))',
    "mine as (select id from logs where project = 'a')",
    'mine as (select id from logs where project = @q)',
    'mine as (select id from logs where @p = @p)',
    'mine as (select id from logs where project = project or project = @p)',
    'mine as (select id from logs where project = @p or id = 1)',
    "mine as (select id from logs where project = @p or project = 'shared')",
    "mine as (select id from logs where project in (@p, 'shared'))",
    'mine as (select id from logs where (@q is null or project = @p))',
    "mine as (select id from logs where (@p = 'all' or project = @p))",
    'mine as (select id from logs where (@p is not null or project = @p))',
    'mine as (select id from logs where project = coalesce(@q, @p))',
    'mine as (select id from logs where project = if(@q is null, project, @p))',
    'mine as (select id from logs where concat(project, @p) = @p)',
    'mine as (select id from logs where case when id > 3 then project = @p else id = 1 end)',
    'mine as (select id from logs where ifnull(project = @p, true))',
    'mine as (select id from logs where rand() < 0.5 and concat(cast(rand() as string), @p) = @p)',
    'mine as (select id, project = @p as own from logs)',
    'mine as (select countif(project = @p) as n from logs)',
    // The filter comes after what reads all rows
    'mine as (select * from (select id, project from logs order by id limit 10) where project = @p)',
    'mine as (select * from (select project, sum(id) over () as s from logs) where project = @p)',
    'mine as (select * from (select project, sum(id) over (partition by project) as s, count(*) over () as c from logs) where project = @p)',
    "mine as (select * from (select 'a' as project, count(*) as n from logs) where project = @p)",
    'mine as (select * from (select @p as project, id from logs) where project = @p)',
    'mine as (select project, n from (select project, count(*) as n from logs group by rollup(project)) where project = @p)',
    'mine as (select max(project) as project from logs having max(project) = @p)',
    // A part of it
    'mine as (select id from logs where project = @p union all select id from errors)',
    'mine as (select id from logs where project = @p union all select id from logs)',
    'mine as (select id from logs where project = @p except distinct select id from errors)',
    'mine as (select l.id from logs as l, errors as e where l.project = @p)',
    'mine as (select l.id from logs as l left join errors as e on e.id = l.id where l.project = @p)',
    'mine as (select l.id from logs as l left join errors as e on l.project = @p and e.project = @p)',
    'mine as (select l.id from logs as l right join errors as e on l.project = @p and e.project = @p)',
    'mine as (select l.id from logs as l full join errors as e on l.project = e.project where l.project = @p)',
    'mine as (select l.id from logs as l join errors as e on l.project = e.project or l.id = e.id where l.project = @p)',
    'mine as (select e.id from logs as l cross join unnest(metadata) as m join errors as e on e.project = l.project where m.project_ref = @p and e.id = 1 and l.id = 2)'.replace(
      'e.project = l.project',
      'e.id = l.id',
    ),
    'mine as (select id from logs where project = @p and id in (select id from errors))',
    'mine as (select id from logs as l where project = @p and exists (select 1 from errors as e where e.id = l.id))',
    'mine as (select id, (select max(id) from errors) as other from logs where project = @p)',
    'mine as (select id from logs where project = @p order by (select max(id) from errors))',
    'params as (select @p as wanted from logs), mine as (select id from logs where project = @p)',
    "params as (select @p as wanted union all select 'b'), mine as (select id from logs join params on project = wanted)",
    'params as (select @p as wanted), mine as (select l.id from logs as l left join params on false where (wanted is null or project = wanted))',
    'recursive r as (select id from logs union all select id + 1 from r where id < 5)',
    'recursive r as (select id, project from logs union all select id + 1, project from r where project = @p)',
    'recursive r as (select id from logs where project = @p union all select e.id from r join errors as e on e.id = r.id)',
    // Saved queries as tables
    'mine as (select * from logs.all)',
  ])('%s', (tables) => {
    expect(filteredBy(tables)).not.toContain('p');
  });
});

test('each parameter counts by itself', () => {
  const both = `${mine}, late as (select id from errors where project = @p and moment >= @since and id = @day)`;
  expect(filteredBy(both)).toEqual(['p']);
  expect(filteredBy('mine as (select id from logs where project = @p and moment >= @since and id = @day)')).toEqual(['p', 'day', 'since']);
  expect(filteredBy('mine as (select id from logs where project in unnest(@ps))')).toEqual(['ps']);
});

test('a query without WITH tables shows callers nothing, whatever it reads itself', () => {
  expect(translateSpecializable('select id from logs', options, { sandbox: true }).filteredBy).toEqual(['p', 'q', 'ps', 'day', 'since']);
});
