// The shared suite on the server that CLICKHOUSE_URL names; CLICKHOUSE_USER, CLICKHOUSE_PASSWORD and CLICKHOUSE_DATABASE as quern reads them.
import { afterAll, describe } from 'vitest';
import { openServer } from '../../src/engine/server/server.ts';
import { describeEngine } from './engine-suite.ts';

const { CLICKHOUSE_URL: url, CLICKHOUSE_USER: user, CLICKHOUSE_PASSWORD: password, CLICKHOUSE_DATABASE: database } = process.env;

describe.skipIf(url === undefined)('the server of CLICKHOUSE_URL', () => {
  const engine = openServer({
    url: url ?? 'http://127.0.0.1:8123',
    ...(user === undefined ? {} : { user }),
    ...(password === undefined ? {} : { password }),
    ...(database === undefined ? {} : { database }),
  });
  afterAll(() => engine.close());
  describeEngine('named server', () => engine);
});
