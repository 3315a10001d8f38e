// Headers of saved queries: what they say, and what is wrong with them.
import { expect, test } from 'vitest';
import { headerFor } from '../../src/queries/expand.ts';
import { parseSavedQuery } from '../../src/queries/header/header.ts';
import { failure } from '../support/told.ts';
import { queryText, uuid } from './support.ts';

const parse = (text: string) => parseSavedQuery({ name: 'queries/q.sql', text }, 'q');

test('known values are an offer: others are allowed', () => {
  const [parameter] = parse(queryText(1, 'SELECT @a', 'params: { a: { type: string, suggest: [x, "y z"], default: other } }')).parameters;
  expect([parameter?.suggest, parameter?.default]).toEqual([['x', 'y z'], 'other']);
});

test('every field is read', () => {
  const text = `/*---
id: ${uuid(1).toUpperCase()}      # upper case is the same id
description: Requests per API area
dialect: bigquery
max_rows: 50
cache: 15m
cache_warming: 300s
sandbox: enabled
redact_pii: true
params:
  project:  { type: string, required: true, description: Regular expression, example: "abc.*" }
  interval: { type: string, enum: [hourly, daily], default: hourly }
  ids: { type: array of integer, default: [1, 2] }
  ratio: { type: float, default: 0.5 }
  deep: { type: boolean, default: false }
  since: { type: timestamp, default: "2026-01-02" }
  day: { type:   date }
---*/
SELECT 1`;
  expect(parse(text)).toEqual({
    name: 'q',
    id: uuid(1),
    description: 'Requests per API area',
    dialect: 'bigquery',
    maxRows: 50,
    ttlSeconds: 900,
    warmingSeconds: 300,
    sandbox: true,
    redactPii: true,
    limits: {},
    parameters: [
      { name: 'project', type: 'string', array: false, required: true, description: 'Regular expression', example: 'abc.*' },
      { name: 'interval', type: 'string', array: false, required: false, enum: ['hourly', 'daily'], default: 'hourly' },
      { name: 'ids', type: 'integer', array: true, required: false, default: [1, 2] },
      { name: 'ratio', type: 'float', array: false, required: false, default: 0.5 },
      { name: 'deep', type: 'boolean', array: false, required: false, default: false },
      { name: 'since', type: 'timestamp', array: false, required: false, default: '2026-01-02' },
      { name: 'day', type: 'date', array: false, required: false },
    ],
    source: { name: 'queries/q.sql', text },
  });
});

test('fields that are left out have defaults', () => {
  const text = queryText(1, 'select 1');
  expect(parse(text)).toEqual({
    name: 'q',
    id: uuid(1),
    description: '',
    dialect: 'bigquery',
    maxRows: 1000,
    ttlSeconds: 0,
    sandbox: false,
    redactPii: false,
    limits: {},
    parameters: [],
    source: { name: 'queries/q.sql', text },
  });
});

test('a file without a header is a draft; other comments are not headers', () => {
  expect(parse('/* --- */ select 1')).toMatchObject({ name: 'q', id: '', ttlSeconds: 0, maxRows: 1000, parameters: [] });
});

test('rows of whole buckets of time are kept beyond the TTL, unless the header says otherwise', () => {
  expect(parse(`/*--- {id: ${uuid(2)}, cache: { ttl: 1h, buckets: false }} ---*/ select 1`)).toMatchObject({
    ttlSeconds: 3600,
    keepBuckets: false,
  });
  expect(parse(`/*--- {id: ${uuid(2)}, cache: { ttl: 1h }} ---*/ select 1`)).toMatchObject({ ttlSeconds: 3600 });
  expect(parse(`/*--- {id: ${uuid(2)}, cache: { ttl: 1h }} ---*/ select 1`)).not.toHaveProperty('keepBuckets');
});

test('a header may be written with carriage returns, after empty lines, and in one line', () => {
  expect(parse(`\r\n/*---\r\nid: ${uuid(2)}\r\ncache: 1h\r\n---*/\r\nselect 1`)).toMatchObject({ id: uuid(2), ttlSeconds: 3600 });
  expect(parse(`/*--- {id: ${uuid(2)}, cache: disabled} ---*/ select 1`)).toMatchObject({ id: uuid(2), ttlSeconds: 0 });
});

