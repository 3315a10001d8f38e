// The parameters of BigQuery's API, as its own client sends them, on the engine.
import { BigQuery } from '@google-cloud/bigquery';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { oneOffRequest } from '../../../../src/execution/one-off.ts';
import { prepare } from '../../../../src/execution/prepare.ts';
import { run } from '../../../../src/execution/run.ts';
import { quietIo } from '../../../../src/process-io.ts';
import { readQueryParameters } from '../../../../src/server/doors/bigquery/query-parameters.ts';
import { openServices, type Services } from '../../../../src/services.ts';
import { tempFolder } from '../../../support/temp-store.ts';
import { failure } from '../../../support/told.ts';

const folder = tempFolder();
let services: Services;
beforeAll(() => {
  const flags = () => ({ store: `${folder.path}/store`, cacheDir: `${folder.path}/cache`, queries: [], quiet: true });
  services = openServices({ io: quietIo(() => undefined), signal: new AbortController().signal, flags });
});
afterAll(async () => {
  await services.close();
  folder.remove();
});

const HINTS = { missing: (called: string) => `give ${called}` };

async function rowOf(sql: string, queryParameters: unknown, parameterMode?: unknown): Promise<readonly unknown[]> {
  const given = readQueryParameters(queryParameters, parameterMode);
  const request = await oneOffRequest({ text: { name: '<query>', text: sql }, given, hints: HINTS }, { filesAmong: async () => [] });
  const signal = new AbortController().signal;
  const { result } = await services.running(async (current) => run(await prepare(request, current), { ...request, signal }, current), []);
  return result.rows[0] ?? [];
}

const client = new BigQuery({ projectId: 'demo' });
/** As they arrive: the client sends JSON. */
function sent(params: object, types?: object) {
  const { parameterMode, params: queryParameters } = client['buildQueryParams_'](params as never, types as never); // any that the client takes
  return JSON.parse(JSON.stringify({ parameterMode, queryParameters })) as {
    readonly parameterMode: string;
    readonly queryParameters: unknown;
  };
}
const asked = (sql: string, params: object, types?: object) => {
  const { parameterMode, queryParameters } = sent(params, types);
  return rowOf(sql, queryParameters, parameterMode);
};
const typed = (type: string, value: unknown, name?: string) => ({ name, parameterType: { type }, parameterValue: { value } });

describe("what BigQuery's client sends", () => {
  test.each<[params: object, types: object | undefined, written: string]>([
    [{ p: 7 }, undefined, '7'],
    [{ p: 1.5 }, undefined, '1.5'],
    [{ p: true }, undefined, 'true'],
    [{ p: "it's" }, undefined, '"it\'s"'],
    [{ p: BigQuery.int('9223372036854775807') }, undefined, '9223372036854775807'],
    [{ p: Buffer.from([0, 255, 39, 92]) }, undefined, 'b"\\x00\\xff\'\\\\"'],
    [{ p: 'AP8=' }, { p: 'BYTES' }, 'b"\\x00\\xff"'],
    [{ p: new Date('2026-01-02T03:04:05.678Z') }, undefined, 'TIMESTAMP "2026-01-02 03:04:05.678+00"'],
    [{ p: BigQuery.timestamp('2026-01-02T03:04:05.678901Z') }, undefined, 'TIMESTAMP "2026-01-02 03:04:05.678901+00"'],
    [{ p: BigQuery.datetime('2026-01-02T03:04:05.678901') }, undefined, 'DATETIME "2026-01-02 03:04:05.678901"'],
    [{ p: BigQuery.date('0001-01-01') }, undefined, 'DATE "0001-01-01"'],
    [{ p: BigQuery.time('14:02:38.883388') }, undefined, 'TIME "14:02:38.883388"'],
    [{ p: '12345678901234567890123456789.123456789' }, { p: 'NUMERIC' }, 'NUMERIC "12345678901234567890123456789.123456789"'],
    [{ p: '0.12345678901234567890123456789012345678' }, { p: 'BIGNUMERIC' }, 'BIGNUMERIC "0.12345678901234567890123456789012345678"'],
    [
      { p: '578960446186580977117854925043439539266.34992332820282019728792003956564819967' },
      { p: 'BIGNUMERIC' },
      'BIGNUMERIC "578960446186580977117854925043439539266.34992332820282019728792003956564819967"',
    ],
    [
      { p: '-578960446186580977117854925043439539266.34992332820282019728792003956564819968' },
      { p: 'BIGNUMERIC' },
      'BIGNUMERIC "-578960446186580977117854925043439539266.34992332820282019728792003956564819968"',
    ],
    [{ p: { b: [1, 'x'], a: null } }, { p: 'JSON' }, 'JSON \'{"a":null,"b":[1,"x"]}\''],
    [{ p: [1, 2] }, undefined, '[1, 2]'],
    [{ p: [] }, { p: ['INT64'] }, '[]'],
    [{ p: ['1.5'] }, { p: ['NUMERIC'] }, '[NUMERIC "1.5"]'],
    [{ p: { x: 1, y: 'z', l: [BigQuery.date('2026-01-02')] } }, undefined, '(1, "z", [DATE "2026-01-02"])'],
    [
      { p: { n: '1.5', s: { d: BigQuery.date('2026-01-02') } } },
      { p: { n: 'NUMERIC', s: { d: 'DATE' } } },
      '(NUMERIC "1.5", STRUCT(DATE "2026-01-02"))',
    ],
    [
      {
        p: [
          { a: 1, b: 'x' },
          { a: 2, b: 'y' },
        ],
      },
      undefined,
      '[(1, "x"), (2, "y")]',
    ],
    [{ p: null }, { p: 'NUMERIC' }, 'NULL'],
    [{ p: null }, { p: 'DATE' }, 'NULL'],
  ])('%o with types %o', async (params, types, written) => {
    expect(await asked("select format('%T', @P)", params, types)).toEqual([written]);
    const values = Object.values(params);
    expect(await asked("select format('%T', ?)", values, types === undefined ? undefined : Object.values(types))).toEqual([written]);
  });

  test('an interval', async () =>
    expect(await rowOf('select @p = interval 14 month', [typed('INTERVAL', '1-2 0 0:0:0', 'p')])).toEqual([true]));
});

