// What `--compat logflare` makes of values, arguments and failures.
import { describe, expect, test } from 'vitest';
import { QuernError } from '../../src/base/errors.ts';
import type { QueryResult, Value } from '../../src/base/result.ts';
import { acceptedArguments, labelsOf, logflareForm, logflareResult } from '../../src/server/answers/logflare.ts';
import { failureOf } from '../../src/server/http/failure.ts';
import { noKey, noSuchPath, outOfScope, tooOften } from '../../src/server/http/refusal.ts';
import { arrayOf, DATETIME, INT64, STRING, structOf, TIMESTAMP, type Type } from '../../src/sql/base/types.ts';
import { queryText } from '../queries/support.ts';
import { eventsEngine, expectError, served } from './server-support.ts';

const engine = eventsEngine();
const resultOf = (type: Type, value: Value): QueryResult => ({ columns: [{ name: 'c', type }], rows: [[value]], truncated: true });

describe('values', () => {
  const times: readonly (readonly [string, number | bigint])[] = [
    ['2026-01-02T03:04:05.678901Z', 1767323045678901],
    ['2026-01-02T03:04:05Z', 1767323045000000],
    ['1970-01-01T00:00:00.000001Z', 1],
    ['1969-12-31T23:59:59.999999Z', -1],
    ['2299-12-31T23:59:59.999999Z', 10413791999999999n],
  ];
  test.each(times)('the TIMESTAMP %s is %i', (text, microseconds) => {
    expect(logflareResult(resultOf(TIMESTAMP, text))).toEqual({ ...resultOf(INT64, microseconds), truncated: false });
  });

  test('a TIMESTAMP inside arrays and structs is one too, and NULL stays NULL', () => {
    const type = arrayOf(
      structOf([
        { name: 'a', type: STRING },
        { name: 'b', type: TIMESTAMP },
      ]),
    );
    const converted = arrayOf(
      structOf([
        { name: 'a', type: STRING },
        { name: 'b', type: INT64 },
      ]),
    );
    const value = [['2026-01-02T03:04:05Z', '1970-01-01T00:00:01Z'], null, [null, null]];
    expect(logflareResult(resultOf(type, value))).toEqual({
      ...resultOf(converted, [['2026-01-02T03:04:05Z', 1_000_000], null, [null, null]]),
      truncated: false,
    });
  });

  test('others stay as they are', () => {
    expect(logflareResult(resultOf(DATETIME, '2026-01-02T03:04:05'))).toEqual({
      ...resultOf(DATETIME, '2026-01-02T03:04:05'),
      truncated: false,
    });
  });
});

describe('arguments', () => {
  test('an empty bound of time is none, another empty text is a text', () => {
    expect(acceptedArguments('mine', { iso_timestamp_start: '', iso_timestamp_end: '2026-01-02', name: '' })).toEqual({
      iso_timestamp_end: '2026-01-02',
      name: '',
    });
  });

  test('intervals have the names that clients use today, for the one query that has others', () => {
    const interval = (query: string, value: string) => acceptedArguments(query, { interval: value })['interval'];
    expect(['1hr', '1day', '7day', 'daily', 'toString'].map((value) => interval('usage.api-counts', value))).toEqual([
      'minutely',
      'hourly',
      'daily',
      'daily',
      'toString',
    ]);
    expect(interval('functions.invocation-stats', '1day')).toBe('1day');
  });

  test('labels are pairs', () => {
    expect(labelsOf('page=logs, user = me=you ,,=x,alone')).toEqual({ page: 'logs', user: 'me=you' });
  });
});