test.each<[string, string, Readonly<Record<string, unknown>>]>([
  ['an unknown field', 'cahce: 900s', { message: 'cahce is not a field of a header', at: '3:1', hint: 'did you mean cache?' }],
  [
    'an unknown rule of the cache',
    'cache: { ttl: 1m, bucket: false }',
    { message: 'cache.bucket is not a field of cache', at: '3:19', hint: 'did you mean buckets?' },
  ],
  [
    'rules of the cache without a TTL',
    'cache: { buckets: false }',
    { message: 'cache has no ttl', at: '3:8', hint: 'write it like { ttl: 15m, buckets: false }' },
  ],
  ['a number for a duration', 'cache: 900', { message: 'cache: 900 is not a duration', at: '3:8', hint: 'write the unit: 15m' }],
  [
    'an unknown unit',
    'cache: 9 weeks',
    { message: 'cache: "9 weeks" is not a duration', at: '3:8', hint: 'write it like 900s, 15m, 1h or disabled' },
  ],
  [
    'warming without a cache',
    'cache_warming: 300s',
    { message: 'cache_warming needs a cache', at: '3:16', hint: 'set `cache`, or remove `cache_warming`' },
  ],
  [
    'a row limit of zero',
    'max_rows: 0',
    { message: 'max_rows: 0 is not a number of rows', at: '3:11', hint: 'write a whole number above 0' },
  ],
  ['a switch that is text', 'redact_pii: "yes"', { message: 'redact_pii: "yes" is not true or false', at: '3:13' }],
  [
    'a sandbox over ClickHouse SQL',
    'dialect: clickhouse\nsandbox: enabled',
    { message: 'sandbox needs SQL in the BigQuery dialect', at: '4:10', hint: 'remove `sandbox`' },
  ],
  [
    'a sandbox beside a parameter of its name',
    'sandbox: enabled\nparams: { SQL: { type: string } }',
    {
      message: 'sandbox takes the argument `sql` from callers, but there is also a parameter with that name',
      at: '3:10',
      hint: 'rename the parameter',
    },
  ],
  ['another dialect', 'dialect: mysql', { message: 'dialect: "mysql" is not one of: bigquery, clickhouse', at: '3:10' }],
  ['a description that is no text', 'description: [a]', { message: 'description must be text', at: '3:14', hint: 'put it in quotes' }],
  ['an empty field', 'cache:', { message: 'cache: null is not a duration', hint: 'write it like 900s, 15m, 1h or disabled' }],
  ['parameters that are no mapping', 'params: [a]', { message: 'params must contain fields, as in `{ type: string }`', at: '3:9' }],
  [
    'an unknown type',
    'params: { a: { type: strin } }',
    { message: 'params.a.type: "strin" is not a type', at: '3:22', hint: 'did you mean string?' },
  ],
  [
    'a type by the name it has elsewhere',
    'params: { a: { type: varchar } }',
    { message: 'params.a.type: "varchar" is not a type', at: '3:22', hint: 'did you mean string?' },
  ],
  [
    'no type',
    'params: { a: { required: true } }',
    {
      message: 'params.a has no type',
      at: '3:14',
      hint: expect.stringMatching(
        /^the types are string, integer, .*, SQL's names such as INT64 and STRUCT<a INT64>, and `array of` each$/,
      ),
    },
  ],
  [
    'an unknown field of a parameter',
    'params: { a: { type: string, requird: true } }',
    { message: 'params.a.requird is not a field of a parameter', at: '3:30', hint: 'did you mean required?' },
  ],
  [
    'a default outside the enum',
    'params: { a: { type: string, enum: [x, y], default: z } }',
    { message: 'params.a.default: "z" is not one of: x, y', at: '3:53' },
  ],
  [
    'known values beside an enum',
    'params: { a: { type: string, enum: [x, y], suggest: [x] } }',
    { message: 'params.a.suggest has no effect: enum already lists the values', at: '3:53', hint: 'remove one of the two' },
  ],
  [
    'a known value of another type',
    'params: { a: { type: integer, suggest: [1, b] } }',
    { message: 'params.a.suggest: "b" is not of type integer', at: '3:40' },
  ],
  [
    'a default of another type',
    'params: { a: { type: integer, default: "5" } }',
    { message: 'params.a.default: "5" is not of type integer', at: '3:40' },
  ],
  [
    'a number as a string',
    'params: { a: { type: string, default: 007 } }',
    { message: 'params.a.default: 7 is not text', at: '3:39', hint: 'put it in quotes: "7"' },
  ],
  [
    'a default that is no timestamp',
    'params: { a: { type: date, default: "2026-02-30" } }',
    { message: 'params.a.default: "2026-02-30" is not a date such as 2026-01-02', at: '3:37' },
  ],
  [
    'a default of a required parameter',
    'params: { a: { type: string, required: true, default: x } }',
    { message: 'params.a.default has no effect: the parameter is required', at: '3:55', hint: 'remove one of the two' },
  ],
  [
    'a single default of an array',
    'params: { a: { type: array of date, default: "2026-01-01" } }',
    { message: 'params.a.default must be a list', at: '3:46', hint: 'write it as [a, b]' },
  ],
  [
    'names that differ in case only',
    'params: { a: { type: date }, A: { type: date } }',
    { message: 'params.A is the same parameter as a: names are not case-sensitive', at: '3:33' },
  ],
  [
    'a name no SQL could use',
    'params: { a-b: { type: date } }',
    { message: 'params.a-b is not a valid parameter name', at: '3:16', hint: 'use letters, digits and _' },
  ],
  [
    'a reserved name',
    'params: { quern_now: { type: date } }',
    { message: 'params.quern_now is reserved for the time of CURRENT_TIMESTAMP()', at: '3:22', hint: 'choose another name' },
  ],
  ['text that is no YAML', 'description: "open', { message: 'the header is not YAML: a text that begins with " is not closed', at: '4:1' }],
])('%s is an error with its place', (_, line, expected) => {
  const { code, ...rest } = failure(() => parse(queryText(1, 'select 1', line)));
  expect(code).toBe('config');
  expect(rest).toMatchObject(expected);
});

