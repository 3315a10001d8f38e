// What the console shows of a query beside its rows: charts, SQL, commands; and that everybody can use it.
import { expect, test } from 'vitest';
import type { AskedRows } from '../../../src/execution/asked-rows.ts';
import { queryText } from '../../queries/support.ts';
import { eventsEngine } from '../server-support.ts';
import { describeInBrowser, headTexts, runQuery, serve, summary, tableCells, troubles, visitor } from './support.ts';

const LINES = queryText(
  5,
  `select timestamp_add(timestamp '2026-01-02 00:00:00', interval h hour) as hour, area, h + length(area) as hits
from unnest(generate_array(0, 23)) as h, unnest(['rest', 'auth!', 'storage']) as area order by hour, area`,
  'description: Hits per area and hour',
);
const SANDBOXED = queryText(6, 'with hits as (select id, area from events) select * from hits order by id limit 3', 'sandbox: enabled');
const FILES = {
  'lines.sql': LINES,
  'sandboxed.sql': SANDBOXED,
  'total.sql': queryText(7, 'select 4200 as answer_ms'),
  'bars.sql': queryText(8, "select name, n from unnest([struct('<b>' as name, 3 as n), ('b', 1)])"),
  'names.sql': queryText(9, "select 'a' as name"),
};

describeInBrowser('the console', () => {
  const engine = eventsEngine();
  const { visit } = visitor();

  test('draws a line per value of the column that tells rows of the same time apart, which can be hidden and zoomed into', async () => {
    const { page } = await visit(await serve(engine(), { files: FILES }), '#/lines?~run=1&~view=chart');
    await page.locator('.quern-chart').waitFor();
    const label = await page.locator('.quern-chart').getAttribute('aria-label');
    expect(label).toBe(
      'Lines over time, 2026-01-02 00:00 to 23:00 UTC, 1h each: hits auth!, hits rest, hits storage. The same numbers are under Rows.',
    );
    const entries = page.locator('.legend-entry');
    expect(await entries.allTextContents()).toEqual(['auth!', 'rest', 'storage']);
    const picture = () => page.locator('.quern-chart').innerHTML();
    const all = await picture();
    await entries.first().click();
    expect(await entries.first().getAttribute('aria-pressed')).toBe('false');
    await expect.poll(picture).not.toBe(all);
    await entries.first().click();
    await expect.poll(picture).toBe(all);
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await expect.poll(picture).not.toBe(all);
    await page.getByRole('button', { name: 'Whole' }).click();
    await expect.poll(picture).toBe(all);
    const box = (await page.locator('.quern-chart').boundingBox()) ?? { x: 0, y: 0, width: 0 };
    await page.mouse.move(box.x + box.width - 200, box.y + 40);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width, box.y + 40);
    await page.mouse.up();
    await page.mouse.move(0, 0);
    expect(await page.locator('.quern-chart').getAttribute('aria-label')).toMatch(/ (1[6-9]|20):00 to 23:00 UTC/);
    await page.getByRole('button', { name: 'Whole' }).click();
    await expect.poll(picture).toBe(all);
    await page.mouse.move(box.x + 40, box.y + 20);
    await expect.poll(() => entries.allTextContents()).toEqual(['auth!5', 'rest4', 'storage7']);
    expect(await page.locator('.chart-moment').textContent()).toBe('2026-01-02T00:00:00Z');
  });

  test('has its kind and its scale in the address, and its times one by one for the keyboard', async () => {
    const { page } = await visit(await serve(engine(), { files: FILES }), '#/lines?~run=1&~view=chart&~scale=log');
    const label = () => page.locator('.quern-chart').getAttribute('aria-label');
    await page.locator('.quern-chart').waitFor();
    expect(await label()).toMatch(/^Lines over time on a logarithmic scale/);
    await page.getByRole('button', { name: 'Columns' }).click();
    expect(await label()).toMatch(/^Columns over time on a logarithmic scale/);
    expect(await page.evaluate<string>('location.hash')).toBe('#/lines?~view=chart&~chart=columns&~scale=log&~run=1');
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('button', { name: 'Log scale' }).click();
    expect([await label(), await page.evaluate<string>('location.hash')]).toEqual([
      expect.stringMatching(/^Lines over time, /),
      '#/lines?~view=chart&~run=1',
    ]);
    await page.locator('.chart-canvas').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    expect(await page.locator('.chart-moment').textContent()).toBe('2026-01-02T01:00:00Z');
    expect(await page.locator('.legend-entry').allTextContents()).toEqual(['auth!6', 'rest5', 'storage8']);
    expect(await page.locator('#told').textContent()).toBe('2026-01-02T01:00:00Z, hits auth! 6, hits rest 5, hits storage 8');
  });

  test('folds a form that takes much room once there are rows, and opens it again where a value is wrong', async () => {
    const parameters = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `${name}: { type: integer, description: A number }`).join(', ');
    const files = { 'many.sql': queryText(5, 'select @a + @b + @c + @d + @e + @f as n', `params: { ${parameters} }`) };
    const { page } = await visit(await serve(engine(), { files }), '#/many', { viewport: { width: 800, height: 700 } });
    await page.locator('#p-a').fill('1');
    await page.keyboard.press('Enter');
    await page.locator('.rows td').first().waitFor();
    expect([await page.locator('#p-a').isVisible(), await page.locator('.form-words').textContent()]).toEqual([false, 'a 1']);
    expect(await page.evaluate<string>('document.activeElement.tagName')).toBe('SUMMARY');
    const box = await page.locator('.rows td').first().boundingBox();
    expect(box?.y).toBeLessThan(500);
    await page.keyboard.press('Enter');
    await page.locator('#p-b').fill('x');
    await page.getByText('Fold', { exact: true }).click();
    await runQuery(page);
    await page.getByText('"x" is not a 64-bit integer').waitFor();
    expect(await page.evaluate<string>('document.activeElement.id')).toBe('p-b');
  });

  test('draws columns, bars and large numbers by itself', async () => {
    const { page, address } = await visit(await serve(engine(), { files: FILES }), '#/lines?~run=1&~view=chart');
    await page.getByRole('button', { name: 'Columns' }).click();
    await expect.poll(() => page.locator('.quern-chart').getAttribute('aria-label')).toMatch(/^Columns over time/);
    expect(await page.locator('.quern-chart .plot').count()).toBe(0);
    await page.goto(`${address}/#/total?~run=1&~view=chart`);
    await page.locator('.quern-chart .number').waitFor();
    expect(await page.locator('.quern-chart text').allTextContents()).toEqual(['answer_ms', '4,200ms']);
    await page.goto(`${address}/#/bars?~run=1&~view=chart`);
    await page.locator('.quern-chart .name').waitFor();
    expect(await page.locator('.quern-chart text').allTextContents()).toEqual(['<b>', 'b', 'n', '3', '1']);
  });

  test('says where the rows end when there are none, and goes there', async () => {
    const late =
      'select id from events where moment between timestamp_sub(current_timestamp(), interval @hours hour) and current_timestamp()';
    const files = { 'late.sql': queryText(5, late, 'params: { hours: { type: integer, default: 1 } }') };
    const explainEmpty = async (_: readonly string[], { instant = '' }: AskedRows) =>
      instant > '2026-02' ? { reason: 'the rows of events end at 2026-01-02T00:10:00Z', asOf: '2026-01-02T00:10:00Z' } : undefined;
    const { page } = await visit(await serve(engine(), { files, options: { explainEmpty } }), '#/late?as_of=2026-03-01T00:00:00Z&~run=1');
    await page.getByText('No rows: the rows of events end at 2026-01-02T00:10:00Z.').waitFor();
    expect(await troubles(page)).toEqual([]);
    await page.getByRole('button', { name: 'Run as of 2026-01-02T00:10:00Z' }).click();
    await page.locator('.rows td').first().waitFor();
    expect(await page.locator('.empty-note').count()).toBe(0);
    expect(await page.locator('#p-as_of').inputValue()).toBe('2026-01-02T00:10:00Z');
    expect(await page.evaluate<string>('location.hash')).toContain('as_of=2026-01-02T00%3A10%3A00Z');
    await page.getByRole('tab', { name: 'Commands' }).click();
    expect(await page.locator('.command pre').nth(1).textContent()).toBe('quern run late --as-of 2026-01-02T00:10:00Z');
  });

  test('says why there is no chart', async () => {
    const { page } = await visit(await serve(engine(), { files: FILES }), '#/names?~run=1&~view=chart');
    await page.getByText('A chart needs a column of numbers; these rows have none.').waitFor();
  });

  test('shows the SQL as it was written and as the engine is given it', async () => {
    const { page, address } = await visit(await serve(engine(), { files: FILES }), '#/ids?~view=sql');
    const texts = page.locator('.editor .cm-content');
    await texts.nth(1).waitFor();
    const lines = async (i: number) => (await texts.nth(i).locator('.cm-line').allTextContents()).join('\n');
    expect(await lines(0)).toBe('select id, area, moment from events where area = @area and id <= coalesce(@most, 100) order by id');
    const sql = (await (await fetch(`${address}/api/console/sql`, json({ endpoint: 'ids' }))).json()) as { readonly clickhouse: string };
    expect(await lines(1)).toBe(`-- {area:Nullable(String)}\n-- {most:Nullable(Int64)}\n${sql.clickhouse}`);
    const colours = await texts.first().locator('.cm-line span').allTextContents();
    expect(colours.slice(0, 3)).toEqual(['select', 'from', 'where']);
  });

  test('gives commands that ask the same', async () => {
    const { page, address } = await visit(await serve(engine()), "#/series?word=it's&rows=3&~view=elsewhere");
    await page.locator('.command pre').nth(1).waitFor();
    expect(await page.locator('.command pre').allTextContents()).toEqual([
      `curl --fail-with-body \\\n  --get \\\n  --data-urlencode rows=3 \\\n  --data-urlencode 'word=it'\\''s' \\\n  ${address}/api/endpoints/series`,
      "quern run series --rows 3 --word 'it'\\''s'",
    ]);
  });

  test('says why a key may send no SQL of its own, where others may', async () => {
    const server = await serve(engine(), { files: FILES, key: { maxRows: 2 } });
    const { page } = await visit(server, '#/sandboxed');
    await page.getByLabel('Key').fill(server.secret);
    await page.keyboard.press('Enter');
    await page
      .getByText(
        'You cannot run your own SQL here: the API key limits the rows of a response, and your own SQL for sandboxed could get around that.',
      )
      .waitFor();
    expect(await page.getByText('Your own SQL', { exact: true }).count()).toBe(0);
    expect(await page.getByText('accepts your own SQL').count()).toBe(0);
  });

  test('completes SQL of the caller with tables, fields and signatures', async () => {
    const { page } = await visit(await serve(engine(), { files: FILES }), '#/sandboxed');
    await page.getByText('Your own SQL', { exact: true }).click();
    await page.getByRole('textbox', { name: 'Your own SQL' }).click();
    const options = page.locator('.cm-tooltip').getByRole('option');
    await page.keyboard.type('select count(*) as n from ');
    await options.filter({ hasText: 'hits' }).waitFor();
    expect(await options.allTextContents()).toEqual(['hitsWITH table']);
    await page.waitForTimeout(120);
    await page.keyboard.press('Enter');
    await page.keyboard.type(' as h where h.a');
    await options.filter({ hasText: 'area' }).waitFor();
    expect(await options.allTextContents()).toEqual(['areaSTRING']);
    await page.keyboard.type('rea');
    await page.waitForTimeout(120);
    // The word is written in full, so that Enter begins a line.
    await page.keyboard.press('Enter');
    await page.keyboard.type("= 'auth'");
    await page.keyboard.press('Control+Enter');
    await summary(page);
    expect(await tableCells(page)).toEqual([['5']]);
    expect(new URL(page.url()).hash).toContain('h.area%0A');
  });

  test('takes SQL of the caller where the query allows it, and shows what is wrong with it', async () => {
    const { page } = await visit(await serve(engine(), { files: FILES }), '#/sandboxed');
    await page.getByText('Your own SQL', { exact: true }).click();
    const editor = page.getByRole('textbox', { name: 'Your own SQL' });
    await editor.click();
    await page.keyboard.type('select area, count(*) as n from hits group by area order by area');
    await page.keyboard.press('Control+Enter');
    await summary(page);
    expect([await headTexts(page), await tableCells(page)]).toEqual([
      ['area', 'n'],
      [
        ['auth', '5'],
        ['rest', '5'],
      ],
    ]);
    await page.reload();
    await summary(page);
    expect(await tableCells(page)).toHaveLength(2);
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.keyboard.type('select nothing from hits');
    await runQuery(page);
    await page.getByRole('alert').waitFor();
    expect((await page.getByRole('alert').locator('p').allTextContents()).slice(0, 2)).toEqual([
      'unknown-column there is no column or table nothing here',
      'sql, line 1, column 8',
    ]);
    await page.getByRole('button', { name: 'Clear' }).click();
    await runQuery(page);
    await page.locator('.summary').getByText('3 rows').waitFor();
  });

  test('can be used with the keyboard alone', async () => {
    const { page } = await visit(await serve(engine()));
    await page.getByRole('link', { name: 'ids' }).waitFor();
    const focused = () => page.evaluate<string>('document.activeElement.id || document.activeElement.textContent');
    const tabTo = async (wanted: string) => {
      for (let i = 0; i < 25 && (await focused()) !== wanted; i++) await page.keyboard.press('Tab');
      expect(await focused()).toBe(wanted);
    };
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Skip to the query');
    await tabTo('search');
    await page.keyboard.type('ids');
    await page.keyboard.press('Enter');
    await page.locator('h1', { hasText: 'ids' }).waitFor();
    await tabTo('p-area');
    await page.keyboard.type('rest');
    await tabTo('p-most');
    await page.keyboard.press('Enter');
    await summary(page);
    await tabTo('tab-rows');
    await page.keyboard.press('ArrowRight');
    expect(await focused()).toBe('tab-chart');
    await page.locator('.quern-chart').waitFor();
    await page.keyboard.press('ArrowLeft');
    await tabTo('id');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    expect((await tableCells(page))[0]?.[0]).toBe('7');
  });

  test.each(['light', 'dark'] as const)('has nothing that axe finds wrong, in %s', { timeout: 120_000 }, async (colorScheme) => {
    const server = await serve(engine(), { files: FILES });
    const { page, address } = await visit(server, '', { colorScheme });
    const found: string[] = [];
    const look = async (hash: string, ready: string) => {
      await page.goto('about:blank');
      await page.goto(`${address}/${hash}`);
      await page.locator(ready).first().waitFor();
      found.push(...(await troubles(page)).map((trouble) => `${hash} ${trouble}`));
    };
    await look('', '.list a');
    await look('#/ids?area=rest&~run=1', '.rows td');
    await look('#/ids?area=odd&~run=1', '.failure');
    await look('#/lines?~run=1&~view=chart', '.quern-chart');
    await look('#/ids?~view=sql', '.editor .cm-line');
    await look('#/ids?~view=elsewhere', '.command');
    await look('#/sandboxed?~sql=select+1&~run=1', '.rows td');
    expect(found).toEqual([]);
  });

  test.each([360, 800, 1440])('fits a window of %d pixels', async (width) => {
    const server = await serve(engine(), { files: FILES });
    const { page, address } = await visit(server, '', { viewport: { width, height: 800 } });
    for (const [hash, ready] of [
      ['', '.list a'],
      ['#/ids?area=rest&~run=1', '.rows td'],
      ['#/lines?~run=1&~view=chart', '.quern-chart'],
      ['#/ids?~view=sql', '.editor .cm-line'],
      ['#/ids?~view=elsewhere', '.command'],
    ] as const) {
      await page.goto('about:blank');
      await page.goto(`${address}/${hash}`);
      await page.locator(ready).first().waitFor();
      expect([hash, await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')]).toEqual([hash, 0]);
    }
  });

  test('is there after few requests', async () => {
    const { page } = await visit(await serve(engine()));
    await page.getByRole('link', { name: 'ids' }).waitFor();
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    await page.reload();
    await page.getByRole('link', { name: 'ids' }).waitFor();
    const isFile = (path: string) => path.startsWith('/console/');
    expect(requests.filter((path) => !isFile(path))).toEqual(['/', '/api/console', '/api/console/overview']);
    expect(requests.filter(isFile).length).toBeLessThan(8);
  });

  test('works with a server that answers as Logflare does: failures with status 200, times as numbers', async () => {
    const server = await serve(engine(), { files: FILES, options: { compat: 'logflare' } });
    const { page, address } = await visit(server, '#/lines?~run=1&~view=chart');
    await page.locator('.quern-chart').waitFor();
    expect(await page.locator('.legend-entry').allTextContents()).toEqual(['auth!', 'rest', 'storage']);
    await page.goto('about:blank');
    await page.goto(`${address}/#/ids?area=odd&~run=1`);
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').locator('p').first().textContent()).toBe(
      'query ids takes 2 parameters, 1 is invalid; area: "odd" is not one of: rest, auth. Hint: see its parameters with `quern show ids`',
    );
  });
});

const json = (body: object): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});
