// The life of jobs: ids, waiting, cancelling, listing, dry runs, and what their statistics say.
import { describe, expect, test } from 'vitest';
import { eventsEngine } from '../../server-support.ts';
import { call, cells, door, PROJECT } from './support.ts';

const engine = eventsEngine();
const COUNT = 'select area, count(*) as n from events group by area order by area';
const insert = (query: string, configuration: object = {}, jobReference?: object) => ({
  jobReference,
  configuration: { query: { query, useLegacySql: false }, ...configuration },
});

describe('a job that is inserted', () => {
  test('is asked for its state and its rows by both clients', async () => {
    const { clients } = await door(engine());
    for (const [i, client] of clients.entries()) {
      const [job] = await client.createQueryJob({ query: COUNT, jobId: `mine-${i}`, location: 'EU', labels: { team: 'a' } });
      expect([job.id, job.location]).toEqual([`mine-${i}`, 'EU']);
      expect((await job.getQueryResults())[0]).toEqual([
        { area: 'auth', n: 5 },
        { area: 'rest', n: 5 },
      ]);
      const [{ configuration, statistics, status, jobReference }] = await job.getMetadata();
      expect([status, jobReference.location, configuration.labels]).toEqual([{ state: 'DONE' }, 'EU', { team: 'a' }]);
      const { query } = statistics;
      expect([query.statementType, query.cacheHit, query.totalBytesBilled, statistics.totalBytesProcessed]).toEqual([
        'SELECT',
        i > 0,
        i > 0 ? '0' : expect.stringMatching(/^[1-9]\d*$/),
        query.totalBytesProcessed,
      ]);
      for (const time of [statistics.creationTime, statistics.startTime, statistics.endTime]) expect(time).toMatch(/^\d{13}$/);
    }
  });

  test('has an id of the caller’s only once', async () => {
    const world = await door(engine());
    expect((await call(world, 'POST', '/jobs', insert('select 1 as a', {}, { projectId: PROJECT, jobId: 'once' }))).status).toBe(200);
    const { status, body } = await call(world, 'POST', '/jobs', insert('select 2 as a', {}, { projectId: PROJECT, jobId: 'once' }));
    expect([status, body.error.status, body.error.errors[0].reason, body.error.message]).toEqual([
      409,
      'ALREADY_EXISTS',
      'duplicate',
      `Already Exists: Job ${PROJECT}:US.once`,
    ]);
    expect(cells((await call(world, 'GET', '/queries/once')).body)).toEqual([['1']]);
    const strange = await call(world, 'POST', '/jobs', insert('select 1', {}, { jobId: 'no/id' }));
    expect([strange.status, strange.body.error.errors[0].reason]).toEqual([400, 'invalid']);
  });

  test('is in one location, and is not found in another', async () => {
    const world = await door(engine());
    await call(world, 'POST', '/jobs', insert('select 1 as a', {}, { jobId: 'there', location: 'EU' }));
    for (const [method, path] of [
      ['GET', '/jobs/there'],
      ['GET', '/queries/there'],
      ['POST', '/jobs/there/cancel'],
      ['DELETE', '/jobs/there/delete'],
    ] as const) {
      const { status, body } = await call(world, method, `${path}?location=US`);
      expect([path, status, body.error.errors[0].reason, body.error.message]).toEqual([
        path,
        404,
        'notFound',
        `Not found: Job ${PROJECT}:US.there`,
      ]);
      expect((await call(world, method, `${path}?location=eu`)).status).toBe(method === 'DELETE' ? 204 : 200);
    }
  });

  test('says how it shall be run in words that there are', async () => {
    const world = await door(engine());
    const inserted = async (query: object) =>
      (await call(world, 'POST', '/jobs', { configuration: { query: { query: 'select 1', ...query } } })).body;
    const { configuration } = await inserted({ createDisposition: 'CREATE_NEVER', writeDisposition: 'WRITE_EMPTY', priority: 'BATCH' });
    expect(configuration.query).toMatchObject({ createDisposition: 'CREATE_NEVER', writeDisposition: 'WRITE_EMPTY', priority: 'BATCH' });
    for (const name of ['createDisposition', 'writeDisposition', 'priority']) {
      const { error } = await inserted({ [name]: 'SOMETIMES' });
      expect([error.code, error.errors[0].reason, error.errors[0].location]).toEqual([400, 'invalid', name]);
    }
  });

  test('and fails has its error in the job, and as the reply to who wants its rows', async () => {
    const world = await door(engine());
    const { status, body } = await call(world, 'POST', '/jobs', insert('select\n  nothing from events'));
    expect([status, body.status.state]).toEqual([200, 'DONE']);
    const { errorResult, errors } = body.status;
    expect([errorResult.reason, errorResult.message, errors]).toEqual([
      'invalidQuery',
      expect.stringMatching(/nothing.* at \[2:3\]$/),
      [errorResult],
    ]);
    const rows = await call(world, 'GET', `/queries/${body.jobReference.jobId}`);
    expect([rows.status, rows.body.error.message, rows.body.error.errors[0].reason]).toEqual([400, errorResult.message, 'invalidQuery']);
    const [client] = world.clients;
    await expect(client.query('select nothing from events')).rejects.toMatchObject({
      code: 400,
      message: errorResult.message.replace('2:3', '1:8'),
    });
  });

  test('is cancelled while it runs', async () => {
    const world = await door(engine());
    const slow =
      'select count(*) as n from unnest(generate_array(1, 100000)) as a cross join unnest(generate_array(1, 1000000)) as b where mod(a * b, 7) = 3';
    const { body } = await call(world, 'POST', '/jobs', insert(slow));
    expect(body.status).toEqual({ state: 'RUNNING' });
    const { jobId } = body.jobReference;
    const waiting = (await call(world, 'GET', `/queries/${jobId}?timeoutMs=0`)).body;
    expect([waiting.jobComplete, waiting.jobReference.jobId, waiting.rows]).toEqual([false, jobId, undefined]);
    expect((await call(world, 'GET', '/jobs?stateFilter=running')).body.jobs).toHaveLength(1);
    const cancelled = await call(world, 'POST', `/jobs/${jobId}/cancel`);
    expect([cancelled.status, cancelled.body.kind]).toEqual([200, 'bigquery#jobCancelResponse']);
    await call(world, 'GET', `/queries/${jobId}?timeoutMs=5000`);
    const { status } = (await call(world, 'GET', `/jobs/${jobId}`)).body;
    expect([status.state, status.errorResult.reason, status.errorResult.message]).toEqual([
      'DONE',
      'stopped',
      'Job execution was cancelled: User requested cancellation',
    ]);
    // The engine is free again.
    expect(cells((await call(world, 'POST', '/queries', { query: 'select 1 as a' })).body)).toEqual([['1']]);
  });

  test('is stopped when the server is, before the engine closes', async () => {
    const world = await door(engine());
    const slow =
      'select count(*) as n from unnest(generate_array(1, 100000)) as a cross join unnest(generate_array(1, 1000000)) as b where mod(a * b, 7) = 3';
    expect((await call(world, 'POST', '/jobs', insert(slow))).body.status.state).toBe('RUNNING');
    const from = performance.now();
    await world.server.close();
    expect(performance.now() - from).toBeLessThan(10_000);
    expect(
      await engine().rows("SELECT count() FROM system.processes WHERE query LIKE '%1000000%' AND query NOT LIKE '%processes%'"),
    ).toEqual([[0]]);
  });

  test('ends at its time', async () => {
    const world = await door(engine());
    world.engine.state = 'held';
    const { body } = await call(world, 'POST', '/jobs', insert(COUNT, { jobTimeoutMs: '100' }));
    const { status, body: late } = await call(world, 'GET', `/queries/${body.jobReference.jobId}`);
    expect([status, late.error.errors[0].reason, late.error.message]).toEqual([
      499,
      'stopped',
      'Job execution was cancelled: Job timed out after 0.1s',
    ]);
    world.engine.state = 'up';
  });

  test('is known for a day, with its rows', async () => {
    let now = Date.now();
    const world = await door(engine(), { options: { clock: { now: () => now, after: () => () => undefined } } });
    const { jobId } = (await call(world, 'POST', '/jobs', insert(COUNT))).body.jobReference;
    const statuses = async () => [
      (await call(world, 'GET', `/jobs/${jobId}`)).status,
      (await call(world, 'GET', `/queries/${jobId}`)).status,
      (await call(world, 'GET', '/jobs')).body.jobs.length,
    ];
    now += 24 * 3600e3 - 60_000;
    expect(await statuses()).toEqual([200, 200, 1]);
    now += 120_000;
    expect(await statuses()).toEqual([404, 404, 0]);
  });

  test('is listed, deleted, and not found from then on', async () => {
    const world = await door(engine());
    for (const jobId of ['first', 'second', 'third']) await call(world, 'POST', '/jobs', insert('select 1', {}, { jobId }));
    const ids = ({ jobs }: { readonly jobs: readonly { readonly jobReference: { readonly jobId: string } }[] }) =>
      jobs.map(({ jobReference }) => jobReference.jobId).sort();
    const { body } = await call(world, 'GET', '/jobs');
    expect([ids(body), body.jobs[0].state, body.kind]).toEqual([['first', 'second', 'third'], 'DONE', 'bigquery#jobList']);
    const page = (await call(world, 'GET', '/jobs?maxResults=2')).body;
    const rest = (await call(world, 'GET', `/jobs?pageToken=${page.nextPageToken}`)).body;
    expect([page.jobs.length, rest.jobs.length, rest.nextPageToken]).toEqual([2, 1, undefined]);
    expect((await call(world, 'GET', '/jobs?stateFilter=running')).body.jobs).toEqual([]);
    expect((await call(world, 'GET', '/jobs?parentJobId=first')).body.jobs).toEqual([]);
    for (const wrong of ['stateFilter=ended', 'projection=most', 'maxResults=x', 'pageToken=x'])
      expect([wrong, (await call(world, 'GET', `/jobs?${wrong}`)).status]).toEqual([wrong, 400]);
    expect([page.etag === body.etag, (await call(world, 'GET', '/jobs')).body.etag]).toEqual([false, body.etag]);
    expect((await call(world, 'GET', '/jobs?startIndex=2')).body.jobs).toHaveLength(3);
    const full = (await call(world, 'GET', '/jobs?projection=full')).body;
    expect([body.jobs[0].configuration, full.jobs[0].configuration.query.query]).toEqual([undefined, 'select 1']);
    const some = (await call(world, 'GET', '/jobs?maxResults=1&fields=kind,jobs(jobReference/jobId,status(*))')).body;
    expect(some).toEqual({ kind: 'bigquery#jobList', jobs: [{ jobReference: { jobId: expect.any(String) }, status: { state: 'DONE' } }] });
    const rows = (await call(world, 'GET', '/queries/first?fields=totalRows,rows')).body;
    expect(rows).toEqual({ totalRows: '1', rows: [{ f: [{ v: '1' }] }] });
    expect((await call(world, 'GET', `/jobs/first?fields=${'a/'.repeat(600)}a`)).status).toBe(400);
    expect((await call(world, 'DELETE', '/jobs/second/delete')).status).toBe(204);
    const gone = await call(world, 'GET', '/jobs/second');
    expect([gone.status, gone.body.error.errors[0].reason, gone.body.error.message]).toEqual([
      404,
      'notFound',
      `Not found: Job ${PROJECT}:second`,
    ]);
    const [client] = world.clients;
    expect(await client.job('second').exists()).toEqual([false]);
    expect(await client.job('third').exists()).toEqual([true]);
  });
});

