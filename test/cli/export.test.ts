// Exports of the built command as a process: files whole or not at all, whatever ends it; pipes, flags, memory.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ndjson } from './commands/events.ts';

const root = join(import.meta.dirname, '../..');
const bin = join(root, 'bin/quern.js');
const home = mkdtempSync(join(tmpdir(), 'quern-export-'));
const env = { PATH: process.env['PATH'], HOME: home, TMPDIR: join(home, 'tmp') };
const quern = (...argv: string[]) => {
  const { stdout, stderr, status } = spawnSync(process.execPath, [bin, ...argv], { cwd: home, env, encoding: 'utf8', maxBuffer: 1e9 });
  return { stdout, stderr, status };
};
const fine = { stdout: '', stderr: '', status: 0 };
const header = (id: number, fields: string) => `/*---\nid: 4c01dc9a-90f3-4c81-99e0-1e85e62aac${id}\n${fields}\n---*/\n`;
const read = (name: string) => readFileSync(join(home, name), 'utf8');
const files = (folder = home) => readdirSync(folder).filter((name) => /^\.?(out|o)\./.test(name));

beforeAll(() => {
  if (!existsSync(join(root, 'dist/cli.cjs')))
    spawnSync(process.execPath, [join(root, 'scripts/build.mjs'), '--no-types'], { stdio: 'inherit' });
  mkdirSync(env.TMPDIR);
  const many = "select n, concat('row, ', cast(n as string)) as s, [n] as a from unnest(generate_array(1, 30000)) as n order by n";
  writeFileSync(join(home, 'many.sql'), `${header(10, 'max_rows: 1000000')}${many}`);
  writeFileSync(join(home, 'lines.sql'), `${header(11, 'max_rows: 1000000')}select n, s from (${many}) order by n`);
  writeFileSync(join(home, 'few.sql'), `${header(12, 'max_rows: 20000')}select n from unnest(generate_array(1, 30000)) as n order by n`);
  writeFileSync(join(home, 'two.sql'), 'select "a\\"b" as text, cast(null as string) as nothing union all select "c", "d" order by 1');
  writeFileSync(join(home, 'one.sql'), 'select "a,\\"b" as text, cast(null as string) as nothing, 1e21 as large');
  const endless = 'select a.n from unnest(generate_array(1, 100000)) as a cross join unnest(generate_array(1, 1000000)) as b';
  writeFileSync(
    join(home, 'endless.sql'),
    `${header(13, 'max_rows: 1000000000000')}${endless.replace('a.n', 'x as n').replace('as a cross', 'as x cross')}`,
  );
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

describe('many rows', () => {
  test.each(['ndjson', 'csv', 'tsv'])('are the same in a %s file, in a pipe, and however they were made', (format) => {
    expect(quern('run', 'lines.sql', '-o', `o.${format}`)).toEqual(fine);
    const text = read(`o.${format}`);
    expect(text.trimEnd().split('\n')).toHaveLength(format === 'ndjson' ? 30_000 : 30_001);
    expect(quern('run', 'lines.sql', '--format', format).stdout).toBe(text);
    // Columns that are arrays are printed by quern itself.
    expect(quern('run', 'many.sql', '--format', format, '--columns', 'n,s').stdout).toBe(text);
  });

  test('are compressed by extension', () => {
    expect(quern('run', 'lines.sql', '-o', 'o.csv')).toEqual(fine);
    expect(quern('run', 'lines.sql', '-o', 'o.csv.gz')).toEqual(fine);
    expect(gunzipSync(readFileSync(join(home, 'o.csv.gz'))).toString()).toBe(read('o.csv'));
    expect(quern('run', 'lines.sql', '-o', 'o.csv.zst')).toEqual(fine);
    expect(readFileSync(join(home, 'o.csv.zst')).subarray(0, 4).toString('hex')).toBe('28b52ffd');
    expect(quern('run', 'one.sql', '-o', 'o.json.gz')).toEqual(fine);
    expect(JSON.parse(gunzipSync(readFileSync(join(home, 'o.json.gz'))).toString()).result).toHaveLength(1);
  });

  test('end at max_rows, with 1, and --fail-on-truncate writes no file', () => {
    const cut = (what: string) =>
      `error[result]: ${what} only the first 20000 rows: few has max_rows: 20000\n   = hint: raise max_rows in the header of the query\n`;
    expect(quern('run', 'few.sql', '-o', 'o.csv')).toEqual({ stdout: '', stderr: cut('o.csv has'), status: 1 });
    expect(read('o.csv').split('\n')).toHaveLength(20_002);
    const piped = quern('run', 'few.sql', '--max-rows', 'all');
    expect([piped.stdout.split('\n').length, piped.stderr, piped.status]).toEqual([20_001, cut('standard output has'), 1]);
    writeFileSync(join(home, 'o.tsv'), 'old');
    expect(quern('run', 'few.sql', '-o', 'o.tsv', '--fail-on-truncate')).toEqual({
      stdout: '',
      stderr: cut('the result was cut off:'),
      status: 1,
    });
    expect([read('o.tsv'), files().filter((name) => name.startsWith('.'))]).toEqual(['old', []]);
  });

  test('parquet and arrow go to files and through pipes', () => {
    for (const [format, magic] of [
      ['parquet', 'PAR1'],
      ['arrow', 'ARROW1'],
    ] as const) {
      expect(quern('run', 'lines.sql', '-o', `o.${format}`)).toEqual(fine);
      expect(
        readFileSync(join(home, `o.${format}`))
          .subarray(-magic.length)
          .toString(),
      ).toBe(magic);
      const piped = spawnSync('bash', ['-c', `"${process.execPath}" "${bin}" run lines.sql --format ${format} | tail -c ${magic.length}`], {
        cwd: home,
        env,
        encoding: 'utf8',
      });
      expect([piped.stdout, piped.stderr, readdirSync(env.TMPDIR)]).toEqual([magic, '', []]);
    }
  });

  test('stop quietly when their reader has had enough', () => {
    const script = `set -o pipefail; "${process.execPath}" "${bin}" run endless.sql --format csv | head -1`;
    const { stdout, stderr, status } = spawnSync('bash', ['-c', script], { cwd: home, env, encoding: 'utf8' });
    expect({ stdout, stderr, status }).toEqual({ stdout: 'n\n', stderr: '', status: 0 });
  });
});

/** Sends the signals, all at once, while the file grows; the status is what a shell would say. */
async function interrupted(format: string, ...signals: readonly NodeJS.Signals[]) {
  const child = spawn(process.execPath, [bin, 'run', 'endless.sql', '-o', `out.${format}`], { cwd: home, env });
  const err: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text) => err.push(text));
  const ended = new Promise<number | null>((resolve) => child.on('close', (code, signal) => resolve(signal === 'SIGINT' ? 130 : code)));
  await Promise.race([ended, temporaryFile()]);
  for (const signal of ['SIGSTOP', ...signals, 'SIGCONT'] as const) child.kill(signal);
  return {
    status: await ended,
    stderr: err.join(''),
    left: files().filter((name) => name.includes('out.')),
  };
}

