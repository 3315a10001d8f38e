// What endpoints are called, what they are given, and in which form they reply.
import { describe, expect, test } from 'vitest';
import { queryText, uuid } from '../../queries/support.ts';
import { eventsEngine, expectError, type Served, served } from '../server-support.ts';

const engine = eventsEngine();
const IDS_OF_AUTH = '{"result": [\n{"id":2,"area":"auth","moment":"2026-01-02T00:02:00Z"}\n]}\n';

describe('an endpoint', () => {
  test('is found by its name and by its UUID, at every address that clients know', async () => {
    const { ask } = await served(engine());
    const query = '?area=auth&most=2';
    const addresses = [
      '/api/endpoints/ids',
      `/api/endpoints/${uuid(1)}`,
      '/api/endpoints/query/ids',
      `/api/endpoints/query/${uuid(1).toUpperCase()}`,
      '/api/endpoints/query/name/ids',
      `/endpoints/query/${uuid(1)}`,
      '/endpoints/query/ids/',
    ];
    for (const address of addresses) {
      const reply = await ask(address + query);
      expect([address, reply.statusCode, reply.headers['content-type'], reply.body]).toEqual([
        address,
        200,
        'application/json; charset=utf-8',
        IDS_OF_AUTH,
      ]);
    }
  });

  test('takes parameters from the address, from a JSON body, and from both', async () => {
    const { ask } = await served(engine());
    const post = (url: string, payload: unknown) =>
      ask(url, { method: 'POST', headers: { 'content-type': 'application/json' }, payload: JSON.stringify(payload) });
    expect((await ask('/api/endpoints/ids?area=auth&most=2')).body).toBe(IDS_OF_AUTH);
    expect((await post('/api/endpoints/ids', { area: 'auth', most: 2 })).body).toBe(IDS_OF_AUTH);
    expect((await post('/api/endpoints/ids?area=auth', { most: '2', area: 'auth' })).body).toBe(IDS_OF_AUTH);
    const error = expectError(await post('/api/endpoints/ids?area=auth', { area: 'rest' }), 400, 'parameter');
    expect(error.problems).toEqual([{ kind: 'invalid', name: 'area', message: 'is given twice, with different values' }]);
  });

  test('takes integers of 64 bits from a body', async () => {
    const { ask } = await served(engine(), {
      files: { 'big.sql': queryText(3, 'select @n as n', 'params: { n: { type: integer } }') },
    });
    const reply = await ask('/api/endpoints/big', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      payload: '{"n": 9223372036854775807}',
    });
    expect(reply.body).toBe('{"result": [\n{"n":9223372036854775807}\n]}\n');
  });

  test('takes a list where a parameter is one, and refuses it elsewhere', async () => {
    const { ask } = await served(engine(), {
      files: {
        'some.sql': queryText(
          3,
          'select id from events where id in unnest(@ids) order by id',
          'params: { ids: { type: array of integer } }',
        ),
      },
    });
    const rows = '{"result": [\n{"id":1},\n{"id":4}\n]}\n';
    expect((await ask('/api/endpoints/some?ids=4&ids=1')).body).toBe(rows);
    expect((await ask('/api/endpoints/some?ids=4,1')).body).toBe(rows);
    const error = expectError(await ask('/api/endpoints/ids?area=rest&area=auth'), 400, 'parameter');
    expect(error.problems).toEqual([{ kind: 'invalid', name: 'area', message: 'takes one value, but 2 were given' }]);
  });

  test('replies to HEAD as to GET, without the rows', async () => {
    const { server } = await served(engine());
    const address = await server.listen('127.0.0.1', 0);
    const reply = await fetch(`${address}/api/endpoints/ids?area=auth&most=2`, { method: 'HEAD' });
    expect([reply.status, reply.headers.get('content-length'), await reply.text()]).toEqual([200, String(IDS_OF_AUTH.length), '']);
  });

  test('cuts rows off at max_rows, and says so', async () => {
    const { ask } = await served(engine());
    const reply = await ask('/api/endpoints/ids?area=rest');
    expect(reply.json().result.map(({ id }: { readonly id: number }) => id)).toEqual([1, 3, 5, 7]);
    expect(reply.headers['x-truncated']).toBe('true');
    expect((await ask('/api/endpoints/ids?area=auth&most=2')).headers['x-truncated']).toBeUndefined();
  });
});

