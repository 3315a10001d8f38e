// The packed package, installed elsewhere: what it holds, and that its command runs wherever and however it is installed.
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ClickHouseServer, startClickHouse } from '../support/clickhouse-server.ts';
import { type Installed, install, pack } from './packed.ts';

const packed = pack();
const whole = install(packed.archive, { engine: true });
const bare = install(packed.archive, { engine: false, name: "somebody's überfluß, 100% #1?" });
afterAll(() => {
  for (const { remove } of [packed, whole, bare]) remove();
});

/** Path → bytes and time of change of everything below a folder. */
const contents = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(folder, path)).isFile())
    .map((path) => [path, statSync(join(folder, path)).size, statSync(join(folder, path)).mtimeMs]);

describe('the packed package', () => {
  test('is small, and holds what runs, what it is read by, and no sources', () => {
    expect(new Set(packed.files.map((file) => file.split('/')[0]))).toEqual(
      new Set(
        [
          'CHANGELOG.md',
          'CONTRIBUTING.md',
          'LICENSE',
          'README.md',
          'SECURITY.md',
          'bin',
          'dist',
          'docs',
          'examples',
          'package.json',
        ].concat('queries', 'schemas'),
      ),
    );
    const kinds = packed.files.filter((file) => file.startsWith('dist/')).map((file) => /(\.d)?\.[a-z]+$/.exec(file)?.[0]);
    expect(new Set(kinds)).toEqual(new Set(['.js', '.cjs', '.d.ts', '.txt', '.html', '.css']));
    expect(packed.bytes).toBeLessThan(2.1e6);
  });

  test('holds the page behind every link of its pages', () => {
    const broken = packed.files
      .filter((file) => file.endsWith('.md'))
      .flatMap((file) => {
        const links = readFileSync(join(whole.path, file), 'utf8').matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g);
        return [...links].map(([, link]) => [file, posix.join(posix.dirname(file), link ?? '')] as const);
      })
      .filter(([, target]) => !packed.files.some((file) => file === target || file.startsWith(`${target.replace(/\/$/, '')}/`)));
    expect(broken).toEqual([]);
  });

  test('names no place where packages are fetched from, and no folder of the machine that made it', () => {
    const root = join(import.meta.dirname, '../..');
    const telling = packed.files.filter((file) => {
      const text = readFileSync(join(whole.path, file), 'latin1');
      return text.includes(root) || /registry\.(npmjs|yarnpkg)|npm\.pkg\.|artifactory|:4873/.test(text);
    });
    expect(telling).toEqual([]);
  });
});

describe('installed with its engine, the command', () => {
  test('loads events and answers from them in an empty folder, without a home, a terminal, or the right to write into its own folder', () => {
    const before = contents(whole.path);
    const folders = [whole.path, ...readdirSync(whole.path, { recursive: true, encoding: 'utf8' }).map((path) => join(whole.path, path))];
    for (const path of folders) chmodSync(path, statSync(path).mode & 0o555);
    const cwd = join(whole.folder, 'empty');
    mkdirSync(cwd);
    const env = { HOME: '', XDG_CONFIG_HOME: '', QUERN_STORE: 'store', QUERN_CACHE_DIR: 'cache' };
    writeFileSync(
      join(cwd, 'events.ndjson'),
      '{"timestamp":"2026-01-15T10:00:00Z","metadata":{"request":{"url":"https://p/rest/v1","path":"/rest/v1"}}}\n',
    );
    expect(whole.quern(['load', 'edge_logs', 'events.ndjson'], { cwd, env }).status).toBe(0);
    const argv = [
      'run',
      'usage.api-counts',
      '--project',
      'p',
      '--interval',
      'hourly',
      '--as-of',
      '2026-01-15T10:30:00Z',
      '--format',
      'csv',
    ];
    expect(whole.quern([...argv, '--columns', 'timestamp,total_rest_requests'], { cwd, env })).toEqual({
      stdout: 'timestamp,total_rest_requests\n2026-01-15T10:00:00,1\n',
      stderr: '',
      status: 0,
    });
    for (const path of folders) chmodSync(path, statSync(path).mode | 0o200);
    expect(contents(whole.path)).toEqual(before);
  });

  test('runs through links to it, from a folder with any name', () => {
    const link = join(whole.folder, 'ein Verweis → quern');
    symlinkSync(join(whole.folder, 'node_modules/.bin/quern'), link);
    for (const script of [link, join(whole.path, 'bin/quern.js')]) {
      expect(whole.node(script, ['--version'])).toEqual({ stdout: `${whole.manifest.version}\n`, stderr: '', status: 0 });
    }
  });
});

