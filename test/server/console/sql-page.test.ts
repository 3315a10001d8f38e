// The SQL page of the console, and the browser of tables beside it.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { shippedQueries } from '../../../src/package-file.ts';
import { openCatalog } from '../../../src/queries/catalog.ts';
import { sameWork } from '../../support/processor-time.ts';
import { project } from './project-support.ts';
import { describeInBrowser, headTexts, runQuery, summary, tableCells, troubles, visitor } from './support.ts';

const { serve, folder, write: writeFile } = project();

const hash = (sql: string, more = ''): string => `#/~sql?~sql=${encodeURIComponent(sql)}${more}`;
const write = async (page: Page, text: string) => {
  await page.getByRole('textbox', { name: 'SQL', exact: true }).focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
};
const palette = (page: Page) => page.getByRole('combobox', { name: 'Go to a query, a table or a column' });
const address = (page: Page) => page.evaluate<string>('location.hash');

describeInBrowser('the SQL page', () => {
  const { visit } = visitor();

  test('is not loaded with the first page, and is for those who may', async () => {
    const { page } = await visit(await serve());
    await page.getByRole('link', { name: 'SQL', exact: true }).waitFor();
    const loaded = () => page.evaluate<string[]>("performance.getEntriesByType('resource').map(({ name }) => name)");
    expect((await loaded()).filter((name) => /sql-page|editor|table-|palette/.test(name))).toEqual([]);
    await page.getByRole('link', { name: 'SQL', exact: true }).click();
    await page.getByRole('textbox', { name: 'SQL', exact: true }).waitFor();
    expect((await loaded()).filter((name) => /sql-page/.test(name)).length).toBe(1);

    const other = await serve({ key: { scopes: ['per.*'] } });
    const { page: barred } = await visit(other, '#/~sql');
    await barred.getByLabel('Key').fill(other.secret);
    await barred.keyboard.press('Enter');
    await barred.getByRole('heading', { name: 'No SQL page' }).waitFor();
    expect(await barred.getByRole('link', { name: 'SQL', exact: true }).count()).toBe(0);
  });

  test('has the queries that ship with quern below its own, under a heading', async () => {
    const { page } = await visit(await serve({ options: { catalog: openCatalog([shippedQueries(), join(folder, 'queries')]) } }));
    const names = page.locator('.list-name');
    await names.first().waitFor();
    expect(await page.locator('.list-head').allTextContents()).toEqual(['Boards', 'Queries', 'Ship with quern']);
    expect((await names.allTextContents()).slice(0, 3)).toEqual(['per.hour', 'per.shop', 'functions.invocation-stats']);
    await page.getByLabel('Search queries').fill('shop');
    expect(await page.locator('.list-head').allTextContents()).not.toContain('Ship with quern');
  });

  test('runs what is written, shows it as a table and a chart, and gives files of it', async () => {
    const { page } = await visit(await serve(), '#/~sql');
    await write(page, 'select shop, count(*) as n, sum(total) as total from orders group by shop order by shop');
    await page.keyboard.press('ControlOrMeta+Enter');
    expect(await summary(page)).toMatch(/^2 rows \| fresh from the engine, now in the cache/);
    expect(await headTexts(page)).toEqual(['shop', 'n', 'total']);
    expect(await tableCells(page)).toEqual([
      ['north', '24', '552007.2'],
      ['south', '24', '576007.2'],
    ]);
    expect(await address(page)).toBe(
      '#/~sql?~sql=select+shop%2C+count%28*%29+as+n%2C+sum%28total%29+as+total+from+orders+group+by+shop+order+by+shop&~run=1',
    );
    await page.getByRole('tab', { name: 'Chart' }).click();
    await page.locator('.quern-chart').waitFor();
    await page.getByRole('tab', { name: 'SQL' }).click();
    await expect.poll(() => page.getByLabel('ClickHouse SQL').textContent()).toContain('GROUP BY');
    await page.getByRole('tab', { name: 'Rows' }).click();
    await page.locator('.tab-box .menu summary').click();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'csv (.csv)' }).click();
    const file = await download;
    expect([file.suggestedFilename(), readFileSync(await file.path(), 'utf8').split('\n')[0]]).toEqual(['query.csv', 'shop,n,total']);
    await runQuery(page);
    await expect.poll(() => page.locator('.summary').textContent()).toContain('from the cache');
  });

  test('opens a time series as a chart, and keeps the rows at hand', async () => {
    const { page } = await visit(
      await serve(),
      hash('select placed_at, total from orders where shop = "north" order by placed_at', '&~run=1'),
    );
    await page.locator('.quern-chart').waitFor();
    expect(await page.getByRole('tab', { name: 'Chart' }).getAttribute('aria-selected')).toBe('true');
    await page.getByRole('tab', { name: 'Rows' }).click();
    expect((await tableCells(page)).length).toBe(24);
    expect(await address(page)).toContain('&~view=rows');
  });

  test('marks what is wrong where it is, as one types and after a run', async () => {
    const { page } = await visit(await serve(), '#/~sql');
    await write(page, 'select shop\nfrom orders\nwhere shp = 1');
    const problem = page.locator('.problem');
    await problem.waitFor();
    expect(await problem.textContent()).toBe('Errorthere is no column or table shp heredid you mean shop?line 3, column 7');
    expect(await page.locator('.mark-error').allTextContents()).toEqual(['shp']);
    await problem.getByRole('button').click();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.insertText('o');
    await problem.waitFor();
    await expect.poll(() => page.locator('.mark-error').allTextContents()).toEqual(['shop']);
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect.poll(() => address(page)).toContain('~run=1');
    expect(await page.locator('.failure').count()).toBe(0);
    await write(page, "select error('no ' || shop) from orders");
    await problem.waitFor({ state: 'hidden' });
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.locator('.failure', { hasText: 'ERROR was called' }).waitFor();
    await expect.poll(() => page.locator('.mark-error').allTextContents()).toEqual(['error']);
  });

  test('lays the text out, warns, completes the names of parameters, and binds NULL', async () => {
    const { page } = await visit(await serve(), '#/~sql');
    await write(page, 'select count(*) as n, @least as least from orders where shop = "a" and shop = "b" and total>@least or total > @l');
    await page.getByRole('option', { name: 'least' }).click();
    await page.getByLabel('Type of @least').selectOption('float');
    const problem = page.locator('.problem.warning');
    await problem.waitFor();
    expect(await problem.textContent()).toMatch(/^Warningthis can’t be true.*line 1, column \d+$/);
    expect(await page.locator('.mark-warning').allTextContents()).toEqual(['shop = "b"']);
    await page.getByRole('button', { name: 'Format' }).click();
    const text = async () => (await page.locator('.sql-editor .cm-line').allTextContents()).join('\n');
    await expect.poll(text).toContain('\nfrom orders\nwhere');
    await page.getByLabel('@least is NULL').check();
    expect(await page.locator('#p-least').isDisabled()).toBe(true);
    await runQuery(page);
    await expect.poll(() => tableCells(page)).toEqual([['0', 'NULL']]);
    expect(await address(page)).toContain('&~type=least%3Anull+float&');
    await page.reload();
    await expect.poll(() => page.getByLabel('@least is NULL').isChecked()).toBe(true);
  });

  test('completes tables and columns, and binds the parameters that it names', async () => {
    const { page } = await visit(await serve(), '#/~sql');
    await write(page, 'select shop from ');
    await page.keyboard.type('o');
    // A key takes an option only once it has been there for a moment.
    await page.getByRole('option', { name: 'orders' }).click();
    await page.keyboard.type(' where total > @least and shop in unnest(@shops)', { delay: 1 });
    await page.keyboard.press('Escape');
    await page.getByLabel('Type of @least').selectOption('float');
    await page.getByLabel('Type of @shops').selectOption('array of string');
    await runQuery(page);
    await page.getByText('is missing').first().waitFor();
    await page.locator('#p-least').fill('45000');
    await page.locator('#p-shops').fill('north');
    await runQuery(page);
    expect(await summary(page)).toMatch(/^1 row \|/);
    expect(await address(page)).toMatch(/least=45000&shops=north&~sql=.*&~type=least%3Afloat&~type=shops%3Aarray\+of\+string&~run=1$/);
    await page.reload();
    expect(await summary(page)).toMatch(/^1 row \|/);
    expect(await page.locator('#p-least').inputValue()).toBe('45000');
  });

  test('shows the file that makes a saved query of it, and writes nothing', async () => {
    const sql = 'select count(*) as n from orders where total > @least';
    const server = await serve();
    const { page } = await visit(server, hash(sql, '&least=10&~type=least:float&~view=file'));
    await page.getByLabel('Name', { exact: true }).fill('orders.large');
    await page.getByLabel('Description').fill('Orders: the large ones');
    const text = async () => (await page.getByLabel('The file of the saved query').locator('.cm-line').allTextContents()).join('\n');
    await expect
      .poll(text)
      .toMatch(
        /^\/\*---\ndescription: "Orders: the large ones"\nmax_rows: 1000\ncache: disabled\nparams:\n {2}least: \{ type: float, default: 10 \}\n---\*\/\nselect count/,
      );
    await page.getByRole('heading', { name: 'queries/orders.large.sql' }).waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download orders.large.sql' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe('orders.large.sql');
    writeFile('queries/orders.large.sql', readFileSync(await file.path(), 'utf8'));
    await server.server.reload();
    expect((await server.ask('/api/endpoints/orders.large?least=45000.1')).json()).toEqual({ result: [{ n: 3 }] });
    rmSync(join(folder, 'queries/orders.large.sql'));
  });

  test('is used with the keyboard alone: Tab leaves the editor, Escape cancels, and arrows go from tab to tab', async () => {
    const { page } = await visit(await serve(), '#/');
    await page.getByRole('link', { name: 'SQL', exact: true }).focus();
    await page.keyboard.press('Enter');
    const focused = () =>
      page.evaluate<string>('(document.activeElement.shadowRoot?.activeElement ?? document.activeElement).textContent.trim()');
    await page.getByRole('textbox', { name: 'SQL', exact: true }).waitFor();
    await page.keyboard.type('select 7 as seven');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Run');
    await page.keyboard.press('Enter');
    expect(await summary(page)).toMatch(/^1 row/);
    await page.getByRole('tab', { name: 'Rows' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.locator('.quern-chart').waitFor();
    await page.keyboard.press('ArrowLeft');
    expect(await tableCells(page)).toEqual([['7']]);
  });

  test('cancels a run, which the engine hears of', async () => {
    const server = await serve();
    const { page } = await visit(server, '#/~sql');
    await write(page, 'select sum(a * b) as n from unnest(generate_array(1, 100000)) as a, unnest(generate_array(1, 100000)) as b');
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Cancelled: the server was told to stop.').waitFor();
    await expect.poll(() => server.log.some(({ endpoint, status }) => endpoint === 'console.sql' && status === 499)).toBe(true);
  });

  test('keeps what was written while one looks at a table, and begins a SELECT for it', async () => {
    const { page } = await visit(await serve(), '#/~sql');
    await write(page, 'select 1 as draft');
    await page.locator('.table-item summary', { hasText: 'shop.items' }).click();
    expect(await page.locator('.table-item[open] .columns li').allTextContents()).toEqual(['id INT64', 'name STRING']);
    await page.getByRole('link', { name: 'Look at shop.items' }).click();
    await page.getByRole('heading', { name: 'shop.items' }).waitFor();
    expect(await page.locator('.facts').textContent()).toMatch(/^2 rows · .* · 2 columns$/);
    await page.getByRole('region', { name: 'Rows' }).waitFor();
    expect(await page.getByRole('region', { name: 'Rows' }).locator('td').allTextContents()).toEqual(['1', 'mill', '2', 'stone']);
    await page.getByRole('link', { name: 'SQL', exact: true }).click();
    await expect.poll(() => page.getByRole('textbox', { name: 'SQL', exact: true }).textContent()).toBe('select 1 as draft');
    await page.getByLabel('Search tables and columns').fill('placed');
    expect(await page.locator('.table-item .list-name').allTextContents()).toEqual(['orders']);
    await page.getByRole('button', { name: 'Write a SELECT from orders' }).click();
    await runQuery(page);
    expect(await summary(page)).toMatch(/^48 rows/);
  });

  test.each(['light', 'dark'] as const)('can be read by everybody in %s', async (colorScheme) => {
    const { page, address: at } = await visit(await serve(), hash('select shop, @a as a from orders', '&a=1&~run=1'), { colorScheme });
    await summary(page);
    expect(await troubles(page)).toEqual([]);
    for (const place of ['~tables/orders', '~tables', '']) {
      await page.goto(`${at}/#/${place}`);
      await page.locator('main h1').waitFor();
      expect(await troubles(page)).toEqual([]);
    }
    await page.keyboard.press('Control+k');
    await palette(page).waitFor();
    expect(await troubles(page)).toEqual([]);
  });

  test.each([360, 768, 1280, 1920])('fits into %i pixels', async (width) => {
    const { page, address: at } = await visit(await serve(), hash('select * from orders', '&~run=1'), { viewport: { width, height: 800 } });
    await summary(page);
    const isWide = () => page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth');
    expect(await isWide()).toBe(false);
    for (const place of ['~tables/orders', '~tables', '']) {
      await page.goto(`${at}/#/${place}`);
      await page.locator('main h1').waitFor();
      expect(await isWide()).toBe(false);
    }
  });

  test('shows a hundred thousand rows without delay', async () => {
    const sql =
      'select n, concat("row ", cast(n as string)) as label, n / 7 as share, timestamp_seconds(n) as moment, mod(n, 3) as third from unnest(generate_array(1, 100000)) as n';
    const { page, context } = await visit(await serve(), hash(sql, '&~rows=100000'));
    const devtools = await context.newCDPSession(page);
    // The processor time of the page's own thread, whatever else the machine does.
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
    const worked = async () => {
      const { metrics } = await devtools.send('Performance.getMetrics');
      return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
    };
    const timeOf = async (work: () => Promise<unknown>): Promise<number> => {
      const before = await worked();
      await work();
      return (await worked()) - before;
    };
    const looks: number[] = [];
    const yards: number[] = [];
    for (let i = 0; i < 3; i++) {
      const look = async (): Promise<void> => {
        await runQuery(page);
        expect(await summary(page)).toMatch(/^100,000 rows/);
        await page.locator('.rows td').first().waitFor();
      };
      looks.push(await timeOf(look));
      yards.push(await timeOf(() => page.evaluate(sameWork)));
      await page.goBack();
      await page.getByText('Run the query to see its rows.').waitFor();
    }
    // 15 to 35 times the same work, as Chromium's versions go; cells for all rows would be hundreds.
    expect(Math.min(...looks)).toBeLessThan(60 * Math.min(...yards));
  });
});

