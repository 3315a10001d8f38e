// The rows of an endpoint page by page, and in formats that only the engine writes.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Cache } from '../../src/cache/cache.ts';
import { queryText } from '../queries/support.ts';
import { eventsEngine, IDS, SERIES, served } from './server-support.ts';

const engine = eventsEngine();

type Ask = Awaited<ReturnType<typeof served>>['ask'];

const nextOf = (link: unknown): string | undefined => /^<(\S+)>; rel="next"$/.exec(String(link))?.[1];

/** The rows of each page, from the first on. */
async function pagesFrom(ask: Ask, first: string): Promise<unknown[][]> {
  const pages: unknown[][] = [];
  for (let url: string | undefined = first; url !== undefined; ) {
    const { statusCode, headers, body } = await ask(url);
    expect([statusCode, body.slice(0, 200)]).toEqual([200, expect.stringContaining('result')]);
    pages.push((JSON.parse(body) as { result: unknown[] }).result);
    url = nextOf(headers['link']);
  }
  return pages;
}

const numbers = (pages: unknown[][]): number[][] => pages.map((page) => page.map((row) => (row as { n: number }).n));

test('Link leads from page to page, in the same words', async () => {
  const { ask } = await served(engine());
  expect(numbers(await pagesFrom(ask, '/api/endpoints/series?rows=7&page_size=3'))).toEqual([[1, 2, 3], [4, 5, 6], [7]]);
  const { headers, body } = await ask('/api/endpoints/series.csv?rows=3&word=a%20%26b&page_size=2');
  expect([headers['content-type'], body]).toEqual(['text/csv; charset=utf-8; header=present', 'n,word\n1,"a &b"\n2,"a &b"\n']);
  const next = nextOf(headers['link']) ?? '';
  expect((await ask(next)).body).toBe('n,word\n3,"a &b"\n');
  expect((await ask('/api/endpoints/series?rows=3&page_size=3')).headers['link']).toBeUndefined();
});

test('many rows are read from several pages of the cache’s files', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quern-pages-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const text = "select n, repeat('x', 2000) as x from unnest(generate_array(1, 2500)) as n order by n";
  const { ask } = await served(engine(), {
    files: { 'many.sql': queryText(3, text, 'max_rows: 2400') },
    options: { cache: new Cache({ folder, maxBytes: 200e6, now: Date.now, onNote: () => undefined }) },
  });
  const pages = numbers(await pagesFrom(ask, '/api/endpoints/many?page_size=1000'));
  expect(pages.map((page) => [page[0], page.length])).toEqual([
    [1, 1000],
    [1001, 1000],
    [2001, 400],
  ]);
});

test('the pages of one result fit together though the rows change meanwhile', async () => {
  const { ask, clock } = await served(engine(), {
    files: { 'now.sql': queryText(3, 'select n, unix_seconds(current_timestamp()) as t from unnest([1, 2, 3]) as n order by n') },
  });
  const first = await ask('/api/endpoints/now?page_size=2');
  clock.advance(100);
  const second = await ask(nextOf(first.headers['link']) ?? '');
  const times = [first, second].flatMap(({ body }) => (JSON.parse(body) as { result: { t: number }[] }).result.map(({ t }) => t));
  expect(new Set(times).size).toBe(1);
  expect(second.headers['x-cache']).toBe('hit');
});

test('a limit of rows cuts the last page', async () => {
  const { ask } = await served(engine(), { files: { 'ids.sql': IDS, 'series.sql': SERIES }, key: { maxRows: 5 } });
  expect(numbers(await pagesFrom(ask, '/api/endpoints/series?rows=9&page_size=3'))).toEqual([
    [1, 2, 3],
    [4, 5],
  ]);
  const last = await ask('/api/endpoints/series?rows=9&page_size=5');
  expect(last.headers['x-truncated']).toBe('true');
});

