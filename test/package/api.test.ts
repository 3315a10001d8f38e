// The package as a library: what it exports, what a TypeScript project makes of its types, and that the project runs.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { startClickHouse } from '../support/clickhouse-server.ts';
import { install, pack } from './packed.ts';

const root = join(import.meta.dirname, '../..');
const packed = pack();
const consumer = install(packed.archive, { engine: true });
afterAll(() => {
  consumer.remove();
  packed.remove();
});
const write = (name: string, text: string) => writeFileSync(join(consumer.folder, name), text);

/** Every part of the API, as a script would use it. */
const SCRIPT = `import {
  openQuern, parse, positionAt, QuernError, translate,
  type ErrorCode, type ErrorDetails, type Position, type Problem, type Quern, type QuernAssertion, type QuernCheck, type QuernCheckOptions,
  type QuernCheckReport, type QuernExplanation, type QuernFinding, type QuernFormatOptions, type QuernOptions, type QuernResult,
  type QuernRow, type QuernRunOptions, type QuernSql, type QuernStream, type QuernStreamOptions, type ResultColumn, type Script, type Source, type SourceCatalog, type SourceText, type Span, type TranslatedColumn,
  type TranslatedParameter, type TranslateOptions, type Translation, type Type, type Value,
} from 'quern';

const source: Source = {
  name: 'hits', table: 'web', database: 'logs',
  columns: [{ name: 'path', type: { kind: 'STRING' }, read: { layout: 'column', column: 'p', clickhouseType: 'String' } }],
};
const sources: SourceCatalog = { names: ['hits'], find: (name) => (name === 'hits' ? source : undefined) };
const options: TranslateOptions = { parameters: { path: { kind: 'STRING' } }, sources };
const text = 'select count(*) as hits\\nfrom hits where path = @path';
const translation: Translation = translate(text, options);
const parameters: readonly TranslatedParameter[] = translation.parameters;
const columns: readonly TranslatedColumn[] = translation.columns;
const type: Type | undefined = columns[0]?.type;
console.log(translation.sql, parameters, type, translation.sources);

const tree: Script = parse(text);
console.log(tree.kind);
try {
  translate('select 1,\\n  nope(2)');
} catch (error) {
  if (!(error instanceof QuernError)) throw error;
  const code: ErrorCode = error.code;
  const { span, source: file, problems }: ErrorDetails = error.details;
  const at: Position | undefined = span && positionAt('select 1,\\n  nope(2)', span.start);
  const both: [Span | undefined, SourceText | undefined, readonly Problem[] | undefined] = [span, file, problems];
  console.log(code, at, both.length, error.message);
}

const heard: string[] = [];
const given: QuernOptions = { store: 'store', cacheDir: 'cache', queries: ['queries'], timeout: '30s', onNote: (note) => heard.push(note) };
const quern: Quern = openQuern(given);
const once: QuernRunOptions = { asOf: '2026-01-15T12:00:00Z', maxAgeSeconds: 60 };
const explanation: QuernExplanation = await quern.explain('echo');
console.log(explanation.sql, explanation.parameters, explanation.columns?.length, explanation.sources);
console.log((await quern.explain('either', { n: 1 })).sql, (await quern.explain('either', { n: 2 })).parameters);
for (const options of [{ cache: 'none' }, once, once] as const) {
  const result: QuernResult = await quern.run('echo', { n: 2n ** 60n }, options);
  const column: ResultColumn | undefined = result.columns[0];
  const value: Value | undefined = result.rows[0]?.[0];
  console.log(column?.name, value, result.truncated, result.cache, 'missing' in result);
}
const sql: QuernSql = { sql: 'select @n as n, struct(@at as \`at\`) as s', maxRows: 1 };
const at: QuernStreamOptions = { asOf: '2026-01-15T12:00:00Z' };
const stream: QuernStream = quern.stream(sql, { n: 1, at: new Date(0) }, at);
for await (const row of stream) {
  const one: QuernRow = row;
  console.log(one['n'], one['s'], stream.truncated);
}
console.log(stream.truncated, await quern.objects(sql, { n: 'x', at: { type: 'date', value: '2026-01-02' } }));
const findings: readonly QuernFinding[] = await quern.lint('echo');
const upper: QuernFormatOptions = { keywords: 'upper' };
console.log(findings, await quern.format('select 1', upper));
const some: QuernCheckOptions = { rows: 1 };
const report: QuernCheckReport = await quern.check(['checked'], some);
const check: QuernCheck | undefined = report.checks[0];
const assertion: QuernAssertion | undefined = check?.assertions[0];
console.log(report.ok, check?.query, assertion?.name, assertion?.reason);
const refused = async (action: () => unknown) => {
  try {
    await action();
  } catch (error) {
    if (!(error instanceof QuernError)) throw error;
    console.log([error.code, error.message, error.details.hint, error.details.problems?.length].join(' | '));
  }
};
await refused(() => quern.run('echo', { m: 1 }));
await refused(() => quern.run('ehco'));
await quern.close();
await refused(() => quern.run('echo', { n: 1 }));
// @ts-expect-error an option that there is not
await refused(() => openQuern({ stor: 'store' }));
// @ts-expect-error a mode that there is not
await refused(() => openQuern(given).run('echo', { n: 1 }, { cache: 'no' }));
// @ts-expect-error the name of a query is text
export const wrong = () => quern.run(1);
console.log(heard);
`;

