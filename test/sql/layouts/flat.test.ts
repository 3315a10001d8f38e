// Records of which each field is a column: which columns are fields and at which paths, and what is read where a column says nothing.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EmbeddedEngine, openEmbedded } from '../../../src/engine/embedded/embedded.ts';
import { decodeRows } from '../../../src/execution/decode.ts';
import { readDefinitions } from '../../../src/sources/definition.ts';
import { listSources } from '../../../src/sources/listing.ts';
import { sourceFromTable } from '../../../src/sources/table/table-source.ts';
import { translate } from '../../../src/sql/index.ts';
import type { Source, SourceCatalog } from '../../../src/sql/source.ts';
import { tempFolder } from '../../support/temp-store.ts';
import { failure } from '../../support/told.ts';

/** A table by its columns, `name Type`, of a source that quern.yaml declares. */
function sourceOf(columns: readonly string[], wishes: object = {}, name = 'shop'): Source {
  const [definition] = readDefinitions({ value: { [name]: { table: 'default.events', layout: 'flat', ...wishes } } });
  if (definition === undefined) throw new RangeError('a definition is read');
  const described = columns.map((column) => ({
    name: column.slice(0, column.lastIndexOf(' ')),
    type: column.slice(column.lastIndexOf(' ') + 1),
  }));
  return sourceFromTable(definition, described);
}

const catalogOf = (source: Source): SourceCatalog => ({ names: [source.name], find: () => source });
const listed = (source: Source): readonly string[] =>
  (listSources(catalogOf(source))[0]?.columns ?? []).map(({ name, type, stored }) => `${name} ${type} ${stored}`);

describe('which columns are fields', () => {
  test('dotted names are paths, with or without metadata in front', () => {
    const source = sourceOf(['id String', 'metadata.request.path String', 'request.size UInt32', 'level String']);
    expect(listed(source)).toEqual([
      'id STRING id',
      'metadata ARRAY<RECORD> 3 columns',
      'metadata.level STRING level',
      'metadata.request.path STRING `metadata.request.path`',
      'metadata.request.size INT64 `request.size`',
    ]);
  });

  test('an underscore divides the names of declared fields, and is part of others', () => {
    const fields = { 'request.path': 'string', 'request.user_agent': 'string' };
    const source = sourceOf(['timestamp DateTime', 'request_path String', 'request_user_agent String', 'request_id String'], { fields });
    expect(listed(source).slice(1)).toEqual([
      'metadata ARRAY<RECORD> 3 columns',
      'metadata.request_id STRING request_id',
      'metadata.request.path STRING request_path',
      'metadata.request.user_agent STRING request_user_agent',
    ]);
  });

  test('a log source declares its fields: columns are found by them, and a field without a column is NULL', () => {
    const source = sourceOf(['id String', 'response_status_code String', 'identifier String'], {}, 'edge_logs');
    const fields = listed(source);
    expect(fields.filter((field) => !field.endsWith(' NULL'))).toEqual([
      'id STRING id',
      'identifier STRING identifier',
      'metadata ARRAY<RECORD> 1 column',
      'metadata.response.status_code INT64 response_status_code',
    ]);
    expect(fields).toContain('metadata.request.path STRING NULL');
  });

  test('with a prefix, the other columns are columns of the source', () => {
    const source = sourceOf(['log_path String', 'host String', 'log_ UInt8'], { prefix: 'log_' });
    expect(listed(source)).toEqual([
      'host STRING host',
      'log_ INT64 log_',
      'metadata ARRAY<RECORD> 1 column',
      'metadata.path STRING log_path',
    ]);
  });

  test('columns named below `columns:` and `rows:`, and those that hold no value, are no fields', () => {
    const wishes = { columns: { project: 'tenant' }, rows: { service: 'shop' } };
    const source = sourceOf(['tenant String', 'service String', 'path String', 'tags Map(String,String)'], wishes);
    expect(listed(source)).toEqual([
      'project STRING tenant',
      'tenant STRING tenant',
      'service STRING service',
      'tags ARRAY<RECORD> tags',
      'metadata ARRAY<RECORD> 1 column',
      'metadata.path STRING path',
    ]);
  });

  test.each([
    [['id String'], {}, 'sources.shop: the table has no columns for the fields of metadata', 'its columns are: id'],
    [['path String'], { prefix: 'x_' }, 'sources.shop: the table has no columns for fields: none begins with x_', 'its columns are: path'],
    [
      ['path String', 'metadata JSON'],
      {},
      'sources.shop: the table has a column named metadata, so its fields are not columns',
      'leave out "layout: flat"',
    ],
    [
      ['path String', 'metadata.path String'],
      {},
      'sources.shop: the columns path and metadata.path both stand for the field metadata.path',
      'list one under "columns:", to make it a column of the source: path',
    ],
    [
      ['error String', 'error.code UInt8'],
      {},
      'sources.shop: the column error is a field with a value, but the column error.code is a field inside it',
      'list one under "columns:", to make it a column of the source: error',
    ],
  ])('%j %j is refused', (columns, wishes, message, hint) => {
    expect(failure(() => sourceOf(columns, wishes))).toMatchObject({ code: 'config', message, hint });
  });

  test('a prefix needs the layout', () => {
    const problem = failure(() => readDefinitions({ value: { shop: { table: 't', layout: 'map', prefix: 'log_' } } }));
    expect(problem).toMatchObject({ message: 'sources.shop.prefix only applies to the layout flat', code: 'config' });
  });
});

