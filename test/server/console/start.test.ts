// The console before a query is chosen: recent runs, what there is to read, and the engine's state.
import { expect, test } from 'vitest';
import { QuernError } from '../../../src/errors.ts';
import { eventsEngine, expectError, served } from '../server-support.ts';
import { describeInBrowser, serve, tableCells, visitor } from './support.ts';

const engine = eventsEngine();
const storedSources = async () => [
  { name: 'edge_logs', rows: 50_000, first: '2026-01-08T12:00:00.5Z', last: '2026-01-15T11:59:58.292Z' },
  { name: 'mine', rows: 3 },
];

test('what is stored is told to those who may see all, with what is wrong with the engine', async () => {
  const { ask, engine: state } = await served(engine(), { options: { storedSources } });
  expect((await ask('/api/console/overview')).json()).toEqual({ sources: await storedSources() });
  state.state = new QuernError('unreachable', 'the engine is away');
  expect((await ask('/api/console/overview')).json()).toEqual({ engine: 'the engine is away', sources: await storedSources() });
  const bounded = await served(engine(), { key: { scopes: ['ids'] }, options: { storedSources } });
  expectError(await bounded.ask('/api/console/overview'), 403, 'forbidden');
});

describeInBrowser('the start page', () => {
  const { visit } = visitor();

  test('has the sources with their times, and the recent runs, which can be forgotten', async () => {
    const { page, address } = await visit(await serve(engine(), { options: { storedSources } }), '#/ids?area=rest&~run=1');
    await page.locator('.rows td').first().waitFor();
    await page.goto('about:blank');
    await page.goto(`${address}/`);
    await page.getByText('The engine answers.').waitFor();
    expect(await tableCells(page)).toEqual([
      ['edge_logs', '50,000', '2026-01-08T12:00:00Z', '2026-01-15T11:59:58Z'],
      ['mine', '3', '–', '–'],
    ]);
    expect(await page.locator('.start-list li').allTextContents()).toEqual(['ids area: rest']);
    await page.locator('.start-list a').click();
    await page.locator('.rows td').first().waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Forget these' }).click();
    await page.reload();
    await page.getByText('The engine answers.').waitFor();
    expect(await page.locator('.start-list li').count()).toBe(0);
  });
});
