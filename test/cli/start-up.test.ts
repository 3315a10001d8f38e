// What is loaded before a command answers, which is most of the time that `--version`, `--help` and a run from the cache take: files and modules are
// counted, since milliseconds depend on the machine. `npm run bench -- start-up` measures those.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { removeFolder } from '../support/remove-folder.ts';
import { ndjson } from './commands/events.ts';

const root = join(import.meta.dirname, '../..');
const bin = join(root, 'bin/quern.js');
const home = mkdtempSync(join(tmpdir(), 'quern-start-up-'));
const env = { PATH: process.env['PATH'], HOME: home };
const RUN = ['run', 'usage.api-counts', '--project', 'demo', '--interval', 'daily', '--as-of', '2026-01-15T12:00:00Z'];
const QUERY = ['query', 'select id from `events.ndjson` order by id'];
const node = (...argv: string[]) => {
  const { stdout, stderr, status } = spawnSync(process.execPath, argv, { cwd: home, env, encoding: 'utf8' });
  return { stdout, stderr, status };
};

beforeAll(() => {
  writeFileSync(join(home, 'events.ndjson'), ndjson);
  writeFileSync(
    join(home, 'told.cjs'),
    "process.on('exit', () => require('fs').writeFileSync('modules.json', JSON.stringify(process.moduleLoadList)));",
  );
  for (const argv of [['load', 'edge_logs', 'events.ndjson'], RUN, QUERY]) expect(node(bin, ...argv).status).toBe(0);
});
afterAll(() => removeFolder(home));

/** The files of the package that a command executes, by V8's own count, and Node's modules that it loads beside those of an empty process. */
function loadedBy(argv: readonly string[]) {
  const coverage = mkdtempSync(join(home, 'coverage-'));
  // Nobody reads what it prints: a pipe or a terminal would load sockets.
  const options = { cwd: home, env: { ...env, NODE_V8_COVERAGE: coverage }, stdio: 'ignore' } as const;
  expect(spawnSync(process.execPath, ['--require', './told.cjs', ...argv], options).status).toBe(0);
  const modules: readonly string[] = JSON.parse(readFileSync(join(home, 'modules.json'), 'utf8'));
  const [report = ''] = readdirSync(coverage);
  const { result } = JSON.parse(readFileSync(join(coverage, report), 'utf8')) as { readonly result: readonly { readonly url: string }[] };
  const files = result.flatMap(({ url }) => (url.startsWith('file:') ? [fileURLToPath(url)] : url.startsWith('/') ? [url] : []));
  return { modules: modules.map((name) => name.split(' ').at(-1)), files: files.filter((file) => file.startsWith(root)) };
}

const namesOf = (files: readonly string[]) => files.map((file) => basename(file).replace(/-[\w-]{8}\.cjs$/, '')).sort();
const bytesOf = (files: readonly string[]) => files.reduce((bytes, file) => bytes + statSync(file).size, 0);

describe.each([
  { what: '--version', argv: ['--version'], files: ['quern.js'], mostBytes: 3000, mostModules: 25 },
  {
    what: '--help',
    argv: ['--help'],
    files: ['chunk-core', 'chunk-ground', 'chunk-rolldown-runtime', 'cli.cjs', 'load.js', 'quern.js'],
    mostBytes: 260_000,
    mostModules: 40,
  },
  {
    what: 'a run from the cache',
    argv: RUN,
    files: ['chunk-core', 'chunk-ground', 'chunk-rolldown-runtime', 'cli.cjs', 'load.js', 'quern.js'],
    mostBytes: 260_000,
    mostModules: 65,
  },
])('$what', ({ argv, files: names, mostBytes, mostModules }) => {
  test('loads no file and no module that it does without', () => {
    const { files, modules } = loadedBy([bin, ...argv]);
    expect(namesOf(files)).toEqual(names);
    expect(bytesOf(files)).toBeLessThan(mostBytes);
    const empty = loadedBy(['-e', '0']).modules;
    const more = modules.filter((name) => !empty.includes(name));
    expect(more).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(?:net|tls|child_process|worker_threads|internal\/fs\/promises)$/)]),
    );
    expect(more.includes('crypto')).toBe(argv === RUN);
    expect(more.length).toBeLessThan(mostModules);
  });
});

