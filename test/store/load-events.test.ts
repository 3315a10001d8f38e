// What becomes of the events of an NDJSON file: identifiers, times, projects, metadata in every shape, bad lines.
import { describe, expect, test } from 'vitest';
import { decodeRecords } from '../../src/execution/decode.ts';
import type { Store } from '../../src/store/store.ts';
import { ndjson, tempStore } from '../support/temp-store.ts';

const T = '2026-01-02T03:04:05Z';
const rows = async (store: Store, sql: string): Promise<readonly (readonly unknown[])[]> =>
  (await store.engine.execute({ sql, bindings: [], settings: {} })).rows;
const WHOLE = "if(metadata_text != '', metadata_text, toJSONString(metadata))";

/** Loads one event per metadata and gives the records back, in order. */
async function roundTrip(...all: readonly unknown[]): Promise<unknown[]> {
  const { store, folder } = await tempStore();
  const lines = all.map(
    (metadata, i) =>
      `{"id":"${String(i).padStart(3, '0')}","timestamp":"${T}","metadata":${typeof metadata === 'string' ? metadata : JSON.stringify(metadata)}}`,
  );
  const report = await store.load('edge_logs', folder.write('a.ndjson', lines.join('\n')));
  expect(report.badLines).toEqual({ count: 0, first: [] });
  return (await rows(store, `SELECT ${WHOLE} FROM quern.edge_logs ORDER BY id`)).map(([text]) => decodeRecords(String(text)));
}

describe('metadata', () => {
  test('plain objects and arrays of one object are the same event', async () => {
    const expected = [{ request: [{ method: 'GET', headers: [{ user_agent: 'ua' }] }], response: [{ status_code: 200 }] }];
    expect(
      await roundTrip(
        { request: { method: 'GET', headers: { user_agent: 'ua' } }, response: { status_code: 200 } },
        [{ request: [{ method: 'GET', headers: [{ user_agent: 'ua' }] }], response: [{ status_code: 200 }] }],
        { request: [{ method: 'GET', headers: { user_agent: 'ua' } }], response: { status_code: '200' } },
      ),
    ).toEqual([expected, expected, expected]);
  });

  test('what a JSON column cannot hold comes back from the text beside it', async () => {
    expect(
      await roundTrip(
        { request: [{ path: '/a' }, { path: '/b' }] },
        [{ a: 1 }, { a: 2 }],
        { request: {}, x: { y: { z: null } } },
        { mixed: [true, 1, 'a', null], records: [{ a: 1 }, 2] },
        { 'a%2Eb': 1, 'a.b': 2, __proto__x: 3 },
        '{"big":123456789012345678901234567890,"u64":18446744073709551615,"half":"\\ud83d","f":0.30000000000000004}',
        '{"__proto__":{"a":1},"constructor":2}',
      ),
    ).toEqual([
      [{ request: [{ path: '/a' }, { path: '/b' }] }],
      [{ a: 1 }, { a: 2 }],
      [{ request: [{}], x: [{ y: [{}] }] }],
      [{ mixed: [true, 1, 'a', null], records: [{ a: 1 }, 2] }],
      [{ 'a%2Eb': 1, 'a.b': 2, __proto__x: 3 }],
      [{ big: 123456789012345678901234567890n, u64: 18446744073709551615n, half: '\ud83d', f: 0.30000000000000004 }],
      [JSON.parse('{"__proto__":[{"a":1}],"constructor":2}')],
    ]);
  });

  test('absent, NULL, zero and empty text stay apart; text that looks like something else stays text', async () => {
    expect(
      await roundTrip(
        null,
        {},
        { request: { path: '' }, response: { status_code: 0 } },
        { d: '2026-01-01', t: '2026-01-01 10:11:12', n: '12', b: 'true', list: [], nul: null },
      ),
    ).toEqual([
      [],
      [],
      [{ request: [{ path: '' }], response: [{ status_code: 0 }] }],
      [{ d: '2026-01-01', t: '2026-01-01 10:11:12', n: '12', b: 'true', list: [] }],
    ]);
  });

  test('declared paths read by type, others as text, and presence of a record is known', async () => {
    const { store, folder } = await tempStore();
    await store.load(
      'edge_logs',
      folder.write(
        'a.ndjson',
        ndjson(
          {
            id: '1',
            timestamp: T,
            metadata: { request: { method: 'GET', headers: { 'x.y': 'v' } }, response: { status_code: '404' }, d: 12, e: 1.5, f: true },
          },
          { id: '2', timestamp: T, metadata: { request: {}, response: null, d: 'abc' } },
          { id: '3', timestamp: T },
        ),
      ),
    );
    const sql = `SELECT x.metadata.request.method, x.metadata.response.status_code, x.metadata.request.headers.\`x%2Ey\`, cast(x.metadata.d, 'Nullable(String)'),
      toInt64OrNull(cast(x.metadata.d, 'Nullable(String)')), cast(x.metadata.e, 'Nullable(String)'), cast(x.metadata.f, 'Nullable(String)'),
      has(x.metadata_records, 'request'), has(x.metadata_records, 'response'), metadata_records FROM quern.edge_logs AS x ORDER BY id`;
    expect(await rows(store, sql)).toEqual([
      ['GET', 404, 'v', '12', 12, '1.5', 'true', 1, 1, ['request', 'request.headers', 'response']],
      [null, null, null, 'abc', null, null, null, 1, 0, ['request']],
      [null, null, null, null, null, null, null, 0, 0, []],
    ]);
  });

  test('only records of several elements set the flag of the source', async () => {
    const { store, folder } = await tempStore();
    await store.load('edge_logs', folder.write('a.ndjson', ndjson({ timestamp: T, metadata: { request: {}, list: [1, 2] } })));
    expect(store.manifest.sources['edge_logs']?.severalElements).toBe(false);
    await store.load('edge_logs', folder.write('b.ndjson', ndjson({ timestamp: T, metadata: { request: [{}, {}] } })));
    await store.load('edge_logs', folder.write('c.ndjson', ndjson({ timestamp: T })));
    expect(store.manifest.sources['edge_logs']?.severalElements).toBe(true);
  });

  test('an event without the project reference that its source declares sets the flag of the source', async () => {
    const { store, folder } = await tempStore();
    const referenceEverywhere = (): unknown => store.manifest.sources['function_edge_logs']?.referenceEverywhere;
    await store.load('function_edge_logs', folder.write('a.ndjson', ndjson({ timestamp: T, metadata: { project_ref: 'p' } })));
    expect(referenceEverywhere()).toBe(true);
    await store.load('function_edge_logs', folder.write('b.ndjson', ndjson({ timestamp: T, project: 'p' })));
    await store.load('function_edge_logs', folder.write('c.ndjson', ndjson({ timestamp: T, metadata: { project_ref: 'q' } })));
    expect(referenceEverywhere()).toBe(false);
  });
});