function temporaryFile(): Promise<void> {
  return new Promise((resolve) => {
    const watcher = watch(home, (_, name) => {
      if (name?.startsWith('.out.') !== true) return;
      watcher.close();
      resolve();
    });
  });
}

describe('an export that is interrupted leaves nothing', () => {
  const gone = { status: 130, stderr: 'error[interrupted]: interrupted\n', left: [] };
  test.each(['csv', 'csv.gz', 'parquet'])('as %s, by Ctrl-C', async (format) => {
    expect(await interrupted(format, 'SIGINT')).toEqual(gone);
  });
  test('by SIGTERM', async () => {
    expect(await interrupted('ndjson', 'SIGTERM')).toEqual(gone);
  });
  test('by a second Ctrl-C that waits for nothing', async () => {
    expect(await interrupted('csv', 'SIGINT', 'SIGTERM')).toMatchObject({ status: 130, left: [] });
  });
});

/** A disk of one megabyte, where one may be made. */
const disk = join(home, 'disk');
mkdirSync(disk);
const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk]).status === 0;
afterAll(() => void (mounted && spawnSync('umount', [disk])));

test.skipIf(!mounted).each(['csv', 'ndjson.zst', 'csv.gz', 'parquet', 'arrow', 'json'])(
  'a full disk is an error for %s, and leaves nothing',
  (format) => {
    writeFileSync(
      join(home, 'noise.sql'),
      `${header(14, 'max_rows: 1000000')}select to_hex(sha512(cast(n as string))) as s from unnest(generate_array(1, 60000)) as n`,
    );
    expect(quern('run', 'noise.sql', '-o', `disk/o.${format}`)).toEqual({
      stdout: '',
      stderr: `error[usage]: ${join(disk, `o.${format}`)} cannot be written: the disk is full\n   = hint: choose another file with --output\n`,
      status: 2,
    });
    expect(readdirSync(disk)).toEqual([]);
  },
);

