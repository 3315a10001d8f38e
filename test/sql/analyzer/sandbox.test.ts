// A caller's query in a sandbox: what it can read, and every way out that is closed.
import { describe, expect, test } from 'vitest';
import { QuernError } from '../../../src/base/errors.ts';
import { positionAt } from '../../../src/base/source-text.ts';
import { INT64, STRING } from '../../../src/sql/base/types.ts';
import { translate, translateSandboxed } from '../../../src/sql/index.ts';
import type { Source, SourceCatalog } from '../../../src/sql/source.ts';

const source = (name: string): Source => ({
  name,
  database: 'default',
  table: `stored_${name}`,
  columns: [
    { name: 'id', type: INT64, read: { layout: 'column', column: 'id', clickhouseType: 'Int64' } },
    { name: 'project', type: STRING, read: { layout: 'column', column: 'project', clickhouseType: 'String' } },
  ],
});
const SOURCES = ['events', 'secrets', 'cloudflare.logs.prod'];
const sources: SourceCatalog = { names: SOURCES, find: (name) => (SOURCES.includes(name) ? source(name) : undefined) };
const options = {
  sources,
  savedQuery: (name: string) => (name === 'usage.total' ? 'select count(*) as n from secrets' : undefined),
  parameters: { project: STRING, day: INT64 },
};

const SAVED = `create temp function stolen() as ((select count(*) from secrets));
with events as (select id, project from events where project = @project),
numbers as (select id + 1 as n from events),
ids as (select array_agg(id) as list from events)
select id from events limit 10`;

const sandboxed = (sql: string) => translateSandboxed(SAVED, sql, options);

/** `code line:column message`, of an error in the caller's text. */
function refusal(sql: string): string {
  try {
    sandboxed(sql);
  } catch (error) {
    if (!(error instanceof QuernError)) throw error;
    const { source: text, span } = error.details;
    if (text?.name !== 'sql' || text.text !== sql || span === undefined) throw error;
    expect([span.start >= 0, span.start <= span.end, span.end <= sql.length], error.message).toEqual([true, true, true]);
    const { line, column } = positionAt(sql, span.start);
    return `${error.code} ${line}:${column} ${error.message}`;
  }
  throw new Error(`this was translated: ${sql}`);
}

describe('a caller’s query', () => {
  test('is the same as if it stood at the end of the saved query', () => {
    const own = 'select n, count(*) as c from numbers where n > @day group by n order by n';
    const { sql, parameters, columns, settings } = translate(SAVED.replace('select id from events limit 10', own), options);
    expect(sandboxed(own)).toMatchObject({ sql, parameters, columns, settings });
  });

  test.each([
    'select * from events',
    'SELECT * FROM EVENTS',
    'select * from `events`',
    'select e.* from events e join numbers on n = e.id',
    'with mine as (select * from numbers) select * from mine, events',
    'select (select max(n) from numbers) as m',
    'select 1 as one',
    'from events |> aggregate count(*) as n group by project',
    'with recursive r as (select 1 as x union all select x + 1 from r where x < 5) select * from r',
    'select x from ids, unnest(list) as x',
    'select x from ids, ids.list as x',
    'select * from events where project = @project;',
    '-- first\nselect 1 as a /* then */ -- last',
  ])('may be %j', (sql) => {
    expect(sandboxed(sql).sql.includes('secrets')).toBe(false);
  });

  test('may hide a WITH table behind its own of the same name, which may read it', () => {
    const own = 'with numbers as (select n * 10 as n from numbers) select sum(n) as s from numbers';
    expect(sandboxed(own).columns.map(({ name }) => name)).toEqual(['s']);
    expect(sandboxed(own).sql.match(/stored_\w+/g)).toEqual(['stored_events']);
  });

  test('reads the source through the WITH table of that name, with its filter', () => {
    const { sql, parameters } = sandboxed('select count(*) as n from events');
    expect(parameters).toEqual([{ name: 'project', type: 'Nullable(String)' }]);
    expect(sql.match(/stored_\w+/g)).toEqual(['stored_events']);
  });

  test('binds only the parameters that it comes to use', () => {
    expect(sandboxed('select 1 as a').parameters).toEqual([]);
    expect(sandboxed('select @day as d').parameters).toEqual([{ name: 'day', type: 'Nullable(Int64)' }]);
  });
});

const TABLES = 'known tables: events, numbers, ids';

