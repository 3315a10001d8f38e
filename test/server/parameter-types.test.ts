// Parameters of every type over HTTP: as texts in the address, as JSON in the body, and in the description of the API.
import { expect, test } from 'vitest';
import { queryText } from '../queries/support.ts';
import { eventsEngine, served } from './server-support.ts';

const engine = eventsEngine();
const TYPED = queryText(
  7,
  "select format('%T %T %T %T %T %T', @n, @b, @j, @s, @l, @d) as v",
  'cache: 60s',
  'params:',
  '  n: NUMERIC',
  '  b: BYTES',
  '  j: JSON',
  '  s: STRUCT<a INT64, t ARRAY<DATE>>',
  '  l: array of time',
  '  d: { type: datetime, default: "2026-01-02T03:04:05" }',
);
const server = () => served(engine(), { files: { 'typed.sql': TYPED } });
const EXPECTED =
  'NUMERIC "12345678901234567890.5" b"\\xff" JSON \'{"a":[1]}\' (9007199254740993, [DATE "0001-01-01"]) [TIME "01:02:03", TIME "04:05:06"] DATETIME "2026-01-02 03:04:05"';

test('as texts in the address', async () => {
  const { ask } = await server();
  const query = new URLSearchParams({
    n: '12345678901234567890.5',
    b: '/w==',
    j: '{"a": [1]}',
    s: '{"a": 9007199254740993, "t": ["0001-01-01"]}',
    l: '01:02:03,04:05:06',
  });
  expect((await ask(`/api/endpoints/typed?${query}`)).json()).toEqual({ result: [{ v: EXPECTED }] });
});

test('as JSON in the body, with all digits', async () => {
  const { ask } = await server();
  const payload =
    '{"n": "12345678901234567890.5", "b": "/w==", "j": {"a": [1]}, "s": {"a": 9007199254740993, "t": ["0001-01-01"]}, "l": ["01:02:03", "04:05:06"]}';
  const request = { method: 'POST', payload, headers: { 'content-type': 'application/json' } } as const;
  expect((await ask('/api/endpoints/typed', request)).json()).toEqual({ result: [{ v: EXPECTED }] });
});

test('a number in the body whose digits JSON has lost is refused, and all problems are told', async () => {
  const { ask } = await server();
  const payload = '{"n": 1234567890123456789.5, "s": {"a": "x", "t": []}, "l": ["25:00:00"]}';
  const reply = await ask('/api/endpoints/typed', { method: 'POST', payload, headers: { 'content-type': 'application/json' } });
  expect(reply.statusCode).toBe(400);
  expect(reply.json().error.problems).toEqual([
    { kind: 'invalid', name: 'n', message: expect.stringContaining('is not a number of up to 29 digits before the point and 9 behind it') },
    { kind: 'invalid', name: 's', message: 'a: "x" is not a 64-bit integer' },
    { kind: 'invalid', name: 'l', message: '"25:00:00" is not a time of day such as 13:45:00' },
  ]);
});

test('answers to values of one text and another type are kept apart', async () => {
  const { ask } = await server();
  const of = async (query: string) => (await ask(`/api/endpoints/typed?${query}`)).json().result[0].v.split(' DATETIME')[0];
  expect(await of('n=1')).toBe('NUMERIC "1" NULL NULL NULL []');
  expect(await of('j=1')).toBe('NULL NULL JSON "1" NULL []');
  expect(await of('b=MQ==')).toBe('NULL b"1" NULL NULL []');
});

test('the description of the API has their schemas', async () => {
  const { ask } = await server();
  const { paths } = (await ask('/openapi.json')).json();
  const { get, post } = paths['/api/endpoints/typed'];
  const schemas = Object.fromEntries(
    get.parameters.map(({ name, schema }: { readonly name: string; readonly schema: object }) => [name, schema]),
  );
  expect(schemas).toMatchObject({
    b: { type: 'string', contentEncoding: 'base64' },
    l: { type: 'array', items: { type: 'string' } },
    d: { type: 'string', default: '2026-01-02T03:04:05' },
  });
  // An object in the address is JSON text.
  expect(get.parameters.find(({ name }: { readonly name: string }) => name === 's').content).toHaveProperty(['application/json', 'schema']);
  expect(post.requestBody.content['application/json'].schema.properties.s).toEqual({
    type: 'object',
    properties: { a: { type: 'integer', format: 'int64' }, t: { type: 'array', items: { type: 'string', format: 'date' } } },
    required: ['t'],
    additionalProperties: false,
  });
});