const PRINTED = `SELECT toInt64(count()) AS hits
FROM logs.web
WHERE p = {path:Nullable(String)} [ { name: 'path', type: 'Nullable(String)' } ] { kind: 'INT64' } [ 'hits' ]
script
unknown-function { line: 2, column: 3 } 3 nope is not a function quern can translate
SELECT {n:Nullable(Int64)} AS n [ { name: 'n', type: 'Nullable(Int64)' } ] 1 []
SELECT toInt64(1) AS n [ { name: 'n', type: 'Nullable(Int64)' } ]
n 1152921504606846976n false off false
n 1152921504606846976n false miss false
n 1152921504606846976n false hit false
1 { at: '1970-01-01T00:00:00Z' } undefined
false [ { n: 'x', s: { at: '2026-01-02' } } ]
[] SELECT 1

false checked n > 1 fails for the only row
parameter | echo needs 1 parameter, 1 is missing and 1 is unknown | see its parameters with \`quern show echo\` | 2
unknown-query | there is no saved query named ehco | did you mean echo? \`quern list\` shows them all | 
usage | this client is closed | create another one with openQuern | 
usage | openQuern has no option stor | did you mean store? | 
usage | cache: "no" is not one of: use, refresh, none |  | 
[]
`;

const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: false, target: 'es2023' };
const typeRoots = [join(root, 'node_modules/@types')];

function compile(options: Readonly<Record<string, unknown>>): string {
  write('tsconfig.json', JSON.stringify({ compilerOptions: { ...strict, ...options }, files: ['script.ts'] }));
  const { stdout } = spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', consumer.folder], {
    encoding: 'utf8',
  });
  return stdout;
}

test('exports what is documented, and nothing else', async () => {
  const script = "import('quern').then((quern) => console.log(Object.keys(quern).join(' ')))";
  write('names.mjs', script);
  write('names.cjs', "console.log(Object.keys(require('quern')).join(' '))");
  const names = 'QuernError openQuern parse positionAt translate\n';
  expect(consumer.node('names.mjs', [])).toEqual({ stdout: names, stderr: '', status: 0 });
  expect(consumer.node('names.cjs', []).stdout).toBe(names);
  const declared = readFileSync(join(consumer.path, 'dist/types/index.d.ts'), 'utf8');
  const exported = [...declared.matchAll(/^export (?:declare )?(?:interface|type|function|const) (\w+)|^export (?:type )?\{([^}]*)\}/gm)]
    .flatMap(([, name, list]) => name ?? (list ?? '').split(','))
    .map((name) => name.replace(/\btype /, '').trim())
    .filter((name) => name !== '')
    .sort();
  const used = /import \{([^}]*)\} from 'quern'/.exec(SCRIPT)?.[1] ?? '';
  expect(exported).toEqual(
    used
      .split(',')
      .map((name) => name.replace(/\btype /, '').trim())
      .filter((name) => name !== '')
      .sort(),
  );
});

test('has declarations of what its API reaches, and of nothing behind it', () => {
  const rooms = packed.files.filter((file) => file.startsWith('dist/types/')).map((file) => file.split('/').slice(2).join('/'));
  expect(rooms.filter((file) => !file.startsWith('sql/'))).toEqual([
    'base/errors.d.ts',
    'base/json-schema.d.ts',
    'base/result.d.ts',
    'base/source-text.d.ts',
    'clickhouse/type.d.ts',
    'fields/value-at.d.ts',
    'index.d.ts',
    'library/answers.d.ts',
    'library/client.d.ts',
    'library/options.d.ts',
    'sources/assumed-tables.d.ts',
    'sources/presets/for-product.d.ts',
    'sources/presets/literal-text.d.ts',
    'sources/presets/products.d.ts',
    'sources/table-schema.d.ts',
    'suggest/scope.d.ts',
    'suggest/suggest.d.ts',
    'translate.d.ts',
  ]);
  // How a source's columns are read is for its layouts to say, which write ClickHouse's tree.
  const reached =
    /^sql\/(?:base\/|compile\/|lint\/|layouts\/(?:\w+\/)?|syntax\/(?:[\w-]+\/)?|target\/(?=ast|settings|types))?[\w-]+\.d\.ts$/;
  expect(rooms.filter((file) => file.startsWith('sql/') && !reached.test(file))).toEqual([]);
});