describe('fields of an event', () => {
  test('times of every notation are the same instant, to the microsecond', async () => {
    const { store, folder } = await tempStore();
    const times = [
      '2026-01-02T03:04:05.678901Z',
      '2026-01-02 04:04:05.678901+01:00',
      '2026-01-01T21:34:05.678901234-05:30',
      '2026-01-02T03:04:05.678901',
      1767323045.678901,
      '1767323045.678901',
      '1767323045678.901',
      1767323045678901,
      '1767323045678901',
      '1767323045678901234',
    ]; // prettier-ignore
    const lines = times.map((time) => `{"timestamp":${typeof time === 'number' ? time : JSON.stringify(time)}}`);
    expect((await store.load('auth_logs', folder.write('a.ndjson', lines.join('\n')))).badLines.first).toEqual([]);
    expect(await rows(store, 'SELECT timestamp, count() FROM quern.auth_logs GROUP BY timestamp')).toEqual([
      ['2026-01-02 03:04:05.678901', times.length],
    ]);
  });

  test('project comes from the reference that the source declares, then the event, then the load; unknown fields become metadata', async () => {
    const { store, folder } = await tempStore();
    const events = [
      { id: '1', timestamp: T, project: 'a', metadata: { project_ref: 'b' } },
      { id: 2, timestamp: T, metadata: [{ project_ref: 'b' }] },
      { id: '3', timestamp: T, event_message: 'hi', level: 'info', ctx: { n: 1 } },
    ];
    await store.load('function_logs', folder.write('a.ndjson', ndjson(...events)), { project: 'c' });
    expect(
      await rows(
        store,
        "SELECT id, project, event_message, metadata.level, cast(metadata.ctx.n, 'Nullable(Int64)'), metadata_records FROM quern.function_logs ORDER BY id",
      ),
    ).toEqual([
      ['1', 'b', '', null, null, []],
      ['2', 'b', '', null, null, []],
      ['3', 'c', 'hi', 'info', 1, ['ctx']],
    ]);
  });

  test('an event without id gets the same one each time it is loaded, and another than its twin', async () => {
    const { store, folder } = await tempStore();
    const file = folder.write('a.ndjson', ndjson({ timestamp: T }, { timestamp: T }));
    await store.load('edge_logs', file);
    await store.load('edge_logs', file, { again: true });
    expect(await rows(store, 'SELECT count(), uniqExact(id) FROM quern.edge_logs')).toEqual([[4, 2]]);
  });
});

