// Using a saved query in the console: finding it, filling in its form, running it, and taking its rows elsewhere.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { queryText } from '../../queries/support.ts';
import { eventsEngine } from '../server-support.ts';
import { describeInBrowser, headTexts, runQuery, serve, summary, tableCells, visitor } from './support.ts';

const REST = ['1', '3', '5', '7'];
const KINDS = queryText(
  3,
  'select @since as since, @day as day, @yes as yes, to_json_string(@ids) as ids, array_to_string(@levels, "+") as levels',
  'description: One of each kind',
  'params:',
  '  since: { type: timestamp, required: true }',
  '  day: { type: date }',
  '  yes: { type: boolean }',
  '  ids: { type: array of integer }',
  '  levels: { type: array of string, enum: [info, warn, error] }',
);

describeInBrowser('a saved query in the console', () => {
  const engine = eventsEngine();
  const { visit } = visitor();

  test('is found in the list by its name or its description', async () => {
    const { page } = await visit(await serve(engine(), { files: { 'kinds.sql': KINDS } }));
    const names = page.locator('.list-name');
    await names.first().waitFor();
    expect(await names.allTextContents()).toEqual(['ids', 'kinds', 'series']);
    await page.getByLabel('Search queries').fill('EACH kind');
    expect(await names.allTextContents()).toEqual(['kinds']);
    await page.getByLabel('Search queries').fill('nothing like it');
    await page.getByRole('button', { name: 'Show all' }).click();
    expect(await names.count()).toBe(3);
    await page.getByRole('link', { name: 'ids' }).click();
    expect(await page.locator('h1').textContent()).toBe('ids');
    expect(await page.title()).toBe('ids · quern');
  });

  test('offers the values that the header names, and takes others', async () => {
    const files = { 'near.sql': queryText(5, 'select @word as word', 'params: { word: { type: string, suggest: [one, two] } }') };
    const { page } = await visit(await serve(engine(), { files }), '#/near');
    const input = page.getByLabel('word');
    await input.waitFor();
    const offered = await page.locator(`datalist#${await input.getAttribute('list')} option`).all();
    expect(await Promise.all(offered.map((option) => option.getAttribute('value')))).toEqual(['one', 'two']);
    await input.fill('three');
    await runQuery(page);
    await page.locator('.rows td').first().waitFor();
    expect(await tableCells(page)).toEqual([['three']]);
  });

  test('is run with the values of its form, and the page says how many rows there are and where they come from', async () => {
    const { clock, ...server } = await serve(engine());
    const { page } = await visit({ clock, ...server }, '#/ids');
    const field = page.locator('.field').first();
    expect(await field.locator('label, option, .hint').allTextContents()).toEqual([
      'area string required',
      'Choose…',
      'rest',
      'auth',
      'area of the API',
    ]);
    await page.getByLabel('area').selectOption('rest');
    await runQuery(page);
    expect(await summary(page)).toBe(
      '4 rows | cut off by the row limit | fresh from the engine, now in the cache | … ms, … ms in the engine',
    );
    expect(await headTexts(page)).toEqual(['id', 'area', 'moment']);
    expect(await tableCells(page)).toEqual(REST.map((id) => [id, 'rest', `2026-01-02T00:0${id}:00Z`]));
    clock.advance(20);
    await runQuery(page);
    await page.locator('.tag.hit').waitFor();
    expect(await page.locator('.tag.hit').textContent()).toBe('from the cache, 20 s old');
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.locator('.tag.miss').waitFor();
  });

  test('takes each kind of parameter as its field gives it, times relative to now included', async () => {
    const { page } = await visit(await serve(engine(), { files: { 'kinds.sql': KINDS } }), '#/kinds');
    await page.getByLabel('since, relative to now').selectOption('-1h');
    expect(await page.locator('#p-since').inputValue()).toBe('-1h');
    await page.locator('#p-day').fill('2026-01-31');
    await page.getByLabel('yes').selectOption('true');
    await page.locator('#p-ids').fill('9007199254740993\n-2\n');
    await page.getByLabel('warn').check();
    await page.getByLabel('error').check();
    // Times relative to now have whole seconds.
    const before = Math.floor(Date.now() / 1000) * 1000;
    await runQuery(page);
    await summary(page);
    const [[since = '', ...rest] = []] = await tableCells(page);
    expect(rest).toEqual(['2026-01-31', 'true', '["9007199254740993",-2]', 'warn+error']);
    const at = Date.parse(since) + 3_600_000;
    expect([at >= before, at <= Date.now()]).toEqual([true, true]);
    expect(await page.locator('.form-words').textContent()).toContain('since -1hday 2026-01-31');
    await page.getByText('Change', { exact: true }).click();
    await page.getByLabel('since, date and time in UTC').fill('2026-01-02T03:04:05');
    await page.getByLabel('since, date and time in UTC').blur();
    expect(await page.locator('#p-since').inputValue()).toBe('2026-01-02T03:04:05Z');
  });

  test('shows what the server says of a value beside its field', async () => {
    const { page } = await visit(await serve(engine()), '#/ids?area=storage&most=many');
    await runQuery(page);
    await page.getByRole('alert').waitFor();
    expect(await page.locator('.field-error:visible').allTextContents()).toEqual([
      '"storage" is not one of: rest, auth',
      '"many" is not a 64-bit integer',
    ]);
    expect(await page.locator('[aria-invalid]').count()).toBe(2);
    await page.getByLabel('area').selectOption('rest');
    await page.locator('#p-most').fill('3');
    await runQuery(page);
    await summary(page);
    expect(await page.locator('.field-error:visible').count()).toBe(0);
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  test('has rows that can be sorted, copied as they are shown, and downloaded in every format of the server', async () => {
    const server = await serve(engine());
    const { page, context } = await visit(server, '#/ids?area=rest&~run=1');
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const ids = async () => (await tableCells(page)).map(([id]) => id);
    await summary(page);
    const head = page.getByRole('button', { name: 'id', exact: true });
    await head.click();
    expect(await ids()).toEqual(REST);
    await head.click();
    expect(await ids()).toEqual(REST.toReversed());
    expect(await page.locator('th').first().getAttribute('aria-sort')).toBe('descending');
    await page.getByRole('button', { name: 'Copy rows' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect((await page.evaluate<string>('navigator.clipboard.readText()')).split('\n').slice(0, 2)).toEqual([
      'id\tarea\tmoment',
      '7\trest\t2026-01-02T00:07:00Z',
    ]);
    for (const [name, extension] of [
      ['json', 'json'],
      ['ndjson', 'ndjson'],
      ['csv', 'csv'],
      ['tsv', 'tsv'],
      ['markdown', 'md'],
      ['table', 'txt'],
    ]) {
      await page.locator('.tab-box .menu summary').click();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: `${name} (.${extension})`, exact: true }).click(),
      ]);
      expect(download.suggestedFilename()).toBe(`ids.${extension}`);
      expect(readFileSync(await download.path(), 'utf8')).toBe((await server.ask(`/api/endpoints/ids?area=rest&format=${name}`)).body);
    }
  });

  test('is downloaded and copied as commands also where a parameter has the name of something else', async () => {
    const odd = queryText(7, 'select @format as format, @sql as s', 'params: { format: { type: string }, sql: { type: string } }');
    const { page } = await visit(await serve(engine(), { files: { 'odd.sql': odd } }), '#/odd?format=x&sql=y&~run=1');
    await summary(page);
    await page.locator('.tab-box .menu summary').click();
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'csv (.csv)' }).click()]);
    expect(readFileSync(await download.path(), 'utf8')).toBe('format,s\n"x","y"\n');
    await page.getByRole('tab', { name: 'Commands' }).click();
    expect(await page.locator('.command pre').last().textContent()).toBe(`echo '{"format":"x","sql":"y"}' | quern run odd --params -`);
    await page.locator('#p-sql').fill('z');
    expect(await page.locator('.command pre').last().textContent()).toBe(`echo '{"format":"x","sql":"z"}' | quern run odd --params -`);
  });

  test('keeps what is shown in the address: it can be reloaded, shared, and gone back from', async () => {
    const { page } = await visit(await serve(engine()), '#/ids');
    await page.getByLabel('area').selectOption('rest');
    await page.locator('#p-most').fill('3');
    await runQuery(page);
    await summary(page);
    expect(new URL(page.url()).hash).toBe('#/ids?area=rest&most=3&~run=1');
    await page.reload();
    expect((await summary(page)).startsWith('2 rows')).toBe(true);
    expect(await page.locator('#p-most').inputValue()).toBe('3');
    await page.locator('#p-most').fill('5');
    await runQuery(page);
    await page.locator('.summary').getByText('3 rows').waitFor();
    await page.goBack();
    await page.locator('.summary').getByText('2 rows').waitFor();
    expect(await page.locator('#p-most').inputValue()).toBe('3');
    await page.goBack();
    await page.getByText('Run the query to see its rows.').waitFor();
    expect(new URL(page.url()).hash).toBe('#/ids');
  });

  test('is run again and again in live mode, for as long as that is wanted', async () => {
    const server = await serve(engine());
    const { page } = await visit(server, '#/series?~run=1');
    await summary(page);
    const first = server.executed.length;
    await page.clock.install();
    await page.locator('#p-rows').fill('7'); // not run: the address still says two
    await page.getByLabel('Live').selectOption('5');
    expect(new URL(page.url()).hash).toBe('#/series?~live=5&~run=1');
    for (const more of [1, 2]) {
      const replied = page.waitForResponse(/\/api\/endpoints\//);
      await page.clock.runFor(5100);
      await (await replied).finished();
      expect(server.executed.length).toBe(first + more);
    }
    expect(await tableCells(page)).toHaveLength(2);
    await page.getByLabel('Live').selectOption('');
    await page.clock.runFor(60_000);
    expect(server.executed.length).toBe(first + 2);
  });
});
