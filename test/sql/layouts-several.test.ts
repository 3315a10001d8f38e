// Records of several elements: a row for each, or where a source says that there are none, a failure instead of lost rows.
import { beforeAll, expect, test } from 'vitest';
import { edgeEvents, functionEvents, type LayoutTables, openLayouts, severalEvents } from './layouts-support.ts';
import type { LayoutName } from './layouts-tables.ts';

const NAMES: readonly LayoutName[] = ['nested', 'nested, one element', 'text', 'text, several'];
let tables: LayoutTables;

beforeAll(async () => {
  tables = await openLayouts([...edgeEvents(60), ...severalEvents], functionEvents(5), NAMES);
  return () => tables.close();
});

const QUERIES = [
  'select id, r.path from edge_logs, unnest(metadata) m, unnest(m.request) r order by id, r.path',
  'select id, m.region, r.path, h.user_agent from edge_logs, unnest(metadata) m left join unnest(m.request) r on true left join unnest(r.headers) h on true order by id, r.path, h.user_agent',
  'select id, r.path, s.status_code from edge_logs cross join unnest(metadata) m cross join unnest(m.request) r left join unnest(m.response) s on true order by id, r.path, s.status_code',
  'select id, place, r.url from edge_logs, unnest(metadata) m, unnest(m.request) r with offset as place order by id, r.url, place',
  'select count(*) as n from edge_logs, unnest(metadata) m',
  'select count(*) as n, count(h.user_agent) as agents from edge_logs, unnest(metadata) m, unnest(m.request) r, unnest(r.headers) h',
  'select s.status_code, count(*) as n from edge_logs, unnest(metadata) m, unnest(m.response) s group by 1 order by 1',
  "select id, array_length(metadata) as n from edge_logs where starts_with(id, 's') order by id",
  'select id, array_length(m.request) as n from edge_logs, unnest(metadata) m order by id, n',
  'select id, count(r) as n, countif(r is null) as none from edge_logs, unnest(metadata) m left join unnest(m.request) r on true group by id order by id',
  "select id from edge_logs t where exists (select 1 from unnest(t.metadata) m, unnest(m.request) r where r.path = '/d') order by id",
  'with r as (select t.id, m.region, request from edge_logs t, unnest(metadata) m, unnest(m.request) request) select a.id, a.request.path, b.region from r a join r b on a.id = b.id where a.region is not null order by 1, 2, 3',
];

for (const sql of QUERIES) {
  test.each(['nested', 'text, several'] as const)(`${sql}: %s`, async (layout) => {
    expect(await tables.rows(layout, sql)).toEqual(await tables.rows('store', sql));
  });
}

test.each([
  ['text', /^the query failed: metadata(\.request)? holds several records: set "records: several" for its source in quern\.yaml$/],
  [
    'nested, one element',
    /^the query failed: metadata\.request\.path: a record has several elements, but quern\.yaml says "records: one"$/,
  ],
] as const)('%s: a source that says each record has one element fails on an event with several', async (layout, message) => {
  const sql = "select r.path from edge_logs, unnest(metadata) m, unnest(m.request) r where id = 's0'";
  await expect(tables.rows(layout, sql)).rejects.toMatchObject({ code: 'data', message: expect.stringMatching(message) });
});

test.each(['m.region, m.weight', 'm.nowhere', 'm.region, (select max(r.path) from unnest(m.request) r) as path'])(
  'text: whichever fields are read, several records fail: %s',
  async (fields) => {
    const sql = `select ${fields} from edge_logs, unnest(metadata) m where id = 's1'`;
    const message = 'the query failed: metadata holds several records: set "records: several" for its source in quern.yaml';
    await expect(tables.rows('text', sql)).rejects.toMatchObject({ code: 'data', message });
  },
);

test('a field that the nested column does not have is named', () => {
  const sql = 'select r.pth from edge_logs, unnest(metadata) m, unnest(m.request) r';
  expect(() => tables.translation('nested', sql)).toThrow('the column metadata.request has no field pth');
});
