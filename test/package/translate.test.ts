// quern/translate: the translator for browsers, as a project of others bundles it, in a page and in a worker.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { type Browser, chromium } from 'playwright-core';
import { rolldown } from 'rolldown';
import { parseAst } from 'rolldown/parseAst';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM, describeInBrowser, FLAGS } from '../server/console/support.ts';
import { install, pack } from './packed.ts';

const root = join(import.meta.dirname, '../..');
const packed = pack();
const consumer = install(packed.archive, { engine: false });
afterAll(() => {
  consumer.remove();
  packed.remove();
});
const write = (name: string, text: string) => writeFileSync(join(consumer.folder, name), text);

/** Every part of the API, as a page would use it. */
const SCRIPT = `import {
  complete, explain, format, functions, lint, parse, positionAt, QuernError, sourcesFrom, translate,
  type DialectFunction, type ErrorCode, type ErrorDetails, type KeywordCase, type Position, type Problem, type Script, type Source,
  type SourceCatalog, type SourceText, type Span, type Suggestion, type TextFinding, type TranslatedColumn, type TranslatedParameter, type TranslateOptions,
  type Translation, type Type,
} from 'quern/translate';

const source: Source = {
  name: 'hits', table: 'web', database: 'logs',
  columns: [{ name: 'path', type: { kind: 'STRING' }, read: { layout: 'column', column: 'p', clickhouseType: 'String' } }],
};
const sources: SourceCatalog = { names: ['hits'], find: (name) => (name === 'hits' ? source : undefined) };
const options: TranslateOptions = { parameters: { path: { kind: 'STRING' } }, sources };
const text = 'select count(*) as hits\\nfrom hits where path = @path';

export function work(): readonly unknown[] {
  const translation: Translation = translate(text, options);
  const columns: readonly TranslatedColumn[] = translation.columns;
  const parameters: readonly TranslatedParameter[] = translation.parameters;
  const type: Type | undefined = columns[0]?.type;
  const tree: Script = parse(text);
  const keywords: KeywordCase = 'upper';
  const findings: readonly TextFinding[] = [...lint('select 1,\\n  nope(2)'), ...lint('select * from hits limit 2', options)];
  const all: readonly DialectFunction[] = functions();
  const least = all.find(({ name }) => name === 'LEAST');
  const created: SourceCatalog = sourcesFrom('CREATE TABLE d.t (a Array(Nullable(Int64)), b UInt8) ENGINE = Log');
  const fields: readonly Suggestion[] = complete('select h. from hits as h', 9, options);
  const told: unknown[] = [];
  try {
    translate('select 1,\\n  nope(2)');
  } catch (error) {
    if (!(error instanceof QuernError)) throw error;
    const code: ErrorCode = error.code;
    const { span, source: file, problems }: ErrorDetails = error.details;
    const at: Position | undefined = span && positionAt('select 1,\\n  nope(2)', span.start);
    const both: [Span | undefined, SourceText | undefined, readonly Problem[] | undefined] = [span, file, problems];
    told.push(code, at?.line, at?.column, both.length);
  }
  return [
    translation.sql, parameters.length, type?.kind, tree.kind, format('select 1 as one', keywords), ...told, least?.signatures[0],
    translate('select b from t', { sources: created }).sql,
    ...fields.map(({ kind, label, detail }) => [kind, label, detail].join(' ')),
    explain('select 1 + 1 as two').optimized.trim(),
    ...findings.map(({ severity, rule, line, column }) => [severity, rule, line, column].join(' ')),
  ];
}
`;

const WORKED = [
  'SELECT toInt64(count()) AS hits\nFROM logs.web\nWHERE p = {path:Nullable(String)}',
  1,
  'INT64',
  'script',
  'SELECT 1 AS one\n',
  'unknown-function',
  2,
  3,
  3,
  '...values T -> T',
  "SELECT CAST(t.b, 'Int64') AS b\nFROM d.t",
  'field path STRING',
  'Output two\n  Project two := 1 + 1\n    One row',
  'error unknown-function 2 3',
  'warning select-star 1 8',
  'warning limit-without-order 1 26',
];

/** Minified and compressed. */
const MOST_BYTES = { gzip: 300_000, brotli: 260_000 };

async function bundledByRolldown(entry: string): Promise<string> {
  const bundle = await rolldown({ cwd: consumer.folder, input: join(consumer.folder, entry), platform: 'browser' });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  await bundle.close();
  expect(output).toHaveLength(1);
  return output[0].code;
}

async function bundledByEsbuild(entry: string): Promise<string> {
  const { outputFiles, warnings } = await build({
    absWorkingDir: consumer.folder,
    entryPoints: [entry],
    bundle: true,
    format: 'esm',
    minify: true,
    platform: 'browser',
    target: 'es2022',
    write: false,
  });
  expect(warnings).toEqual([]);
  return outputFiles[0]?.text ?? '';
}

