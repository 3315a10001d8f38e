// Arguments by declared parameter, and bindings by translated parameter.
import { expect, test } from 'vitest';
import { bindingsFor, readArguments } from '../../src/queries/parameters.ts';
import type { ParameterDeclaration, ParameterTypeName } from '../../src/queries/saved-query.ts';
import { failure } from '../support/told.ts';

const parameter = (name: string, type: ParameterTypeName, rest: Partial<ParameterDeclaration> = {}): ParameterDeclaration => ({
  name,
  type,
  array: false,
  required: false,
  ...rest,
});
const one = (type: ParameterTypeName, raw: unknown, rest: Partial<ParameterDeclaration> = {}) =>
  readArguments([parameter('p', type, rest)], { p: raw }, 'q')['p'];
const problem = (type: ParameterTypeName, raw: unknown, rest: Partial<ParameterDeclaration> = {}) =>
  failure(() => one(type, raw, rest))['problems'];

test.each<[ParameterTypeName, unknown, unknown]>([
  ['string', 'abc', 'abc'],
  ['string', '', ''],
  ['string', " it's {x:String} \\ \n", " it's {x:String} \\ \n"],
  ['string', 42, '42'],
  ['string', true, 'true'],
  ['integer', '42', 42],
  ['integer', ' -7 ', -7],
  ['integer', '+7', 7],
  ['integer', 5, 5],
  ['integer', '5.0', 5],
  ['integer', '9223372036854775807', 9223372036854775807n],
  ['integer', '-9223372036854775808', -9223372036854775808n],
  ['float', '1.5e-3', 0.0015],
  ['float', '.5', 0.5],
  ['float', '-inf', Number.NEGATIVE_INFINITY],
  ['float', 'NaN', Number.NaN],
  ['float', 2, 2],
  ['boolean', 'true', true],
  ['boolean', 'No', false],
  ['boolean', 1, true],
  ['boolean', false, false],
  ['timestamp', '2026-01-02T03:04:05+01:00', '2026-01-02 02:04:05.000000'],
  ['timestamp', 1767322800123, '2026-01-02 03:00:00.123000'],
  ['date', '2026-01-02', '2026-01-02'],
  ['string', ['once'], 'once'],
  ['integer', '', null],
  ['timestamp', '', null],
  ['string', null, null],
  ['string', undefined, null],
])('%s %j is bound as its value', (type, raw, value) => {
  expect(one(type, raw)).toStrictEqual(value);
});

test.each<[ParameterTypeName, unknown, string]>([
  ['integer', '1.5', '"1.5" is not a 64-bit integer'],
  ['integer', '9223372036854775808', '"9223372036854775808" is not a 64-bit integer'],
  ['integer', '0x10', '"0x10" is not a 64-bit integer'],
  ['integer', true, 'true is not a 64-bit integer'],
  ['float', '1,5', '"1,5" is not a number'],
  ['boolean', 'maybe', '"maybe" is not true or false'],
  ['timestamp', '2026', '"2026" is not a timestamp such as 2026-01-02T03:04:05Z, or seconds, milliseconds or microseconds since 1970'],
  ['date', '2026-02-30', '"2026-02-30" is not a date such as 2026-01-02'],
  ['string', { a: 1 }, '{"a":1} is not text'],
  ['string', ['a', 'b'], 'takes one value, but 2 were given'],
  ['date', 'x'.repeat(100), `"${'x'.repeat(56)}…" is not a date such as 2026-01-02`],
])('%s %j does not fit', (type, raw, message) => {
  expect(problem(type, raw)).toEqual([`invalid | p | ${message}`]);
});

test('arrays come as lists, as JSON, or with commas where a comma cannot be part of a value', () => {
  const array = { array: true };
  expect(one('integer', ['1', 2, '3'], array)).toEqual([1, 2, 3]);
  expect(one('integer', '1, 2,3', array)).toEqual([1, 2, 3]);
  expect(one('integer', '[1, 2]', array)).toEqual([1, 2]);
  expect(one('integer', 7, array)).toEqual([7]);
  expect(one('string', 'Smith, John', array)).toEqual(['Smith, John']);
  expect(one('string', ['Smith, John', 'x'], array)).toEqual(['Smith, John', 'x']);
  expect(one('string', '["a,b", "c"]', array)).toEqual(['a,b', 'c']);
  expect(one('string', '[not json', array)).toEqual(['[not json']);
  expect(one('string', 'rest,auth', { array: true, enum: ['rest', 'auth'] })).toEqual(['rest', 'auth']);
  expect(one('string', '', array)).toBeNull();
  expect(one('integer', '[]', array)).toEqual([]);
  expect(problem('integer', '1,x', array)).toEqual(['invalid | p | "x" is not a 64-bit integer']);
});