describe('no way out:', () => {
  test.each<[string, string]>([
    // Sources and saved queries
    ['select * from secrets', 'unknown-source 1:15 there is no WITH table named secrets'],
    ['select * from `secrets`', 'unknown-source 1:15 there is no WITH table named secrets'],
    ['select * from cloudflare.logs.prod', 'unknown-source 1:15 there is no WITH table named cloudflare.logs.prod'],
    ['select * from `cloudflare.logs.prod`', 'unknown-source 1:15 there is no WITH table named cloudflare.logs.prod'],
    ['select * from usage.total', 'unknown-source 1:15 there is no WITH table named usage.total'],
    ['select * from `usage.total`', 'unknown-source 1:15 there is no WITH table named usage.total'],
    ['select * from default.stored_secrets', 'syntax 1:15 expected a table after from, found default'],
    ['select * from stored_secrets', 'unknown-source 1:15 there is no WITH table named stored_secrets'],
    ['select * from default.events', 'syntax 1:15 expected a table after from, found default'],
    ['select * from `default`.`events`', 'unknown-source 1:15 there is no WITH table named default.events'],
    ['select * from `default.events`', 'unknown-source 1:15 there is no WITH table named default.events'],
    // From inside something
    ['select * from events union all select id, project from secrets', 'unknown-source 1:56 there is no WITH table named secrets'],
    ['select * from events where id in (select id from secrets)', 'unknown-source 1:50 there is no WITH table named secrets'],
    [
      'select * from events e where exists (select 1 from secrets s where s.id = e.id)',
      'unknown-source 1:52 there is no WITH table named secrets',
    ],
    ['select (select count(*) from secrets) as n', 'unknown-source 1:30 there is no WITH table named secrets'],
    ['select array(select id from secrets) as a', 'unknown-source 1:29 there is no WITH table named secrets'],
    ['select * from unnest(array(select id from secrets))', 'unknown-source 1:43 there is no WITH table named secrets'],
    ['select * from events join secrets using (id)', 'unknown-source 1:27 there is no WITH table named secrets'],
    ['select * from (select * from (select * from secrets))', 'unknown-source 1:45 there is no WITH table named secrets'],
    ['select 1 from events order by (select max(id) from secrets)', 'unknown-source 1:52 there is no WITH table named secrets'],
    [
      'select * from events pivot(count(*) for project in ((select "a" from secrets)))',
      'unknown-source 1:70 there is no WITH table named secrets',
    ],
    ['from secrets |> select *', 'unknown-source 1:6 there is no WITH table named secrets'],
    ['from events |> join secrets using (id)', 'unknown-source 1:21 there is no WITH table named secrets'],
    ['from events |> union all (select * from secrets)', 'unknown-source 1:41 there is no WITH table named secrets'],
    ['from events |> with x as (select * from secrets) |> select *', 'unknown-source 1:41 there is no WITH table named secrets'],
    // WITH tables named like sources
    ['with secrets as (select * from secrets) select * from secrets', 'unknown-source 1:32 there is no WITH table named secrets'],
    [
      'with a as (with secrets as (select 1 as x) select * from secrets) select * from secrets',
      'unknown-source 1:81 there is no WITH table named secrets',
    ],
    ['with a as (select * from b), b as (select 1 as x) select * from a', 'unknown-source 1:26 there is no WITH table named b'],
    [
      'with recursive a as (select * from b), b as (select * from secrets) select * from a',
      'unknown-source 1:60 there is no WITH table named secrets',
    ],
    [
      'with recursive r as (select id from secrets union all select id from r) select * from r',
      'unknown-source 1:37 there is no WITH table named secrets',
    ],
    // Functions
    ['select stolen() as n', 'unknown-function 1:8 stolen is not a function quern can translate'],
    [
      'create temp function f() as ((select count(*) from secrets)); select f() as n',
      'unsupported 1:1 CREATE TEMP FUNCTION is not allowed in a caller’s SQL',
    ],
    ['create temp function f() as (stolen()); select f() as n', 'unsupported 1:1 CREATE TEMP FUNCTION is not allowed in a caller’s SQL'],
    // What only ClickHouse has
    ['select * from system.tables', 'unknown-source 1:15 there is no WITH table named system.tables'],
    ['select * from information_schema.tables', 'unknown-source 1:15 there is no WITH table named information_schema.tables'],
    [
      'select * from events.INFORMATION_SCHEMA.COLUMNS',
      'unknown-source 1:15 there is no WITH table named events.INFORMATION_SCHEMA.COLUMNS',
    ],
    ["select * from `url('http://h/')`", "unknown-source 1:15 there is no WITH table named url('http://h/')"],
    ["select file('/etc/passwd') as f", 'unknown-function 1:8 file is not a function quern can translate'],
    ["select getSetting('max_threads') as s", 'unknown-function 1:8 getSetting is not a function quern can translate'],
    ["select dictGet('d', 'a', 1) as s", 'unknown-function 1:8 dictGet is not a function quern can translate'],
    ['select sleep(3) as s', 'unknown-function 1:8 sleep is not a function quern can translate'],
    // Parameters
    ['select @other as p', 'parameter 1:8 @other is not declared'],
    ['select @quern_now as p', 'parameter 1:8 @quern_now is not declared'],
    ['select {project:String} as p', 'syntax 1:8 expected an expression after select, found "{"'],
    // Statements
    ['', 'syntax 1:1 expected a query, found the end of the query'],
    ['-- nothing', 'syntax 1:11 expected a query, found the end of the query'],
    ['select 1; select 2', 'unsupported 1:1 a caller’s SQL is one query'],
    ['select 1; drop table stored_events', 'unsupported 1:11 stored_events is not a table that this text creates, so it can’t drop it'],
    ['insert into events values (1)', 'unsupported 1:1 INSERT is not a query'],
    ['delete from events where true', 'unsupported 1:1 DELETE is not a query'],
    ['update events set id = 1 where true', 'unsupported 1:1 UPDATE is not a query'],
    ['drop table events', 'unsupported 1:1 events is not a table that this text creates, so it can’t drop it'],
    ['create table t as select 1', 'unsupported 1:1 CREATE or INSERT is not allowed in a caller’s SQL'],
    ['insert into events select 1', 'unsupported 1:1 CREATE or INSERT is not allowed in a caller’s SQL'],
    ['create temp table t as select 1 as a; select a from t', 'unsupported 1:1 CREATE is not allowed in a caller’s SQL'],
    ["export data options (uri = 'x') as select 1", 'unsupported 1:1 EXPORT is not a query'],
    ['declare x int64; select x', 'unsupported 1:1 DECLARE is not allowed in a caller’s SQL'],
    ["execute immediate 'select * from secrets'", 'unknown-source 1:1 there is no WITH table named secrets'],
    [
      "create temp function f() returns string language js as 'return 1'; select f()",
      'unsupported 1:41 functions in JavaScript or another language are not translated',
    ],
    // Text that tries to end ours
    ['select 1) union all (select * from secrets', 'syntax 1:9 expected the end of the query after 1, found ")"'],
    ['), x as (select * from secrets) select * from x', 'syntax 1:1 expected a query, found ")"'],
    [', x as (select * from secrets) select * from x', 'syntax 1:1 expected a query, found ","'],
    ['select 1 /*', 'syntax 1:10 this comment is not closed: no */ follows'],
    ['*/ select * from secrets', 'syntax 1:1 expected a query, found "*"'],
    ['select 1 settings max_threads = 1', 'syntax 1:19 expected "," or FROM after settings, found max_threads'],
    ['select 1 format Null', 'syntax 1:17 expected "," or FROM after format, found Null'],
    ["select 1 into outfile 'x'", 'syntax 1:10 expected "," or FROM after 1, found into'],
    ['select\n  1\nfrom\n  secrets', 'unknown-source 4:3 there is no WITH table named secrets'],
  ])('%j', (sql, expected) => {
    expect(refusal(sql)).toBe(expected);
  });

  test('the hint names the tables there are, and no source', () => {
    try {
      sandboxed('select * from nothing_like_it');
    } catch (error) {
      expect(error instanceof QuernError && error.details.hint).toBe(TABLES);
    }
    expect.assertions(1);
  });

  test('whatever is read, only the saved query’s tables are in the SQL', () => {
    const texts = [
      'select * from events',
      'select * from events, numbers',
      'with secrets as (select 1 as id) select * from secrets, events',
    ];
    for (const sql of texts) {
      for (const table of sandboxed(sql).sql.match(/stored_[\w.]+/g) ?? []) expect(table).toBe('stored_events');
    }
  });
});