test('SQL over a file that ran before loads the engine, and neither the translator nor what reads YAML or describes files', () => {
  const { files, modules } = loadedBy([bin, ...QUERY]);
  const ofQuern = files.filter((file) => !file.includes('node_modules'));
  const names = ['chunk-core', 'chunk-engine', 'chunk-ground', 'chunk-rolldown-runtime', 'chunk-types', 'cli.cjs', 'load.js', 'quern.js'];
  expect(namesOf(ofQuern)).toEqual(names);
  expect(bytesOf(ofQuern)).toBeLessThan(530_000);
  expect(modules).not.toEqual(expect.arrayContaining([expect.stringMatching(/^(?:net|zlib|internal\/deps\/cjs-module-lexer\/lexer)$/)]));
});

test('SQL without a header that has not run before does without what reads YAML', () => {
  const names = namesOf(loadedBy([bin, 'query', 'select id, 2 as n from `events.ndjson`']).files);
  expect(names).toEqual(expect.arrayContaining(['chunk-sql']));
  expect(names).not.toEqual(expect.arrayContaining([expect.stringMatching(/^chunk-(?:yaml|dist)$/)]));
});

test('no module imports a CommonJS file, which Node would read for names and compile without its code cache', () => {
  const dist = join(root, 'dist');
  const modules = readdirSync(dist).filter((file) => file.endsWith('.js'));
  expect(modules).toContainEqual(expect.stringMatching(/^chunk-core-/));
  expect(modules.filter((file) => /(?:from|import\(?)\s*"[^"]*\.cjs"/.test(readFileSync(join(dist, file), 'utf8')))).toEqual([]);
});

describe('the code caches of the build', () => {
  const rejected = (...flags: string[]) => {
    const script = `const { load, scripts } = require(${JSON.stringify(join(root, 'bin/load.js'))}); load('cli.cjs');
      console.log(JSON.stringify([...scripts.values()].flatMap(({ cachedDataRejected }) => cachedDataRejected ?? [])))`;
    return JSON.parse(node(...flags, '-e', script).stdout);
  };

  test('are used by the Node that they were made with', () => {
    expect(rejected()).toEqual([false, false, false]);
  });

  test('are rejected by a V8 with other flags, which compiles the files itself', () => {
    expect(rejected('--no-lazy')).toEqual([true, true, true]);
    const printed = node(bin, ...RUN);
    expect(node('--no-lazy', bin, ...RUN)).toEqual(printed);
    expect(printed).toMatchObject({ stderr: '', status: 0 });
  });

  test('need not be there, nor be whole', () => {
    const copy = join(home, 'copy');
    mkdirSync(copy);
    for (const name of ['bin', 'dist', 'queries', 'package.json']) cpSync(join(root, name), join(copy, name), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    const caches = readdirSync(join(copy, 'dist')).filter((name) => name.endsWith('.cache'));
    for (const chunk of ['core', 'ground', 'sql']) expect(caches).toContainEqual(expect.stringMatching(new RegExp(`^chunk-${chunk}-`)));
    const asked = [['--help'], ['translate', 'select 1 as n']];
    const answers = asked.map((argv) => node(bin, ...argv));
    expect(answers).toMatchObject([{ status: 0 }, { stdout: 'SELECT toInt64(1) AS n\n', stderr: '' }]);
    const fromCopy = () => asked.map((argv) => node(join(copy, 'bin/quern.js'), ...argv));
    for (const content of ['', 'no code', readFileSync(join(root, 'dist', caches[0] ?? '')).subarray(0, 4000)]) {
      for (const name of caches) writeFileSync(join(copy, 'dist', name), content);
      expect(fromCopy()).toEqual(answers);
    }
    for (const name of caches) removeFolder(join(copy, 'dist', name));
    expect(fromCopy()).toEqual(answers);
  });
});

test('modules that load later are given the same command line, not a second one', () => {
  const script = `const { load } = require(${JSON.stringify(join(root, 'bin/load.js'))});
    const core = require('fs').readdirSync(${JSON.stringify(join(root, 'dist'))}).find((name) => /^chunk-core-.*cjs$/.test(name));
    const loaded = load(core);
    import(${JSON.stringify(`${join(root, 'dist')}/`)} + core).then((imported) => console.log(imported.default === loaded, Object.keys(loaded).every((name) => imported[name] === loaded[name])));`;
  expect(node('-e', script)).toEqual({ stdout: 'true true\n', stderr: '', status: 0 });
});