test('an id that is no UUID is an error that offers one', () => {
  expect(failure(() => parse('/*---\nid: 17\n---*/ select 1'))).toEqual({
    code: 'config',
    message: 'id: 17 is not a UUID',
    at: '2:5',
    hint: 'for example <uuid>',
  });
});

test('all problems of a header are reported at once, in the order of the file', () => {
  const text = queryText(
    1,
    'select 1',
    'cache: 900',
    'params:',
    '  a: { type: strin }',
    '  b: { type: integer, default: x }',
    'sandbox: on',
  );
  expect(failure(() => parse(text))).toEqual({
    code: 'config',
    message: 'the header of queries/q.sql has 4 problems',
    at: '3:8',
    problems: [
      'line 3 | cache | 900 is not a duration (write the unit: 15m)',
      'line 5 | params.a.type | "strin" is not a type (did you mean string?)',
      'line 6 | params.b.default | "x" is not of type integer',
      'line 7 | sandbox | "on" is not one of: enabled, disabled',
    ],
  });
});

test('a header that does not end, or holds no fields, is an error', () => {
  expect(failure(() => parse('/*---\nid: x\nselect 1'))).toEqual({
    code: 'config',
    message: 'the header is not closed',
    at: '1:1',
    hint: 'close it with ---*/ before the SQL',
  });
  expect(failure(() => parse('/*--- just text ---*/ select 1'))).toMatchObject({
    message: 'the header must contain fields, one `name: value` per line',
    at: '1:6',
  });
});

test('the header proposed to a draft is a header', () => {
  const query = parse(
    `${headerFor([
      { name: 'project', type: 'string' },
      { name: 'day', type: 'date' },
    ])}\nselect @project, @day`,
  );
  expect(query.parameters.map(({ name, type }) => [name, type])).toEqual([
    ['project', 'string'],
    ['day', 'date'],
  ]);
});

test('integers keep all their digits, in defaults, lists and examples', () => {
  const params =
    'params: { n: { type: integer, default: 9223372036854775807 }, m: { type: array of integer, default: [1, -9007199254740993] } }';
  const { parameters } = parse(`/*---\nid: ${uuid(1)}\n${params}\n---*/\nselect @n, @m`);
  expect(parameters.map((parameter) => parameter.default)).toEqual(['9223372036854775807', [1, '-9007199254740993']]);
});