describe('installed without its engine, in a folder with a name of spaces and other letters, the command', () => {
  const lacking = `error[unreachable]: the embedded engine, the optional package chdb, is not installed
   = hint: install it with \`npm install chdb\` (Linux with glibc, macOS), or use a ClickHouse server with --url
`;
  let server: ClickHouseServer;
  beforeAll(async () => {
    writeFileSync(join(bare.folder, 'one.sql'), "select 1 as one, 'ü' as text\n");
    server = await startClickHouse();
  });
  afterAll(() => server.stop());

  test.each([
    ['--version'],
    ['--help'],
    ['list'],
    ['show', 'logs.all'],
    ['explain', 'usage.api-counts'],
    ['translate', 'one.sql'],
    ['lint', 'one.sql'],
    ['fmt', 'one.sql'],
    ['sources'],
    ['config', 'list'],
    ['config', 'schema', 'project'],
    ['cache', 'list'],
    ['keys', 'list'],
    ['completion', 'zsh'],
    ['init', 'project'],
  ])('does what needs no engine: %s', (...argv) => {
    const { stderr, status } = bare.quern(argv);
    expect([status, /^error/m.test(stderr)]).toEqual([0, false]);
  });

  test.each([
    [['run', 'one.sql']],
    [['load', 'edge_logs', 'one.sql']],
    [['explain', '--plan', 'one.sql']],
    [['serve', '--no-auth', '--port', '0']],
  ])('says for %j what is missing, and leaves nothing behind', (argv) => {
    const cwd = join(bare.folder, argv.join(' '));
    mkdirSync(cwd);
    writeFileSync(join(cwd, 'one.sql'), 'select 1 as one\n');
    expect(bare.quern([...argv, '--store', 'store'], { cwd })).toEqual({ stdout: '', stderr: lacking, status: 3 });
    expect(readdirSync(cwd)).toEqual(['one.sql']);
  });

  test('runs queries on a server', () => {
    expect(bare.quern(['run', 'one.sql', '--url', server.url, '--format', 'csv'])).toEqual({
      stdout: 'one,text\n1,"ü"\n',
      stderr: '',
      status: 0,
    });
  });
});

describe('an old Node', () => {
  const old = (version: string): readonly string[] => [
    '--import',
    `data:text/javascript,Object.defineProperty(process.versions, 'node', { value: '${version}' })`,
  ];
  const said = (quern: Installed, version: string) =>
    quern.node(join(quern.path, 'bin/quern.js'), ['--version'], { nodeFlags: old(version) });

  test.each(['12.22.0', '18.20.8', '20.18.3'])('of version %s is told what to do', (version) => {
    expect(said(bare, version)).toEqual({
      stdout: '',
      stderr: `error[config]: quern needs Node 20.19 or newer, and this is Node ${version}\n   = hint: update Node, or run quern with a newer one\n`,
      status: 2,
    });
  });

  test('is any that the package says it does not run on', () => {
    expect(bare.manifest.engines).toEqual({ node: '>=20.19' });
    for (const version of ['20.19.0', '22.0.0', '100.1.0']) expect(said(bare, version).status).toBe(0);
  });
});
