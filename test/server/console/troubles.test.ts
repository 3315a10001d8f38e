// What the console does when things are not as hoped: keys, engines that are away or slow, data that would be more than text, very many rows.
import { expect, test } from 'vitest';
import { QuernError } from '../../../src/base/errors.ts';
import { queryText } from '../../queries/support.ts';
import { until } from '../answers/answers-support.ts';
import { eventsEngine } from '../server-support.ts';
import { describeInBrowser, headTexts, runQuery, serve, summary, tableCells, visitor } from './support.ts';

const SECRET_FREE = /quern_/;

const HOSTILE = queryText(
  4,
  `select '<script>document.title = "owned"</script>' as html, '<img src=x onerror="document.title = 1">' as \`<b>head</b>\`,
  concat('bell', code_points_to_string([7]), code_points_to_string([27]), '[31m', code_points_to_string([8238]), 'abc') as controls,
  repeat('long ', 500) as long, 9007199254740993 as big, cast('0.12345678901234567890123' as bignumeric) as exact,
  parse_json('${'{"a":'.repeat(60)}1${'}'.repeat(60)}') as deep, cast(null as string) as nothing, '' as blank`,
  'description: "<img src=x onerror=alert(1)>"',
);

describeInBrowser('an API key', () => {
  const engine = eventsEngine();
  const { visit } = visitor();

  test('is asked for once, kept for the tab, and never part of the address', async () => {
    const server = await serve(engine(), { key: { name: 'dashboard' } });
    const { page, context, address } = await visit(server, '#/ids?area=rest&~run=1');
    expect(await page.getByRole('heading').allTextContents()).toEqual(['API key']);
    await page.getByLabel('Key').fill(server.secret);
    await page.getByRole('button', { name: 'Use this key' }).click();
    expect((await summary(page)).startsWith('4 rows')).toBe(true);
    expect(await page.locator('.key-name').textContent()).toBe('key: dashboard');
    await page.reload();
    expect((await summary(page)).startsWith('4 rows')).toBe(true);
    expect(page.url().includes(server.secret)).toBe(false);
    expect(await page.evaluate('JSON.stringify({...localStorage}) + document.cookie')).toBe('{}');
    const other = await context.newPage();
    await other.goto(`${address}/`);
    await other.getByLabel('Key').waitFor();
    await page.getByRole('tab', { name: 'Commands' }).click();
    expect((await page.locator('.command pre').first().textContent())?.split('\n').slice(0, 2)).toEqual([
      'curl --fail-with-body \\',
      '  --header "X-API-KEY: $QUERN_KEY" \\',
    ]);
    expect(SECRET_FREE.test((await page.locator('.commands').textContent()) ?? '')).toBe(false);
    await page.getByRole('button', { name: 'Forget key' }).click();
    await page.getByLabel('Key').waitFor();
    await page.reload();
    await page.getByLabel('Key').waitFor();
  });

  test('that is wrong is told as the server tells it, and another can be given', async () => {
    const server = await serve(engine(), { key: {} });
    const { page } = await visit(server);
    await page.getByLabel('Key').fill('not-a-key');
    await page.getByRole('button', { name: 'Use this key' }).click();
    expect(await page.getByRole('alert').textContent()).toBe(
      'the API key is not valid; it may be revoked or expired: see `quern keys list`',
    );
    await page.getByLabel('Key').fill(server.secret);
    await page.getByRole('button', { name: 'Use this key' }).click();
    await page.getByRole('link', { name: 'ids' }).waitFor();
  });

  test('shows the queries it covers and the values it sets', async () => {
    const server = await serve(engine(), { key: { scopes: ['ids'], pins: { area: 'auth' } } });
    const { page } = await visit(server);
    await page.getByLabel('Key').fill(server.secret);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'ids' }).click();
    expect(await page.locator('.list-name').allTextContents()).toEqual(['ids']);
    expect([await page.locator('#p-area').inputValue(), await page.locator('#p-area').isDisabled()]).toEqual(['auth', true]);
    await runQuery(page);
    await summary(page);
    expect((await tableCells(page)).map(([, area]) => area)).toEqual(['auth', 'auth', 'auth', 'auth']);
    expect(await page.getByRole('button', { name: 'Refresh' }).count()).toBe(0);
  });
});

