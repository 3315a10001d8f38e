// Keys with bounds and callers' SQL: who may send it, and that it reads nothing past what the key sets.
import { describe, expect, test } from 'vitest';
import { queryText } from '../queries/support.ts';
import { seeded } from '../sql/fuzz/random.ts';
import { callersQuery } from './sandbox-queries.ts';
import { eventsOfProjects, MINE, SECRET, sandboxServer } from './sandbox-support.ts';

const engine = eventsOfProjects();
const header = ['sandbox: enabled', 'max_rows: 5000', 'params: { project: { type: string, required: true }, least: { type: integer } }'];
const files = {
  'within.sql': queryText(
    11,
    `with requests as (select * from events where project = @project and id >= ifnull(@least, 0)),
minutes as (select timestamp_trunc(moment, minute) as minute, count(*) as n, max(message) as last from requests group by minute)
select * from requests order by id`,
    ...header,
  ),
  'behind.sql': queryText(
    12,
    'with requests as (select * from events where id >= ifnull(@least, 0)) select * from requests where project = @project order by id',
    ...header,
  ),
  'partly.sql': queryText(
    13,
    `with mine as (select * from events where project = @project and id >= ifnull(@least, 0)), sizes as (select length(message) as size from events)
select * from mine order by id`,
    ...header,
  ),
  'over.sql': queryText(14, 'with w as (select * from `within`) select count(*) as n from w', 'sandbox: enabled'),
};
const ARRAY = 'select array_agg(message) as all_messages from requests';
const serve = (key: Parameters<typeof sandboxServer>[2], options: Parameters<typeof sandboxServer>[3] = {}) =>
  sandboxServer(engine(), files, key, options);

describe('a key that sets the project', () => {
  test('may not send SQL where the filter stands in the SELECT that the SQL replaces', async () => {
    const ask = await serve({ pins: { project: MINE } });
    expect(await ask('behind', { sql: ARRAY })).toMatchObject({
      status: 400,
      error: {
        code: 'parameter',
        message: 'the API key sets project, and your own SQL for behind could read past it',
        hint: 'leave out sql, or let every WITH table of behind filter by @project; `quern lint` shows which do not',
      },
    });
    const { status, body } = await ask('behind', {});
    expect([status, body.includes(SECRET)]).toEqual([200, false]);
  });

  test('may not send SQL where one WITH table does not filter, whatever the SQL reads', async () => {
    const ask = await serve({ pins: { project: MINE } });
    for (const sql of ['select count(*) as n from mine', 'select 1 as one', 'no SQL at all'])
      expect((await ask('partly', { sql })).error?.message).toBe(
        'the API key sets project, and your own SQL for partly could read past it',
      );
  });

  test('may send SQL where every WITH table filters, and sees its project only', async () => {
    const ask = await serve({ pins: { project: MINE } });
    const { status, body } = await ask('within', { sql: ARRAY });
    expect([status, JSON.parse(body).result[0].all_messages.length]).toEqual([200, 100]);
    expect(body).not.toContain(SECRET);
    expect((await ask('within', { sql: ARRAY, project: 'yours' })).error?.code).toBe('parameter');
    expect(JSON.parse((await ask('over', { sql: 'select count(*) as n from w' })).body).result).toEqual([{ n: 100 }]);
  });

  test('and another parameter may send SQL only where both are filters everywhere', async () => {
    const ask = await serve({ pins: { project: MINE, least: '150' } });
    expect(JSON.parse((await ask('within', { sql: ARRAY })).body).result[0].all_messages).toHaveLength(50);
    expect((await ask('partly', { sql: ARRAY })).error?.message).toBe(
      'the API key sets project and least, and your own SQL for partly could read past them',
    );
    expect((await ask('behind', { sql: ARRAY })).error?.message).toBe(
      'the API key sets project, and your own SQL for behind could read past it',
    );
  });

  test.each([
    "where if(message like 'classified%', error(message), 1) = 1",
    "where 1 / if(project = 'mine', 1, 0) > 0 and id >= 0",
    'where cast(message as int64) >= 0',
    'as a join requests as b using (id) where cast(b.message as int64) >= 0 and a.id >= 0',
    "where parse_timestamp('%s', message) is not null",
  ])('learns nothing from errors: select count(*) from requests %s', async (rest) => {
    const ask = await serve({ pins: { project: MINE } });
    expect((await ask('within', { sql: `select count(*) as n from requests ${rest}` })).body).toBe('{"result": [\n{"n":100}\n]}\n');
  });

  test('may have a limit on rows beside it', async () => {
    const ask = await serve({ pins: { project: MINE }, maxRows: 2 });
    expect(JSON.parse((await ask('within', { sql: 'select id from requests order by id' })).body).result).toEqual([{ id: 0 }, { id: 3 }]);
  });

  test('sees nothing of other projects, whatever it asks', async () => {
    const ask = await serve({ pins: { project: MINE } });
    const statuses = new Map<number, number>();
    const refusals: string[] = [];
    for (let seed = 1; seed <= 200; seed++) {
      const sql = callersQuery(seeded(seed));
      const { status, body, error } = await ask('within', { sql });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (error !== undefined) refusals.push(`${error.message}: ${sql}`);
      expect(`${body} for ${sql}`).not.toMatch(new RegExp(`${SECRET} \\d|yours|theirs|100\\d{4}`));
    }
    expect(statuses.get(200), refusals.join('\n')).toBeGreaterThan(120);
  }, 240_000);
});

test('with --compat logflare logs.all takes SQL of a key that sets the project, if its tables filter by it; others are told why not', async () => {
  const closed = ['sandbox: disabled', ...header.slice(1)];
  const logs = (filter: string) =>
    queryText(
      15,
      `with requests as (select * from events ${filter} and id >= @least) select * from requests where project = @project`,
      ...closed,
    );
  const answer = async (filter: string) => {
    const ask = await sandboxServer(engine(), { 'logs.all.sql': logs(filter) }, { pins: { project: MINE } }, { compat: 'logflare' });
    return ask('logs.all', { sql: 'select count(*) as n, max(project) as p from requests', least: '0' });
  };
  expect(await answer('where project = @project')).toEqual({ status: 200, body: `{"result": [\n{"n":100,"p":"${MINE}"}\n]}\n` });
  expect(JSON.parse((await answer('where true')).body)).toEqual({
    error:
      'the API key sets project, and your own SQL for logs.all could read past it. Hint: leave out sql, or let every WITH table of logs.all filter by @project; `quern lint` shows which do not',
  });
});

describe('a key that limits rows and sets nothing', () => {
  test('may not send SQL, for one row can hold all', async () => {
    const ask = await serve({ maxRows: 3 });
    expect((await ask('within', { sql: ARRAY, project: MINE })).error).toEqual({
      code: 'parameter',
      message: 'the API key limits the rows of a response, and your own SQL for within could get around that',
      hint: 'leave out sql, or use a key without --max-rows',
    });
    expect(JSON.parse((await ask('within', { project: MINE })).body).result).toHaveLength(3);
  });
});

test('a key without bounds may send any SQL', async () => {
  const ask = await serve({});
  expect((await ask('behind', { sql: ARRAY, project: MINE })).body).toContain(SECRET);
});
