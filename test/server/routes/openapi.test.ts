// The description of the endpoints, judged by a validator, and true to what they reply.
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { QuernError } from '../../../src/base/errors.ts';
import { openCatalog } from '../../../src/queries/catalog.ts';
import { queryText } from '../../queries/support.ts';
import { fixedSources } from '../../support/fixed-sources.ts';
import { eventsEngine, served } from '../server-support.ts';

const engine = eventsEngine();
const shipped = new URL('../../../queries', import.meta.url).pathname;

const EVERY_TYPE = queryText(
  5,
  `with mine as (select id from events)
select true as b, id, 1.5 as f, numeric '1.5' as n, 'x' as s, b'x' as y, date '2026-01-02' as d, time '03:04:05' as t,
  datetime '2026-01-02T03:04:05' as dt, timestamp '2026-01-02T03:04:05Z' as ts, json '{}' as j, [1, 2] as a, struct(1 as one, 'x' as two) as st
from mine where id in unnest(@ids) and id > @least and @on and @at is not null and @day is not null and @name != '' and @f > 0`,
  'description: Every type',
  'sandbox: enabled',
  'params:',
  '  ids: { type: array of integer, required: true, description: which ones }',
  '  least: { type: integer, enum: [0, 5], default: 0 }',
  '  on: { type: boolean, default: true }',
  '  at: { type: timestamp, example: 2026-01-02T03:04:05Z }',
  '  day: { type: date }',
  '  name: { type: string, example: me }',
  '  f: { type: float }',
);

async function description(world: Awaited<ReturnType<typeof served>>) {
  const reply = await world.ask('/openapi.json');
  expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
  return reply.json();
}

const validated = async (document: Record<string, unknown>) => {
  const { valid, errors } = await new Validator().validate(document);
  return { valid, errors };
};

test('is OpenAPI 3.1, for queries with every type of parameter and of column', async () => {
  const world = await served(engine(), { files: { 'every.type.sql': EVERY_TYPE } });
  const document = await description(world);
  expect(document.openapi).toBe('3.1.0');
  expect(await validated(document)).toEqual({ valid: true, errors: undefined });
  expect(Object.keys(document.paths)).toEqual(['/api/endpoints/every.type', '/api/endpoints/ids', '/api/endpoints/series']);
});

test('is OpenAPI 3.1 for clients of Logflare, with keys', async () => {
  const world = await served(engine(), { files: { 'every.type.sql': EVERY_TYPE }, key: {}, options: { compat: 'logflare' } });
  expect(await validated(await description(world))).toEqual({ valid: true, errors: undefined });
});

test('has the parameters, with what they may be', async () => {
  const document = await description(await served(engine()));
  expect(document.paths['/api/endpoints/ids'].get.parameters).toEqual([
    {
      name: 'area',
      in: 'query',
      required: true,
      description: 'area of the API',
      example: 'rest',
      schema: { type: 'string', enum: ['rest', 'auth'] },
    },
    { name: 'most', in: 'query', required: false, schema: { type: 'integer', format: 'int64' } },
    {
      name: 'page_size',
      in: 'query',
      required: false,
      description: 'the most rows of a reply, whose header Link leads to the next ones',
      schema: { type: 'integer', format: 'int64' },
    },
    { name: 'page', in: 'query', required: false, description: 'as Link gives it', schema: { type: 'string' } },
    {
      name: 'format',
      in: 'query',
      required: false,
      description: 'Format of the reply.',
      schema: { type: 'string', enum: ['json', 'ndjson', 'csv', 'tsv', 'markdown', 'html', 'svg', 'parquet', 'arrow', 'table'] },
    },
  ]);
});

test('has the columns, in the form of the reply', async () => {
  const row = async (compat?: 'logflare') => {
    const document = await description(await served(engine(), compat === undefined ? {} : { options: { compat } }));
    return document.paths['/api/endpoints/ids'].get.responses['200'].content['application/json'].schema.properties.result.items;
  };
  const properties = { id: { type: ['integer', 'null'], format: 'int64' }, area: { type: ['string', 'null'] } };
  const required = ['id', 'area', 'moment'];
  expect(await row()).toEqual({
    type: 'object',
    properties: { ...properties, moment: { type: ['string', 'null'], format: 'date-time' } },
    required,
  });
  expect(await row('logflare')).toEqual({
    type: 'object',
    properties: { ...properties, moment: { type: ['integer', 'null'], format: 'int64', description: 'Microseconds since 1970.' } },
    required,
  });
});

test('has only what the key covers', async () => {
  const document = await description(await served(engine(), { key: { scopes: ['ids'] } }));
  expect(Object.keys(document.paths)).toEqual(['/api/endpoints/ids']);
});

test('has the queries that ship, without their columns while the engine cannot be asked for its tables', async () => {
  const away = async () => {
    throw new QuernError('unreachable', 'ClickHouse is away');
  };
  const world = await served(engine(), {
    options: { catalog: openCatalog([shipped]), folders: [shipped] },
    sources: fixedSources(away),
  });
  const document = await description(world);
  expect(await validated(document)).toEqual({ valid: true, errors: undefined });
  const { get } = document.paths['/api/endpoints/usage.api-counts'];
  expect(get.parameters.map(({ name }: { readonly name: string }) => name)).toEqual(['project', 'interval', 'page_size', 'page', 'format']);
  expect(get.responses['200'].content['application/json'].schema.properties.result).toEqual({ type: 'array', items: { type: 'object' } });
});