describe('the format of a reply', () => {
  const CSV_TYPE = 'text/csv; charset=utf-8; header=present';
  const CSV = 'id,area,moment\n2,"auth",2026-01-02T00:02:00Z\n';
  const cases: readonly {
    readonly by: string;
    readonly url: string;
    readonly type: string;
    readonly body: string;
    readonly accept?: string;
  }[] = [
    { by: 'an extension', url: '/api/endpoints/ids.csv?area=auth&most=2', type: CSV_TYPE, body: CSV },
    { by: 'an extension of a UUID', url: `/api/endpoints/query/${uuid(1)}.csv?area=auth&most=2`, type: CSV_TYPE, body: CSV },
    { by: 'format=', url: '/api/endpoints/ids?area=auth&most=2&format=csv', type: CSV_TYPE, body: CSV },
    { by: 'Accept', url: '/api/endpoints/ids?area=auth&most=2', type: CSV_TYPE, body: CSV, accept: 'text/csv' },
    {
      by: 'the preferred of Accept',
      url: '/api/endpoints/ids?area=auth&most=2',
      type: 'application/x-ndjson; charset=utf-8',
      body: '{"id":2,"area":"auth","moment":"2026-01-02T00:02:00Z"}\n',
      accept: 'text/csv;q=0.2, application/x-ndjson;q=0.9, application/json;q=0.5',
    },
    {
      by: 'nothing in an Accept that names no format',
      url: '/api/endpoints/ids?area=auth&most=2',
      type: 'application/json; charset=utf-8',
      body: IDS_OF_AUTH,
      accept: 'text/html',
    },
    {
      by: 'an extension before format= and Accept',
      url: '/api/endpoints/ids.tsv?area=auth&most=2&format=json',
      type: 'text/tab-separated-values; charset=utf-8',
      body: 'id\tarea\tmoment\n2\tauth\t2026-01-02T00:02:00Z\n',
      accept: 'text/csv',
    },
  ];
  test.each(cases)('follows $by', async ({ url, type, body, accept }) => {
    const { ask } = await served(engine());
    const reply = await ask(url, accept === undefined ? {} : { headers: { accept } });
    expect([reply.statusCode, reply.headers['content-type'], reply.body]).toEqual([200, type, body]);
  });

  test.each([
    ['html', 'text/html; charset=utf-8', '<!doctype html>'],
    ['svg', 'image/svg+xml', '<svg '],
  ])('%s is shown by browsers, which are told to run and load nothing', async (format, type, begin) => {
    const { ask } = await served(engine());
    const { statusCode, headers, body } = await ask(`/api/endpoints/series.${format}?rows=3&word=x`);
    expect([statusCode, headers['content-type'], body.startsWith(begin)]).toEqual([200, type, true]);
    expect(headers['content-security-policy']).toBe("default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'");
    expect((await ask('/api/endpoints/ids?area=auth')).headers['content-security-policy']).toBeUndefined();
  });

  test('a browser that asks for pages in general gets JSON, as any other client', async () => {
    const { ask } = await served(engine());
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';
    expect((await ask('/api/endpoints/ids?area=auth', { headers: { accept } })).headers['content-type']).toBe(
      'application/json; charset=utf-8',
    );
  });

  test('a chart of rows without numbers is refused', async () => {
    const { ask } = await served(engine(), { files: { 'names.sql': queryText(4, "select 'a' as name") } });
    expect(expectError(await ask('/api/endpoints/names.svg'), 400, 'usage').message).toBe('this result has no column of numbers to draw');
  });

  test('is refused when it is none', async () => {
    const { ask } = await served(engine());
    const error = expectError(await ask('/api/endpoints/ids?area=auth&format=xml'), 400, 'usage');
    expect([error.message, error.hint]).toEqual([
      '"xml" is not a reply format',
      'the formats are json, ndjson, csv, tsv, markdown, html, svg, parquet, arrow, table',
    ]);
  });

  test('is not chosen by a parameter of the saved query that is called format, nor by a name that ends like one', async () => {
    const { ask } = await served(engine(), {
      files: {
        'as.csv.sql': queryText(3, 'select @format as format', 'params: { format: { type: string } }'),
      },
    });
    expect((await ask('/api/endpoints/as.csv?format=csv')).body).toBe('{"result": [\n{"format":"csv"}\n]}\n');
  });
});