test('bad lines are counted, named with their reasons, and kept out', async () => {
  const { store, folder } = await tempStore();
  const deep = `{"timestamp":"${T}","metadata":${'{"a":'.repeat(300)}1${'}'.repeat(300)}}`;
  const event = (metadata: string) => `{"timestamp":"${T}","metadata":${metadata}}`;
  const bad: readonly (readonly [string, string])[] = [
    ['{"timestamp":', 'not JSON'],
    ['[1]', 'not a JSON object'],
    ['{"a":1}', 'no timestamp'],
    ['{"timestamp":"yesterday"}', 'timestamp "yesterday" is neither ISO 8601 nor a number since 1970 (up to 2149)'],
    ['{"timestamp":"2026-02-30"}', 'timestamp "2026-02-30" is neither ISO 8601 nor a number since 1970 (up to 2149)'],
    ['{"timestamp":-5}', 'timestamp -5 is neither ISO 8601 nor a number since 1970 (up to 2149)'],
    [event('{"response":{"status_code":"abc"}}'), 'metadata.response.status_code is "abc", not an integer'],
    [event('{"response":{"status_code":1.5}}'), 'metadata.response.status_code is 1.5, not an integer'],
    [event('{"response":{"status_code":9223372036854775808}}'), 'metadata.response.status_code is 9223372036854775808, not an integer'],
    [event('{"request":{"path":{"a":1}}}'), 'metadata.request.path is a record, not text'],
    [event('{"request":{"path":["a"]}}'), 'metadata.request.path is an array, not text'],
    [event('{"request":"GET"}'), 'metadata.request is "GET" where a record is declared'],
    [event('"text"'), 'metadata is text that is not JSON'],
    [event('5'), 'metadata is not a record'],
    [event('{"a":1e400}'), 'metadata contains a number beyond the range of FLOAT64'],
    [`{"timestamp":"${T}","a":1,"metadata":{"a":2}}`, 'field a is both in the event and in its metadata'],
    [`{"timestamp":"${T}","event_message":{}}`, 'event_message is not text'],
    [deep, 'metadata nests deeper than 200 levels'],
  ];
  const good = `{"id":"good","timestamp":"${T}"}`;
  const file = Buffer.concat([
    Buffer.from(`\ufeff${good}\r\n\n${bad.map(([line]) => line).join('\n')}\n`),
    Buffer.from([0x7b, 0xff, 0x7d, 10]),
    Buffer.from(good),
  ]);
  const report = await store.load('edge_logs', folder.write('a.ndjson', file), {
    keptBadLines: 100,
    mostBadLines: bad.length + 1,
  });
  expect(report.badLines.first.map(({ line, reason }) => [line, reason])).toEqual([
    ...bad.map(([, reason], i) => [i + 3, reason]),
    [bad.length + 3, 'not UTF-8'],
  ]);
  expect([report.rows, report.badLines.count]).toEqual([2, bad.length + 1]);
  expect(await rows(store, 'SELECT id FROM quern.edge_logs')).toEqual([['good'], ['good']]);
  const one = folder.write('c.ndjson', `${good}\nx\n`);
  expect(await store.load('edge_logs', one)).toMatchObject({ rows: 0, badLines: { count: 1 } });
  expect(await store.load('edge_logs', one, { mostBadLines: 1 })).toMatchObject({ rows: 1, badLines: { count: 1 } });
  const limited = await store.load('edge_logs', folder.write('b.ndjson', 'x\ny\nz\n'), { keptBadLines: 2 });
  expect(limited).toMatchObject({ rows: 0, badLines: { count: 3, first: [{ line: 1 }, { line: 2 }] }, firstTimestamp: undefined });
});