test('names are known in any case, and those that the SQL does not use are accepted', async () => {
  expect(await rowOf('select @Least + 1', [typed('int64', '5', 'LEAST'), typed('STRING', 'x', 'unused')], 'named')).toEqual([6]);
  expect(await rowOf('select 1', [typed('STRING', 'x')], 'POSITIONAL')).toEqual([1]);
});

test('without a mode, parameters without names are positional', async () => {
  expect(await rowOf("select ? || ? || '?' -- ?", [typed('STRING', 'a'), typed('STRING', 'b')])).toEqual(['ab?']);
  expect(await rowOf('select @a', [typed('STRING', 'a', 'a')], '')).toEqual(['a']);
});

test.each([
  ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05Z'],
  ['2026-01-02 03:04:05.678901000Z', '2026-01-02T03:04:05.678901Z'],
  ['2026-01-02 03:04:05.1 UTC', '2026-01-02T03:04:05.1Z'],
  ['2026-01-02 03:04:05+02:30', '2026-01-02T00:34:05Z'],
  ['2026-01-02T03:04:05-08', '2026-01-02T11:04:05Z'],
  ['2026-01-02', '2026-01-02T00:00:00Z'],
])('the TIMESTAMP %s', async (text, instant) => {
  expect(await rowOf(`select @t = timestamp '${instant}'`, [typed('TIMESTAMP', text, 't')])).toEqual([true]);
});

test('NULLs: a value that is null or absent, and a STRUCT without fields', async () => {
  const struct = { type: 'STRUCT', structTypes: [{ name: 'a', type: { type: 'INT64' } }] };
  const list = { type: 'ARRAY', arrayType: { type: 'INT64' } };
  const parameters = [
    { name: 'a', parameterType: { type: 'INT64' }, parameterValue: {} },
    { name: 'b', parameterType: { type: 'INT64' } },
    { name: 's', parameterType: struct, parameterValue: { value: null } },
    { name: 'f', parameterType: struct, parameterValue: { structValues: { a: { value: null } } } },
    { name: 'n', parameterType: list, parameterValue: { value: null } },
    { name: 'e', parameterType: list, parameterValue: {} },
    { name: 'l', parameterType: list, parameterValue: { arrayValues: [{ value: null }, { value: '2' }] } },
  ];
  const sql = "select @a is null, @b is null, @s is null, @f is null, @f.a is null, @n is null, format('%T', @e), format('%T', @l)";
  expect(await rowOf(sql, parameters)).toEqual([true, true, true, false, true, true, '[]', '[NULL, 2]']);
});

test.each<[queryParameters: unknown, mode: unknown, message: string]>([
  [{}, undefined, 'queryParameters is not a list'],
  [[1], undefined, 'query parameter 1 is not an object'],
  [[typed('INT64', '1', 'a'), typed('INT64', '1')], undefined, 'query parameter 2 has no name'],
  [[typed('INT64', '1', 'a'), typed('INT64', '1', 'A')], 'NAMED', 'query parameter A is given twice'],
  [[typed('INT64', '1', 'a b')], 'NAMED', '"a b" is not a valid parameter name'],
  [[typed('INT64', '1', 'a')], 'BOTH', 'parameterMode "BOTH" is not NAMED or POSITIONAL'],
  [[{ name: 'a' }], undefined, 'query parameter a has no type'],
  [[typed('GEOGRAPHY', 'x', 'a')], undefined, 'query parameter a: GEOGRAPHY is not a type of parameters'],
  [[typed('STRUCT', null, 'a')], undefined, 'query parameter a is a STRUCT without structTypes'],
  [[typed('INT64', 'x', 'a')], undefined, 'query parameter a: "x" is not a 64-bit integer'],
  [[typed('INT64', '', 'a')], undefined, 'query parameter a: "" is not a 64-bit integer'],
  [[typed('BYTES', '*', 'a')], undefined, 'query parameter a: "*" is not bytes in base64, such as aGVsbG8='],
  [[typed('TIMESTAMP', 'yesterday')], 'positional', 'query parameter 1: "yesterday" is not a timestamp such as'],
])('%j with the mode %j is refused', (queryParameters, mode, message) => {
  const { code, message: told } = failure(() => readQueryParameters(queryParameters, mode));
  expect([code, told]).toEqual(['parameter', expect.stringContaining(message)]);
});
