// Answers of a server: what comes from memory, from files and from the engine, and what one caller's wishes mean for others.
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { QuernError } from '../../../src/base/errors.ts';
import { etagOf } from '../../../src/server/answers/answer.ts';
import { EVERYBODY } from '../../../src/server/answers/tenant.ts';
import { openEvents } from '../../execution/run-support.ts';
import { failureOf } from '../../support/told.ts';
import { entriesIn, idsQuery, LINES_RENDERER, UNREACHABLE, until, world } from './answers-support.ts';

const MORE = "INSERT INTO default.events SELECT 11, 'rest', now64(6)";

test('the first call runs, the second is answered at once from memory', async () => {
  const { ask, clock, executed, answers, prepared } = world(await openEvents());
  const first = await ask();
  expect({ ...first, engineMs: typeof first.engineMs, body: String(await first.body('identity')) }).toEqual({
    state: 'miss',
    storedAtMs: clock.now(),
    ageSeconds: 0,
    etag: '"0yhk2OGqijzWxnvVZECFDIRXbaU"',
    contentType: 'application/json; charset=utf-8',
    rows: 5,
    truncated: false,
    bytes: 21,
    engineMs: 'number',
    body: '[[1],[3],[5],[7],[9]]',
  });
  clock.advance(59);
  const call = {
    prepared: await prepared(),
    arguments: { area: 'rest' },
    redact: false,
    fresh: false,
    requestId: '',
    signal: AbortSignal.abort(),
    tenant: EVERYBODY,
  };
  const second = await answers.answer({ ...call, render: { id: 'json', contentType: '', print: () => ['printed again'] } }, call);
  expect(second).toEqual({ ...first, state: 'hit', ageSeconds: 59, engineMs: undefined });
  expect(executed.length).toBe(1);
});

test('rows that hang on data and arguments alone are fresh again without a run, once their TTL has passed', async () => {
  const { told, ask, clock, engine, executed, answers } = world(await openEvents(), {
    limits: { staleSeconds: 0, staleIfErrorSeconds: 0 },
  });
  engine.isExact = true;
  const { etag } = await ask();
  clock.advance(61);
  const again = await ask();
  expect([again.state, again.ageSeconds, again.etag, again.engineMs]).toEqual(['revalidated', 0, etag, undefined]);
  expect(await told()).toBe('hit [[1],[3],[5],[7],[9]]');
  expect([executed.length, answers.stats().spared.revalidated]).toEqual([1, 1]);
  // Who may force a run has one.
  expect(await told({}, { fresh: true })).toBe('miss [[1],[3],[5],[7],[9]]');
  engine.id = 'events after a load';
  clock.advance(61);
  await ask(); // hears of the load
  clock.advance(61);
  expect([await told(), executed.length]).toEqual(['revalidated [[1],[3],[5],[7],[9]]', 3]);
});

test('other arguments, another engine or other data, and another text of the query are other answers', async () => {
  const engine = await openEvents();
  const one = world(engine, {
    files: {
      'ids.sql': idsQuery('cache: 60s'),
      'last.sql': idsQuery('cache: 60s', 'max_rows: 1').replace('order by id', 'order by id desc').replace('000000000001', '000000000002'),
    },
  });
  expect(await one.told()).toBe('miss [[1],[3],[5],[7],[9]]');
  expect(await one.told({ area: 'auth' })).toBe('miss [[2],[4],[6],[8],[10]]');
  expect(await one.told({ area: 'rest' })).toBe('hit [[1],[3],[5],[7],[9]]');
  expect(await one.told({}, { prepared: await one.prepared('last') })).toBe('miss [[9]]');
  expect(await one.told({}, { prepared: { ...(await one.prepared()) } })).toBe('hit [[1],[3],[5],[7],[9]]');
  one.engine.id = 'events after a load';
  expect(await one.told()).toBe('hit [[1],[3],[5],[7],[9]]');
  one.clock.advance(1);
  await one.ask();
  expect(await one.told()).toBe('miss [[1],[3],[5],[7],[9]]');
});

