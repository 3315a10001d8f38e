// Plans of callers' SQL: who may send it, what they keep of the saved query, and where their errors point.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { prepare } from '../../src/execution/prepare.ts';
import type { PrepareDependencies } from '../../src/execution/prepared-query.ts';
import { run } from '../../src/execution/run.ts';
import { prepareSandbox } from '../../src/execution/sandbox.ts';
import { openCatalog } from '../../src/queries/catalog.ts';
import { folderOf, queryText, uuid } from '../queries/support.ts';
import { fixedSources } from '../support/fixed-sources.ts';
import { failureOf } from '../support/told.ts';
import { EVENT_SOURCES, openEvents, testRun } from './run-support.ts';

const OPEN = queryText(
  1,
  'with mine as (select id, area from events where area = @area) select id from mine',
  'sandbox: enabled',
  'max_rows: 3',
  'cache: 15m',
  'cache_warming: 5m',
  'redact_pii: true',
  'params: { area: { type: string, required: true }, }',
);

function deps(files: Readonly<Record<string, string>>): PrepareDependencies & { readonly folder: string } {
  const folder = folderOf(files);
  return { folder, catalog: openCatalog([folder]), sources: fixedSources(() => EVENT_SOURCES) };
}

test('a plan of a caller’s SQL is the saved query’s but for the SQL and what depends on it', async () => {
  const files = deps({ 'open.sql': OPEN });
  const saved = await prepare({ query: 'open' }, files);
  const sql = 'select count(*) as n from mine';
  const prepared = await prepareSandbox('open', sql, files);
  const { warmingSeconds, statement, ...kept } = saved;
  expect(warmingSeconds).toBe(300);
  expect(prepared.statement).not.toEqual(statement);
  expect(prepared).toEqual({
    ...kept,
    sql: prepared.sql,
    statement: prepared.statement,
    columns: [{ name: 'n', type: { kind: 'INT64' } }],
    sandboxed: sql,
    small: true,
  });
  expect([prepared.sandbox, prepared.redactPii, prepared.maxRows, prepared.ttlSeconds]).toEqual([true, true, 3, 900]);
  expect(await prepareSandbox(uuid(1), sql, files)).toEqual(prepared);
});

test('a plan tells by which parameters all of the WITH tables filter, also when it is remembered', async () => {
  const run = testRun(await openEvents(), {
    'open.sql': OPEN,
    'closed.sql': OPEN.replace('enabled', 'disabled').replaceAll('0001', '0002'),
  });
  const prepared = async (name: string) => (await prepare({ query: name }, run.deps)).filteredBy;
  expect([await prepared('open'), await prepared('open'), run.loads.count]).toEqual([['area'], ['area'], 1]);
  expect(await prepared('closed')).toBeUndefined();
  expect((await prepareSandbox('open', 'select 1 as one', run.deps)).filteredBy).toEqual(['area']);
});

test('its rows come with the saved query’s filter and row limit, and are cached apart from others', async () => {
  const { deps } = testRun(await openEvents(), { 'open.sql': OPEN });
  const count = await prepareSandbox('open', 'select count(*) as n from mine', deps);
  expect((await run(count, { arguments: { area: 'rest' } }, deps)).result.rows).toEqual([[5]]);
  const again = await run(await prepareSandbox('open', 'select count(*) as n from mine', deps), { arguments: { area: 'rest' } }, deps);
  expect([again.result.rows, again.cache.state]).toEqual([[[5]], 'hit']);
  const ids = await prepareSandbox('open', 'select id from mine order by id desc', deps);
  const { result, cache } = await run(ids, { arguments: { area: 'rest' } }, deps);
  expect([result.rows, result.truncated, cache.state]).toEqual([[[9], [7], [5]], true, 'miss']);
  expect((await run(ids, { arguments: { area: 'auth' } }, deps)).result.rows).toEqual([[10], [8], [6]]);
});

test('a required parameter is required whatever the SQL reads', async () => {
  const { deps } = testRun(await openEvents(), { 'open.sql': OPEN });
  const prepared = await prepareSandbox('open', 'select 1 as one', deps);
  expect((await failureOf(run(prepared, { arguments: {} }, deps)))['problems']).toEqual(['missing | area | string']);
});

test('a saved query with a closed sandbox takes no SQL, unless the rules of the server open it', async () => {
  const closed = deps({ 'open.sql': OPEN.replace('sandbox: enabled', 'sandbox: disabled') });
  expect(await failureOf(prepareSandbox('open', 'select 1 as a', closed))).toEqual({
    code: 'parameter',
    message: 'open does not accept SQL from callers',
    hint: 'allow it in its header: sandbox: enabled',
  });
  const rules = { enabled: ({ name }: { readonly name: string }) => name === 'open' };
  expect((await prepareSandbox('open', 'select 1 as a', closed, rules)).columns?.map(({ name }) => name)).toEqual(['a']);
});

test('ClickHouse SQL has no sandbox, whatever the rules', async () => {
  const files = deps({ 'mine.sql': queryText(2, 'select 1', 'dialect: clickhouse') });
  expect(await failureOf(prepareSandbox('mine', 'select 1 as a', files, { enabled: () => true }))).toEqual({
    code: 'unsupported',
    message: 'mine is ClickHouse SQL, in which callers cannot be limited to its tables',
    hint: 'write it in the BigQuery dialect',
  });
});

test('an error in the caller’s text points there, one in the file points into the file', async () => {
  const files = deps({ 'open.sql': OPEN });
  const error = await prepareSandbox('open', 'select id\nfrom mine where are = 1', files).catch((cause: unknown) => cause);
  expect(error).toMatchObject({
    code: 'unknown-column',
    message: 'there is no column or table are here',
    details: { source: { name: 'sql', text: 'select id\nfrom mine where are = 1' }, span: { start: 26, end: 29 } },
  });
  expect(await failureOf(prepareSandbox('open', 'select id\nfrom events', files))).toEqual({
    code: 'unknown-source',
    message: 'there is no WITH table named events',
    at: '2:6',
    hint: 'known tables: mine',
  });
  const broken = join(files.folder, 'open.sql');
  writeFileSync(broken, OPEN.replace('select id, area', 'select id, aera'));
  expect(await prepareSandbox('open', 'select id from mine', files).catch((cause: unknown) => cause)).toMatchObject({
    code: 'unknown-column',
    details: { source: { name: broken } },
  });
});

test('a saved query that others read as a table gives its parameters, and cannot be named by the caller', async () => {
  const outer = queryText(2, 'with a as (select id from open) select id from a', 'sandbox: enabled');
  const files = deps({ 'open.sql': OPEN, 'outer.sql': outer });
  const prepared = await prepareSandbox('outer', 'select count(*) as n from a', files);
  expect([prepared.parameters.map(({ name }) => name), prepared.uses.map(({ name }) => name)]).toEqual([['area'], ['open']]);
  expect((await failureOf(prepareSandbox('outer', 'select * from open', files)))['message']).toBe('there is no WITH table named open');
});

test('a text of many thousand characters is refused before it is read', async () => {
  const files = deps({ 'open.sql': OPEN });
  expect(await failureOf(prepareSandbox('open', `select ${'1+'.repeat(40_000)}1 as a`, files))).toEqual({
    code: 'parameter',
    message: 'the SQL for open has 80013 characters',
    hint: 'send at most 32768; replace a long list of values with a pattern or a range',
  });
});