describe('a query that grows when it is written out is refused before the engine sees it:', () => {
  const chain = (link: (i: number) => string) => {
    const tables = Array.from({ length: 30 }, (_, i) => `c${i + 1} as (${link(i)})`);
    return `with c0 as (select id from events), ${tables.join(', ')} select count(*) as n from c30`;
  };
  test.each<[string, string]>([
    ['joins of a table with itself', chain((i) => `select a.id from c${i} a join c${i} b using (id)`)],
    ['unions of a table with itself', chain((i) => `select id from c${i} union all select id from c${i}`)],
    ['subqueries', chain((i) => `select id from c${i} where id in (select id from c${i})`)],
    ['unions', Array.from({ length: 2000 }, () => 'select n from numbers').join(' union all ')],
  ])('%s', (_, sql) => {
    expect(refusal(sql)).toBe('too-complex 1:1 the query is too large once its WITH tables are expanded wherever they are read');
  });

  test('columns', () => {
    const wide = Array.from({ length: 20 }, (_, i) => `x${i}`);
    const tables = [0, 1, 2, 3].map((i) => `c${i + 1} as (select ${wide.map((x) => `${x}.*`)} from ${wide.map((x) => `c${i} ${x}`)})`);
    expect(refusal(`with c0 as (select * from events), ${tables} select * from c4`)).toBe(
      'too-complex 1:1 this query takes too long to translate: too many of its parts depend on each other',
    );
  });

  test('tables that read each other once do not grow', () => {
    expect(sandboxed(chain((i) => `select id + 1 as id from c${i}`)).columns.map(({ name }) => name)).toEqual(['n']);
  });
});

describe('errors of the saved query itself', () => {
  test('are told in its own text', () => {
    try {
      translateSandboxed('with a as (select nothing from events) select 1', 'select * from a', options);
    } catch (error) {
      if (!(error instanceof QuernError)) throw error;
      expect([error.code, error.details.span, error.details.source]).toEqual(['unknown-column', { start: 18, end: 25 }, undefined]);
    }
    expect.assertions(1);
  });

  test('without WITH tables the caller can read nothing', () => {
    expect(() => translateSandboxed('select 1 as a', 'select * from events', options)).toThrow('there is no WITH table named events');
    expect(translateSandboxed('select 1 as a', 'select 2 as b', options).columns.map(({ name }) => name)).toEqual(['b']);
  });
});