describeInBrowser('a run', () => {
  const engine = eventsEngine();
  const { visit } = visitor();

  test('without an engine says what is wrong, and works when it is tried again later', async () => {
    const server = await serve(engine());
    const { page } = await visit(server, '#/series');
    server.engine.state = new QuernError('unreachable', 'ClickHouse at ch.example does not answer', { hint: 'is it running?' });
    await runQuery(page);
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').locator('p').first().textContent()).toBe('unreachable ClickHouse at ch.example does not answer');
    server.engine.state = 'up';
    await page.getByRole('button', { name: 'Try again' }).click();
    expect((await summary(page)).startsWith('2 rows')).toBe(true);
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  test('that takes long can be cancelled, which the engine hears of', async () => {
    const server = await serve(engine());
    const { page } = await visit(server, '#/series');
    server.engine.state = 'held';
    await runQuery(page);
    await page.getByText('running…').waitFor();
    await until(() => server.executed.length === 1);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.locator('.trouble').getByText('Cancelled: the server was told to stop.').waitFor();
    await until(() => server.executed[0]?.signal?.aborted === true);
    expect(await page.getByRole('button', { name: 'Cancel' }).count()).toBe(0);
    await runQuery(page);
    await until(() => server.executed.length === 2);
    await page.keyboard.press('Escape');
    await until(() => server.executed[1]?.signal?.aborted === true);
    server.engine.state = 'up';
    await runQuery(page);
    await summary(page);
  });

  test('that failed is not run again by looking at something else', async () => {
    const server = await serve(engine());
    const { page } = await visit(server, '#/series');
    server.engine.state = new QuernError('engine', 'ClickHouse reports that it is tired');
    await runQuery(page);
    await page.getByRole('alert').waitFor();
    const asked = server.executed.length;
    await page.getByRole('tab', { name: 'Commands' }).click();
    await page.locator('.command').first().waitFor();
    await page.getByRole('tab', { name: 'Rows' }).click();
    await page.getByText('Run the query to see its rows.').waitFor();
    expect([server.executed.length, await page.getByRole('alert').count()]).toEqual([asked, 1]);
  });

  test('is answered with old rows while the engine is away, which the page says', async () => {
    const server = await serve(engine());
    const { page } = await visit(server, '#/ids?area=rest&~run=1');
    await summary(page);
    server.engine.state = new QuernError('unreachable', 'ClickHouse does not answer');
    server.clock.advance(80);
    await runQuery(page);
    await page.locator('.tag.stale').waitFor();
    expect(await page.locator('.tag.stale').textContent()).toBe('stale: from the cache, 80 s old');
  });

  test('whose reply is not quern’s own is told as such', async () => {
    const { page } = await visit(await serve(engine()), '#/series');
    await page.route('**/api/endpoints/**', (route) => route.fulfill({ status: 200, body: '<html>please log in</html>' }));
    await runQuery(page);
    await page.getByRole('alert').waitFor();
    expect((await page.locator('.failure-message').textContent())?.startsWith('reply the reply cannot be read: ')).toBe(true);
    await page.unroute('**/api/endpoints/**');
    await page.getByRole('button', { name: 'Try again' }).click();
    await summary(page);
  });

  test('without a server says so', async () => {
    const server = await serve(engine());
    const { page } = await visit(server, '#/series');
    await page.getByRole('button', { name: 'Run', exact: true }).waitFor();
    await page.context().setOffline(true);
    await runQuery(page);
    await page.getByRole('alert').waitFor();
    expect(await page.locator('.failure-message').textContent()).toBe('unreachable the server does not answer');
  });

  test('of a thousand rows shows them all, and sorts them at once', async () => {
    const { page } = await visit(await serve(engine()), '#/series?rows=1000&word=a&~run=1');
    expect((await summary(page)).startsWith('1,000 rows')).toBe(true);
    expect(await page.locator('.rows tbody tr').count()).toBe(1000);
    const head = page.getByRole('button', { name: 'n', exact: true });
    await head.click();
    await head.click();
    expect((await page.locator('.rows tbody tr').first().locator('td').allTextContents())[0]).toBe('1000');
  });

  test('of more rows draws them in portions', async () => {
    const { page } = await visit(await serve(engine()), '#/series?rows=2500&~run=1');
    await page.getByRole('button', { name: 'Show 1000 more of 2500 rows' }).click();
    await page.getByRole('button', { name: 'Show 500 more of 2500 rows' }).click();
    expect(await page.locator('.rows tbody tr').count()).toBe(2500);
  });

  test('shows hostile data as text, all digits of numbers, and long or nested values whole in a window', async () => {
    const { page } = await visit(await serve(engine(), { files: { 'hostile.sql': HOSTILE } }), '#/hostile?~run=1');
    await summary(page);
    expect(await headTexts(page)).toEqual(['html', '<b>head</b>', 'controls', 'long', 'big', 'exact', 'deep', 'nothing', 'blank']);
    const [cells = []] = await tableCells(page);
    const deep = `${'{"a":'.repeat(60)}1${'}'.repeat(60)}`;
    expect(cells).toEqual([
      '<script>document.title = "owned"</script>',
      '<img src=x onerror="document.title = 1">',
      'bell\\x07\\x1b[31m\\u202eabc',
      `${'long '.repeat(32)}…`,
      '9007199254740993',
      '0.12345678901234567890123',
      `${deep.slice(0, 160)}…`,
      'NULL',
      'empty',
    ]);
    expect(await page.locator('.description').textContent()).toBe('<img src=x onerror=alert(1)>');
    await page.getByRole('button', { name: 'long long' }).click();
    expect(await page.getByRole('dialog').locator('pre').textContent()).toBe('long '.repeat(500));
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: '{"a"' }).click();
    await page.getByRole('dialog').waitFor();
    expect((await page.getByRole('dialog').locator('.tree-key').allTextContents()).slice(0, 2)).toEqual(['deep', 'a']);
    await page.getByRole('button', { name: 'As text' }).click();
    expect((await page.getByRole('dialog').locator('pre').textContent())?.replace(/\s/g, '')).toBe(deep);
    await page.getByRole('button', { name: 'Close' }).click();
    await page.locator('dialog').waitFor({ state: 'detached' });
    expect(await page.locator('main img, main script').count()).toBe(0);
    expect(await page.title()).toBe('hostile · quern');
  });
});
