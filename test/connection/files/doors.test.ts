// Files behind every door: log sources, the server and its sandbox, exports, checks and plans.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveCli } from '../../support/serve-cli.ts';
import { type FilesHome, filesHome } from './support.ts';

const home: FilesHome = filesHome();
const header = (id: number, more = '') =>
  `/*---\nid: 7d1c1f0e-5b1a-4c39-9d7f-0f6f6a2b7c1${id}\nmax_rows: 10\ncache: disabled\n${more}---*/\n`;

beforeAll(() => {
  home.write('data/orders.csv', 'id,amount\n1,2.5\n2,4\n');
  home.write('secret.csv', 'id,amount\n666,666\n');
  home.write(
    'logs/events.ndjson',
    '{"id":"1","timestamp":"2026-01-15T11:00:30Z","project":"shop","event_message":"a","metadata":[{"request":[{"path":"/a"}],"response":[{"status_code":200}]}]}\n' +
      '{"id":"2","timestamp":"2026-01-15T11:05:00Z","project":"shop","event_message":"b","metadata":{"request":{"path":"/b"},"response":{"status_code":500}}}\n',
  );
  home.write('mixed.ndjson', '{"id":1,"x":"{\\"a\\":1}","l":null}\n{"id":2,"x":"[1,2]","l":"[1,\\"x\\"]"}\n{"id":3,"x":"text","l":null}\n');
  home.write(
    'quern.yaml',
    'queries: queries\nsources:\n  orders: { file: data/orders.csv }\n  edge_logs: { file: logs/*.ndjson }\n  mixed: { file: mixed.ndjson }\n',
  );
  home.write('queries/total.sql', `${header(1)}select sum(amount) as total from orders`);
  home.write('queries/open.sql', `${header(2, 'sandbox: enabled\n')}with o as (select id, amount from orders) select * from o`);
  home.write('checks/total.yaml', 'checks:\n  - query: total\n    assertions: ["max(total) = 6.5"]\n');
});

afterAll(() => home.remove());

test('log events as files are a log source', async () => {
  expect(
    await home.rows(
      'select t.id, request.path, response.status_code as status from edge_logs as t cross join unnest(metadata) as m cross join unnest(m.request) as request cross join unnest(m.response) as response order by t.id',
    ),
  ).toBe('{"id":"1","path":"/a","status":200}\n{"id":"2","path":"/b","status":500}\n');
  const { stdout } = await home.run(['run', 'logs.all', '--project', 'shop', '--as-of', '2026-01-15T12:00:00Z']);
  expect(stdout.trim().split('\n')).toHaveLength(2);
});

test('a field that is an object here and a list there is the text that stands there', async () => {
  expect(await home.rows('select id, x, l from mixed order by id')).toBe(
    '{"id":1,"x":"{\\"a\\":1}","l":null}\n{"id":2,"x":"[1,2]","l":"[1,\\"x\\"]"}\n{"id":3,"x":"text","l":null}\n',
  );
});

test('export, check, explain and lint', async () => {
  expect((await home.run(['run', 'open', '--output', 'out.csv'])).exitCode).toBe(0);
  expect(readFileSync(join(home.folder, 'out.csv'), 'utf8').replaceAll('\r', '')).toBe('id,amount\n1,2.5\n2,4\n');
  expect((await home.run(['run', 'open', '--output', 'out.parquet'])).exitCode).toBe(0);
  expect(readFileSync(join(home.folder, 'out.parquet')).subarray(0, 4).toString()).toBe('PAR1');
  expect(await home.run(['check', 'checks/total.yaml'])).toMatchObject({ exitCode: 0 });
  const plan = await home.run(['explain', 'total', '--plan']);
  expect([plan.exitCode, plan.stdout]).toEqual([0, expect.stringContaining('ReadFromFile')]);
  expect(await home.run(['lint'])).toMatchObject({ exitCode: 0 });
});

test('the server answers from files, and no caller names one', async () => {
  const server = await serveCli(home, ['--no-auth', '--compat', 'logflare']);
  try {
    const get = async (path: string) => {
      const response = await fetch(`${server.address}/api/endpoints/${path}`);
      return `${response.status} ${JSON.stringify(await response.json())}`;
    };
    expect(await get('total')).toBe('200 {"result":[{"total":6.5}]}');
    const sandbox = (sql: string) => get(`open?sql=${encodeURIComponent(sql)}`);
    expect(await sandbox('select max(id) as m from o')).toBe('200 {"result":[{"m":2}]}');
    for (const from of [
      '`secret.csv`',
      '`./secret.csv`',
      `\`${home.folder}/secret.csv\``,
      'orders',
      '`files.orders`',
      "file('secret.csv')",
      "s3('https://example.com/a')",
    ]) {
      const answer = await sandbox(`select * from ${from}`);
      expect([from, answer.includes('"result"'), answer.includes('666')]).toEqual([from, false, false]);
      expect(answer).toMatch(/error/i);
    }
  } finally {
    await server.stop();
  }
});
