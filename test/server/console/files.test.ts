// What the server gives to the console: its files under a strict policy, and its knowledge of the endpoints to those who may have it.
import { readdirSync, readFileSync } from 'node:fs';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { ConsoleInfo, ConsoleSuggestions } from '../../../src/server/console/contract.ts';
import { queryText, uuid } from '../../queries/support.ts';
import { eventsEngine, expectError, served } from '../server-support.ts';

const engine = eventsEngine();
const folder = new URL('../../../dist/console/', import.meta.url).pathname;
const files = readdirSync(folder);
const assets = files.filter((file) => /\.(js|css)$/.test(file));
const playground = files.find((file) => /^playground-.*js$/.test(file)) ?? '';
const AREA = ['sandbox: enabled', 'params: { area: { type: string, required: true } }'];
const BEHIND = queryText(7, 'with hits as (select id, area from events) select * from hits where area = @area', ...AREA);
const WITHIN = queryText(8, 'with hits as (select id, area from events where area = @area) select * from hits', ...AREA);
const SANDBOXED = queryText(6, 'with hits as (select id, area from events) select * from hits', 'sandbox: enabled');

describe('the files of the console', () => {
  test('are at most 180 KB in all, without the playground, of which the first page loads 37, however they are compressed', () => {
    expect(files.filter((file) => !assets.includes(file))).toEqual(['index.html', 'playground.html']);
    const console = files.filter((file) => !/^playground/.test(file));
    // What a page imports in a function is loaded once it is wanted.
    const importedBy = (file: string): readonly string[] => [
      file,
      ...[...readFileSync(folder + file, 'utf8').matchAll(/from"\.\/([^"]+)"/g)].flatMap(([, name = '']) => importedBy(name)),
    ];
    const named = [...readFileSync(`${folder}index.html`, 'utf8').matchAll(/console\/([\w-]+\.\w+)/g)].map(([, name = '']) => name);
    const first = [...new Set(['index.html', ...named.flatMap(importedBy)])];
    expect(first.filter((file) => /sql|editor|table-|palette|board/.test(file))).toEqual([]);
    for (const compress of [brotliCompressSync, gzipSync]) {
      const bytes = (some: readonly string[]) => some.reduce((sum, file) => sum + compress(readFileSync(folder + file)).length, 0);
      expect(bytes(first)).toBeLessThan(37_000);
      expect(bytes(console)).toBeLessThan(180_000);
    }
  });

  test('need no key, and tell the browser to load nothing from elsewhere', async () => {
    const { server } = await served(engine(), { key: {} });
    const page = await server.fastify.inject({ url: '/' });
    expect([page.statusCode, page.headers['content-type'], page.headers['cache-control'], page.body]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-cache',
      readFileSync(`${folder}index.html`, 'utf8'),
    ]);
    expect(page.headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(/<script(?![^>]* src=)|<style|style=|onload=|https?:\/\/(?!www\.w3\.org)/.test(page.body)).toBe(false);
  });

  test('are kept by browsers for as long as they like, since another build gives them another name', async () => {
    const { server } = await served(engine());
    for (const name of assets) {
      const plain = await server.fastify.inject({ url: `/console/${name}` });
      expect([plain.statusCode, plain.headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable']);
      for (const [encoding, unpack] of [['gzip', gunzipSync] as const, ['br', brotliDecompressSync] as const]) {
        // Twice: what was compressed is kept.
        for (const _ of [1, 2]) {
          const packed = await server.fastify.inject({ url: `/console/${name}`, headers: { 'accept-encoding': encoding } });
          expect([packed.headers['content-encoding'], unpack(packed.rawPayload).equals(plain.rawPayload)]).toEqual([encoding, true]);
        }
      }
    }
  });

  test('hold no second translator: the playground loads quern/translate under a name of its content', async () => {
    const translator = readFileSync(`${folder}../translate.js`);
    const [, name = ''] = /import\(`\.\/(translate-[\w-]{8}\.js)`\)/.exec(readFileSync(folder + playground, 'utf8')) ?? [];
    expect(assets.filter((file) => readFileSync(folder + file, 'utf8').includes('is not a function quern can translate'))).toEqual([]);
    const { server } = await served(engine(), { key: {} });
    const loaded = await server.fastify.inject({ url: `/console/${name}` });
    expect([
      loaded.statusCode,
      loaded.headers['cache-control'],
      loaded.headers['content-type'],
      loaded.rawPayload.equals(translator),
    ]).toEqual([200, 'public, max-age=31536000, immutable', 'text/javascript; charset=utf-8', true]);
  });

  test('of the playground need no key either', async () => {
    const { server } = await served(engine(), { key: {} });
    const page = await server.fastify.inject({ url: '/playground' });
    expect([page.statusCode, page.headers['cache-control'], page.body]).toEqual([
      200,
      'no-cache',
      readFileSync(`${folder}playground.html`, 'utf8'),
    ]);
    const policy = (await server.fastify.inject({ url: '/' })).headers['content-security-policy'];
    expect(page.headers['content-security-policy']).toBe(policy);
  });

  test.each([
    'main.js',
    'index.html',
    'main-AAAAAAAA.js',
    'translate-AAAAAAAA.js',
    '..%2findex.html',
    '%2e%2e%2fLICENSES.txt',
    'main-AAAAAAAA.js.br',
  ])('do not include %s', async (name) => {
    const { ask } = await served(engine());
    expectError(await ask(`/console/${name}`), 404, 'not-found');
  });

  test('are missed in words by a server whose package was not built', async () => {
    const { ask } = await served(engine(), { options: { consoleFolder: '/nowhere' } });
    expect(expectError(await ask('/'), 404, 'not-found').message).toBe('the console has not been built');
  });
});

describe('what the console is told', () => {
  test('is for callers with a key, and of the queries that it covers', async () => {
    const { ask, server } = await served(engine(), {
      key: { name: 'one', scopes: ['ids'], pins: { area: 'auth' } },
      files: { 'sandboxed.sql': SANDBOXED },
    });
    expectError(await server.fastify.inject({ url: '/api/console' }), 401, 'unauthorized');
    expect((await ask('/api/console')).json()).toEqual({
      version: '1.2.3',
      authentication: true,
      key: 'one',
      mayRefresh: false,
      oversees: false,
      mayRunSql: false,
      boards: [],
      formats: [
        { name: 'json', extension: '.json' },
        { name: 'ndjson', extension: '.ndjson' },
        { name: 'csv', extension: '.csv' },
        { name: 'tsv', extension: '.tsv' },
        { name: 'markdown', extension: '.md' },
        { name: 'html', extension: '.html' },
        { name: 'svg', extension: '.svg' },
        { name: 'parquet', extension: '.parquet' },
        { name: 'arrow', extension: '.arrow' },
        { name: 'table', extension: '.txt' },
      ],
      endpoints: [
        {
          name: 'ids',
          id: uuid(1),
          description: '',
          dialect: 'bigquery',
          maxRows: 4,
          ttlSeconds: 60,
          takesSql: false,
          parameters: [
            {
              name: 'area',
              type: 'string',
              array: false,
              enum: ['rest', 'auth'],
              required: true,
              description: 'area of the API',
              example: 'rest',
              pinned: 'auth',
            },
            { name: 'most', type: 'integer', array: false, required: false },
          ],
          columns: [
            { name: 'id', type: 'INT64' },
            { name: 'area', type: 'STRING' },
            { name: 'moment', type: 'TIMESTAMP' },
          ],
        },
      ],
    });
    const sql = (endpoint: string) => ask('/api/console/sql', { method: 'POST', payload: { endpoint } });
    expect((await sql('ids')).json<{ readonly own: string }>().own).toBe(
      'select id, area, moment from events where area = @area and id <= coalesce(@most, 100) order by id',
    );
    expectError(await sql('series'), 403, 'forbidden');
  });

  test('of SQL of the caller’s is its translation, or what is wrong with it', async () => {
    const { ask } = await served(engine(), { files: { 'sandboxed.sql': SANDBOXED } });
    const sql = (payload: object) => ask('/api/console/sql', { method: 'POST', payload });
    const given = (await sql({ endpoint: 'sandboxed', sql: 'select count(*) as n from hits' })).json<{ readonly columns: unknown }>();
    expect(given.columns).toEqual([{ name: 'n', type: 'INT64' }]);
    expectError(await sql({ endpoint: 'sandboxed', sql: 'select x from hits' }), 422, 'unknown-column');
    expectError(await sql({ endpoint: 'ids', sql: 'select 1' }), 400, 'parameter');
    expectError(await sql({ endpoint: 'nothing' }), 404, 'unknown-query');
    expectError(await sql({}), 400, 'usage');
    expectError(await ask('/api/console/sql'), 405, 'method');
  });

  test('of a place in SQL of the caller’s is what may be written there', async () => {
    const { ask, executed } = await served(engine(), { files: { 'sandboxed.sql': SANDBOXED } });
    const complete = (payload: object) => ask('/api/console/complete', { method: 'POST', payload });
    const at = async (text: string) => {
      const reply = await complete({ endpoint: 'sandboxed', sql: text.replace('|', ''), offset: text.indexOf('|') });
      return reply.json<ConsoleSuggestions>().suggestions.map(({ kind, label, detail }) => [kind, label, detail].join(' '));
    };
    expect(await at('select h.| from hits as h')).toEqual(['field id INT64', 'field area STRING']);
    expect(await at('select * from |')).toEqual(['with-table hits WITH table']);
    expect(await at('with mine as (select 1 as one) select * from m|')).toEqual(['with-table mine WITH table']);
    const words = await at('select a| from hits');
    expect(words.slice(0, 2)).toEqual(['field area STRING', expect.stringContaining('function abs ')]);
    expect(words.filter((word) => !/^\S+ a/.test(word))).toEqual([]);
    expect(await at("select 'a|")).toEqual([]);
    // What the saved query itself reads is out of sight, as it is for a run.
    expect(await at('select e.| from events as e')).toEqual([]);
    expect(executed).toEqual([]);
    expect((await complete({ endpoint: 'ids', sql: 'select ', offset: 7 })).json()).toEqual({ suggestions: [] });
    expect((await complete({ endpoint: 'sandboxed', sql: `select ${' '.repeat(20_000)}`, offset: 7 })).json()).toEqual({ suggestions: [] });
    expectError(await complete({ endpoint: 'nothing', sql: '', offset: 0 }), 404, 'unknown-query');
    for (const wrong of [{}, { endpoint: 'sandboxed', sql: 'select 1', offset: 9 }, { endpoint: 'sandboxed', sql: 'select 1', offset: -1 }])
      expectError(await complete(wrong), 400, 'usage');
  });

  test.each([
    [
      { pins: { area: 'auth' } },
      'the API key sets area, and your own SQL for behind could read past it',
      'leave out sql, or let every WITH table of behind filter by @area; `quern lint` shows which do not',
    ],
    [
      { maxRows: 2 },
      'the API key limits the rows of a response, and your own SQL for behind could get around that',
      'leave out sql, or use a key without --max-rows',
    ],
  ])('with the key %j a query takes no SQL of the caller’s, nor is it translated, nor described', async (key, message, hint) => {
    const files = { 'behind.sql': BEHIND, 'within.sql': WITHIN };
    const { ask } = await served(engine(), { key, files });
    const { endpoints } = (await ask('/api/console')).json<ConsoleInfo>();
    const told = endpoints.flatMap(({ name, takesSql, sqlBarred }) => (name === 'behind' ? [{ takesSql, sqlBarred }] : []));
    expect(told).toEqual([{ takesSql: false, sqlBarred: message }]);
    expect(endpoints.find(({ name }) => name === 'within')?.takesSql).toBe('pins' in key);
    const payload = { endpoint: 'behind', sql: 'select count(*) as n from hits' };
    expect(expectError(await ask('/api/console/sql', { method: 'POST', payload }), 400, 'parameter')).toMatchObject({ message, hint });
    const place = { ...payload, offset: 0 };
    expect(expectError(await ask('/api/console/complete', { method: 'POST', payload: place }), 400, 'parameter')).toMatchObject({
      message,
    });
    const { paths } = (await ask('/openapi.json')).json();
    const described = ['behind', 'within'].map((name) => 'sql' in bodySchema(paths[`/api/endpoints/${name}`]).properties);
    expect(described).toEqual([false, 'pins' in key]);
  });
});

interface Described {
  readonly post: {
    readonly requestBody: { readonly content: { readonly 'application/json': { readonly schema: { readonly properties: object } } } };
  };
}

const bodySchema = ({ post }: Described) => post.requestBody.content['application/json'].schema;