describe('a request that cannot be answered', () => {
  test('says everything that is wrong with its parameters at once', async () => {
    const { ask } = await served(engine());
    const error = expectError(await ask('/api/endpoints/ids?most=many'), 400, 'parameter');
    expect(error).toEqual({
      code: 'parameter',
      message: 'ids needs 2 parameters, 1 is missing and 1 is invalid',
      hint: 'see its parameters with `quern show ids`',
      problems: [
        { kind: 'missing', name: 'area', message: 'area of the API (string, one of: rest, auth)' },
        { kind: 'invalid', name: 'most', message: '"many" is not a 64-bit integer' },
      ],
    });
  });

  const refusals: readonly (readonly [string, Parameters<Served['ask']>, number, string, string])[] = [
    ['an unknown endpoint', ['/api/endpoints/nope'], 404, 'unknown-query', 'there is no endpoint nope'],
    ['an unknown UUID', [`/api/endpoints/query/${uuid(9)}`], 404, 'unknown-query', `there is no endpoint ${uuid(9)}`],
    ['an address with nothing there', ['/api/nothing?secret=x'], 404, 'not-found', 'there is nothing at /api/nothing'],
    [
      'a method that endpoints do not have',
      ['/api/endpoints/ids', { method: 'DELETE' }],
      405,
      'method',
      'DELETE is not allowed at this address',
    ],
    [
      'a body that is not JSON',
      ['/api/endpoints/ids', { method: 'POST', headers: { 'content-type': 'application/json' }, payload: '{"area":' }],
      400,
      'body',
      'the body is not JSON: Unexpected end of JSON input',
    ],
    [
      'a body that is not an object',
      ['/api/endpoints/ids', { method: 'POST', headers: { 'content-type': 'application/json' }, payload: '[1]' }],
      400,
      'body',
      'the body is not a JSON object',
    ],
    [
      'a body that is not declared as JSON',
      ['/api/endpoints/ids', { method: 'POST', headers: { 'content-type': 'text/plain' }, payload: 'area=rest' }],
      415,
      'body',
      'the body is not sent as JSON',
    ],
    [
      'a body that is too large',
      [
        '/api/endpoints/ids',
        { method: 'POST', headers: { 'content-type': 'application/json' }, payload: `{"area": "${'x'.repeat(2e6)}"}` },
      ],
      413,
      'too-large',
      'the body is larger than 1048576 bytes',
    ],
    [
      'a broken escape in the address',
      ['/api/endpoints/%E0%A4%A?area=rest'],
      400,
      'request',
      'the address has a % that does not encode a character',
    ],
  ];
  test.each(refusals)('%s is refused in the one shape', async (_, request, status, code, message) => {
    const { ask } = await served(engine());
    expect(expectError(await ask(...request), status, code).message).toBe(message);
  });

  test('an empty body is no body', async () => {
    const { ask } = await served(engine());
    const reply = await ask('/api/endpoints/ids?area=auth&most=2', { method: 'POST', headers: { 'content-type': 'application/json' } });
    expect(reply.body).toBe(IDS_OF_AUTH);
  });
});