describe('jobs.query', () => {
  test('replies without rows when its time is over, and the rows come later', async () => {
    const world = await door(engine());
    world.engine.state = 'held';
    const { status, body } = await call(world, 'POST', '/queries', { query: 'select id from events where id = 3', timeoutMs: 0 });
    expect([status, body.jobComplete, body.rows, body.jobReference.projectId]).toEqual([200, false, undefined, PROJECT]);
    world.engine.state = 'up';
    expect(cells((await call(world, 'GET', `/queries/${body.jobReference.jobId}`)).body)).toEqual([['3']]);
  });

  test('begins one job for requests of one requestId', async () => {
    const world = await door(engine());
    const ask = async () => (await call(world, 'POST', '/queries', { query: 'select rand() as r', requestId: 'again' })).body;
    const [one, two] = [await ask(), await ask()];
    expect([one.jobReference, cells(one)]).toEqual([two.jobReference, cells(two)]);
  });

  test('needs no job where the client does not want one', async () => {
    const world = await door(engine());
    const { body } = await call(world, 'POST', '/queries', { query: 'select 1 as a', jobCreationMode: 'JOB_CREATION_OPTIONAL' });
    expect([body.jobReference, typeof body.queryId, cells(body)]).toEqual([undefined, 'string', [['1']]]);
    const two = 'select a from unnest([1, 2]) as a';
    const paged = (await call(world, 'POST', '/queries', { query: two, jobCreationMode: 'JOB_CREATION_OPTIONAL', maxResults: 1 })).body;
    expect([typeof paged.jobReference.jobId, typeof paged.pageToken]).toEqual(['string', 'string']);
  });

  test('runs again what is not certain to be the same, and what shall not come from the cache', async () => {
    const world = await door(engine());
    const ask = async (query: string, more: object = {}) => (await call(world, 'POST', '/queries', { query, ...more })).body.cacheHit;
    expect([await ask(COUNT), await ask(COUNT), await ask(COUNT, { useQueryCache: false })]).toEqual([false, true, false]);
    const inexact = await door(engine(), { isExact: false });
    const again = async () => (await call(inexact, 'POST', '/queries', { query: COUNT })).body.cacheHit;
    expect([await again(), await again()]).toEqual([false, false]);
    expect([await ask('select rand() as r'), await ask('select rand() as r')]).toEqual([false, false]);
    expect([await ask('select current_timestamp() as t'), await ask('select current_timestamp() as t')]).toEqual([false, false]);
  });

  test('refuses what would read more than the caller wants to pay for', async () => {
    const world = await door(engine());
    const { status, body } = await call(world, 'POST', '/queries', { query: 'select id from events', maximumBytesBilled: '10' });
    expect([status, body.error.errors[0].reason]).toEqual([400, 'bytesBilledLimitExceeded']);
    expect(body.error.message).toMatch(/^Query exceeded limit for bytes billed: 10\. \d+ or higher required\.$/);
    expect((await call(world, 'POST', '/queries', { query: 'select id from events', maximumBytesBilled: '26843545600' })).status).toBe(200);
  });

  test('refuses what would make other rows than those asked for: sessions, time zones and runs without an end', async () => {
    const world = await door(engine());
    const ask = async (more: object) => (await call(world, 'POST', '/queries', { query: 'select current_date() as d', ...more })).status;
    const zone = (value: string) => ({ connectionProperties: [{ key: 'time_zone', value }] });
    expect([await ask(zone('Europe/Berlin')), await ask({ createSession: true })]).toEqual([501, 501]);
    expect(await ask({ connectionProperties: [{ key: 'session_id', value: 'a' }] })).toBe(501);
    expect(await ask({ continuous: true })).toBe(501);
    expect([await ask(zone('UTC')), await ask({ createSession: false, connectionProperties: [] })]).toEqual([200, 200]);
  });

  test('names a ? that has no value', async () => {
    const world = await door(engine());
    const queryParameters = [{ parameterType: { type: 'INT64' }, parameterValue: { value: '1' } }];
    const { status, body } = await call(world, 'POST', '/queries', { query: 'select ? as a, ? as b', queryParameters });
    expect([status, body.error.message]).toEqual([
      400,
      'parameter 2 has no value; send one for each ? of the text, in their order at [1:16]',
    ]);
  });

  test('takes named parameters', async () => {
    const { clients } = await door(engine());
    for (const client of clients) {
      const query = 'select id from events where id >= @least and area = @area order by id';
      expect((await client.query({ query, params: { least: 7, area: 'rest', unused: 'x' } }))[0]).toEqual([{ id: 7 }, { id: 9 }]);
    }
  });
});

