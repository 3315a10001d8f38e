// Logins that may do less, and limits that such logins leave to quern.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Engine, EngineQuery } from '../../src/engine/engine.ts';
import { openServer, type ServerOptions } from '../../src/engine/server/server.ts';
import { SESSION_SETTINGS } from '../../src/engine/session-settings.ts';
import { SETTINGS } from '../../src/sql/target/settings.ts';
import { type ClickHouseServer, startClickHouse } from '../support/clickhouse-server.ts';
import { ENDLESS, failure, text } from './asking.ts';

const user = (profile: string) => ({ password: 'secret', networks: { ip: '127.0.0.1' }, profile, quota: 'default' });

let server: ClickHouseServer;
let admin: Engine;
beforeAll(async () => {
  server = await startClickHouse({
    config: { timezone: 'Etc/UTC' },
    profiles: {
      bare: { readonly: 1 },
      ready: { readonly: 1, ...SESSION_SETTINGS, ...SETTINGS },
      two: { readonly: 2 },
      bounded: {
        max_memory_usage: 5_000_000,
        constraints: { max_memory_usage: { max: 10_000_000 }, max_rows_to_read: { max: 50 }, join_use_nulls: { const: {} } },
      },
      narrow: { constraints: { session_timezone: { const: {} }, max_rows_to_read: { const: {} } } },
      single: { max_concurrent_queries_for_user: 1 },
    },
    users: {
      default: { ...user('default'), password: '' },
      bare: user('bare'),
      ready: user('ready'),
      two: user('two'),
      bounded: user('bounded'),
      narrow: user('narrow'),
      single: user('single'),
      limited: { ...user('default'), grants: { query: 'GRANT SELECT ON system.one' } },
    },
  });
  admin = openServer({ url: server.url });
});
afterAll(async () => {
  await admin.close();
  await server.stop();
});

async function as<T>(name: string, use: (engine: Engine) => Promise<T>, more: Partial<ServerOptions> = {}): Promise<T> {
  const engine = openServer({ url: server.url, user: name, password: 'secret', ...more });
  try {
    return await use(engine);
  } finally {
    await engine.close();
  }
}
const query = (sql: string, more: Partial<EngineQuery> = {}): EngineQuery => ({ sql, bindings: [], settings: SETTINGS, ...more });
const gone = (part: string) =>
  expect
    .poll(() => admin.rows(`SELECT count() FROM system.processes WHERE query LIKE '%${part}%' AND query NOT LIKE '%system.processes%'`))
    .toEqual([[0]]);

describe('a login', () => {
  test('that is refused is an error that names it', async () => {
    expect(await as('bare', (engine) => failure(engine.execute(query('SELECT 1'))), { password: 'wrong' })).toBe(
      `unreachable: ClickHouse at ${server.url} refuses the login bare: the password is wrong, or there is no such user`,
    );
  });

  test('without a right hears which', async () => {
    expect(await as('limited', (engine) => failure(engine.execute(query('SELECT * FROM system.users'))))).toBe(
      `unreachable: the login limited at ${server.url} lacks a right that the query needs: SELECT ON system.users`,
    );
  });

  test.each(['default', 'two', 'ready', 'narrow'])('%s has its rows, and every value bound', async (name) => {
    const password = name === 'default' ? '' : 'secret';
    await as(
      name,
      async (engine) => {
        const { rows } = await engine.execute(
          query("SELECT {a:String}, nan, toDecimal64('1.50', 4), NULL, getSetting('join_use_nulls')", {
            bindings: [{ name: 'a', type: 'String', value: "'\n" }],
          }),
        );
        expect(rows).toEqual([["'\n", 'nan', '1.5', null, true]]);
        expect(await engine.rows("SELECT 'a', 1")).toEqual([['a', 1]]);
        expect(await text(engine.stream(query('SELECT 1'), 'TSVRaw'))).toBe('1\n');
        expect(await failure(engine.execute(query('CREATE TABLE z (a Int8) ENGINE = Memory')))).toMatch(
          /^engine: ClickHouse answered READONLY \(164\): /,
        );
      },
      { password },
    );
  });

  test('that may change nothing, and whose settings give other rows, is refused with what to set', async () => {
    const error = await as('bare', (engine) =>
      engine.execute(query('SELECT 1', { settings: { join_use_nulls: 1 } })).catch((reason: unknown) => reason),
    );
    expect(error).toMatchObject({
      code: 'config',
      message: `the login bare at ${server.url} may not change settings that this query relies on: output_format_json_quote_decimals, output_format_json_quote_denormals, output_format_json_named_tuples_as_objects, output_format_json_escape_forward_slashes, json_type_escape_dots_in_keys, join_use_nulls`,
      details: {
        hint: 'let the login change settings (readonly = 2), or put these in its profile: output_format_json_quote_decimals = 1, output_format_json_quote_denormals = 1, output_format_json_named_tuples_as_objects = 0, output_format_json_escape_forward_slashes = 0, json_type_escape_dots_in_keys = 1, join_use_nulls = 1',
      },
    });
  });

  test('with a constant among the settings is refused for that one', async () => {
    expect(await as('bounded', (engine) => failure(engine.execute(query('SELECT 1'))))).toBe(
      `config: the login bounded at ${server.url} may not change settings that this query relies on: join_use_nulls`,
    );
  });

  test('a setting that the server does not know is named', async () => {
    expect(await failure(admin.execute(query('SELECT 1', { settings: { no_such_setting: 1 } })))).toBe(
      'config: ClickHouse does not know no_such_setting, which this query relies on',
    );
  });
});

