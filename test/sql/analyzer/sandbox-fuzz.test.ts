// Damaged queries in the sandbox: whatever is translated reads the saved query's tables, and every refusal points into the caller's text.
import { expect, test } from 'vitest';
import { QuernError } from '../../../src/base/errors.ts';
import { INT64, STRING } from '../../../src/sql/base/types.ts';
import { translateSandboxed } from '../../../src/sql/index.ts';
import type { Source, SourceCatalog } from '../../../src/sql/source.ts';
import { mutate } from '../fuzz/mutate.ts';
import { seeded } from '../fuzz/random.ts';

/** Tables have names that no text in this file spells, but for the one the sandbox may read. */
const source = (name: string, table: string): Source => ({
  name,
  database: 'default',
  table,
  columns: [
    { name: 'id', type: INT64, read: { layout: 'column', column: 'id', clickhouseType: 'Int64' } },
    { name: 'project', type: STRING, read: { layout: 'column', column: 'project', clickhouseType: 'String' } },
  ],
});
const SOURCES = [
  source('events', 'open_table'),
  ...['secrets', 'numbers', 'logs.prod', 'system.tables'].map((name) => source(name, 'closed_table')),
];
const sources: SourceCatalog = { names: SOURCES.map(({ name }) => name), find: (name) => SOURCES.find((each) => each.name === name) };
const options = {
  sources,
  savedQuery: (name: string) => (name === 'usage.total' ? 'select count(*) as n from secrets' : undefined),
  parameters: { project: STRING },
};
const SAVED = `create temp function stolen() as ((select count(*) from secrets));
with events as (select id, project from events where project = @project), mine as (select id + 1 as n from events)
select id from events`;

const HARMLESS = [
  'select * from events',
  'select project, count(*) as n from events group by project order by n',
  'with a as (select * from mine) select a.n, e.* from a join events as e on e.id = a.n where e.id in (select n from mine)',
  'from events |> where id > 1 |> extend id + 1 as next |> select *',
  'select e.id, u from events as e, unnest([1, 2, 3]) as u order by 1 limit 5',
  'with recursive r as (select id from events union all select id + 1 as id from r where id < 9) select max(id) as m from r',
];
const HARMFUL = [
  'select * from events union all select id, project from secrets',
  'with secrets as (select * from events) select s.* from secrets as s join mine on n = id where id in (select n from mine)',
  'with recursive r as (select id from events union all select id + 1 as id from r where id < 9), secrets as (select * from r) select * from secrets',
  'select (select count(*) from numbers) as n, array(select id from `logs.prod`) as a, stolen() as s from mine',
  'from events |> where id > 1 |> with secrets as (select * from mine) |> join secrets on n = id |> select *',
  'create temp function f(x int64) as ((select max(id) + x from secrets)); select f(n) as m from mine',
  'select e.id, u from events as e, unnest([1, 2, 3]) as u left join usage.total as t on t.n = e.id order by 1 limit 5',
  'select * from system.tables, (select * from mine) pivot(count(*) for n in (1, 2)) where exists (select 1 from numbers where id = n)',
];

test('damaged texts never reach another table', () => {
  const failures: string[] = [];
  let translated = 0;
  for (let seed = 1; seed <= 10_000; seed++) {
    const random = seeded(seed);
    const sql = mutate(random.pick(random.chance(0.7) ? HARMLESS : HARMFUL), random.pick(HARMFUL), random);
    try {
      const { sql: text, sources: read } = translateSandboxed(SAVED, sql, options);
      translated++;
      if (text.includes('closed_table') || read.some((name) => name !== 'events')) failures.push(`${seed}: ${sql} → ${text}`);
    } catch (error) {
      if (!(error instanceof QuernError)) throw new Error(`${seed}: ${sql}`, { cause: error });
      const { source: text, span } = error.details;
      const inside = span !== undefined && span.start >= 0 && span.end <= sql.length;
      if (text?.text !== sql || !inside) failures.push(`${seed}: ${sql} → ${error.message} at ${JSON.stringify(span)} of ${text?.name}`);
    }
  }
  expect(failures).toEqual([]);
  expect(translated).toBeGreaterThan(200);
});
