// quern/translate: the translator for browsers, as a project of others bundles it, in a page and in a worker.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { basename, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { type Browser, chromium } from 'playwright-core';
import { rolldown } from 'rolldown';
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

export async function work(): Promise<readonly unknown[]> {
  const translation: Translation = await translate(text, options);
  const columns: readonly TranslatedColumn[] = translation.columns;
  const parameters: readonly TranslatedParameter[] = translation.parameters;
  const type: Type | undefined = columns[0]?.type;
  const tree: Script = await parse(text);
  const keywords: KeywordCase = 'upper';
  const findings: readonly TextFinding[] = [...(await lint('select 1,\\n  nope(2)')), ...(await lint('select * from hits limit 2', options))];
  const all: readonly DialectFunction[] = await functions();
  const least = all.find(({ name }) => name === 'LEAST');
  const created: SourceCatalog = await sourcesFrom('CREATE TABLE d.t (a Array(Nullable(Int64)), b UInt8) ENGINE = Log');
  const fields: readonly Suggestion[] = await complete('select h. from hits as h', 9, options);
  const told: unknown[] = [];
  try {
    await translate('select 1,\\n  nope(2)');
  } catch (error) {
    if (!(error instanceof QuernError)) throw error;
    const code: ErrorCode = error.code;
    const { span, source: file, problems }: ErrorDetails = error.details;
    const at: Position | undefined = span && positionAt('select 1,\\n  nope(2)', span.start);
    const both: [Span | undefined, SourceText | undefined, readonly Problem[] | undefined] = [span, file, problems];
    told.push(code, at?.line, at?.column, both.length);
  }
  return [
    translation.sql, parameters.length, type?.kind, tree.kind, await format('select 1 as one', keywords), ...told, least?.signatures[0],
    (await translate('select b from t', { sources: created })).sql,
    ...fields.map(({ kind, label, detail }) => [kind, label, detail].join(' ')),
    (await explain('select 1 + 1 as two')).optimized.trim(),
    ...findings.map(({ severity, rule, line, column }) => [severity, rule, line, column].join(' ')),
  ];
}
`;

const WORKED = [
  'SELECT toInt64(count()) AS hits\nFROM logs.web AS hits_2\nWHERE hits_2.p = {path:Nullable(String)}',
  1,
  'INT64',
  'script',
  'SELECT 1 AS one\n',
  'unknown-function',
  2,
  3,
  3,
  '...values T -> T',
  "SELECT CAST(t.b, 'Int64') AS b\nFROM d.t AS t",
  'field path STRING',
  'Output two\n  Project two := 1 + 1\n    One row',
  'error unknown-function 2 3',
  'warning select-star 1 8',
  'warning limit-without-order 1 26',
];

/** Minified and compressed, what a page has to fetch before it translates most queries; and all of it. */
const MOST_BYTES = { gzip: 120_000, brotli: 103_000 };
const MOST_BYTES_IN_ALL = { gzip: 230_000, brotli: 200_000 };

interface BundledFile {
  readonly name: string;
  readonly code: string;
  /** Files without which it does not run. */
  readonly needs: readonly string[];
}

async function bundledByRolldown(entry: string): Promise<readonly BundledFile[]> {
  const bundle = await rolldown({ cwd: consumer.folder, input: join(consumer.folder, entry), platform: 'browser' });
  const { output } = await bundle.generate({ format: 'esm', minify: true, entryFileNames: 'main.js', chunkFileNames: '[name]-[hash].js' });
  await bundle.close();
  return output.flatMap((file) => (file.type === 'chunk' ? [{ name: file.fileName, code: file.code, needs: file.imports }] : []));
}

async function bundledByEsbuild(entry: string): Promise<readonly BundledFile[]> {
  const { outputFiles, metafile, warnings } = await build({
    absWorkingDir: consumer.folder,
    entryPoints: { main: entry },
    outdir: 'out',
    bundle: true,
    splitting: true,
    format: 'esm',
    minify: true,
    platform: 'browser',
    target: 'es2022',
    metafile: true,
    write: false,
  });
  expect(warnings).toEqual([]);
  return Object.entries(metafile.outputs).map(([path, { imports }]) => ({
    name: basename(path),
    code: outputFiles.find((file) => basename(file.path) === basename(path))?.text ?? '',
    needs: imports.filter(({ kind }) => kind === 'import-statement').map((one) => basename(one.path)),
  }));
}

/** What is fetched before anything runs. */
function atFirst(files: readonly BundledFile[]): string {
  const needed = new Set(['main.js']);
  for (const name of needed) for (const other of files.find((file) => file.name === name)?.needs ?? []) needed.add(other);
  return files.flatMap(({ name, code }) => (needed.has(name) ? [code] : [])).join('\n');
}

beforeAll(() => write('work.ts', SCRIPT));

test('is typed without the types of Node', () => {
  const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: false, noEmit: true };
  const browser = { target: 'es2023', lib: ['es2023', 'dom'], types: [], module: 'esnext', moduleResolution: 'bundler' };
  write('tsconfig.json', JSON.stringify({ compilerOptions: { ...strict, ...browser }, files: ['work.ts'] }));
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  expect(spawnSync(process.execPath, [compiler, '-p', consumer.folder], { encoding: 'utf8' }).stdout).toBe('');
});

test('loads no module of Node, and no package', () => {
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const [, to = ''] of readFileSync(join(consumer.path, 'dist/translate', file), 'utf8').matchAll(
      /(?:^|;|\})(?:im|ex)port[^"';]*from ?"([^"]+)"/gm,
    )) {
      expect(to).toMatch(/^\.\/[\w-]+\.js$/);
      visit(to.slice(2));
    }
  };
  for (const file of readdirSync(join(consumer.path, 'dist/translate'))) visit(file);
  expect(seen.size).toBeGreaterThan(5);
});

describe.each([
  ['esbuild', bundledByEsbuild],
  ['rolldown', bundledByRolldown],
])('bundled with %s', (bundler, bundled) => {
  test('is small, and works by itself', async () => {
    write('whole.ts', "export * from 'quern/translate';");
    const whole = await bundled('whole.ts');
    const first = atFirst(whole);
    const all = whole.map(({ code }) => code).join('\n');
    expect(gzipSync(first, { level: 9 }).length).toBeLessThan(MOST_BYTES.gzip);
    expect(brotliCompressSync(first).length).toBeLessThan(MOST_BYTES.brotli);
    expect(gzipSync(all, { level: 9 }).length).toBeLessThan(MOST_BYTES_IN_ALL.gzip);
    expect(brotliCompressSync(all).length).toBeLessThan(MOST_BYTES_IN_ALL.brotli);
    const files = await bundled('work.ts');
    mkdirSync(join(consumer.folder, 'bundled'), { recursive: true });
    writeFileSync(join(consumer.folder, 'bundled/package.json'), '{"type": "module"}');
    for (const { name, code } of files) {
      expect(code).not.toMatch(/["']node:|createRequire|process\.(?!versions)/);
      writeFileSync(join(consumer.folder, 'bundled', name), code);
    }
    const { work } = (await import(join(consumer.folder, `bundled/main.js?${bundler}`))) as { work(): Promise<unknown> };
    expect(await work()).toEqual(WORKED);
  });
});

/** Queries that need another part each, then one that needs all; what nobody can translate is refused as elsewhere. */
const IN_PARTS = [
  'select n, count(*) as c from unnest([1, 2, 2]) as n where n > 1 group by n order by n limit 3',
  "select json_value(j, '$.a') as a, extract(year from d) as y from (select parse_json('{}') as j, date '2026-01-01' as d)",
  "select format('%05d', n) as f, cast(n as string format '999') as t from unnest([1]) as n",
  'select n, row_number() over (order by n) as i from unnest([1, 2]) as n',
  "select date(n, 1, 2) as d, cast(timestamp_seconds(n) as string) as t, numeric '1' / n as q, json '[1, 2]' as j from unnest([1]) as n",
  "select cast(x as interval) as i, cast(b'a' as string format 'HEX') as h, typeof(x) as t from (select '1-2' as x)",
  'select nope from (select 1 as n, struct(2 as deep) as s)',
  'select * from nope(1)',
  'from unnest([1, 2]) as n |> where n > 1 |> extend n * 2 as m |> aggregate sum(m) as s group by n',
  'create temp function twice(x int64) as (x * 2); with recursive r as (select 1 as n union all select n + 1 from r where n < 9) select twice(n) as t from r',
  'select * from (select 1 as k, 2 as v) pivot (sum(v) for k in (1, 2))',
  'select array(select m from unnest(a) as m where m > n) as b, a is null as isnull from (select [1, 2] as a, 1 as n)',
  "select m.path from logs as l cross join unnest(l.metadata) as m where regexp_contains(l.event_message, 'a.b')",
  'select frobnicate(1)',
  'select ml.predict(1)',
  'select 1 +',
];

/** A table without records. */
const PLAIN = `{
  names: ['logs'],
  find: () => ({
    name: 'logs', table: 'logs', database: 'd',
    columns: [
      { name: 'event_message', type: { kind: 'STRING' }, read: { layout: 'column', column: 'event_message', clickhouseType: 'String' } },
    ],
  }),
}`;

/** Logs, for the parts that read records. */
const LOGS = `{
  names: ['logs'],
  find: (name) => (name !== 'logs' ? undefined : {
    name: 'logs', table: 'logs', database: 'd',
    columns: [
      { name: 'event_message', type: { kind: 'STRING' }, read: { layout: 'column', column: 'event_message', clickhouseType: 'String' } },
      { name: 'metadata', type: { kind: 'ARRAY', element: { kind: 'RECORD', path: [], fields: [{ name: 'path', type: { kind: 'STRING' } }] } },
        read: { layout: 'map', column: 'attributes' } },
    ],
  }),
}`;

test('gives in parts what it gives as a whole', () => {
  const told = (attempt: string): string => `
