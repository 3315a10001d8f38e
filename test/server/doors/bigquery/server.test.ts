// The door in front of a ClickHouse server, whose rows come as a stream.
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { startClickHouse } from '../../../support/clickhouse-server.ts';
import { cliHome } from '../../../support/run-cli.ts';
import { serveCli } from '../../../support/serve-cli.ts';

const home = cliHome();
afterAll(() => home.remove());
const ROWS = 60_000;

/** What replies have, each some of it. */
interface Reply {
  readonly jobReference: { readonly jobId: string };
  readonly totalRows: string;
  readonly totalBytesProcessed: string;
  readonly rows: readonly { readonly f: readonly { readonly v: string | null }[] }[];
  readonly pageToken?: string;
  readonly numRows: string;
  readonly error: { readonly code: number; readonly errors: readonly { readonly reason: string }[] };
}

test('rows of a server come page by page, and are counted', { timeout: 120_000 }, async () => {
  const clickhouse = await startClickHouse();
  onTestFinished(() => clickhouse.stop());
  await clickhouse.run('CREATE DATABASE shop');
  await clickhouse.run(
    `CREATE TABLE shop.orders (id Int64, name Nullable(String)) ENGINE = MergeTree ORDER BY id AS
     SELECT number AS id, if(id = 7, NULL, concat(repeat('x', 200), toString(id))) AS name FROM numbers(${ROWS})`,
  );
  const { address, stop } = await serveCli(home, ['--no-auth', '--bigquery', '--url', clickhouse.url, '--log-level', 'silent']);
  onTestFinished(async () => void (await stop()));
  const base = `${address}/bigquery/v2/projects/p`;
  const ask = async (path: string, body?: object): Promise<Reply> => {
    const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    return (await fetch(base + path, body === undefined ? {} : post)).json() as Promise<Reply>;
  };
  const first = await ask('/queries', { query: 'select id, name from `other.shop.orders` order by id' });
  expect([first.totalRows, Number(first.totalBytesProcessed) > ROWS * 200, first.rows[7]]).toEqual([
    String(ROWS),
    true,
    { f: [{ v: '7' }, { v: null }] },
  ]);
  const { jobId } = first.jobReference;
  let all = first.rows;
  for (let token = first.pageToken; token !== undefined; ) {
    const page = await ask(`/queries/${jobId}?pageToken=${token}`);
    all = [...all, ...page.rows];
    token = page.pageToken;
  }
  expect(all.map(({ f }) => Number(f[0]?.v))).toEqual(Array.from({ length: ROWS }, (_, i) => i));
  const wrong = await ask('/queries', { query: 'select error(name) from shop.orders where id = 9' });
  expect([wrong.error.code, wrong.error.errors[0]?.reason]).toEqual([400, 'invalidQuery']);
  expect((await ask('/datasets/shop/tables/orders')).numRows).toBe(String(ROWS));
});