describe('a dry run', () => {
  test('has the schema and the bytes, and is no job', async () => {
    const world = await door(engine());
    const { status, body } = await call(world, 'POST', '/jobs', insert('select id, moment as m from events', { dryRun: true }));
    expect([status, body.status, body.jobReference.jobId, body.statistics.query.statementType]).toEqual([
      200,
      { state: 'DONE' },
      undefined,
      'SELECT',
    ]);
    expect(body.statistics.query.schema.fields).toEqual([
      { name: 'id', type: 'INTEGER', mode: 'NULLABLE' },
      { name: 'm', type: 'TIMESTAMP', mode: 'NULLABLE' },
    ]);
    expect(Number(body.statistics.totalBytesProcessed)).toBeGreaterThan(0);
    expect((await call(world, 'GET', '/jobs')).body.jobs).toEqual([]);
    const [client] = world.clients;
    const [job] = await client.createQueryJob({ query: 'select 1 as a', dryRun: true });
    expect(job.metadata.statistics.totalBytesProcessed).toBe('0');
  });

  test('counts the columns that are read, and the run reads no more', async () => {
    const world = await door(engine());
    const bytesOf = async (query: string, more: object = {}) =>
      Number((await call(world, 'POST', '/queries', { query, useQueryCache: false, ...more })).body.totalBytesProcessed);
    const queries = [
      'select id from events',
      'select area from events',
      "select count(*) as n from events where area = 'auth'",
      'select max(id) as n from events where moment > timestamp "2000-01-01"',
      'select e.id, f.area from events as e join events as f using (id)',
      'select * from events',
    ];
    const dry = await Promise.all(queries.map((query) => bytesOf(query, { dryRun: true })));
    const read = await Promise.all(queries.map((query) => bytesOf(query)));
    const [ofId = 0, ofArea = 0, , , , ofAll = 0] = dry;
    expect([ofId, ofId > 0, ofArea > 0, ofId + ofArea < ofAll]).toEqual([10 * 8, true, true, true]);
    expect(queries.filter((_, i) => (read[i] ?? 0) > (dry[i] ?? 0))).toEqual([]);
    const limited = async (query: string) => (await call(world, 'POST', '/queries', { query, maximumBytesBilled: String(ofId) })).status;
    expect([await limited('select id from events'), await limited('select * from events')]).toEqual([200, 400]);
  });

  test('knows the type of a script', async () => {
    const world = await door(engine());
    const { body } = await call(world, 'POST', '/jobs', insert('declare x int64 default 1; select x', { dryRun: true }));
    expect(body.statistics.query.statementType).toBe('SCRIPT');
  });

  test('that fails is the error itself', async () => {
    const world = await door(engine());
    const { status, body } = await call(world, 'POST', '/jobs', insert('select x', { dryRun: true }));
    expect([status, body.error.errors[0].reason, body.error.message]).toEqual([400, 'invalidQuery', expect.stringMatching(/ at \[1:8\]$/)]);
    const missing = await call(world, 'POST', '/jobs', insert('select * from shop.orders', { dryRun: true }));
    expect([missing.status, missing.body.error.message]).toEqual([404, expect.stringMatching(`^Not found: Table ${PROJECT}:shop.orders`)]);
  });
});
