// Results of many rows, page by page, and from any server that shares the cache.
import { describe, expect, test } from 'vitest';
import { Cache } from '../../../../src/cache/cache.ts';
import { folderOf } from '../../../queries/support.ts';
import { eventsEngine } from '../../server-support.ts';
import { call, cells, door, PROJECT } from './support.ts';

const engine = eventsEngine();
const ROWS = 60_000;
const MANY = `select n, repeat(concat('name ', cast(n as string), ' '), 30) as name from unnest(generate_array(1, ${ROWS})) as n order by n`;
const cacheIn = (folder: string) => new Cache({ folder, maxBytes: 1e9, now: Date.now, onNote: () => undefined });
const world = () => door(engine(), { options: { cache: cacheIn(folderOf({})) } });

describe('60,000 rows', () => {
  test('come in pages below 10 MB, to both clients', async () => {
    const { clients, address } = await world();
    for (const client of clients) {
      const [rows] = await client.query(MANY);
      expect(rows.map(({ n }) => n)).toEqual(Array.from({ length: ROWS }, (_, i) => i + 1));
    }
    const first = await fetch(`${address}/bigquery/v2/projects/${PROJECT}/queries`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: MANY }),
    });
    const text = await first.text();
    const { totalRows, pageToken, rows } = JSON.parse(text);
    expect([text.length < 10e6, text.length > 9e6, totalRows, typeof pageToken, rows.length < ROWS]).toEqual([
      true,
      true,
      String(ROWS),
      'string',
      true,
    ]);
  });

  test('are one run of the engine, also the first time', async () => {
    const served = await world();
    const { body } = await call(served, 'POST', '/queries', { query: MANY });
    expect([body.totalRows, served.executed.length]).toEqual([String(ROWS), 1]);
  });

  test('and as a stream', async () => {
    const [client] = (await world()).clients;
    let [count, last] = [0, 0];
    for await (const row of client.createQueryStream(MANY)) {
      count++;
      last = row.n;
    }
    expect([count, last]).toEqual([ROWS, ROWS]);
  });

  test('from any row on, and as many as are wanted', async () => {
    const served = await world();
    const { body } = await call(served, 'POST', '/queries', { query: MANY, maxResults: 2 });
    const { jobId } = body.jobReference;
    const page = async (words: string) => (await call(served, 'GET', `/queries/${jobId}?${words}`)).body;
    const ids = (found: object) => cells(found).map(([n]) => n);
    expect([ids(body), body.totalRows]).toEqual([['1', '2'], String(ROWS)]);
    const second = await page(`pageToken=${body.pageToken}&maxResults=3`);
    expect(ids(second)).toEqual(['3', '4', '5']);
    expect(ids(await page(`pageToken=${second.pageToken}&maxResults=1`))).toEqual(['6']);
    const end = await page('startIndex=59998');
    expect([ids(end), end.pageToken]).toEqual([['59999', '60000'], undefined]);
    const beyond = await page('startIndex=60000');
    expect([beyond.rows, beyond.totalRows, beyond.pageToken]).toEqual([undefined, String(ROWS), undefined]);
    const none = await page('maxResults=0');
    expect([none.rows, none.schema.fields.length, none.totalRows, none.pageToken]).toEqual([undefined, 2, String(ROWS), undefined]);
    const strange = await call(served, 'GET', `/queries/${jobId}?pageToken=made-up`);
    expect([strange.status, strange.body.error.errors[0].reason]).toEqual([400, 'invalid']);
  });

  test('are on every server that shares the cache’s files', async () => {
    const folder = folderOf({});
    const [one, two] = [
      await door(engine(), { options: { cache: cacheIn(folder) } }),
      await door(engine(), { options: { cache: cacheIn(folder) } }),
    ];
    const { body } = await call(one, 'POST', '/queries', { query: MANY });
    let count = body.rows.length;
    for (let { pageToken } = body; pageToken !== undefined; ) {
      const page = (await call(two, 'GET', `/queries/${body.jobReference.jobId}?pageToken=${pageToken}`)).body;
      count += page.rows.length;
      pageToken = page.pageToken;
    }
    expect(count).toBe(ROWS);
    expect((await call(two, 'GET', `/jobs/${body.jobReference.jobId}`)).body.status.state).toBe('DONE');
  });

  test('are in the anonymous table of the job', async () => {
    const served = await world();
    const { body } = await call(served, 'POST', '/queries', { query: MANY, maxResults: 1 });
    const job = (await call(served, 'GET', `/jobs/${body.jobReference.jobId}`)).body;
    const { datasetId, tableId } = job.configuration.query.destinationTable;
    const table = (await call(served, 'GET', `/datasets/${datasetId}/tables/${tableId}`)).body;
    expect([table.numRows, table.schema]).toEqual([String(ROWS), body.schema]);
    const data = (await call(served, 'GET', `/datasets/${datasetId}/tables/${tableId}/data?startIndex=10&maxResults=2`)).body;
    expect(cells(data).map(([n]) => n)).toEqual(['11', '12']);
    expect(data.totalRows).toBe(String(ROWS));
    // A client that wants some columns gets those.
    const [, second] = body.schema.fields;
    const some = `selectedFields=${second.name}`;
    expect((await call(served, 'GET', `/datasets/${datasetId}/tables/${tableId}?${some}`)).body.schema.fields).toEqual([second]);
    const part = (await call(served, 'GET', `/datasets/${datasetId}/tables/${tableId}/data?startIndex=10&maxResults=2&${some}`)).body;
    expect(cells(part)).toEqual(cells(data).map(([, value]) => [value]));
    const unknown = await call(served, 'GET', `/datasets/${datasetId}/tables/${tableId}x`);
    expect([unknown.status, unknown.body.error.message]).toEqual([404, `Not found: Table ${PROJECT}:${datasetId}.${tableId}x`]);
  });
});

test('a row larger than a page is a page', async () => {
  const served = await world();
  const query =
    "select n, array_to_string(array(select repeat('x', 1000000) from unnest(generate_array(1, 11))), '') as x from unnest([1, 2]) as n order by n";
  const { body } = await call(served, 'POST', '/queries', { query });
  expect(cells(body).map(([n, x]) => [n, (x as string).length])).toEqual([['1', 11_000_000]]);
  const next = (await call(served, 'GET', `/queries/${body.jobReference.jobId}?pageToken=${body.pageToken}`)).body;
  expect([cells(next).map(([n]) => n), next.pageToken]).toEqual([['2'], undefined]);
});

test('no rows', async () => {
  const served = await world();
  const { body } = await call(served, 'POST', '/queries', { query: 'select 1 as a from unnest(generate_array(1, 0))' });
  expect([body.rows, body.totalRows, body.jobComplete, body.schema.fields.length]).toEqual([undefined, '0', true, 1]);
});