test('each format, row limit and redaction has its own bytes, out of one run', async () => {
  const { ask, told, executed, printed } = world(await openEvents());
  const answers = await Promise.all([
    told(),
    told({}, { render: LINES_RENDERER }),
    told({}, { redact: true }),
    told({}, { maxRows: 2 }),
    told({}, { maxRows: 2, redact: true }),
  ]);
  expect(answers).toEqual([
    'miss [[1],[3],[5],[7],[9]]',
    'miss 1\n3\n5\n7\n9',
    'miss [["REDACTED"],["REDACTED"],["REDACTED"],["REDACTED"],["REDACTED"]]',
    'miss [[1],[3]]',
    'miss [["REDACTED"],["REDACTED"]]',
  ]);
  expect(await told({}, { maxRows: 2, redact: true })).toBe('hit [["REDACTED"],["REDACTED"]]');
  expect(await told({}, { maxRows: 3 })).toBe('hit [[1],[3],[5]]');
  const [cut, whole] = [await ask({}, { maxRows: 2 }), await ask({}, { maxRows: 5 })];
  expect([cut.rows, cut.truncated, whole.rows, whole.truncated]).toEqual([2, true, 5, false]);
  expect([executed.length, printed.count]).toEqual([1, 7]);
});

test('a variant is compressed once, and has a tag of its own', async () => {
  const { ask } = world(await openEvents());
  const answer = await ask();
  const zipped = answer.body('gzip');
  expect(gunzipSync(await zipped).toString()).toBe('[[1],[3],[5],[7],[9]]');
  expect(brotliDecompressSync(await answer.body('br')).toString()).toBe('[[1],[3],[5],[7],[9]]');
  const again = await ask();
  // At once from then on.
  expect(again.body('gzip')).toBe(await zipped);
  expect([etagOf(again.etag, 'identity'), etagOf(again.etag, 'br')]).toEqual([
    '"0yhk2OGqijzWxnvVZECFDIRXbaU"',
    '"0yhk2OGqijzWxnvVZECFDIRXbaU-br"',
  ]);
});

test('what memory keeps of a body is as large as it counts', async () => {
  const { ask } = world(await openEvents());
  const answer = await ask();
  const variants = [await answer.body('identity'), await answer.body('gzip'), await answer.body('br')];
  expect(variants.map((body) => body.buffer.byteLength === body.length)).toEqual([true, true, true]);
});

test('a thousand callers who miss at once share one run and one printing', async () => {
  const { ask, executed, printed } = world(await openEvents());
  const all = await Promise.all(Array.from({ length: 1000 }, () => ask()));
  expect([executed.length, printed.count, new Set(all.map(({ state }) => state))]).toEqual([1, 1, new Set(['miss'])]);
});

test('a query without a cache runs for each caller, and leaves nothing behind', async () => {
  const { told, executed, answers, cacheFolder } = world(await openEvents(), { files: { 'ids.sql': idsQuery('cache: disabled') } });
  expect(await Promise.all([told(), told()])).toEqual(['off [[1],[3],[5],[7],[9]]', 'off [[1],[3],[5],[7],[9]]']);
  expect(await told({}, { redact: true, maxRows: 1 })).toBe('off [["REDACTED"]]');
  expect([executed.length, answers.stats().bodies, readdirSync(cacheFolder)]).toEqual([3, 0, []]);
});

test('a caller with the right has a fresh run, which then answers everybody', async () => {
  const engine = await openEvents();
  const { told } = world(engine);
  await told();
  await engine.command(MORE);
  expect(await told()).toBe('hit [[1],[3],[5],[7],[9]]');
  expect(await told({}, { fresh: true })).toBe('miss [[1],[3],[5],[7],[9],[11]]');
  expect(await told()).toBe('hit [[1],[3],[5],[7],[9],[11]]');
});

test('a server that starts again finds its answers in the files', async () => {
  const before = world(await openEvents());
  await before.told();
  await before.answers.drain();
  const after = before.restarted();
  expect(await after.told()).toBe('hit [[1],[3],[5],[7],[9]]');
  expect(await after.told({}, { render: LINES_RENDERER })).toBe('hit 1\n3\n5\n7\n9');
  expect(after.executed.length).toBe(0);
});

