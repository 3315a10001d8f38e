// What an earlier or a later quern has left on disk: read where its version is known, refused with words elsewhere, and never changed or removed.
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cliHome } from '../support/run-cli.ts';
import { ndjson } from './commands/events.ts';

const home = cliHome();
const store = join(home.folder, '.local/share/quern/store');
const manifest = join(store, 'manifest.json');
const config = '.config/quern/config.json';
const counts = [
  'run',
  'usage.api-counts',
  '--project',
  'demo',
  '--interval',
  'daily',
  '--as-of',
  '2026-01-15T12:00:00Z',
  '--format',
  'csv',
];
let counted = '';

beforeAll(async () => {
  home.write('events.ndjson', ndjson);
  expect((await home.run(['load', 'edge_logs', 'events.ndjson'])).exitCode).toBe(0);
  counted = (await home.run(counts)).stdout;
});
afterAll(() => home.remove());

/** Path → text of every file below a folder. */
const contents = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(folder, path)).isFile())
    .map((path) => [path, readFileSync(join(folder, path), 'latin1')]);

/** Does `work` while a file has another text. */
async function withText(file: string, text: string, work: () => Promise<void>): Promise<void> {
  const before = readFileSync(join(home.folder, file), 'utf8');
  home.write(file, text);
  await work();
  home.write(file, before);
}

const failed = (code: string, exitCode: number, message: string, hint: string) => ({
  stdout: '',
  stderr: `error[${code}]: ${message}\n   = hint: ${hint}\n`,
  exitCode,
});

describe('a store', () => {
  const stored = () => JSON.parse(readFileSync(manifest, 'utf8'));
  const relative = '.local/share/quern/store/manifest.json';

  test('says its version, and answers to a quern that knows it', async () => {
    expect(stored().schema).toBe(4);
    expect((await home.run([...counts, '--no-cache'])).stdout).toBe(counted);
  });

  test.each([['run', 'logs.all', '--project', 'demo'], ['load', 'edge_logs', 'events.ndjson'], counts])(
    'of a newer quern is left as it is by %s %s',
    async (...argv) => {
      await withText(relative, JSON.stringify({ ...stored(), schema: 5, shards: [] }), async () => {
        const before = contents(store);
        expect(await home.run(argv)).toEqual(
          failed(
            'unreachable',
            3,
            `the store in ${store} was made by a newer quern (store version 5, this quern knows 4)`,
            'update quern, or choose another store with --store',
          ),
        );
        expect(contents(store)).toEqual(before);
      });
    },
  );

  test('of an older quern is left as it is, and what to do is said', async () => {
    await withText(relative, JSON.stringify({ ...stored(), schema: 0 }), async () => {
      const before = contents(store);
      expect(await home.run(['run', 'logs.all', '--project', 'demo'])).toEqual(
        failed(
          'unreachable',
          3,
          `the store in ${store} was made by an older quern (store version 0, this quern knows 4)`,
          `load its files, listed in ${manifest}, again into a new store, with --store`,
        ),
      );
      expect(contents(store)).toEqual(before);
    });
  });

  test.each([
    '{"schema":1}',
    '{"schema":"1"}',
    '{"schema":3,"id":"x","generation":0,"sources":{},"loads":[]}',
    '[]',
    'null',
    '{"schema":1,"id":"x","generation":0,"sources":{},"loads":{}}',
  ])('with a manifest of %s is damaged, and not taken for an empty one', async (text) => {
    await withText(relative, text, async () => {
      expect((await home.run(['run', 'logs.all', '--project', 'demo'])).stderr.split('\n')[0]).toBe(
        `error[unreachable]: the manifest of the store in ${store} is damaged`,
      );
      expect(readFileSync(manifest, 'utf8')).toBe(text);
    });
  });
});

