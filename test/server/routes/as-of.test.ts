// A query as of another time, and why a run has no rows: for those who may see all that is stored.
import { describe, expect, test } from 'vitest';
import { whyNoRows } from '../../../src/connection/why-empty.ts';
import type { ConsoleInfo } from '../../../src/server/console/contract.ts';
import { queryText } from '../../queries/support.ts';
import { eventsEngine, expectError, served } from '../server-support.ts';

const engine = eventsEngine();
const NOW = queryText(3, 'select current_timestamp() as now', 'cache: 60s');
const OWN = queryText(
  4,
  'select @as_of as given, current_timestamp() > timestamp "2000-01-01" as later',
  'params: { as_of: { type: string } }',
);
const FILES = { 'now.sql': NOW, 'own.sql': OWN };
const [THEN, LATER] = ['2025-12-31T12:00:00Z', '2026-01-02T03:04:05.600000Z'];

const nowIn = (body: string): unknown => (JSON.parse(body) as { readonly result: readonly { readonly now: unknown }[] }).result[0]?.now;

describe('as_of', () => {
  test('is what CURRENT_TIMESTAMP() gives, and such rows are not kept for others', async () => {
    const { ask } = await served(engine(), { files: FILES });
    const now = nowIn((await ask('/api/endpoints/now')).body);
    const past = await ask(`/api/endpoints/now?as_of=${THEN}`);
    expect([nowIn(past.body), past.headers['cache-control']]).toEqual([THEN, 'no-store']);
    const posted = await ask('/api/endpoints/now', { method: 'POST', payload: { as_of: '2026-01-02T03:04:05.6Z' } });
    expect(nowIn(posted.body)).toBe(LATER);
    const again = await ask('/api/endpoints/now');
    expect([nowIn(again.body), again.headers['x-cache']]).toEqual([now, 'hit']);
  });

  test('that is no time is refused, also where the answer is in memory', async () => {
    const { ask } = await served(engine(), { files: FILES });
    await ask('/api/endpoints/now');
    const error = expectError(await ask('/api/endpoints/now?as_of=yesterday'), 400, 'parameter');
    expect(error.problems).toEqual([
      { kind: 'invalid', name: 'as_of', message: expect.stringMatching(/^"yesterday" is not a timestamp such as/) },
    ]);
  });

  test('is the own parameter of a query that has one, and nothing to one that does not read the time', async () => {
    const { ask } = await served(engine(), { files: FILES });
    expect((await ask('/api/endpoints/own?as_of=soon')).json()).toEqual({ result: [{ given: 'soon', later: true }] });
    expect((await ask('/api/endpoints/ids?area=rest&as_of=soon')).statusCode).toBe(200);
  });

  test.each([
    [{ scopes: ['*'] }, 200],
    [{ scopes: ['now'] }, 403],
    [{ scopes: ['*'], pins: { area: 'rest' } }, 403],
  ])('of a key with %j: %i, since retention is a matter of the time', async (key, status) => {
    const { ask } = await served(engine(), {
      files: { 'now.sql': queryText(3, 'select @area as area, current_timestamp() as now', 'params: { area: { type: string } }') },
      key,
    });
    expect((await ask(`/api/endpoints/now?as_of=${THEN}`)).statusCode).toBe(status);
    expect((await ask('/api/endpoints/now')).statusCode).toBe(200);
    const told = (await ask('/api/console')).json<ConsoleInfo>();
    const offered = told.endpoints.find(({ name }) => name === 'now')?.parameters.some(({ instant }) => instant === true);
    expect([told.oversees, offered]).toEqual([status === 200, status === 200]);
  });

  test('means nothing to clients of Logflare', async () => {
    const { ask } = await served(engine(), { files: FILES, options: { compat: 'logflare' } });
    expect(nowIn((await ask(`/api/endpoints/now?as_of=${THEN}`)).body)).not.toBe(THEN);
  });

  test('is described where it is taken', async () => {
    const { ask } = await served(engine(), { files: FILES });
    const { paths } = (await ask('/openapi.json')).json<{
      readonly paths: Readonly<Record<string, { readonly get: { readonly parameters: readonly { readonly name: string }[] } }>>;
    }>();
    const names = (endpoint: string) => paths[`/api/endpoints/${endpoint}`]?.get.parameters.map(({ name }) => name);
    expect([names('now'), names('series')]).toEqual([
      ['as_of', 'page_size', 'page', 'format'],
      ['rows', 'word', 'page_size', 'page', 'format'],
    ]);
  });
});

describe('why there are no rows', () => {
  test('is told with the time as of which there are some', async () => {
    await engine().command(
      "CREATE OR REPLACE TABLE default.gone (project String, timestamp DateTime64(6, 'UTC')) ENGINE = MergeTree ORDER BY project",
    );
    await engine().command("INSERT INTO default.gone VALUES ('demo', '2020-01-02 03:04:05.5')");
    const why = 'select id from events where moment > timestamp_add(current_timestamp(), interval @days day)';
    const { ask } = await served(engine(), {
      files: { 'late.sql': queryText(5, why, 'params: { days: { type: integer, default: 1 } }') },
      options: { explainEmpty: (_, asked) => whyNoRows(engine(), 'default', ['gone'], asked) },
    });
    const reply = await ask('/api/console/why-empty', { method: 'POST', payload: { endpoint: 'late', values: {} } });
    expect(reply.json()).toEqual({ reason: 'the rows of gone end at 2020-01-02T03:04:06Z', asOf: '2020-01-02T03:04:06Z' });
    const then = await ask('/api/console/why-empty', {
      method: 'POST',
      payload: { endpoint: 'late', values: { as_of: '2020-01-02T03:04:06Z' } },
    });
    expect(then.json()).toEqual({});
    expectError(await ask('/api/console/why-empty', { method: 'POST', payload: { endpoint: 'none' } }), 404, 'unknown-query');
  });

  test('is for those who may see all, since it names projects and times', async () => {
    const { ask } = await served(engine(), { files: FILES, key: { scopes: ['now'] } });
    expectError(await ask('/api/console/why-empty', { method: 'POST', payload: { endpoint: 'now' } }), 403, 'forbidden');
  });
});