describe('flags of the rows', () => {
  test('--columns chooses and orders', () => {
    expect(quern('run', 'one.sql', '--format', 'csv', '--columns', 'large, text').stdout).toBe('large,text\n1e21,"a,""b"\n');
    expect(quern('run', 'one.sql', '--format', 'csv', '--columns', '["text","text"]').stdout).toBe('text,text_1\n"a,""b","a,""b"\n');
  });

  test('--scalar prints the bare value', () => {
    expect(quern('run', 'one.sql', '--scalar', '--columns', 'text').stdout).toBe('a,"b\n');
    expect(quern('run', 'one.sql', '--scalar', '--columns', 'nothing').stdout).toBe('\n');
  });

  test.each([
    [
      ['one.sql', '--columns', 'txt'],
      2,
      'usage',
      '--columns: there is no column "txt"',
      'did you mean text? The columns are text, nothing, large',
    ],
    [['many.sql', '-o', 'o.parquet', '--columns', 'm'], 2, 'usage', '--columns: there is no column "m"', 'the columns are n, s, a'],
    [['one.sql', '--columns', 'a,,b'], 2, 'usage', '--columns "a,,b" has an empty name', 'write it like --columns path,requests'],
    [
      ['one.sql', '--scalar'],
      2,
      'usage',
      '--scalar prints a single value, but one has 3 columns',
      'choose one of them, such as --columns text',
    ],
    [
      ['two.sql', '--scalar', '--columns', 'text'],
      1,
      'result',
      '--scalar prints a single value, but two returned 2 rows',
      'aggregate the rows, or choose one with LIMIT 1',
    ],
    [
      ['one.sql', '--scalar', '--format', 'csv'],
      2,
      'usage',
      '--scalar prints a single value and cannot be combined with --format',
      'leave one of them out',
    ],
    [['one.sql', '--max-rows', '0'], 2, 'usage', '--max-rows "0" is not a number of rows', 'write a whole number above 0, or all'],
    [
      ['few.sql', '--max-rows', '20001'],
      2,
      'usage',
      '--max-rows 20001 is more than few allows: max_rows is 20000',
      'raise max_rows in the header of the query',
    ],
    [
      ['two.sql', '--max-rows', '1', '--fail-on-truncate'],
      1,
      'result',
      'the result was cut off: only the first row: --max-rows 1',
      'pass --max-rows all for all rows; to choose a few of them, write LIMIT in the SQL',
    ],
    [['one.sql', '-o', 'o.parquet.gz'], 2, 'usage', 'o.parquet.gz: parquet files are already compressed', 'leave out .gz'],
  ])('%j is an error', (argv, status, code, message, hint) => {
    expect(quern('run', ...argv)).toEqual({ stdout: '', stderr: `error[${code}]: ${message}\n   = hint: ${hint}\n`, status });
  });

  test('--max-rows cuts, says so, and json tells', () => {
    expect(quern('run', 'two.sql', '--max-rows', '1', '--format', 'json', '--columns', 'text')).toEqual({
      stdout: '{"result": [\n{"text":"a\\"b"}\n], "meta": {"truncated": true, "rows": 1}}\n',
      stderr: `error[result]: standard output has only the first row: --max-rows 1
   = hint: pass --max-rows all for all rows; to choose a few of them, write LIMIT in the SQL
`,
      status: 1,
    });
  });

  test('--stats prints numbers on standard error', () => {
    const { stdout, stderr } = quern('run', 'lines.sql', '--format', 'csv', '--stats');
    expect(stdout.split('\n')).toHaveLength(30_002);
    expect(stderr).toMatch(
      /^rows {8}30000\ntime {8}[\d.]+ ms\nrows read {3}\d+\nbytes read {2}\d+\nprocess {5}\d+ MB at most\ncache {7}off\n$/,
    );
  });

  test.each([
    ['held', [], 'miss'],
    ['streamed', ['-o', 'o.parquet'], 'off'],
  ] as const)('--stats counts what was read from tables for rows that are %s', (_, flags, cache) => {
    writeFileSync(join(home, 'events.ndjson'), ndjson);
    quern('load', 'edge_logs', 'events.ndjson');
    writeFileSync(join(home, 'count.sql'), `${header(15, 'cache: 1h')}select count(*) as n from edge_logs where project = 'demo'`);
    const { stderr } = quern('run', 'count.sql', '--stats', ...flags);
    expect(stderr.split('\n').filter((line) => /^(?:rows|cache)/.test(line))).toEqual([
      'rows        1',
      'rows read   4',
      `cache       ${cache}`,
    ]);
  });
});
