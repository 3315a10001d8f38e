// Every example of every help text is run, in one project that `quern init` has begun, on the store that `quern demo` has filled, and comes to its end
// with 0. What else it reads is the reader's own, and stands here.
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { removeFolder } from '../support/remove-folder.ts';
import { cannotRun } from './cannot-run.ts';
import { type Block, blocksOf, commandsOf, pages, pageText, runnable } from './pages.ts';
import { installPackage, type Ran, runBlocks } from './shell-session.ts';

/** What a reader of the help brings along: file or folder → why no example makes it. */
const READERS_OWN: Readonly<Record<string, string>> = {
  'orders.csv': 'is loaded: rows of the reader’s',
  'data/orders.parquet': 'is loaded: rows of the reader’s',
  'zips.tsv': 'is loaded: rows of the reader’s',
  'notes.ndjson': 'is loaded: rows of the reader’s',
  'prices.csv': 'is read: rows of the reader’s, in an older encoding',
  'access.log': 'is loaded: the log of a web server',
  'access.log.gz': 'is loaded: the log of a web server',
  'bigquery-queries': 'is imported: queries for BigQuery',
  'dbt-project': 'is imported: a project of dbt',
  'queries/requests.sql': 'is asked by --sql: a query with a sandbox',
  'errors.sql': 'is compared with Logflare’s rows: a query of the reader’s',
};

/** Rows recorded elsewhere, which `quern verify` compares: the query with its arguments that gives them. */
const RECORDED: Readonly<Record<string, readonly string[]>> = {
  'bigquery.json': ['usage.api-counts', '--interval', 'hourly', '--as-of', '2026-01-15T12:00:00Z'],
  'logflare.json': [join(import.meta.dirname, 'project/errors.sql')],
};

/** `quern init` comes first, as it does for a reader, in a folder that has no files yet: its query is the one over log events. */
const isInit = (page: string): boolean => page.endsWith('/init.md');
const helpPages = pages
  .filter((page) => page.startsWith('docs/commands/') && !page.endsWith('README.md'))
  .sort((a, b) => Number(isInit(b)) - Number(isInit(a)));
const examplesOf = (page: string): readonly Block[] =>
  blocksOf(pageText(page).split('\n## Examples\n')[1] ?? '').filter((block) => runnable(block).length > 0);

let ran: readonly Ran[] = [];
const folder = mkdtempSync(join(tmpdir(), 'quern-help-'));

beforeAll(async () => {
  const installed = installPackage(join(folder, 'quern'));
  await promisify(execFile)(process.execPath, [join(installed, 'bin/quern.js'), 'demo'], { env: { HOME: folder } });
  const project = join(folder, 'project');
  const reader = join(project, 'reader');
  const store = join(folder, '.local/share/quern/demo');
  for (const name of Object.keys(READERS_OWN)) {
    mkdirSync(join(reader, name, '..'), { recursive: true });
    cpSync(join(import.meta.dirname, 'project', name), join(reader, name), { recursive: true });
  }
  for (const [name, words] of Object.entries(RECORDED)) {
    const argv = ['run', ...words, '--project', 'demo', '--store', store, '--format', 'json'];
    const { stdout } = await promisify(execFile)(process.execPath, [join(installed, 'bin/quern.js'), ...argv], { env: { HOME: folder } });
    writeFileSync(join(reader, name), stdout);
  }
  const [init, others] = [true, false].map((first) => helpPages.filter((page) => isInit(page) === first).flatMap(examplesOf));
  const brought: Block = { language: 'sh', file: undefined, lines: ['cp -R reader/. .'] };
  ran = await runBlocks([...(init ?? []), brought, ...(others ?? [])], { installed, project, demoStore: store, usesDemo: true });
}, 600_000);

afterAll(() => removeFolder(folder));

test('every page of help that has examples is here', () => {
  expect(helpPages.filter((page) => examplesOf(page).length > 0).length).toBeGreaterThan(20);
});

test('each example works', () => {
  const failed = ran.filter(({ exitCode }) => exitCode !== undefined && exitCode !== 0);
  expect(failed.map(({ command, output, exitCode }) => `$ ${command.text}\n${output}[exit code ${exitCode}]`)).toEqual([]);
  expect(ran.length).toBeGreaterThan(60);
});

test('those that print rows of logs print some', () => {
  const counted = ran.find(({ command }) => command.text.includes("count(*) as events from edge_logs'"));
  expect(counted?.output).toMatch(/\{"events":[1-9]\d+\}/);
});

describe('what no example makes', () => {
  const texts = helpPages
    .flatMap(examplesOf)
    .flatMap(commandsOf)
    .map(({ text }) => text)
    .join('\n');

  test.each([...Object.entries(READERS_OWN), ...Object.keys(RECORDED).map((name) => [name, 'is compared: rows of elsewhere'] as const)])(
    '%s %s, and is still read',
    (name) => {
      const word = name === 'queries/requests.sql' ? 'quern run requests' : name.replace('data/orders', 'data/*');
      expect(texts).toContain(word);
    },
  );

  test('an example that is not run has its reason', () => {
    const skipped = helpPages
      .flatMap(examplesOf)
      .flatMap(commandsOf)
      .filter((command) => !ran.some((one) => one.command.text === command.text));
    expect(skipped.filter(({ text }) => !cannotRun.some(({ command }) => command.test(text)))).toEqual([]);
  });
});