describe('limits that the login may not set', () => {
  test('time is kept by quern, and the query is killed', async () => {
    await as('ready', async (engine) => {
      expect(await failure(engine.execute(query(`${ENDLESS} AND 31 = 31`, { limits: { maxExecutionSeconds: 0.5 } })))).toBe(
        `timeout: ClickHouse at ${server.url} did not answer within 0.5 s`,
      );
      await gone('31 = 31');
    });
  });

  test('rows and bytes are counted by quern', async () => {
    await as('ready', async (engine) => {
      expect(await failure(engine.execute(query('SELECT * FROM numbers(10)', { limits: { maxResultRows: 9 } })))).toBe(
        'limit: the result has more than 9 rows',
      );
      expect(await failure(engine.execute(query('SELECT * FROM numbers(100000)', { limits: { maxResultBytes: 5000 } })))).toBe(
        'limit: the result is larger than 5KB',
      );
      expect((await engine.execute(query('SELECT * FROM numbers(10)', { limits: { maxResultRows: 10 } }))).rows.length).toBe(10);
    });
  });

  test('limits that quern cannot keep are refused, and stricter ones of the login stay', async () => {
    await as('ready', async (engine) => {
      expect(await failure(engine.execute(query('SELECT 1', { limits: { maxRowsToRead: 100 } })))).toBe(
        `config: the login ready at ${server.url} may not change settings that this query relies on: max_rows_to_read`,
      );
    });
    await as('bounded', async (engine) => {
      const limited = (limits: EngineQuery['limits']) =>
        engine.execute(
          query("SELECT getSetting('max_memory_usage'), getSetting('max_rows_to_read')", { settings: {}, limits: { ...limits } }),
        );
      expect((await limited({ maxMemoryBytes: 20_000_000, maxRowsToRead: 100 })).rows).toEqual([[5_000_000, 50]]);
      expect((await limited({ maxMemoryBytes: 8_000_000, maxRowsToRead: 20 })).rows).toEqual([[8_000_000, 20]]);
    });
  });

  test('an aborted query is killed where the server would not notice', async () => {
    await as('ready', async (engine) => {
      const controller = new AbortController();
      const running = failure(engine.execute(query(`${ENDLESS} AND 32 = 32`, { signal: controller.signal })));
      await expect
        .poll(() => admin.rows("SELECT count() FROM system.processes WHERE query LIKE '%32 = 32%' AND query NOT LIKE '%processes%'"))
        .toEqual([[1]]);
      controller.abort();
      expect(await running).toBe('interrupted: the query was interrupted');
      await gone('32 = 32');
    });
  });
});

describe('a server that is full', () => {
  test('is asked again until it has room', async () => {
    await as('single', async (engine) => {
      const first = failure(engine.execute(query(ENDLESS, { limits: { maxExecutionSeconds: 1 } })));
      await expect.poll(() => admin.rows("SELECT count() FROM system.processes WHERE user = 'single'")).toEqual([[1]]);
      expect((await engine.execute(query('SELECT 1'))).rows).toEqual([[1]]);
      expect(await first).toMatch(/^timeout: /);
    });
  });

  test('is an error after a while, or when the time is up', async () => {
    const pauses: number[] = [];
    const patient = { random: () => 1, pause: async (ms: number) => void pauses.push(ms) };
    await as(
      'single',
      async (engine) => {
        const queries = () => admin.rows("SELECT count() FROM system.processes WHERE user = 'single'");
        await expect.poll(queries).toEqual([[0]]); // that of the test before may still be ending
        const controller = new AbortController();
        const first = failure(engine.execute(query(ENDLESS, { signal: controller.signal })));
        await expect.poll(queries).toEqual([[1]]);
        const busy = `unreachable: ClickHouse at ${server.url} is running as many queries as it allows (1 of the login single)`;
        expect(await failure(engine.execute(query('SELECT 1')))).toBe(busy);
        expect(pauses).toEqual([100, 200, 400, 800, 1600, 2000, 2000, 2000]);
        expect(await failure(engine.execute(query('SELECT 1', { limits: { maxExecutionSeconds: 0.5 } })))).toBe(busy); // 1.5 s with its grace
        expect(pauses.slice(8)).toEqual([100, 200, 400, 800]);
        controller.abort();
        await first;
      },
      patient,
    );
  });
});