const sources = ${LOGS};
const told = [];
for (const text of ${JSON.stringify(IN_PARTS)}) {
  try {
    told.push((${attempt}).sql);
  } catch (error) {
    if (error.code === undefined) throw error;
    told.push([error.code, error.message, error.details.hint, error.details.span]);
  }
}
console.log(JSON.stringify(told));`;
  write('in-parts.mjs', `import { translate } from 'quern/translate';${told('await translate(text, { sources })')}`);
  write('as-a-whole.mjs', `import { translate } from 'quern';${told('translate(text, { sources })')}`);
  const { stdout, stderr } = consumer.node('in-parts.mjs', []);
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toHaveLength(IN_PARTS.length);
  expect(stdout).toBe(consumer.node('as-a-whole.mjs', []).stdout);
});

test('docs/library.md has code that runs', () => {
  const [, code = ''] = /```js\n([\s\S]*?)```/.exec(readFileSync(join(root, 'docs/library.md'), 'utf8')) ?? [];
  write('page.mjs', code);
  expect(consumer.node('page.mjs', [])).toEqual({
    stdout: `select 1 as one, 2 as two

SELECT toInt64(countIf(u.x > 1)) AS n
FROM (
  SELECT arrayJoin([toInt64(1), toInt64(2), toInt64(3)]) AS x
) AS u
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
    write(
      'page.ts',
      "import { work } from './work.ts';\nwork().then((told) => { (globalThis as { worked?: unknown }).worked = told; });\n",
    );
    write('worker.ts', "import { work } from './work.ts';\nwork().then(postMessage);\n");
    const inFolder = (folder: string, bundled: readonly BundledFile[]) => bundled.map(({ name, code }) => [`/${folder}/${name}`, code]);
    const translator = join(consumer.path, 'dist/translate');
    const files: Readonly<Record<string, string>> = {
      ...Object.fromEntries(inFolder('page', await bundledByRolldown('page.ts'))),
      ...Object.fromEntries(inFolder('worker', await bundledByEsbuild('worker.ts'))),
      ...Object.fromEntries(readdirSync(translator).map((name) => [`/plain/${name}`, readFileSync(join(translator, name), 'utf8')])),
      '/': '<!doctype html><script type="module" src="/page/main.js"></script>',
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
      `new Promise((done, failed) => { const w = new Worker('/worker/main.js', { type: 'module' }); w.onmessage = ({ data }) => done(data); w.onerror = failed; })`,
    );
    expect(await inWorker).toEqual(WORKED);
    expect(faults).toEqual([]);
  });

  test('loads what a text needs when it does, and once', async () => {
    const page = await browser.newPage();
    await page.goto(`${address}/bare`);
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(basename(request.url()).replace(/-[\w-]{8}\.js$/, '')));
    const translated = (text: string) =>
      page.evaluate(
        `import('/plain/translate.js').then(({ translate }) => translate(${JSON.stringify(text)}, { sources: ${PLAIN} })).then(({ sql }) => sql)`,
      );
    expect(await translated('select countif(x > 1) as n from unnest([1, 2]) as x')).toContain('countIf');
    const plain =
      "with a as (select event_message as m from logs) select m, count(*) as n from a where m like 'a%' group by m order by n limit 3";
    expect(await translated(plain)).toContain('GROUP BY');
    expect(loaded).toEqual(['translate.js', 'translator']);
    await translated('select row_number() over (order by x) as n from unnest([1, 2]) as x');
    const parts = loaded.splice(0);
    expect(parts).toContain('clauses');
    expect(parts).not.toContain('tools');
    await translated('select row_number() over (order by x desc) as n from unnest([1, 2]) as x');
    expect(loaded).toEqual([]);
  });
});
