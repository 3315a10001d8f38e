// Boards in the console: several saved queries on one page, with one range of time.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { ConsoleInfo } from '../../../src/server/console/contract.ts';
import type { Served } from '../server-support.ts';
import { project } from './project-support.ts';
import { describeInBrowser, troubles, visitor } from './support.ts';

const { serve, write } = project();

const shopRows = async (page: Page) => {
  const rows = await page.getByRole('region', { name: 'per.shop' }).locator('tbody tr').all();
  return Promise.all(rows.map((row) => row.locator('td').allTextContents()));
};
const told = async ({ ask }: Served) => (await ask('/api/console')).json<ConsoleInfo>();

test('a caller sees the panels of the queries that the key covers', async () => {
  const panels = async (key?: { readonly scopes: readonly string[] }) => {
    const { boards } = await told(await serve(key === undefined ? {} : { key }));
    return boards.map(({ name, panels: all }) => [name, all.map(({ query }) => query)]);
  };
  expect(await panels()).toEqual([['shops', ['per.hour', 'per.shop', 'per.hour']]]);
  expect(await panels({ scopes: ['per.shop'] })).toEqual([['shops', ['per.shop']]]);
  expect(await panels({ scopes: ['other'] })).toEqual([]);
});

test('a board with errors is reported with its place, in the log and to those who run the server, and is there once it is mended', async () => {
  const server = await serve();
  write('boards/late.yaml', 'title: Late\npanels:\n  - query: per.houre\n');
  await server.server.reload();
  expect((await told(server)).broken).toMatchObject([
    {
      name: 'board late',
      served: 'not at all',
      code: 'config',
      position: { line: 3, column: 12 },
      text: '  - query: per.houre',
      hint: expect.stringContaining('did you mean per.hour?'),
    },
  ]);
  expect(server.log.filter(({ board }) => board === 'late').length).toBe(1);
  write('boards/late.yaml', 'title: Late\npanels:\n  - query: per.hour\n');
  await server.server.reload();
  const { boards, broken } = await told(server);
  expect([boards.map(({ title }) => title), broken]).toEqual([['Late', 'The shops'], []]);
  write('boards/late.yaml', 'title: Late\npanels:\n  - query: per.shop\n');
});

describeInBrowser('a board', () => {
  const { visit } = visitor();

  test('shows each panel in its way, over the range that its file says', async () => {
    const { page } = await visit(await serve());
    await page.getByRole('navigation').getByRole('link', { name: 'The shops' }).click();
    await page.getByRole('heading', { name: 'The shops' }).waitFor();
    await page.getByRole('region', { name: 'Takings by the hour' }).locator('.quern-chart').waitFor();
    const chart = page.getByRole('region', { name: 'Takings by the hour' }).locator('.quern-chart');
    expect(await chart.getAttribute('aria-label')).toMatch(/^Lines over time, 2026-01-02 12:00 to 23:00 UTC/);
    await page.getByRole('region', { name: 'per.shop' }).locator('td').first().waitFor();
    expect(await shopRows(page)).toEqual([
      ['north', '12', '420003.6'],
      ['south', '12', '432003.6'],
    ]);
    const number = page.getByRole('region', { name: 'The first hour of the north' }).locator('.quern-chart');
    await expect.poll(() => number.textContent()).toContain('24,000');
    expect(await page.locator('.range-words').textContent()).toBe('from 2026-01-02T12:00:00Z');
  });

  test('has one range of time, which is in the address, and leads to the queries with it', async () => {
    const server = await serve();
    const { page } = await visit(server, '#/~boards/shops?~from=2026-01-02T22:00:00Z');
    await page.getByRole('region', { name: 'per.shop' }).locator('td').first().waitFor();
    expect((await shopRows(page)).map(([, orders]) => orders)).toEqual(['2', '2']);
    await page.locator('.range-menu summary').click();
    await page.locator('#range-from').fill('2026-01-02T23:00:00Z');
    await page.getByRole('button', { name: 'Apply' }).click();
    await expect.poll(async () => (await shopRows(page)).map(([, orders]) => orders)).toEqual(['1', '1']);
    expect(await page.evaluate<string>('location.hash')).toBe('#/~boards/shops?~from=2026-01-02T23%3A00%3A00Z');
    const ran = () => server.log.filter(({ endpoint }) => endpoint === 'per.shop').length;
    const before = ran();
    await page.getByRole('button', { name: 'Run again' }).click();
    await expect.poll(ran).toBe(before + 1);
    await page.getByRole('link', { name: 'The first hour of the north' }).click();
    await page.getByRole('heading', { name: 'per.hour' }).waitFor();
    expect([await page.locator('#p-start').inputValue(), await page.locator('#p-shop').inputValue()]).toEqual([
      '2026-01-02T23:00:00Z',
      'north',
    ]);
  });

  test('shows the failure of a panel in its place, and what there is of the others', async () => {
    const { page } = await visit(await serve(), '#/~boards/shops?~from=nonsense');
    const panel = page.getByRole('region', { name: 'per.shop' });
    await panel.locator('.failure').waitFor();
    expect(await panel.locator('.failure').textContent()).toContain('start');
  });

  test('says that there is no such board', async () => {
    const { page } = await visit(await serve(), '#/~boards/none');
    await page.getByRole('heading', { name: 'No such board' }).waitFor();
  });

  test.each([
    [360, 'light'],
    [768, 'dark'],
    [1280, 'light'],
    [1920, 'dark'],
  ] as const)('can be read by everybody in %i pixels, %s', async (width, colorScheme) => {
    const { page } = await visit(await serve(), '#/~boards/shops', { viewport: { width, height: 800 }, colorScheme });
    await page.getByRole('region', { name: 'per.shop' }).locator('td').first().waitFor();
    await page.locator('.quern-chart').nth(1).waitFor();
    expect(await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth')).toBe(false);
    expect(await troubles(page)).toEqual([]);
  });
});
