// Rows of a log in the console: a line for each, the whole of one, how they lie in time, and filters on what came.
import { expect, test } from 'vitest';
import { queryText } from '../../queries/support.ts';
import { eventsEngine } from '../server-support.ts';
import { describeInBrowser, runQuery, serve, tableCells, troubles, visitor } from './support.ts';

const LOGS = queryText(
  5,
  `select n as id, timestamp_add(timestamp '2026-01-02 00:00:00', interval n minute) as timestamp, concat('line ', n) as event_message,
  [struct([struct(if(mod(n, 2) = 0, 'GET', 'POST') as method, '/a' as path)] as request, [struct(if(n = 3, 500, 200) as status_code)] as response)] as metadata
from unnest(generate_array(0, 5)) as n where @method is null or @method = if(mod(n, 2) = 0, 'GET', 'POST') order by n desc`,
  'params: { method: { type: string } }',
);
const FILES = { 'logs.sql': LOGS, 'rows.sql': queryText(6, 'select 1 as one') };

describeInBrowser('rows of a log', () => {
  const engine = eventsEngine();
  const { visit } = visitor();
  const wide = { viewport: { width: 1400, height: 900 } };

  test('are lines with their time, level and message, and the first one whole beside them', async () => {
    const { page } = await visit(await serve(engine(), { files: FILES }), '#/logs?~run=1', wide);
    const lines = page.locator('.log-line');
    await lines.first().waitFor();
    expect(await page.getByRole('tab', { name: 'Logs' }).getAttribute('aria-selected')).toBe('true');
    expect(await lines.allTextContents()).toEqual([5, 4, 3, 2, 1, 0].map((n) => `00:0${n}:00.000${n === 3 ? 500 : 200}line ${n}`));
    expect(await page.locator('.log-line.sev-error').allTextContents()).toEqual(['00:03:00.000500line 3']);
    expect(await page.locator('.log-when').textContent()).toBe('2002026-01-02T00:05:00Z');
    expect(await page.locator('.log-detail .leaf').allTextContents()).toEqual(['id5', 'methodPOST', 'path/a', 'status_code200']);
    expect(await page.locator('.tree summary').allTextContents()).toEqual(['metadata 2', 'request 2', 'response 1']);
    expect(await page.locator('.histogram-foot').textContent()).toBe('2026-01-02 00:005 s each, at most 12026-01-02 00:05:05');
    await page.locator('.histogram .bar').first().click();
    expect(await page.locator('.log-line[aria-selected="true"]').textContent()).toContain('line 0');
    await page.getByRole('tab', { name: 'Rows' }).click();
    expect(await page.evaluate<string>('location.hash')).toBe('#/logs?~view=rows&~run=1');
    expect(await tableCells(page)).toHaveLength(6);
    await page.getByRole('link', { name: 'rows' }).click();
    await runQuery(page);
    await page.locator('.rows td').first().waitFor();
    expect(await page.getByRole('tab').allTextContents()).toEqual(['Rows', 'Chart', 'SQL', 'Commands']);
  });

  test('are gone through with the keyboard and with buttons', async () => {
    const { page } = await visit(await serve(engine(), { files: FILES }), '#/logs?~run=1', wide);
    const list = page.getByRole('listbox', { name: 'Log rows' });
    const chosen = async () => (await page.locator('.log-line[aria-selected="true"]').allTextContents()).map((text) => text.slice(-6));
    await list.focus();
    const after = async (key: string) => {
      await page.keyboard.press(key);
      expect(await page.locator(`#${await list.getAttribute('aria-activedescendant')}`).getAttribute('aria-selected')).toBe('true');
      return chosen();
    };
    expect(await after('j')).toEqual(['line 4']);
    expect(await after('ArrowDown')).toEqual(['line 3']);
    expect(await page.locator('.log-detail pre').textContent()).toBe('line 3');
    expect(await after('k')).toEqual(['line 4']);
    expect(await after('End')).toEqual(['line 0']);
    expect(await after('j')).toEqual(['line 0']);
    expect(await page.getByRole('button', { name: 'Next' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Previous' }).focus();
    await page.keyboard.press('Enter');
    expect(await chosen()).toEqual(['line 1']);
    // The button that was pressed has been made anew.
    expect(await page.evaluate<string>('document.activeElement.textContent')).toBe('Previous');
    expect(await after('k')).toEqual(['line 2']);
    await page.getByLabel('Find in these rows').fill('jk');
    await page.getByText('None of the rows fits the filter.').waitFor();
  });

  test('are filtered by a value, without another question to the server, and the address has the filter', async () => {
    const server = await serve(engine(), { files: FILES });
    const { page } = await visit(server, '#/logs?~run=1', wide);
    const lines = page.locator('.log-line');
    await lines.first().waitFor();
    const asked = server.executed.length;
    await page.getByRole('button', { name: 'POST' }).click();
    await page.getByRole('button', { name: 'Show only these' }).click();
    await expect.poll(() => lines.count()).toBe(3);
    // The button that was pressed is gone; the row is still the chosen one.
    await expect.poll(() => page.evaluate<string>('document.activeElement.id')).toBe('log-list');
    expect(await page.locator('.log-line[aria-selected="true"]').textContent()).toContain('line 5');
    expect(await page.evaluate<string>('decodeURIComponent(location.hash)')).toBe('#/logs?~only=metadata.request.method="POST"&~run=1');
    await page.getByText('3 of the 6 rows that came. Downloads have all of them.').waitFor();
    await page.getByRole('button', { name: '/a' }).click();
    await page.getByRole('button', { name: 'Leave these out' }).click();
    await page.getByText('None of the rows fits the filter.').waitFor();
    await page.getByRole('button', { name: 'Remove the filter metadata.request.path is not "/a"' }).click();
    await page.getByRole('tab', { name: 'Rows' }).click();
    expect((await tableCells(page)).map(([id]) => id)).toEqual(['5', '3', '1']);
    await page.getByRole('button', { name: '[{"request"' }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'POST' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Show the others too' }).click();
    await expect.poll(async () => (await tableCells(page)).length).toBe(6);
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await page.evaluate<string>('document.activeElement.className')).toBe('table-scroll');
    expect(server.executed.length).toBe(asked);
    await page.goto(`${page.url().split('#')[0]}#/logs?~find=line+4&~run=1`);
    await expect.poll(() => lines.allTextContents()).toEqual(['00:04:00.000200line 4']);
    expect(await page.getByLabel('Find in these rows').inputValue()).toBe('line 4');
  });

  test('keep the chosen one when they are fetched again', async () => {
    const { page } = await visit(await serve(engine(), { files: FILES }), '#/logs?~run=1', wide);
    await page.getByRole('listbox', { name: 'Log rows' }).focus();
    await page.keyboard.press('j');
    const replied = page.waitForResponse(/\/api\/endpoints\//);
    await runQuery(page);
    await (await replied).finished();
    await expect.poll(() => page.locator('.log-line[aria-selected="true"]').textContent()).toContain('line 4');
    expect(await page.locator('.log-detail pre').textContent()).toBe('line 4');
  });

  test('are asked for again with a value as a parameter', async () => {
    const { page } = await visit(await serve(engine(), { files: FILES }), '#/logs?~find=line&~run=1', wide);
    await page.getByRole('button', { name: 'POST' }).click();
    await page.getByRole('button', { name: 'Run with method = POST' }).click();
    await page.locator('.summary').getByText('3 rows').waitFor();
    expect(await page.evaluate<string>('location.hash')).toBe('#/logs?method=POST&~run=1');
  });

  test.each(['light', 'dark'] as const)(
    'show one at a time on a narrow page, and have nothing that axe finds wrong, in %s',
    async (colorScheme) => {
      const { page } = await visit(await serve(engine(), { files: FILES }), '#/logs?~run=1', {
        viewport: { width: 360, height: 740 },
        colorScheme,
      });
      const list = page.getByRole('listbox', { name: 'Log rows' });
      await list.waitFor();
      expect(await page.locator('.log-detail').isVisible()).toBe(false);
      expect(await troubles(page)).toEqual([]);
      await list.focus();
      await page.keyboard.press('j');
      await page.keyboard.press('Enter');
      expect([await list.isVisible(), await page.locator('.log-detail pre').textContent()]).toEqual([false, 'line 4']);
      await page.getByRole('button', { name: 'Next' }).click();
      expect(await page.locator('.log-detail pre').textContent()).toBe('line 3');
      await page
        .getByRole('button', { name: 'GET' })
        .or(page.getByRole('button', { name: 'POST' }))
        .first()
        .click();
      expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBe(0);
      expect(await troubles(page)).toEqual([]);
      await page.getByRole('button', { name: 'All rows' }).click();
      expect([await list.isVisible(), await page.evaluate<string>('document.activeElement.id')]).toEqual([true, 'log-list']);
      await page.setViewportSize({ width: 1400, height: 900 });
      expect(await troubles(page)).toEqual([]);
    },
  );
});
