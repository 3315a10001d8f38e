// The console before a query is chosen: recent runs, what there is to read, and the engine's state.
import { expect, test } from 'vitest';
import { QuernError } from '../../../src/base/errors.ts';
import { queryText } from '../../queries/support.ts';
import { eventsEngine, expectError, served } from '../server-support.ts';
import { describeInBrowser, runQuery, serve, tableCells, troubles, visitor } from './support.ts';

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
    await page.locator('.fact').first().waitFor();
    expect(
      (await page.locator('.fact').allTextContents()).map((text) =>
        text.replace(/^(Engine|Saved queries|Sources|Rows|Newest row)/, '$1: '),
      ),
    ).toEqual(['Engine: ready', 'Saved queries: 2', 'Sources: 2', 'Rows: 50,003', 'Newest row: 2026-01-15 11:59']);
    expect(await tableCells(page)).toEqual([
      ['edge_logs', '50,000', '2026-01-08T12:00:00Z', '2026-01-15T11:59:58Z', 'Use this range'],
      ['mine', '3', '–', '–', ''],
    ]);
    expect(await page.locator('.start-list li').allTextContents()).toEqual(['idsarea: rest']);
    await page.locator('.start-list a').click();
    await page.locator('.rows td').first().waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Forget these' }).click();
    await page.getByText('What you run in this tab is listed here.').waitFor();
    await page.reload();
    await page.locator('.fact').first().waitFor();
    expect(await page.locator('.start-list li').count()).toBe(0);
  });

  test('draws whole rows of sources, also of those without times, whose columns are left out where none has any', async () => {
    const { page } = await visit(await serve(engine(), { options: { storedSources } }));
    await page.locator('.rows td').first().waitFor();
    // The borders of a row are those of its cells, which are all as high as the row.
    const heights = () =>
      page.evaluate<number[]>(
        "[...document.querySelectorAll('.rows tbody tr')].map((row) => new Set([...row.cells].map((cell) => cell.offsetHeight)).size)",
      );
    expect(await heights()).toEqual([1, 1]);
    const without = async () => [
      { name: 'mine', rows: 3 },
      { name: 'yours', rows: 4 },
    ];
    const { page: other } = await visit(await serve(engine(), { options: { storedSources: without } }));
    await other.locator('.rows td').first().waitFor();
    expect(await tableCells(other)).toEqual([
      ['mine', '3'],
      ['yours', '4'],
    ]);
  });

  test('lists the queries with errors, with the text and its line', async () => {
    const files = { 'broken.sql': queryText(5, 'select id\nfrom events\nwhere aera = "rest"') };
    const { page } = await visit(await serve(engine(), { files }));
    const broken = page.locator('.broken li');
    await broken.waitFor();
    const text = (await broken.textContent()) ?? '';
    expect(text.replace(/\/\S*broken\.sql/, ' broken.sql')).toMatch(
      /^broken not servedthere is no column or table aera here broken\.sql, line \d+, column 7 +\d+ │ where aera = "rest"did you mean area\?$/,
    );
    expect(await troubles(page)).toEqual([]);
  });

  test('has the queries that were starred, also in another tab, without their values', async () => {
    const { page, address, context } = await visit(await serve(engine()), '#/ids?area=rest&~run=1');
    const star = page.getByRole('button', { name: 'Favourite' });
    await star.click();
    expect(await star.getAttribute('aria-pressed')).toBe('true');
    expect(await page.evaluate('JSON.stringify({ ...localStorage })')).toBe('{"quern-favourites":"[\\"ids\\"]"}');
    const other = await context.newPage();
    await other.goto(`${address}/`);
    await other.locator('.start-list a').waitFor();
    expect(await other.locator('.start-list a').allTextContents()).toEqual(['ids']);
    expect(
      await other
        .locator('.list a', { has: other.getByRole('img', { name: 'favourite' }) })
        .locator('.list-name')
        .allTextContents(),
    ).toEqual(['ids']);
    await other.locator('.start-list a').click();
    await other.getByRole('button', { name: 'Favourite' }).click();
    expect(await other.locator('.list-star').count()).toBe(0);
    expect(await other.evaluate('localStorage.length')).toBe(0);
  });

  test('gives its range of time to the queries that are opened from it, each as its parameters are', async () => {
    const files = {
      'window.sql': queryText(
        5,
        'select id from events where moment > @start and moment <= @end order by id',
        'params: { start: { type: timestamp }, end: { type: timestamp } }',
      ),
      'plain.sql': queryText(6, 'select count(*) as n from events where moment <= current_timestamp()'),
    };
    const sources = async () => [{ name: 'events', rows: 10, first: '2026-01-02T00:02:00Z', last: '2026-01-02T00:04:30Z' }];
    const { page } = await visit(await serve(engine(), { files, options: { storedSources: sources } }));
    const hash = () => page.evaluate<string>('location.hash');
    await page.getByRole('button', { name: 'Use this range: events' }).click();
    expect(await hash()).toBe('#/?~from=2026-01-02T00%3A01%3A00Z&~to=2026-01-02T00%3A05%3A00Z&~as-of=2026-01-02T00%3A05%3A00Z');
    expect(await page.locator('.range-words').textContent()).toBe(
      '2026-01-02T00:01:00Z to 2026-01-02T00:05:00Z, as of 2026-01-02T00:05:00Z',
    );
    await page.getByRole('link', { name: 'window' }).click();
    await runQuery(page);
    await page.locator('.rows td').first().waitFor();
    expect(await tableCells(page)).toEqual([['2'], ['3'], ['4'], ['5']]);
    // This one has no parameters for a window, and keeps it for the next.
    await page.getByRole('link', { name: 'plain' }).click();
    expect(await hash()).toBe('#/plain?as_of=2026-01-02T00%3A05%3A00Z&~from=2026-01-02T00%3A01%3A00Z&~to=2026-01-02T00%3A05%3A00Z');
    await page.locator('.range-menu summary').click();
    await page.getByText('plain uses As of only.').waitFor();
    await page.getByLabel('From', { exact: true }).fill('2026-01-02T00:03:00Z');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'window' }).click();
    expect(await page.locator('#p-start').inputValue()).toBe('2026-01-02T00:03:00Z');
    await runQuery(page);
    await page.locator('.summary').getByText('2 rows').waitFor();
    await page.locator('.range-menu summary').click();
    await page.getByRole('button', { name: 'No range' }).click();
    expect(await hash()).toBe('#/window?~run=1');
  });

  test('can be read on a narrow page, below the list of queries', async () => {
    const { page } = await visit(await serve(engine(), { options: { storedSources } }), '', { viewport: { width: 360, height: 740 } });
    await page.locator('.fact').first().waitFor();
    expect(await page.locator('.list-name').first().isVisible()).toBe(true);
    expect(await page.getByRole('heading', { name: 'Data' }).isVisible()).toBe(true);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    expect(await troubles(page)).toEqual([]);
  });
});