test.each([
  ['nodenext', { module: 'nodenext', types: ['node'], typeRoots }],
  ['node16', { module: 'node16', types: ['node'], typeRoots }],
  ['bundler', { module: 'preserve', moduleResolution: 'bundler', types: ['node'], typeRoots }],
  ['bundler, of a project for browsers', { module: 'esnext', moduleResolution: 'bundler', lib: ['es2023', 'dom'], types: [] }],
])('has types that compile in the strictest project: %s', (_, options) => {
  write('package.json', '{"type": "module"}');
  write('script.ts', SCRIPT);
  expect(compile({ ...options, noEmit: true })).toBe('');
});

test('translates, explains, runs and caches in a project that was compiled', () => {
  write('package.json', '{"type": "module"}');
  write('script.ts', SCRIPT);
  expect(compile({ module: 'nodenext', types: ['node'], typeRoots, outDir: 'out' })).toBe('');
  mkdirSync(join(consumer.folder, 'queries'));
  write(
    'queries/echo.sql',
    '/*---\nid: 4c01dc9a-90f3-4c81-99e0-1e85e62aab99\ncache: 60s\nparams:\n  n: { type: integer, required: true }\n---*/\nselect @n as n\n',
  );
  write(
    'queries/either.sql',
    '/*---\nid: 4c01dc9a-90f3-4c81-99e0-1e85e62aab98\nparams:\n  n: { type: integer, required: true }\n---*/\nselect if(@n = 1, 1, @n * 2) as n\n',
  );
  write('queries/checked.sql', '/*---\nid: 4c01dc9a-90f3-4c81-99e0-1e85e62aab97\nchecks:\n  - assert: n > 1\n---*/\nselect 1 as n\n');
  const { stdout, stderr, status } = consumer.node('out/script.js', []);
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toBe(PRINTED);
});

test('an error that a script does not catch is shown by its name, and not behind a page of code', () => {
  write('uncaught.mjs', "import { openQuern } from 'quern';\nawait openQuern().run('nothing.there');");
  const { stderr, status } = consumer.node('uncaught.mjs', []);
  const lines = stderr.split('\n');
  expect([status, lines.find((line) => line.includes('Error:'))]).toEqual([1, 'QuernError: there is no saved query named nothing.there']);
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(400);
});

test('runs queries on a server', async () => {
  const server = await startClickHouse();
  try {
    write('one.sql', "select 1 as one, timestamp '2026-01-15 10:00:00' as noted");
    write(
      'server.mjs',
      `import { openQuern } from 'quern';
const quern = openQuern({ url: process.argv[2] });
const { rows, cache } = await quern.run('one.sql');
console.log(rows, cache);
await quern.close();`,
    );
    expect(consumer.node('server.mjs', [server.url])).toEqual({ stdout: "[ [ 1, '2026-01-15T10:00:00Z' ] ] off\n", stderr: '', status: 0 });
  } finally {
    await server.stop();
  }
});

describe('docs/library.md', () => {
  const page = readFileSync(join(root, 'docs/library.md'), 'utf8');

  test('has code that compiles and runs', () => {
    const code = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, block]) => block).join('');
    write('script.ts', code);
    expect(compile({ module: 'nodenext', types: ['node'], typeRoots, outDir: 'out' })).toBe('');
    expect(consumer.node('out/script.js', [])).toEqual({
      stdout: `timestamp,total_rest_requests,total_storage_requests,total_auth_requests,total_realtime_requests 0
[ { n: 1, times: 7 }, { n: 2, times: 14 }, { n: 3, times: 21 } ]
5
SELECT toInt64(count()) AS hits
FROM web.hits
WHERE path = {path:Nullable(String)} [ { name: 'path', type: 'Nullable(String)' } ] [ { name: 'hits', type: { kind: 'INT64' } } ] true
unknown-function { line: 2, column: 3 }
`,
      stderr: '',
      status: 0,
    });
  });

  test('names every function, and every option', () => {
    const declared = ['options', 'answers', 'client'].map((file) =>
      readFileSync(join(consumer.path, `dist/types/library/${file}.d.ts`), 'utf8'),
    );
    const names = [...declared.join('\n').matchAll(/^ {4}(?:readonly )?(\w+)\??[:(]/gm)].map(([, name]) => name ?? '');
    const functions = ['openQuern', 'translate', 'parse', 'format', 'lint', 'functions', 'positionAt', 'QuernError'];
    expect(names.length).toBeGreaterThan(50);
    expect([...functions, ...names].filter((name) => !new RegExp(`\\b${name}\\b`).test(page))).toEqual([]);
  });
});

test('the code of README.md compiles and runs', () => {
  const [, code = ''] = /```ts\n([\s\S]*?)```/.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? [];
  write('package.json', '{"type": "module"}');
  write('script.ts', code);
  expect(compile({ module: 'nodenext', types: ['node'], typeRoots, outDir: 'out' })).toBe('');
  expect(consumer.node('out/script.js', [])).toEqual({ stdout: '', stderr: '', status: 0 });
});
