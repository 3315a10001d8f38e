// The playground in a browser: it translates as one types, without a key, and a link to it holds the text.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { removeFolder } from '../../support/remove-folder.ts';
import { eventsEngine } from '../server-support.ts';
import { describeInBrowser, serve, troubles, visitor } from './support.ts';

const HITS = 'CREATE TABLE web.hits (path String, n UInt8) ENGINE = MergeTree ORDER BY path';
const root = join(import.meta.dirname, '../../..');

const holding = (parts: Readonly<Record<string, string>>): string => `playground#${new URLSearchParams(parts)}`;
const written = (page: Page) => page.getByRole('textbox', { name: 'BigQuery SQL' });
const state = (page: Page) => page.locator('.playground-state');

/** The ClickHouse SQL, once there is that of the text. */
async function made(page: Page): Promise<string> {
  await state(page).filter({ hasText: 'Translated in' }).waitFor();
  const lines = await page.getByRole('textbox', { name: 'ClickHouse SQL' }).locator('.cm-line').allTextContents();
  return lines.join('\n');
}

async function write(page: Page, text: string): Promise<void> {
  await written(page).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
}

describeInBrowser('the playground', () => {
  const engine = eventsEngine();
  const { visit } = visitor();

  test('translates as one types, needs no key, and its link holds the text', async () => {
    const { page, context } = await visit(await serve(engine(), { key: {} }), 'playground');
    expect(await made(page)).toContain('FROM web.hits');
    await write(page, 'select countif(x > 1) as n from unnest([1, 2]) as x');
    await page.waitForURL(/countif/);
    expect(await made(page)).toContain('SELECT toInt64(countIf(x > 1)) AS n');
    expect(await page.locator('.playground-facts p').allTextContents()).toEqual(['Columns n INT64']);
    const other = await context.newPage();
    await other.goto(page.url());
    expect(await made(other)).toContain('countIf(x > 1)');
  });

  test('underlines what is wrong, lists it with warnings, and goes there', async () => {
    const { page } = await visit(await serve(engine()), holding({ sql: 'select x,\n  regexp_contain(@a)\nfrom unnest([1]) as x limit 1' }));
    await page.locator('.problem').first().waitFor();
    expect(await page.locator('.problem').allInnerTexts()).toEqual([
      'Error\nregexp_contain is not a function quern can translate\ndid you mean REGEXP_CONTAINS(value, regexp)?\nline 2, column 3',
      expect.stringMatching(/^Warning\nLIMIT without ORDER BY .*\nadd ORDER BY before it\nline 3, column 29$/),
    ]);
    expect(await page.locator('.mark-error').allTextContents()).toEqual(['regexp_contain']);
    expect(await page.locator('.mark-warning').allTextContents()).toEqual(['1']);
    await page.getByRole('button', { name: 'regexp_contain is not' }).click();
    await page.keyboard.insertText('NOT_');
    await page.locator('.problem', { hasText: 'NOT_regexp_contain' }).waitFor();
    expect(await page.locator('.not-made').textContent()).toContain('This query is not translated');
  });

  test('reads tables from CREATE TABLE, and tells what is wrong with them', async () => {
    const { page } = await visit(await serve(engine()), holding({ sql: 'select n from web.hits', tables: HITS }));
    expect(await made(page)).toContain("CAST(hits.n, 'Int64')");
    await page.getByRole('tab', { name: 'Tables' }).click();
    await page.getByRole('textbox', { name: 'Tables' }).click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText('CREATE TABLE web.hits (n');
    await page.locator('.problem', { hasText: 'Tables, line 1, column 23' }).waitFor();
    await page.getByRole('tab', { name: 'BigQuery SQL' }).click();
    await page.getByRole('button', { name: 'the list of columns of web.hits does not end' }).click();
    expect(await page.getByRole('tab', { name: 'Tables' }).getAttribute('aria-selected')).toBe('true');
  });

  test('sketches tables that are not among those, and says so', async () => {
    const { page } = await visit(
      await serve(engine()),
      holding({ sql: 'select sum(price) as total from `p.shop.orders` where day > "2026-01-01"', tables: HITS }),
    );
    expect(await made(page)).toContain('FROM shop.orders');
    expect(await page.locator('.problem').allInnerTexts()).toEqual([
      'Note\np.shop.orders is not among the tables, so its columns are assumed: day DATE, price INT64\nto be certain, paste what SHOW CREATE TABLE prints\nline 1, column 33',
    ]);
  });

  test('shows the logical plan, and gives parameters a type', async () => {
    const { page } = await visit(await serve(engine()), holding({ sql: 'select n + @by as m from web.hits', tables: HITS }));
    await page.locator('.problem').first().waitFor();
    await page.getByLabel('Type of @by').selectOption('INT64');
    expect(await made(page)).toContain('{by:Nullable(Int64)}');
    expect(page.url()).toContain('parameter=by%3AINT64');
    await page.getByRole('tab', { name: 'Logical plan' }).click();
    await page.locator('.playground-plan', { hasText: 'Scan hits: n' }).waitFor();
  });

  test('knows the log sources of a product, and writes a text to paste there', async () => {
    const { page } = await visit(
      await serve(engine()),
      holding({ sql: 'select m.level from auth_logs, unnest(metadata) m where m.path = @path' }),
    );
    await page.locator('.problem').first().waitFor();
    await page.getByLabel('Tables of').selectOption('Supabase logs');
    await page.locator('.problem', { hasText: '@path has no value' }).waitFor();
    await page.getByLabel('Value of @path').fill("/it's");
    expect(await made(page)).toBe(
      "SELECT nullIf(log_attributes['level'], '') AS level\nFROM logs\nWHERE source = 'auth_logs' AND log_attributes['path'] = '/it''s'",
    );
    expect(page.url()).toContain('for=supabase&value=path');
    await page.reload();
    expect(await made(page)).toContain('FROM logs');
  });

  test('completes fields and functions with their types and signatures, and formats', async () => {
    const { page } = await visit(await serve(engine()), holding({ sql: 'select  from web.hits as h', tables: HITS }));
    await state(page).filter({ hasText: 'Not translated' }).waitFor();
    await written(page).click();
    await page.keyboard.press('Home');
    for (let i = 0; i < 7; i++) await page.keyboard.press('ArrowRight');
    await page.keyboard.type('h.');
    const options = page.locator('.cm-tooltip').getByRole('option');
    await options.first().waitFor();
    expect(await options.allInnerTexts()).toEqual(['nINT64', 'pathSTRING']);
    await page.keyboard.type('pa');
    await page.waitForTimeout(120);
    await page.keyboard.press('Enter');
    await page.keyboard.type(', count');
    const countif = page.locator('.cm-tooltip').getByRole('option', { name: /countif/ });
    await countif.waitFor();
    expect(await countif.textContent()).toContain('condition BOOL -> INT64');
    await page.keyboard.press('Escape');
    await write(page, 'select 1 as one,2 as two');
    await page.getByRole('button', { name: 'Format' }).click();
    await written(page).filter({ hasText: 'select 1 as one, 2 as two' }).waitFor();
  });

  test('opens its examples, each of which is translated without a problem', async () => {
    const { page } = await visit(await serve(engine()), 'playground');
    const names = (await page.getByLabel('Examples').locator('option').allTextContents()).slice(1);
    expect(names.length).toBeGreaterThan(3);
    for (const name of names) {
      await page.getByLabel('Examples').selectOption(name);
      await page.waitForTimeout(200);
      expect(await made(page)).toContain('FROM');
      expect(await page.locator('.problem.error').allInnerTexts()).toEqual([]);
    }
  });

  test('says when the translator cannot be loaded, and tries again', async () => {
    const { page, faults } = await visit(await serve(engine()), '#/');
    await page.route('**/console/translate-*.js', (route) => route.abort());
    await page.goto(page.url().replace('#/', 'playground'));
    await state(page).filter({ hasText: 'The translator could not be loaded' }).waitFor();
    await page.unroute('**/console/translate-*.js');
    await page.getByRole('button', { name: 'Try again' }).click();
    expect(await made(page)).toContain('FROM web.hits');
    faults.length = 0; // the request that was refused
  });

  test.each(['light', 'dark'] as const)('has nothing that axe finds wrong, in %s', { timeout: 120_000 }, async (colorScheme) => {
    const { page } = await visit(await serve(engine()), 'playground', { colorScheme });
    await made(page);
    expect(await troubles(page)).toEqual([]);
    await write(page, 'select nope(@x) limit 1');
    await page.locator('.problem').first().waitFor();
    await page.getByRole('tab', { name: 'Logical plan' }).click();
    expect(await troubles(page)).toEqual([]);
  });

  test('fits into 360 pixels, and is used with the keyboard alone', async () => {
    const { page } = await visit(await serve(engine()), 'playground', { viewport: { width: 360, height: 740 } });
    await made(page);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the query');
    await page.keyboard.press('Enter');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('select 7 as seven');
    await page.waitForURL(/seven/);
    expect(await made(page)).toContain('7');
    await page.keyboard.press('Tab');
    expect(await page.evaluate("document.activeElement.matches('.editor')")).toBe(false);
  });

  test('is the same as files that any server gives', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'quern-playground-'));
    onTestFinished(() => removeFolder(folder));
    const out = join(folder, 'out');
    const script = join(root, 'scripts/playground.mjs');
    expect(spawnSync(process.execPath, [script, folder], { encoding: 'utf8' })).toMatchObject({
      status: 2,
      stderr: `${folder} is there already, and is no playground: name another folder\n`,
    });
    for (const _ of ['made', 'made again']) expect(spawnSync(process.execPath, [script, out]).status).toBe(0);
    const types: Readonly<Record<string, string>> = { html: 'text/html', js: 'text/javascript', css: 'text/css' };
    const files = createServer(({ url = '/' }, reply) => {
      const path = url.replace('/below/', '') || 'index.html';
      reply.setHeader('content-type', types[path.split('.').at(-1) ?? ''] ?? '').end(readFileSync(join(out, path)));
    });
    await new Promise<void>((listening) => files.listen(0, '127.0.0.1', listening));
    onTestFinished(() => void files.close());
    const { context } = await visit(await serve(engine()));
    const page = await context.newPage();
    const at = files.address();
    await page.goto(
      `http://127.0.0.1:${typeof at === 'object' ? at?.port : ''}/below/${holding({ sql: 'select 5 as five' }).slice('playground'.length)}`,
    );
    expect(await made(page)).toContain('5');
    // A browser loads no script that stands beside a file: then the page says what it needs.
    await page.goto(pathToFileURL(join(out, 'index.html')).href);
    expect(await page.locator('main').textContent()).toMatch(/through a web server/);
  });
});