test('defaults stand in for what is absent, and are read like arguments', () => {
  expect(one('string', undefined, { default: 'hourly' })).toBe('hourly');
  expect(one('string', '', { default: 'hourly' })).toBe('');
  expect(one('timestamp', '', { default: '2026-01-02' })).toBe('2026-01-02 00:00:00.000000');
  expect(one('integer', null, { array: true, default: [1, 2] })).toEqual([1, 2]);
});

test('a JSON object is no value, whatever its fields are called', () => {
  const declarations = [parameter('project', 'string')];
  const object = { toString: 1, valueOf: 1 };
  expect(failure(() => readArguments(declarations, { project: object }, 'q'))['problems']).toEqual([
    'invalid | project | {"toString":1,"valueOf":1} is not text',
  ]);
  expect(failure(() => readArguments(declarations, { project: object, Project: object }, 'q'))['problems']).toEqual([
    'invalid | project | {"toString":1,"valueOf":1} is not text',
  ]);
  expect(failure(() => readArguments(declarations, { project: object, Project: 'x' }, 'q'))['problems']).toEqual([
    'invalid | project | is given twice, with different values',
    'invalid | project | {"toString":1,"valueOf":1} is not text',
  ]);
});

test('names may be written with dashes and in another case', () => {
  const declarations = [parameter('iso_timestamp_start', 'string')];
  for (const name of ['iso_timestamp_start', 'iso-timestamp-start', 'ISO_timestamp-start']) {
    expect(readArguments(declarations, { [name]: 'x' }, 'q')).toEqual({ iso_timestamp_start: 'x' });
  }
  expect(readArguments(declarations, { iso_timestamp_start: 'x', 'iso-timestamp-start': 'x' }, 'q')).toEqual({ iso_timestamp_start: 'x' });
  expect(failure(() => readArguments(declarations, { iso_timestamp_start: 'x', 'iso-timestamp-start': 'y' }, 'q'))['problems']).toEqual([
    'invalid | iso_timestamp_start | is given twice, with different values',
  ]);
});

const apiCounts = [
  parameter('project', 'string', { required: true, description: 'project ref' }),
  parameter('interval', 'string', { enum: ['minutely', 'hourly', 'daily'] }),
];

test('all problems are reported at once', () => {
  expect(failure(() => readArguments(apiCounts, { interval: 'weekly' }, 'usage.api-counts'))).toEqual({
    code: 'parameter',
    message: 'usage.api-counts needs 2 parameters, 1 is missing and 1 is invalid',
    hint: 'see its parameters with `quern show usage.api-counts`',
    problems: ['missing | project | project ref (string)', 'invalid | interval | "weekly" is not one of: minutely, hourly, daily'],
  });
  expect(failure(() => readArguments(apiCounts, { projct: 'x', other: 1, interval: 'weekly' }, 'usage.api-counts'))).toEqual({
    code: 'parameter',
    message: 'usage.api-counts needs 2 parameters, 1 is missing, 1 is invalid and 2 are unknown',
    hint: 'see its parameters with `quern show usage.api-counts`',
    problems: [
      'missing | project | project ref (string)',
      'invalid | interval | "weekly" is not one of: minutely, hourly, daily',
      'unknown | projct | is not a parameter; did you mean project?',
      'unknown | other | is not a parameter; the parameters are project, interval',
    ],
  });
  expect(failure(() => readArguments([], { x: 1 }, 'q'))).toMatchObject({
    message: 'q takes no parameters, 1 is unknown',
    problems: ['unknown | x | is not a parameter; the query has none'],
  });
});

test('other names can be ignored', () => {
  expect(readArguments(apiCounts, { project: 'x', utm: '1', __proto__: { interval: 'daily' } }, 'q', { unknown: 'ignore' })).toEqual({
    project: 'x',
    interval: null,
  });
});

test('bindings follow the translation: types, the instant, empty arrays for absent ones', () => {
  const parameters = [
    { name: 'project', type: 'Nullable(String)' },
    { name: 'ids', type: 'Array(Nullable(Int64))' },
    { name: 'quern_now', type: "DateTime64(6, 'UTC')" },
  ];
  const values = { project: null, ids: null, unused: 1 };
  expect(bindingsFor(parameters, values, '2026-01-02 00:00:00.000000')).toEqual([
    { name: 'project', type: 'Nullable(String)', value: null },
    { name: 'ids', type: 'Array(Nullable(Int64))', value: [] },
    { name: 'quern_now', type: "DateTime64(6, 'UTC')", value: '2026-01-02 00:00:00.000000' },
  ]);
  expect(bindingsFor(parameters, values, undefined).map(({ name }) => name)).toEqual(['project', 'ids']);
});