describe('failures', () => {
  const shown = (failure: Parameters<typeof logflareForm>[0]) => {
    const { status, body } = logflareForm(failure);
    return [status, body];
  };

  test('of a query are texts with status 200, with the place and everything that is wrong', () => {
    const source = { name: 'sql', text: 'select\n  nosuch(1)' };
    const error = new QuernError('unknown-function', 'nosuch is not a function', {
      source,
      span: { start: 9, end: 15 },
      hint: 'use another',
    });
    expect(shown(failureOf(error))).toEqual([200, { error: 'nosuch is not a function (sql line 2, column 3). Hint: use another' }]);
    const invalid = new QuernError('parameter', 'two are wrong', {
      problems: [
        { kind: 'missing', name: 'a', message: 'text' },
        { kind: 'invalid', name: 'b', message: 'is odd' },
      ],
    });
    expect(shown(failureOf(invalid))).toEqual([200, { error: 'two are wrong; a: text; b: is odd' }]);
    expect(shown(failureOf(new QuernError('timeout', 'it took too long')))).toEqual([200, { error: 'it took too long' }]);
  });

  test('of rights, and of names that are not known, are all the same', () => {
    const unauthorized = [401, { error: 'Unauthorized' }];
    expect([noKey, outOfScope('mine', 'API key'), failureOf(new QuernError('unknown-query', 'no'))].map(shown)).toEqual([
      unauthorized,
      unauthorized,
      unauthorized,
    ]);
  });

  test('of other kinds have a message where clients look for it', () => {
    expect(shown(tooOften(1, 1, 2))).toEqual([
      429,
      { error: { code: 'rate', message: 'the API key is limited to 1 request a second', hint: 'try again in 2 s' } },
    ]);
    expect(shown(noSuchPath('/x'))[0]).toBe(404);
  });
});

describe('a server for such clients', () => {
  const compat = { options: { compat: 'logflare' } } as const;

  test('gives numbers as numbers, and times as microseconds', async () => {
    const sql =
      "select 9223372036854775807 as big, numeric '1.50' as n, 0.1 as f, timestamp '1970-01-01 00:00:01+00' as ts, null as nothing";
    const { ask } = await served(engine(), { ...compat, files: { 'all.sql': queryText(7, sql) } });
    expect((await ask('/api/endpoints/query/all')).body).toBe(
      '{"result": [\n{"big":9223372036854775807,"n":1.5,"f":0.1,"ts":1000000,"nothing":null}\n]}\n',
    );
  });

  test('lets the body win over the address, and takes a format it does not know for a parameter', async () => {
    const { ask } = await served(engine(), compat);
    const reply = await ask('/api/endpoints/query/ids?area=rest&most=2&format=x', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      payload: '{"area": "auth"}',
    });
    expect(reply.json()).toEqual({ result: [{ id: 2, area: 'auth', moment: 1767312120000000 }] });
  });

  test('cuts rows off without a word in the body', async () => {
    const { ask } = await served(engine(), compat);
    const reply = await ask('/api/endpoints/query/ids?area=rest');
    expect([Object.keys(reply.json()), reply.headers['x-truncated']]).toEqual([['result'], 'true']);
  });

  test('writes labels to the engine’s log', async () => {
    const { ask, executed } = await served(engine(), compat);
    await ask('/api/endpoints/query/ids?area=rest', { headers: { 'lf-endpoint-labels': 'page=logs,team=a' } });
    expect(JSON.parse(executed[0]?.comment ?? '')).toMatchObject({ query: 'ids', labels: { page: 'logs', team: 'a' } });
  });
});

test('without --compat the caller may send no SQL, and times are ISO 8601', async () => {
  const { ask } = await served(engine());
  expectError(await ask('/api/endpoints/ids?area=auth&most=2&sql=select+1'), 400, 'parameter');
  const reply = await ask('/api/endpoints/ids?area=auth&most=2');
  expect(reply.json()).toEqual({ result: [{ id: 2, area: 'auth', moment: '2026-01-02T00:02:00Z' }] });
});

test('a saved query whose header allows it takes SQL that reads its WITH tables', async () => {
  const { ask } = await served(engine(), {
    files: {
      'open.sql': queryText(
        8,
        'with mine as (select id from events where area = @area) select id from mine',
        'sandbox: enabled',
        'params: { area: { type: string } }',
      ),
    },
  });
  const url = (sql: string) => `/api/endpoints/open?area=auth&sql=${encodeURIComponent(sql)}`;
  expect((await ask(url('select count(*) as count from mine'))).json()).toEqual({ result: [{ count: 5 }] });
  const refusedReply = await ask(url('select id\nfrom events'));
  expect([refusedReply.statusCode, refusedReply.json().error]).toEqual([
    422,
    { code: 'unknown-source', message: expect.any(String), hint: expect.any(String), position: { file: 'sql', line: 2, column: 6 } },
  ]);
});
