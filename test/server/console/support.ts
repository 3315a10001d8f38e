// A browser in front of a served console: a real Chromium, which may talk to that server only.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished } from 'vitest';
import { type Served, type ServedOptions, served } from '../server-support.ts';

export const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((file) => existsSync(file));
export const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Where there is no browser the tests are left out, unless somebody counts on them. */
export const describeInBrowser = (name: string, tests: () => void): void => {
  if (CHROMIUM === undefined && process.env['BROWSER_TESTS'] !== 'required') {
    describe.skip(`${name} (left out: there is no Chromium; apt-get install chromium)`, tests);
  } else describe(name, tests);
};

export interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly address: string;
  /** What went wrong in the page: exceptions, what its policy refused, requests to other servers. */
  readonly faults: string[];
}

export interface Visitor {
  visit(server: Served, hash?: string, options?: BrowserContextOptions): Promise<Visit>;
}

export function visitor(): Visitor {
  let browser: Browser | undefined;
  beforeAll(async () => {
    if (CHROMIUM === undefined) throw new Error('there is no Chromium: apt-get install chromium');
    browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  });
  afterAll(() => browser?.close());
  return {
    async visit(server, hash = '', options = {}) {
      if (browser === undefined) throw new Error('the browser is open in tests only');
      const address = await listening(server);
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
      context.setDefaultTimeout(20_000);
      const faults: string[] = [];
      const page = await context.newPage();
      page.on('pageerror', ({ message }) => faults.push(message));
      page.on('console', (message) => {
        // Replies with a failure's status are the tests' own doing.
        if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) faults.push(message.text());
      });
      page.on('request', (request) => {
        if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(address)) faults.push(request.url());
      });
      onTestFinished(async () => {
        await context.close();
        expect(faults).toEqual([]);
      });
      await page.goto(`${address}/${hash}`);
      return { page, context, address, faults };
    },
  };
}

const addresses = new WeakMap<Served, Promise<string>>();

function listening(server: Served): Promise<string> {
  const known = addresses.get(server) ?? server.server.listen('127.0.0.1', 0);
  addresses.set(server, known);
  return known;
}

export const serve = (engine: Parameters<typeof served>[0], options: ServedOptions = {}): Promise<Served> => served(engine, options);

/** Texts of the table's cells, by row. */
export async function tableCells(page: Page): Promise<readonly (readonly string[])[]> {
  const rows = await page.locator('.rows tbody tr').all();
  return Promise.all(rows.map((row) => row.locator('td').allTextContents()));
}

export const headTexts = (page: Page): Promise<readonly string[]> => page.locator('.rows th').allTextContents();

export async function runQuery(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Run', exact: true }).click();
}

/** Waits for the line that says how many rows there are. */
export async function summary(page: Page): Promise<string> {
  await page.locator('.summary strong').waitFor();
  return (await page.locator('.summary > *').allTextContents()).join(' | ').replace(/\d+ ms|\d+\.\d s/g, '… ms');
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds wrong: rule and element. */
export async function troubles(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe);
  const found = await page.evaluate<readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[]>(
    'axe.run().then(({ violations }) => violations)',
  );
  return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}
