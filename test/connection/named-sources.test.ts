// Only the sources that a query names are looked at, each is remembered by itself, and what is wrong with one is heard by nobody else.
import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openPlaceSources, type PlaceOptions } from '../../src/sources/open.ts';
import { temporaryFolder } from '../cache/support.ts';
import { cliHome } from '../support/run-cli.ts';
import { serveCli } from '../support/serve-cli.ts';

const home = cliHome();
afterAll(() => home.remove());

const rows = async (sql: string) => home.run(['query', sql]);

describe('of a project with a thousand tables', () => {
  const described: string[] = [];
  const MANY = Array.from({ length: 1000 }, (_, i) => `t${i}`);
  const options = (): PlaceOptions => ({
    sections: { sources: { value: Object.fromEntries(MANY.map((name) => [name, { table: `web.${name}` }])) } },
    files: { onServer: false, ask: async () => [], place: { folder: '/', env: {}, permit: async () => undefined } },
    ask: async (sql) => {
      described.push(sql.replace('DESCRIBE TABLE ', ''));
      return [['n', 'Int64']];
    },
    closed: [],
    folder,
    engine: 'embedded',
    build: 'one',
    ttlSeconds: 60,
    now: () => Date.UTC(2026, 0, 2),
  });
  let folder = '';
  beforeEach(() => {
    described.length = 0;
    folder = temporaryFolder();
  });

  test('one is described for a query that names one, and none for the next', async () => {
    for (const expected of [['web.t7'], ['web.t7']]) {
      const sources = await openPlaceSources(options());
      expect((await sources.resolve(['T7'])).find('T7')?.table).toBe('t7');
      expect(described).toEqual(expected);
    }
  });

  test('all are for who lists them, once', async () => {
    await (await openPlaceSources(options())).resolveAll();
    await (await openPlaceSources(options())).resolveAll();
    expect(described.length).toBe(1000);
  });

  test('what was forgotten is described again', async () => {
    const sources = await openPlaceSources(options());
    await sources.resolve(['t1']);
    await sources.forget();
    await (await openPlaceSources(options())).resolve(['t1']);
    expect(described).toEqual(['web.t1', 'web.t1']);
  });

  test('tables that are only found on the server are asked for by name, and not before', async () => {
    const asked: string[] = [];
    const ask = async (sql: string) => {
      asked.push(sql);
      return sql.startsWith('DESCRIBE') ? [['n', 'Int64']] : [['edge_logs']];
    };
    const sources = await openPlaceSources({ ...options(), ask, server: { absent: () => ({ message: '', hint: '' }) } });
    await sources.resolve(['t1']);
    expect(asked.filter((sql) => sql.includes('edge_logs'))).toEqual([]);
    await sources.resolve(['edge_logs']);
    // Once for its name, once for its columns, and once for whether its rows are on several servers.
    expect(asked.filter((sql) => sql.includes('edge_logs'))).toHaveLength(3);
    expect(asked.filter((sql) => sql.startsWith('DESCRIBE'))).toEqual(['DESCRIBE TABLE web.t1', 'DESCRIBE TABLE edge_logs']);
  });
});

