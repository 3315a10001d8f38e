// Subqueries that read fields of the records around them: the rows of the same question asked without a subquery.
import { beforeAll, describe, expect, test } from 'vitest';
import { edgeEvents, functionEvents, type LayoutTables, openLayouts } from './layouts-support.ts';
import { LAYOUTS, type LayoutName } from './layouts-tables.ts';

const NAMES = Object.keys(LAYOUTS) as readonly LayoutName[]; // Object.keys only knows strings
let tables: LayoutTables;

beforeAll(async () => {
  tables = await openLayouts(edgeEvents(60), functionEvents(9), NAMES);
  return () => tables.close();
});

const EDGE = 'edge_logs t, unnest(t.metadata) m, unnest(m.response) e, unnest(m.request) r';
const CALLS = 'function_edge_logs f, unnest(f.metadata) g, unnest(g.response) s';
const STATUSES = `select distinct s.status_code as status from ${CALLS}`;

describe.each([
  [
    'EXISTS in WHERE',
    `select t.id from ${EDGE} where exists(select 1 from ${CALLS} where s.status_code = e.status_code) order by id`,
    `select t.id from ${EDGE} join (${STATUSES}) as c on c.status = e.status_code order by id`,
  ],
  [
    'NOT EXISTS in WHERE',
    `select t.id from ${EDGE} where not exists(select 1 from ${CALLS} where s.status_code = e.status_code) order by id`,
    `select t.id from ${EDGE} left join (${STATUSES}) as c on c.status = e.status_code where c.status is null order by id`,
  ],
  [
    'EXISTS in SELECT',
    `select t.id, exists(select 1 from ${CALLS} where s.status_code = e.status_code and r.method = 'GET') as x from ${EDGE} order by id`,
    `select t.id, c.status is not null and ifnull(r.method = 'GET', false) as x from ${EDGE} left join (${STATUSES}) as c on c.status = e.status_code order by id`,
  ],
  [
    'EXISTS in SELECT, of filtered rows',
    `select t.id, exists(select 1 from ${CALLS} where f.project = t.project) as x from edge_logs t where t.event_message like 'GET%' order by id`,
    `select t.id, t.project in ('alpha', 'beta') as x from edge_logs t where t.event_message like 'GET%' order by id`,
  ],
  [
    'IN with a condition',
    `select t.id from ${EDGE} where e.status_code in (select s.status_code from ${CALLS} where f.project = t.project and r.path != '/') order by id`,
    `select t.id from ${EDGE} join (select distinct f.project, s.status_code as status from ${CALLS}) as c on c.status = e.status_code and c.project = t.project where r.path != '/' order by id`,
  ],
  [
    'a count',
    `select t.id, (select count(*) from ${CALLS} where s.status_code = e.status_code) as n from ${EDGE} order by id`,
    `select t.id, ifnull(c.n, 0) as n from ${EDGE} left join (select s.status_code as status, count(*) as n from ${CALLS} group by 1) as c on c.status = e.status_code order by id`,
  ],
])('%s', (_name, asked, joined) => {
  test.each(['store', ...NAMES] as const)('%s', async (layout) => {
    const expected = await tables.rows(layout, joined);
    expect(expected.length).toBeGreaterThan(0);
    expect(await tables.rows(layout, asked)).toEqual(expected);
  });
});