test.each([
  ['page_size=0', 'page_size', '"0" is not a number from 1 to 100000'],
  ['page_size=many', 'page_size', '"many" is not a number from 1 to 100000'],
  ['page=2', 'page_size', 'is missing'],
  ['page_size=2&page=2', 'page', '"2" is not a page: take the address in the header Link'],
])('%s is refused', async (words, name, message) => {
  const { ask } = await served(engine());
  const { statusCode, body } = await ask(`/api/endpoints/series?${words}`);
  expect([statusCode, JSON.parse(body).error.problems]).toEqual([400, [{ kind: 'invalid', name, message }]]);
});

test('a page is given for the same words only, while it is kept', async () => {
  const { ask } = await served(engine());
  const next = nextOf((await ask('/api/endpoints/series?rows=7&page_size=3')).headers['link']) ?? '';
  for (const url of [
    next.replace('rows=7', 'rows=8'),
    next.replace('/series?', '/ids?area=rest&').replace('rows=7&', ''),
    next.replace(/page=[0-9a-f]{8}/, 'page=00000000'),
  ]) {
    const { statusCode, body } = await ask(url);
    expect([statusCode, JSON.parse(body).error.message]).toEqual([400, 'the page is not kept for this call']);
  }
  expect((await ask(next)).statusCode).toBe(200);
});

test('a parameter of the name is the query’s own', async () => {
  const { ask } = await served(engine(), {
    files: { 'own.sql': queryText(3, 'select @page as page', 'params:', '  page: { type: integer }') },
  });
  expect(JSON.parse((await ask('/api/endpoints/own?page=2')).body)).toEqual({ result: [{ page: 2 }] });
  expect((await ask('/api/endpoints/own?page=2&page_size=1')).statusCode).toBe(400);
});

test.each([
  ['/api/endpoints/series?rows=3&format=parquet', {}, 'application/vnd.apache.parquet', 'PAR1'],
  ['/api/endpoints/series.parquet?rows=3', {}, 'application/vnd.apache.parquet', 'PAR1'],
  ['/api/endpoints/series?rows=3', { accept: 'application/vnd.apache.parquet' }, 'application/vnd.apache.parquet', 'PAR1'],
  ['/api/endpoints/series.arrow?rows=3', {}, 'application/vnd.apache.arrow.file', 'ARROW1'],
])('%s %j is a file of the format', async (url, headers, type, magic) => {
  const { ask } = await served(engine());
  const reply = await ask(url, { headers });
  expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, type]);
  const bytes = reply.rawPayload;
  expect([bytes.subarray(0, magic.length).toString(), bytes.subarray(bytes.length - magic.length).toString()]).toEqual([magic, magic]);
});

test('such a file has the rows, as far as they are allowed', async () => {
  const { ask, folder } = await served(engine(), { files: { 'series.sql': SERIES }, key: { maxRows: 2 } });
  const { rawPayload, headers } = await ask('/api/endpoints/series.parquet?rows=3&word=a');
  writeFileSync(join(folder, 'rows.parquet'), rawPayload);
  expect(headers['x-truncated']).toBe('true');
  expect(await engine().rows(`SELECT n, word FROM file('${join(folder, 'rows.parquet')}') ORDER BY n`)).toEqual([
    [1, 'a'],
    [2, 'a'],
  ]);
});

test('what hides addresses, and what has pages, has no such file', async () => {
  const { ask } = await served(engine());
  for (const [url, headers] of [
    ['/api/endpoints/series.parquet', { 'lf-endpoint-redact-pii': 'true' }],
    ['/api/endpoints/series.arrow?page_size=2', {}],
  ] as const)
    expect((await ask(url, { headers })).statusCode).toBe(400);
});

test('of a text with several queries the last one is the answer', async () => {
  const { ask } = await served(engine(), {
    files: { 'script.sql': queryText(3, 'declare n int64 default 1; select n; if n = 1 then select n + 1 as m; end if') },
  });
  expect(JSON.parse((await ask('/api/endpoints/script')).body)).toEqual({ result: [{ m: 2 }] });
});