describeInBrowser('the palette', () => {
  const { visit } = visitor();

  test('goes to a query, a table and a column, by the keyboard alone', async () => {
    const { page } = await visit(await serve());
    await page.getByRole('link', { name: 'SQL', exact: true }).waitFor();
    const go = async (text: string) => {
      await page.keyboard.press('Control+k');
      await palette(page).fill(text);
      await page.getByRole('option').first().waitFor();
      const names = await page.locator('.palette-name').allTextContents();
      await page.keyboard.press('Enter');
      return names;
    };
    await page.keyboard.press('Control+k');
    await page.getByRole('option', { name: 'shop.items' }).waitFor();
    await page.keyboard.press('Escape');
    expect(await palette(page).count()).toBe(0);
    expect(await go('per hour')).toEqual(['per.hour', 'queries.per_hour', 'queries.per_hour.hour', 'queries.per_hour.total']);
    await page.getByRole('heading', { name: 'per.hour' }).waitFor();
    expect((await go('placed'))[0]).toBe('orders.placed_at');
    await page.getByRole('heading', { name: 'orders' }).waitFor();
    await page.keyboard.press('Control+k');
    await palette(page).fill('sql');
    await page.getByText('a query over all tables').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'SQL', exact: true }).waitFor();
    await page.keyboard.press('Control+k');
    await palette(page).fill('nothing at all');
    await page.getByText('Nothing has such a name.').waitFor();
  });
});
