// JSON text of records in nested columns: members without a value are left out, and nothing that only looks like one.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EmbeddedEngine, openEmbedded } from '../../../src/engine/embedded/embedded.ts';
import { arrayOf, recordOf, STRING } from '../../../src/sql/base/types.ts';
import { translate } from '../../../src/sql/index.ts';
import type { NestedField, NestedRead } from '../../../src/sql/layouts/nested/read.ts';
import type { Source, SourceCatalog } from '../../../src/sql/source.ts';
import { tempFolder } from '../../support/temp-store.ts';

const leaf = (clickhouseType: string): NestedField => ({ kind: 'leaf', clickhouseType });
const FIELDS = {
  text: leaf('Nullable(String)'),
  tags: leaf('Array(Nullable(String))'),
  inner: { kind: 'record', repeated: true, fields: { a: leaf('Nullable(Float64)'), b: leaf('LowCardinality(Nullable(String))') } },
  one: { kind: 'record', repeated: false, fields: { c: leaf('Nullable(Int64)') } },
} as const satisfies Readonly<Record<string, NestedField>>;
const MAP_FIELDS = { text: leaf('Nullable(String)'), map: leaf('Map(String, Nullable(String))') };

const source = (name: string, read: Omit<NestedRead, 'layout' | 'column'>): Source => ({
  name,
  database: 'default',
  table: name,
  columns: [
    {
      name: 'metadata',
      type: arrayOf(recordOf(Object.keys(read.record.fields).map((field) => ({ name: field, type: STRING })))),
      read: { layout: 'nested', column: 'metadata', ...read },
    },
  ],
});
const SOURCES: readonly Source[] = [
  source('plain', { record: { kind: 'record', repeated: true, fields: FIELDS } }),
  source('flat', { flattened: true, record: { kind: 'record', repeated: true, fields: FIELDS } }),
  source('mapped', { record: { kind: 'record', repeated: true, fields: MAP_FIELDS } }),
  source('odd', { record: { kind: 'record', repeated: true, fields: { 'a b': leaf('Nullable(String)'), c: leaf('Nullable(String)') } } }),
];
const CATALOG: SourceCatalog = { names: SOURCES.map((s) => s.name), find: (name) => SOURCES.find((s) => s.name === name) };

const TUPLE =
  'text Nullable(String), tags Array(Nullable(String)), inner Array(Tuple(a Nullable(Float64), b LowCardinality(Nullable(String)))), one Tuple(c Nullable(Int64))';

const folder = tempFolder();
let engine: EmbeddedEngine;
beforeAll(async () => {
  engine = await openEmbedded({ path: folder.path });
  await engine.command(`CREATE TABLE plain (metadata Array(Tuple(${TUPLE}))) ENGINE = MergeTree ORDER BY tuple()`);
  await engine.command(`CREATE TABLE flat (metadata Nested(${TUPLE})) ENGINE = MergeTree ORDER BY tuple()`);
  await engine.command(
    'CREATE TABLE mapped (metadata Array(Tuple(text Nullable(String), map Map(String, Nullable(String))))) ENGINE = MergeTree ORDER BY tuple()',
  );
  await engine.command(
    'CREATE TABLE odd (metadata Array(Tuple(`a b` Nullable(String), c Nullable(String)))) ENGINE = MergeTree ORDER BY tuple()',
  );
});
afterAll(async () => {
  await engine.close();
  folder.remove();
});

/** The text of what one row of a table holds. */
async function textOf(table: string, columns: string, value: string): Promise<unknown> {
  await engine.command(`TRUNCATE TABLE ${table}`);
  await engine.command(`INSERT INTO ${table} (${columns}) VALUES (${value})`);
  const { sql, settings } = translate(`select metadata from ${table}`, { sources: CATALOG });
  const { rows } = await engine.execute({ sql, bindings: [], settings });
  return rows[0]?.[0];
}

const CASES: readonly (readonly [value: string, expected: string])[] = [
  ['[]', '{}'],
  ['[(NULL, [], [], (NULL))]', '[{"one":{}}]'],
  ["[('x', [], [], (1))]", '[{"text":"x","one":{"c":1}}]'],
  [
    "[(NULL, [NULL, 'null'], [(NULL, NULL), (1.5, NULL), (NULL, 'b')], (NULL))]",
    '[{"tags":[null,"null"],"inner":[{},{"a":1.5},{"b":"b"}],"one":{}}]',
  ],
  ["[(NULL, [], [], (1)), ('y', ['z'], [], (NULL))]", '[{"one":{"c":1}},{"text":"y","tags":["z"],"one":{}}]'],
  ["[(NULL, [], [(nan, 'b')], (NULL))]", '[{"inner":[{"a":"nan","b":"b"}],"one":{}}]'],
];
/** Texts that hold what a member without a value looks like. */
const TEXTS = [
  '"a":null',
  ',"a":null,',
  ':null',
  '":null',
  'a":null',
  '{"text":null,"b":[]}',
  '\\',
  '\\"a":null',
  'a,',
  '"',
  '","a":[]',
  '\n"a":null\u0001',
];

test.each(CASES)('%s', async (value, expected) => {
  expect(await textOf('plain', 'metadata', value)).toBe(expected);
});

test.each(TEXTS)('the text %j stays', async (text) => {
  const quoted = `'${text.replaceAll('\\', '\\\\')}'`;
  const value = `[(${quoted}, ['a,', ${quoted}, ${quoted}], [(NULL, ${quoted})], (NULL))]`;
  const expected = [{ text, tags: ['a,', text, text], inner: [{ b: text }], one: {} }];
  expect(await textOf('plain', 'metadata', value)).toBe(JSON.stringify(expected));
});

test('a Nested column that is several columns prints the same', async () => {
  const columns = '`metadata.text`, `metadata.tags`, `metadata.inner`, `metadata.one`';
  const value = "[NULL, 'y'], [[], ['z']], [[(1.5, NULL)], []], [(1), (NULL)]";
  expect(await textOf('flat', columns, value)).toBe('[{"inner":[{"a":1.5}],"one":{"c":1}},{"text":"y","tags":["z"],"one":{}}]');
});

test('what a map holds stays', async () => {
  expect(await textOf('mapped', 'metadata', "[(NULL, {'a': NULL, 'b': 'c'})]")).toBe('[{"map":{"a":null,"b":"c"}}]');
});

test('names that are no words have their members left out too', async () => {
  expect(await textOf('odd', 'metadata', "[(NULL, 'x'), ('y', NULL)]")).toBe('[{"c":"x"},{"a b":"y"}]');
});
