// One key asks for far more than the engine can do, over real connections: the others are answered.
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { queryText } from '../queries/support.ts';
import { cliHome } from '../support/run-cli.ts';
import { serveCli } from '../support/serve-cli.ts';

const home = cliHome();
afterAll(() => home.remove());
const NUMBER = 'params: { n: { type: integer, required: true } }';

test('one key with a hundred and twenty slow queries leaves another the engine', { timeout: 120_000 }, async () => {
  home.write(
    'mine/slow.sql',
    queryText(1, 'select countIf(sipHash64(number) = 1) as s, {n:Int64} as n from numbers(100000000)', 'dialect: clickhouse', NUMBER),
  );
  home.write('mine/quick.sql', queryText(2, 'select @n as n', NUMBER));
  const key = async (name: string) => (await home.run(['keys', 'create', '--name', name, '--scope', '*'])).stdout.trim();
  const [greedy, modest] = [await key('greedy'), await key('modest')];
  const { address, stop } = await serveCli(home, ['--queries', 'mine', '--log-level', 'silent']);
  onTestFinished(async () => void (await stop()));
  const leaver = new AbortController();
  const ask = (secret: string, path: string, init: RequestInit = {}) =>
    fetch(`${address}/api/endpoints/${path}`, { headers: { 'x-api-key': secret }, ...init });

  const statuses: number[] = [];
  for (let n = 0; n < 120; n++) {
    ask(greedy, `slow?n=${n}`, { signal: leaver.signal }).then(
      ({ status }) => statuses.push(status),
      () => undefined,
    );
  }
  await expect.poll(() => statuses.filter((status) => status === 503).length, { timeout: 20_000 }).toBeGreaterThanOrEqual(15);
  for (let n = 0; n < 15; n++) {
    const reply = await ask(modest, `quick?n=${n}`);
    expect([reply.status, await reply.json()]).toEqual([200, { result: [{ n }] }]);
  }
  leaver.abort();
});
