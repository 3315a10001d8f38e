// Jobs on servers that share the cache's files: whichever is asked knows them.
import { describe, expect, test } from 'vitest';
import { Cache } from '../../../../src/cache/cache.ts';
import { folderOf } from '../../../queries/support.ts';
import { eventsEngine } from '../../server-support.ts';
import { call, cells, door } from './support.ts';

const engine = eventsEngine();
const cacheIn = (folder: string) => new Cache({ folder, maxBytes: 1e9, now: Date.now, onNote: () => undefined });
const two = async () => {
  const folder = folderOf({});
  const open = () => door(engine(), { options: { cache: cacheIn(folder) } });
  return { folder, one: await open(), other: await open() };
};
/** After this, short jobs are in files. */
const written = () => new Promise((resolve) => setTimeout(resolve, 300));

describe('another server', () => {
  test('knows a short job of jobs.query, its schema and its rows, also when the first one is gone', async () => {
    const { one, other } = await two();
    const asked = await Promise.all([1, 2, 3].map((n) => call(one, 'POST', '/queries', { query: `select ${n} as a, 'x' as b` })));
    await one.server.close();
    for (const [i, { body }] of asked.entries()) {
      const { jobId } = body.jobReference;
      const again = await call(other, 'GET', `/queries/${jobId}`);
      expect([again.status, cells(again.body), again.body.schema]).toEqual([200, [[String(i + 1), 'x']], body.schema]);
      expect((await call(other, 'GET', `/jobs/${jobId}`)).body.status).toEqual({ state: 'DONE' });
    }
  });

  test('has the next page at once', async () => {
    const { one, other } = await two();
    const { body } = await call(one, 'POST', '/queries', { query: 'select id from events order by id limit 3', maxResults: 1 });
    const next = await call(other, 'GET', `/queries/${body.jobReference.jobId}?pageToken=${body.pageToken}`);
    expect([cells(body), cells(next.body)]).toEqual([[['1']], [['2'], ['3']]]);
  });

  test('waits for a job that runs', async () => {
    const { one, other } = await two();
    one.engine.state = 'held';
    const { body } = await call(one, 'POST', '/queries', { query: 'select id from events where id = 3', timeoutMs: 0 });
    const { jobId } = body.jobReference;
    expect((await call(other, 'GET', `/queries/${jobId}?timeoutMs=0`)).body.jobComplete).toBe(false);
    const later = call(other, 'GET', `/queries/${jobId}`);
    one.engine.state = 'up';
    expect(cells((await later).body)).toEqual([['3']]);
  });

  test('cancels a job that runs on the first one, and not a later one with its id', async () => {
    const { one, other } = await two();
    one.engine.state = 'held';
    const jobId = 'mine';
    const job = { jobReference: { jobId }, configuration: { query: { query: 'select id from events where id = 3' } } };
    expect((await call(one, 'POST', '/jobs', job)).body.status.state).toBe('RUNNING');
    const cancelled = await call(other, 'POST', `/jobs/${jobId}/cancel`);
    expect([cancelled.status, cancelled.body.kind]).toEqual([200, 'bigquery#jobCancelResponse']);
    const { status } = await call(other, 'GET', `/queries/${jobId}?timeoutMs=5000`);
    expect(status).toBe(499);
    for (const server of [one, other])
      expect((await call(server, 'GET', `/jobs/${jobId}`)).body.status).toMatchObject({
        state: 'DONE',
        errorResult: { reason: 'stopped' },
      });
    expect((await call(other, 'DELETE', `/jobs/${jobId}/delete`)).status).toBe(204);
    expect((await call(one, 'DELETE', `/jobs/${jobId}/delete`)).status).toBe(204);
    expect((await call(one, 'POST', '/jobs', job)).body.status.state).toBe('RUNNING');
    expect((await call(other, 'GET', `/queries/${jobId}?timeoutMs=400`)).body.jobComplete).toBe(false);
    one.engine.state = 'up';
    expect(cells((await call(other, 'GET', `/queries/${jobId}`)).body)).toEqual([['3']]);
  });

  test('knows the error of a job, and that a job is deleted', async () => {
    const { one, other } = await two();
    const failed = await call(one, 'POST', '/jobs', { configuration: { query: { query: 'select nothing' } } });
    const { jobId } = failed.body.jobReference;
    expect((await call(other, 'GET', `/queries/${jobId}`)).body.error.errors[0].reason).toBe('invalidQuery');
    const { body } = await call(one, 'POST', '/queries', { query: 'select 1 as a' });
    await written();
    expect((await call(other, 'GET', `/jobs/${body.jobReference.jobId}`)).status).toBe(200);
    expect((await call(one, 'DELETE', `/jobs/${body.jobReference.jobId}/delete`)).status).toBe(204);
    expect((await call(other, 'GET', `/jobs/${body.jobReference.jobId}`)).status).toBe(404);
  });

  test('ends a job whose server has died, with a reason after which clients try again', async () => {
    const { folder, one, other } = await two();
    one.engine.state = 'held';
    const { body } = await call(one, 'POST', '/queries', { query: 'select id from events', timeoutMs: 0 });
    const { projectId, jobId } = body.jobReference;
    const { pages } = cacheIn(folder);
    const key = `job ${projectId}:${jobId}`;
    const record = JSON.parse(String(await pages.read(key)));
    const lost = async (server: string) => {
      await pages.write(key, Buffer.from(JSON.stringify({ ...record, server })));
      const { status, body: reply } = await call(other, 'GET', `/queries/${jobId}?timeoutMs=0`);
      return [status, reply.error?.errors[0].reason ?? reply.jobComplete];
    };
    const [host, pid] = record.server.split(' ');
    // A process that is not there; an earlier one with the number of this one; a machine that is silent, and one that is not.
    expect(await lost(`${host} 999999999 before`)).toEqual([503, 'backendError']);
    expect(await lost(`${host} ${pid} before`)).toEqual([503, 'backendError']);
    expect(await lost('elsewhere 1 mark')).toEqual([503, 'backendError']);
    await pages.write('server elsewhere 1 mark', Buffer.from(String(Date.now() - 10_000)));
    expect(await lost('elsewhere 1 mark')).toEqual([200, false]);
    await pages.write('server elsewhere 1 mark', Buffer.from(String(Date.now() - 100_000)));
    expect(await lost('elsewhere 1 mark')).toEqual([503, 'backendError']);
    const { status } = (await call(other, 'GET', `/jobs/${jobId}`)).body;
    expect([status.state, status.errorResult.reason]).toEqual(['DONE', 'backendError']);
    one.engine.state = 'up';
  });
});
