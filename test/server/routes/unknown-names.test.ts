// Names in a request that nothing of the query or of the server answers to.
import { describe, expect, test } from 'vitest';
import { queryText } from '../../queries/support.ts';
import { eventsEngine, expectError, served } from '../server-support.ts';

const engine = eventsEngine();
const OPEN = queryText(
  5,
  'with recent as (select id, area from events where area = @area) select id from recent',
  'sandbox: enabled',
  'params: { area: { type: string, required: true } }',
);
const FILES = { 'open.sql': OPEN, 'now.sql': queryText(3, 'select 1 as one') };

describe('a name that the query does not know', () => {
  test.each([
    ['/api/endpoints/ids?area=rest&mots=3', 'mots', 'is not a parameter; did you mean most?'],
    ['/api/endpoints/ids?area=rest&fromat=csv', 'fromat', 'is not a parameter; did you mean format?'],
    ['/api/endpoints/ids?area=rest&asof=2026-01-01', 'asof', 'is not a parameter; did you mean as_of?'],
    ['/api/endpoints/ids?area=rest&zebra=1', 'zebra', 'is not a parameter; the parameters are area, most'],
    ['/api/endpoints/now?zebra=', 'zebra', 'is not a parameter; the query has none'],
    ['/api/endpoints/ids?area=rest&sql=select+1', 'sql', 'is not a parameter; the parameters are area, most'],
  ])('%s is 400', async (address, name, message) => {
    const { ask } = await served(engine(), { files: FILES });
    expect(expectError(await ask(address), 400, 'parameter').problems).toEqual([{ kind: 'unknown', name, message }]);
  });

  test('is 400 in a body, too, where null is no value', async () => {
    const { ask } = await served(engine(), { files: FILES });
    const post = async (payload: object) => ask('/api/endpoints/ids', { method: 'POST', payload });
    expect(expectError(await post({ area: 'rest', mots: 3 }), 400, 'parameter').problems).toEqual([
      { kind: 'unknown', name: 'mots', message: 'is not a parameter; did you mean most?' },
    ]);
    expect((await post({ area: 'rest', mots: null })).statusCode).toBe(200);
  });

  test('is reported with all else that is wrong', async () => {
    const { ask } = await served(engine(), { files: FILES });
    const { problems } = expectError(await ask('/api/endpoints/ids?aera=rest&most=many'), 400, 'parameter');
    expect(problems).toMatchObject([
      { kind: 'missing', name: 'area' },
      { kind: 'invalid', name: 'most' },
      { kind: 'unknown', name: 'aera' },
    ]);
  });

  test('format, as_of, and sql of a sandbox are known', async () => {
    const { ask } = await served(engine(), { files: FILES });
    const sql = encodeURIComponent('select area, count(*) as n from recent group by area');
    expect((await ask(`/api/endpoints/open?area=rest&format=csv&as_of=2026-01-02T00:00:00Z&sql=${sql}`)).body).toMatch(
      /^area,n\n"rest",\d/,
    );
  });

  test('is ignored for clients of Logflare', async () => {
    const { ask } = await served(engine(), { files: FILES, options: { compat: 'logflare' } });
    expect((await ask('/api/endpoints/now?zebra=1')).json()).toEqual({ result: [{ one: 1 }] });
  });
});