beforeAll(() => write('work.ts', SCRIPT));

test('is typed without the types of Node', () => {
  const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: false, noEmit: true };
  const browser = { target: 'es2023', lib: ['es2023', 'dom'], types: [], module: 'esnext', moduleResolution: 'bundler' };
  write('tsconfig.json', JSON.stringify({ compilerOptions: { ...strict, ...browser }, files: ['work.ts'] }));
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  expect(spawnSync(process.execPath, [compiler, '-p', consumer.folder], { encoding: 'utf8' }).stdout).toBe('');
});

test('is one file, which imports nothing', () => {
  const code = readFileSync(join(consumer.path, 'dist/translate.js'), 'utf8');
  expect(parseAst(code).body.filter((node) => node.type.startsWith('Import') || ('source' in node && node.source !== null))).toEqual([]);
  expect(code).not.toMatch(/\bimport\(/);
});

describe.each([
  ['esbuild', bundledByEsbuild],
  ['rolldown', bundledByRolldown],
])('bundled with %s', (bundler, bundled) => {
  test('is small, and works by itself', async () => {
    write('whole.ts', "export * from 'quern/translate';");
    const whole = await bundled('whole.ts');
    expect(gzipSync(whole, { level: 9 }).length).toBeLessThan(MOST_BYTES.gzip);
    expect(brotliCompressSync(whole).length).toBeLessThan(MOST_BYTES.brotli);
    const code = await bundled('work.ts');
    expect(code).not.toMatch(/["']node:|createRequire|process\.(?!versions)/);
    write(`${bundler}.mjs`, code);
    const { work } = (await import(join(consumer.folder, `${bundler}.mjs`))) as { work(): unknown };
    expect(work()).toEqual(WORKED);
  });
});

test('docs/library.md has code that runs', () => {
  const [, code = ''] = /```js\n([\s\S]*?)```/.exec(readFileSync(join(root, 'docs/library.md'), 'utf8')) ?? [];
  write('page.mjs', code);
  expect(consumer.node('page.mjs', [])).toEqual({
    stdout: `SELECT event_message
FROM logs
WHERE source = 'auth_logs' AND timestamp > toDateTime64('2026-01-15 00:00:00', 6, 'UTC')
select 1 as one, 2 as two

SELECT toInt64(countIf(x > 1)) AS n
FROM (
  SELECT arrayJoin([toInt64(1), toInt64(2), toInt64(3)]) AS x
)
nope is not a function quern can translate
`,
    stderr: '',
    status: 0,
  });
});

describeInBrowser('in a browser', () => {
  let browser: Browser;
  let server: Server;
  let address: string;
  beforeAll(async () => {
    if (CHROMIUM === undefined || !existsSync(CHROMIUM)) throw new Error('there is no Chromium: apt-get install chromium');
    write('page.ts', "import { work } from './work.ts';\n(globalThis as { worked?: unknown }).worked = work();\n");
    write('worker.ts', "import { work } from './work.ts';\npostMessage(work());\n");
    const files: Readonly<Record<string, string>> = {
      '/page.js': await bundledByRolldown('page.ts'),
      '/worker.js': await bundledByEsbuild('worker.ts'),
      '/translate.js': readFileSync(join(consumer.path, 'dist/translate.js'), 'utf8'),
      '/': '<!doctype html><script type="module" src="/page.js"></script>',
      '/bare': '<!doctype html>',
    };
    server = createServer(({ url = '/' }, reply) => {
      const text = files[url];
      reply.writeHead(text === undefined ? 404 : 200, { 'content-type': url.endsWith('.js') ? 'text/javascript' : 'text/html' }).end(text);
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const at = server.address();
    address = `http://127.0.0.1:${typeof at === 'object' ? at?.port : ''}`;
    browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  test('a page and a worker get what Node gets', async () => {
    const page = await browser.newPage();
    const faults: string[] = [];
    page.on('pageerror', ({ message }) => faults.push(message));
    await page.goto(address);
    await page.waitForFunction('globalThis.worked !== undefined');
    expect(await page.evaluate('globalThis.worked')).toEqual(WORKED);
    const inWorker = page.evaluate(
      `new Promise((done, failed) => { const w = new Worker('/worker.js', { type: 'module' }); w.onmessage = ({ data }) => done(data); w.onerror = failed; })`,
    );
    expect(await inWorker).toEqual(WORKED);
    expect(faults).toEqual([]);
  });

  test('works without a bundler', async () => {
    const page = await browser.newPage();
    await page.goto(`${address}/bare`);
    const text = 'select countif(x > 1) as n from unnest([1, 2]) as x';
    expect(await page.evaluate(`import('/translate.js').then(({ translate }) => translate(${JSON.stringify(text)}).sql)`)).toContain(
      'countIf',
    );
  });
});