test('folders that are deleted, damaged or cannot be written cost no answer', async () => {
  const { told, clock, cacheFolder, answers, restarted } = world(await openEvents());
  await told();
  await answers.drain();
  const results = join(cacheFolder, 'results');
  rmSync(results, { recursive: true });
  expect(await told()).toBe('hit [[1],[3],[5],[7],[9]]');
  writeFileSync(results, 'a file in its place');
  expect(await told({ area: 'auth' })).toBe('miss [[2],[4],[6],[8],[10]]');
  expect(await told({ area: 'auth' })).toBe('hit [[2],[4],[6],[8],[10]]');
  rmSync(results);
  clock.advance(100);
  expect(await told()).toBe('miss [[1],[3],[5],[7],[9]]');
  await answers.drain();
  for (const name of entriesIn(results)) writeFileSync(join(results, name), 'damaged');
  expect(await restarted().told()).toBe('miss [[1],[3],[5],[7],[9]]');
});

test('failures are not stored', async () => {
  const { told, engine, executed } = world(await openEvents());
  engine.state = new QuernError('engine', 'ClickHouse answered MEMORY_LIMIT_EXCEEDED (241)');
  expect((await failureOf(told()))['code']).toBe('engine');
  engine.state = UNREACHABLE;
  expect((await failureOf(told()))['code']).toBe('unreachable');
  engine.state = 'up';
  expect(await told()).toBe('miss [[1],[3],[5],[7],[9]]');
  expect(executed.length).toBe(3);
});

test('a caller who leaves stops the run only when nobody else waits for it', async () => {
  const { ask, told, engine, executed } = world(await openEvents());
  engine.state = 'held';
  const [one, two] = [new AbortController(), new AbortController()];
  const answers = [ask({}, { signal: one.signal }), ask({}, { signal: two.signal })].map((answer) => failureOf(answer));
  await until(() => executed.length === 1);
  one.abort();
  expect(await answers[0]).toEqual({ code: 'interrupted', message: 'the query was interrupted' });
  expect(executed[0]?.signal?.aborted).toBe(false);
  two.abort();
  expect(await answers[1]).toEqual({ code: 'interrupted', message: 'the query was interrupted' });
  expect(executed[0]?.signal?.aborted).toBe(true);
  engine.state = 'up';
  expect(await told()).toBe('miss [[1],[3],[5],[7],[9]]');
});

test('memory stays within its bound, counts compressed variants, and drops what was asked for longest ago', async () => {
  const { ask, told, answers, executed } = world(await openEvents(), { limits: { memoryBytes: 3500 } });
  await told();
  const small = answers.stats();
  await (await ask()).body('gzip');
  const grown = answers.stats();
  expect([small.bodies, grown.bodies, grown.bytes > small.bytes]).toEqual([1, 1, true]);
  await told({ area: 'auth' });
  await told();
  await told({ area: 'other' });
  expect(answers.stats().bodies).toBe(3);
  expect(answers.stats().bytes).toBeLessThanOrEqual(3500);
  await told({ area: 'another' });
  expect(answers.stats().bytes).toBeLessThanOrEqual(3500);
  expect(await told({ area: 'auth' })).toBe('hit [[2],[4],[6],[8],[10]]');
  expect(executed.length).toBe(4);
});

test('a body that is too big for the memory is answered from the file', async () => {
  const { told, answers, executed } = world(await openEvents(), { limits: { memoryBytes: 100 } });
  expect(await Promise.all([told(), told()])).toEqual(['miss [[1],[3],[5],[7],[9]]', 'miss [[1],[3],[5],[7],[9]]']);
  expect(await told()).toBe('hit [[1],[3],[5],[7],[9]]');
  expect([executed.length, answers.stats()]).toMatchObject([1, { bodies: 0, bytes: 0, running: 0, waiting: 0, warm: 0 }]);
});

test('runs are found in the log of the engine by what their callers call them', async () => {
  const { ask, executed, engine } = world(await openEvents());
  engine.state = 'held';
  const first = ask({}, { requestId: 'r', labels: { team: 'a' } });
  await until(() => executed.length === 1);
  const second = ask({ area: 'auth' }, { requestId: 'r' });
  await until(() => executed.length === 2);
  engine.state = 'up';
  await Promise.all([first, second]);
  expect(executed.map(({ comment }) => comment)).toEqual([
    '{"query":"ids","request":"r","labels":{"team":"a"}}',
    '{"query":"ids","request":"r"}',
  ]);
});