describe('a source that the file system does not even look at', () => {
  const BAD: readonly (readonly [string, string, string])[] = [
    ['loop', 'loop.csv', 'it is a link that leads back to itself'],
    ['backwards', 'd/[z-a]*.csv', '[z-a] is not a range of characters: a comes before z'],
    ['long', `${'a'.repeat(400)}.csv`, 'its name is longer than the file system takes'],
    ['nul', 'd/a\0b.csv', 'its name contains the character NUL'],
    ['slow', `d/${'*a'.repeat(20)}b.csv`, 'no file matches'],
    ['gone', 'd/gone.csv', 'there is no file'],
  ];
  beforeAll(() => {
    const lines = BAD.map(([name, file]) => `  ${name}: { file: ${JSON.stringify(file)} }`);
    home.write('quern.yaml', ['sources:', '  fine: { file: fine.csv }', ...lines, ''].join('\n'));
    home.write('fine.csv', 'id\n1\n');
    home.write(`d/${'a'.repeat(200)}.csv`, 'id\n1\n');
    symlinkSync('loop.csv', join(home.folder, 'loop.csv'));
  });

  test('is nothing to queries that name others', async () => {
    expect(await rows('select 1 as one')).toEqual({ stdout: '{"one":1}\n', stderr: '', exitCode: 0 });
    expect(await rows('select * from fine')).toEqual({ stdout: '{"id":1}\n', stderr: '', exitCode: 0 });
  });

  test.each(BAD)('%s: is an error with its place to who names it', async (name, _, why) => {
    const { stdout, stderr, exitCode } = await rows(`select * from ${name}`);
    const line = 3 + BAD.findIndex(([one]) => one === name);
    expect([stdout, exitCode]).toEqual(['', 2]);
    expect(stderr.split('\n')[0]).toMatch(new RegExp(`^error\\[config\\]: sources\\.${name}: `));
    expect(stderr).toContain(why);
    expect(stderr).toContain(`quern.yaml:${line}:`);
  });

  test('stands beside the others in a list of all', async () => {
    const { stdout, exitCode } = await home.run(['sources', '--format', 'ndjson']);
    const listed = new Map(
      stdout.split('\n').flatMap((line) => (line === '' ? [] : [[JSON.parse(line).source, JSON.parse(line).columns]])),
    );
    expect(listed.get('fine')).toBe('id _FILE_NAME');
    for (const [name, , why] of BAD) expect(listed.get(name)).toContain(why);
    expect(exitCode).toBe(0);
  });
});

describe('files that come and go while they are served', () => {
  beforeAll(() => {
    mkdirSync(join(home.folder, 'logs'), { recursive: true });
    home.write('quern.yaml', 'sources:\n  many: { file: "logs/m-*.ndjson" }\n  one: { file: logs/app.ndjson }\n');
    for (const [i, name] of ['many', 'one'].entries())
      home.write(
        `rotated/${name}.sql`,
        `/*---\nid: 7a1c8f10-5c0f-4d8f-9c3a-1f6f5f1b6b0${i}\ncache: disabled\n---*/\nselect count(*) as n from ${name}\n`,
      );
  });
  const put = (name: string, n: number) => {
    home.write('logs/.new', `{"v":${n}}\n`);
    renameSync(join(home.folder, 'logs/.new'), join(home.folder, 'logs', name));
  };

  test('a source whose files are not there at the start is served once they are', async () => {
    const { address, stop } = await serveCli(home, ['--no-auth', '--queries', 'rotated', '--log-level', 'silent']);
    const status = async () => (await fetch(`${address}/endpoints/query/one`)).status;
    expect(await status()).toBe(503);
    put('app.ndjson', 1);
    expect(await status()).toBe(200);
    await stop();
  });

  test('are never a failure of the server', async () => {
    put('app.ndjson', 0);
    put('m-0.ndjson', 0);
    const { address, stop } = await serveCli(home, ['--no-auth', '--queries', 'rotated', '--log-level', 'silent']);
    let done = false;
    const churn = (async () => {
      for (let n = 1; !done; n++) {
        put(`m-${n}.ndjson`, n);
        rmSync(join(home.folder, `logs/m-${n - 1}.ndjson`));
        renameSync(join(home.folder, 'logs/app.ndjson'), join(home.folder, 'logs/app.old'));
        await new Promise((resolve) => setTimeout(resolve, 5));
        put('app.ndjson', n);
        await new Promise((resolve) => setTimeout(resolve, 60));
      }
    })();
    const replies: { readonly status: number; readonly text: string }[] = [];
    for (let i = 0; i < 40; i++) {
      const reply = await fetch(`${address}/endpoints/query/${i % 2 === 0 ? 'many' : 'one'}`);
      replies.push({ status: reply.status, text: await reply.text() });
    }
    done = true;
    await churn;
    await stop();
    expect(replies.filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);
    expect(replies.filter(({ status }) => status === 200).length).toBeGreaterThan(10);
  }, 60_000);
});