describe('quern.yaml', () => {
  const file = join(home.folder, 'quern.yaml');
  const inProject = async (text: string) => {
    home.write('quern.yaml', text);
    return home.run(['config', 'get', 'timeout']).finally(() => rmSync(file));
  };

  test.each(['timeout: 5s\n', 'version: 1\ntimeout: 5s\n'])('without a version, or of the first, is read: %j', async (text) => {
    expect(await inProject(text)).toEqual({ stdout: '5s\n', stderr: '', exitCode: 0 });
  });

  test('of a newer quern is refused as such, whatever else it says', async () => {
    const { stderr, exitCode } = await inProject('timeouts: { run: 5s }\nversion: 2\n');
    expect([exitCode, stderr]).toEqual([
      2,
      `error[config]: ${file} is written for a newer quern (version 2, this quern knows 1)
  --> ${file}:2:10
   |
 2 | version: 2
   |          ^
   = hint: update quern
`,
    ]);
  });

  test('of a version that is none says what to write', async () => {
    const { stderr } = await inProject('version: 0.9\n');
    expect([stderr.split('\n')[0], stderr.split('\n').at(-2)]).toEqual([
      `error[config]: ${file}: there is no version 0.9 of this file`,
      '   = hint: write version: 1',
    ]);
  });
});

describe("the user's settings", () => {
  test('that have no version are read, and get theirs when they are next written', async () => {
    home.write(config, '{"timeout": "5s"}');
    expect((await home.run(['config', 'get', 'timeout'])).stdout).toBe('5s\n');
    expect((await home.run(['config', 'set', 'max_scan', '10'])).exitCode).toBe(0);
    expect(JSON.parse(readFileSync(join(home.folder, config), 'utf8'))).toEqual({ timeout: '5s', version: 1, max_scan: 10 });
    expect((await home.run(['config', 'get', 'max_scan'])).stdout).toBe('10\n');
    expect((await home.run(['config', 'unset', 'max_scan'])).exitCode).toBe(0);
  });

  test.each([
    ['config', 'list'],
    ['config', 'set', 'timeout', '1m'],
    ['config', 'unset', 'timeout'],
    ['run', 'usage.api-counts'],
  ])('of a newer quern are refused and left as they are by %s %s', async (...argv) => {
    const text = '{"version": 2, "timeout": {"run": "5s"}}';
    await withText(config, text, async () => {
      const file = join(home.folder, config);
      expect(await home.run(argv)).toEqual(
        failed('config', 2, `${file} is written for a newer quern (version 2, this quern knows 1)`, 'update quern, or move the file away'),
      );
      expect(readFileSync(file, 'utf8')).toBe(text);
    });
  });
});

describe('the cache', () => {
  const results = join(home.folder, '.cache/quern/results');
  const key = 'f'.repeat(64);

  test('keeps the results of other versions apart: they are neither listed nor removed, until all is cleared', async () => {
    const file = join(results, 'ff', `${key}.entry`);
    home.write(`.cache/quern/results/ff/${key}.entry`, 'quern-cache 2 of a shape to come\n');
    const listed = (await home.run(['cache', 'list', '--format', 'ndjson', '--quiet'])).stdout;
    expect(listed.includes(key)).toBe(false);
    expect((await home.run(['cache', 'show', key])).stderr.split('\n')[0]).toBe(`error[usage]: no cache entry starts with "${key}"`);
    expect(readFileSync(file, 'utf8')).toBe('quern-cache 2 of a shape to come\n');
    expect((await home.run(['cache', 'clear'])).exitCode).toBe(0);
    expect(readdirSync(results, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.entry'))).toEqual([]);
  });

  test('of an older quern, which had all results in one folder, answers', async () => {
    const kept = ['run', 'one.sql', '--format', 'csv'];
    home.write('one.sql', `/*---\nid: 4c01dc9a-90f3-4c81-99e0-1e85e62aab01\ncache: 15m\n---*/\nselect 1 as one`);
    expect((await home.run(kept)).stdout).toBe('one\n1\n');
    const [path = ''] = readdirSync(results, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.entry'));
    renameSync(join(results, path), join(results, basename(path)));
    rmSync(join(results, dirname(path)), { recursive: true });
    writeFileSync(join(results, '.ledger'), 'total 700\n');
    const listed = (await home.run(['cache', 'list', '--format', 'ndjson', '--quiet'])).stdout;
    expect(JSON.parse(listed)).toMatchObject({ query: 'one', rows: 1 });
    expect(readdirSync(results).sort()).toEqual(['.use', dirname(path)].sort());
    expect((await home.run([...kept, '--stats'])).stderr).toMatch(/cache +hit/);
  });
});
