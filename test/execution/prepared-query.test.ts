// Plans: what they remember, what makes them anew, and queries that read other queries.
import { readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { prepare } from '../../src/execution/prepare.ts';
import type { PrepareDependencies } from '../../src/execution/prepared-query.ts';
import { openPreparedQueryMemory } from '../../src/execution/prepared-query-memory.ts';
import { openCatalog } from '../../src/queries/catalog.ts';
import { DRAFT } from '../../src/queries/saved-query.ts';
import { folderOf, queryText, uuid } from '../queries/support.ts';
import { fixedSources } from '../support/fixed-sources.ts';
import { failureOf } from '../support/told.ts';
import { EVENT_SOURCES } from './run-support.ts';

interface TestPlans {
  readonly deps: PrepareDependencies;
  readonly folder: string;
  readonly memory: string;
  readonly made: { count: number };
  remembering(changes: { readonly build?: string; readonly sources?: string }): PrepareDependencies;
}

function testPlans(files: Readonly<Record<string, string>>): TestPlans {
  const folder = folderOf(files);
  const memory = folderOf({});
  const made = { count: 0 };
  const remembering: TestPlans['remembering'] = ({ build = 'one', sources = 'events' }) => {
    const cache = openPreparedQueryMemory({ folder: memory, build, now: Date.now });
    const write: typeof cache.write = async (...plan) => {
      made.count++;
      await cache.write(...plan);
    };
    return {
      catalog: openCatalog([folder]),
      sources: fixedSources(() => EVENT_SOURCES, sources),
      preparedQueries: { ...cache, write },
    };
  };
  return { deps: remembering({}), folder, memory, made, remembering };
}

const COUNTS = queryText(
  1,
  'select area, count(*) as n from events where area != @skip group by area',
  'params: { skip: { type: string, default: x } }',
);

test('a plan is made once, and again when the file, the sources, the build or a query that is read changes', async () => {
  const outer = queryText(2, 'select sum(n) as n from counts', 'params: {}');
  const { deps, folder, made, remembering } = testPlans({ 'counts.sql': COUNTS, 'outer.sql': outer });
  const prepared = await prepare({ query: 'outer' }, deps);
  expect(await prepare({ query: 'outer' }, deps)).toEqual(prepared);
  expect(await prepare({ query: uuid(2) }, deps)).toEqual(prepared);
  expect(made.count).toBe(1);
  await prepare({ query: 'outer' }, remembering({ build: 'two' }));
  await prepare({ query: 'outer' }, remembering({ sources: 'events with several elements' }));
  expect(made.count).toBe(3);
  writeFileSync(join(folder, 'counts.sql'), COUNTS.replace('default: x', 'default: y'));
  expect((await prepare({ query: 'outer' }, deps)).parameters[0]?.default).toBe('y');
  writeFileSync(join(folder, 'outer.sql'), outer.replace('select', 'select 1 as one,'));
  expect((await prepare({ query: 'outer' }, deps)).columns?.map(({ name }) => name)).toEqual(['one', 'n']);
  expect(made.count).toBe(5);
});

test('a text that no file holds likewise, and not for a caller whose names mean something else', async () => {
  const { deps, folder, made, remembering } = testPlans({ 'counts.sql': COUNTS });
  const query = { ...DRAFT, name: 'the query', maxRows: 10, source: { name: '<query>', text: 'select sum(n) as n from counts' } };
  const prepared = await prepare({ query }, deps);
  expect(await prepare({ query }, deps)).toEqual(prepared);
  expect(made.count).toBe(1);
  await prepare({ query }, remembering({ build: 'two' }));
  await prepare({ query }, remembering({ sources: 'events with several elements' }));
  await prepare({ query: { ...query, maxRows: 20 } }, deps);
  writeFileSync(join(folder, 'counts.sql'), COUNTS.replace('default: x', 'default: y'));
  expect((await prepare({ query }, deps)).parameters[0]?.default).toBe('y');
  expect(made.count).toBe(5);
  await prepare({ query, names: { defaultDataset: 'queries' } }, deps);
  expect(made.count).toBe(5);
});

test('a damaged plan is made anew', async () => {
  const { deps, memory, made } = testPlans({ 'counts.sql': COUNTS });
  const prepared = await prepare({ query: 'counts' }, deps);
  for (const name of readdirSync(join(memory, 'plans'), { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.plan')))
    truncateSync(join(memory, 'plans', name), 100);
  expect(await prepare({ query: 'counts' }, deps)).toEqual(prepared);
  expect(made.count).toBe(2);
});

test('an id that only seems to be in the header is not found', async () => {
  const text = queryText(1, 'select 1').replace('---*/', `description: |\n  {id: ${uuid(9)}}\n---*/`);
  const { deps } = testPlans({ 'a.sql': text, 'b.sql': `/*--- {description: "id: ${uuid(8)}", id: ${uuid(2)}} ---*/ select 1` });
  expect(await failureOf(prepare({ query: uuid(9) }, deps))).toMatchObject({ code: 'unknown-query' });
  expect(await failureOf(prepare({ query: uuid(8) }, deps))).toMatchObject({ code: 'unknown-query' });
  expect((await prepare({ query: uuid(1) }, deps)).name).toBe('a');
});

test('the parameters of a query that is read become parameters of its reader', async () => {
  const { deps } = testPlans({
    'counts.sql': COUNTS,
    'twice.sql': queryText(
      2,
      'select a.area, b.n from counts as a join counts as b on a.area = b.area where a.n > @least',
      'params: { least: { type: integer, required: true } }',
    ),
    'ruled.sql': queryText(3, 'select n from counts', 'params: { skip: { type: string, required: true } }'),
  });
  const twice = await prepare({ query: 'twice' }, deps);
  expect(twice.parameters.map(({ name, required, default: fallback }) => [name, required, fallback])).toEqual([
    ['least', true, undefined],
    ['skip', false, 'x'],
  ]);
  expect(twice.bound.map(({ name }) => name).sort()).toEqual(['least', 'skip']);
  expect(twice.uses.map(({ name }) => name)).toEqual(['counts']);
  expect((await prepare({ query: 'ruled' }, deps)).parameters).toEqual([{ name: 'skip', type: 'string', array: false, required: true }]);
});

test('a WITH table or a source of the same name comes first', async () => {
  const { deps } = testPlans({
    'counts.sql': COUNTS,
    'events.sql': queryText(2, 'select 1 as one'),
    'own.sql': queryText(3, 'with counts as (select id from events) select id from counts'),
  });
  const prepared = await prepare({ query: 'own' }, deps);
  expect([prepared.uses, prepared.parameters, prepared.sources]).toEqual([[], [], ['events']]);
});

test.each<[string, Readonly<Record<string, string>>, Readonly<Record<string, unknown>>]>([
  [
    'queries that read each other',
    { 'q.sql': queryText(1, 'select * from `a.b`'), 'a.b.sql': queryText(2, 'select * from q') },
    { code: 'config', message: 'saved queries read each other: q → a.b → q', at: '4:15', hint: 'remove one of these references' },
  ],
  [
    'a query that reads itself',
    { 'q.sql': queryText(1, 'select * from q') },
    { code: 'config', message: 'saved queries read each other: q → q', at: '4:15' },
  ],
  [
    'parameters of one name and two types',
    {
      'q.sql': queryText(1, 'select *, @skip as s from counts', 'params: { skip: { type: integer } }'),
      'counts.sql': COUNTS.replace(uuid(1), uuid(2)),
    },
    { code: 'config', message: 'the parameter skip is integer here and string in counts', at: '5:27', hint: 'rename one of them' },
  ],
  [
    'rules of two queries that contradict each other',
    {
      'q.sql': queryText(1, 'select 1 from counts, others'),
      'counts.sql': COUNTS.replace(uuid(1), uuid(2)),
      'others.sql': COUNTS.replace(uuid(1), uuid(3)).replace('default: x', 'default: y'),
    },
    { code: 'config', message: 'the parameter skip is declared differently in others', at: '4:23' },
  ],
  [
    'ClickHouse SQL inside BigQuery SQL',
    { 'q.sql': queryText(1, 'select * from c'), 'c.sql': queryText(2, 'SELECT 1', 'dialect: clickhouse') },
    {
      code: 'unsupported',
      message: 'c is ClickHouse SQL, which cannot be used in BigQuery SQL',
      at: '4:15',
      hint: 'write it in the BigQuery dialect',
    },
  ],
  [
    'names that are not declared',
    { 'q.sql': queryText(1, 'select @a, @b, @A') },
    {
      code: 'parameter',
      message: '@a, @b, @A are not declared',
      at: '4:8',
      hint: 'declare under params: in the header, e.g. a: { type: string }',
    },
  ],
  [
    'a declared name that is not used',
    { 'q.sql': queryText(1, "select '@a' -- @a", 'params:', '  a: { type: string }') },
    { code: 'config', message: 'a is declared but never used', at: '4:3', hint: 'use @a in the SQL, or remove it from params:' },
  ],
  ['text that is no SQL', { 'q.sql': queryText(1, 'select from events') }, { code: 'syntax', at: '4:8' }],
  [
    'an unknown source',
    { 'q.sql': queryText(1, 'select 1 from event') },
    { code: 'unknown-source', at: '4:15', hint: 'did you mean events?' },
  ],
])('%s are an error with its place', async (_, files, expected) => {
  const { deps } = testPlans(files);
  expect(await failureOf(prepare({ query: 'q' }, deps))).toMatchObject(expected);
});

test('an error inside a query that is read names that file', async () => {
  const { deps, folder } = testPlans({ 'q.sql': queryText(1, 'select * from deeper'), 'deeper.sql': queryText(2, 'select (from x') });
  const error: unknown = await prepare({ query: 'q' }, deps).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'syntax', details: { source: { name: join(folder, 'deeper.sql') } } });
});

test('a draft may have the name of the saved query that it reads', async () => {
  const { deps } = testPlans({ 'counts.sql': COUNTS });
  const drafts = folderOf({ 'counts.sql': 'select sum(n) as n from counts' });
  expect((await prepare({ query: join(drafts, 'counts.sql') }, deps)).columns).toEqual([{ name: 'n', type: { kind: 'INT64' } }]);
});

test('a draft needs no header until it uses parameters', async () => {
  const { deps, folder } = testPlans({ 'draft.sql': 'select id from events', 'asks.sql': 'select @project, @day' });
  expect(await prepare({ query: join(folder, 'draft.sql') }, deps)).toMatchObject({
    name: 'draft',
    id: '',
    ttlSeconds: 0,
    maxRows: 1000,
    parameters: [],
  });
  expect(await failureOf(prepare({ query: join(folder, 'asks.sql') }, deps))).toEqual({
    code: 'parameter',
    message: '@project, @day are not declared',
    at: '1:8',
    hint: `start the file with a header
/*---
description: what the query answers
params:
  project: { type: string }
  day: { type: string }
---*/`,
  });
});