describe('what is read', () => {
  const COLUMNS = [
    'id UInt8',
    'request.path Nullable(String)',
    'request.bytes UInt64',
    'request.user-agent LowCardinality(String)',
    'request.at Nullable(DateTime)',
    'user.tags Array(String)',
    'user.id Nullable(UUID)',
    'ratio Nullable(Float64)',
  ];
  const source = sourceOf(COLUMNS, { fields: { 'request.search': 'string' } });
  const folder = tempFolder();
  let engine: EmbeddedEngine;
  beforeAll(async () => {
    engine = await openEmbedded({ path: folder.path });
    const columns = COLUMNS.map((column) => `\`${column.replace(' ', '` ')}`);
    await engine.command(`CREATE TABLE default.events (${columns.join(', ')}) ENGINE = MergeTree ORDER BY id`);
    await engine.command(`INSERT INTO default.events VALUES
      (1, '/a","b":null,"c', 7, 'curl', '2026-03-10 00:00:00', ['x', ':null,', '":[]'], '00000000-0000-0000-0000-000000000001', 0.5),
      (2, NULL, 0, '', NULL, [], NULL, nan),
      (3, '', 0, '', NULL, [], NULL, NULL)`);
  });
  afterAll(async () => {
    await engine.close();
    folder.remove();
  });
  const rows = async (asked: string): Promise<readonly unknown[]> => {
    const { sql, settings, columns } = translate(asked, { sources: catalogOf(source) });
    return decodeRows(columns, await engine.execute({ sql, settings, bindings: [] }));
  };

  test('fields have the types of their columns', async () => {
    const sql = `select r.path, r.bytes + 1, r.\`user-agent\`, extract(year from r.at), array_length(u.tags), u.id, r.search
      from shop, unnest(metadata) m, unnest(m.request) r, unnest(m.user) u where u.id is not null`;
    expect(await rows(sql)).toEqual([['/a","b":null,"c', 8, 'curl', 2026, 3, '00000000-0000-0000-0000-000000000001', null]]);
  });

  test('a record is there where one of its columns holds something', async () => {
    const records = (name: string) => rows(`select id from shop, unnest(metadata) m, unnest(m.${name}) r order by id`);
    expect(await records('request')).toEqual([[1], [3]]);
    expect(await records('user')).toEqual([[1]]);
    expect(await rows('select id from shop, unnest(metadata) m left join unnest(m.user) u on true order by id')).toEqual([[1], [2], [3]]);
  });

  test('a column that is not Nullable has its type’s default, which finds no record where there is none', async () => {
    const sql = "select id from shop, unnest(metadata) m, unnest(m.request) r where r.`user-agent` = '' order by id";
    expect(await rows(sql)).toEqual([[3]]);
  });

  test('whole records leave out what holds nothing', async () => {
    const [[[first]], [[second]]] = (await rows('select metadata from shop where id < 3 order by id')) as [[[unknown]], [[unknown]]];
    expect(first).toEqual({
      request: [{ path: '/a","b":null,"c', bytes: 7, 'user-agent': 'curl', at: '2026-03-10 00:00:00' }],
      user: [{ tags: ['x', ':null,', '":[]'], id: '00000000-0000-0000-0000-000000000001' }],
      ratio: 0.5,
    });
    expect(second).toEqual({ request: [{ bytes: 0, 'user-agent': '' }], ratio: 'nan' });
  });

  test('not a number is no greatest number', async () => {
    expect(await rows('select count(*) from (select max(m.ratio) as most from shop, unnest(metadata) m) where is_nan(most)')).toEqual([
      [1],
    ]);
  });

  test.each([
    ['r.pth', 'no column holds the field metadata.request.pth', 'did you mean path?'],
    ['m.reqest', 'no column holds the field metadata.reqest', 'did you mean request?'],
    ['m.zzzzzzzz', 'no column holds the field metadata.zzzzzzzz', '`quern sources NAME` lists the fields of a source'],
  ])('%s is no field', async (field, message, hint) => {
    const sql = `select ${field} from shop, unnest(metadata) m, unnest(m.request) r`;
    expect(failure(() => translate(sql, { sources: catalogOf(source) }))).toMatchObject({
      code: 'unknown-column',
      message,
      hint,
    });
  });
});
