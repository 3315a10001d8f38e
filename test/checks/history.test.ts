// What is kept of earlier runs: what the next is compared with, and what --since shows.
import { appendFileSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openHistory, type PastRun } from '../../src/checks/history.ts';
import { removeFolder } from '../support/remove-folder.ts';
import { checkHome, header } from './check-home.ts';

const home = checkHome();
const { check, write } = home;

describe('change', () => {
  const rows = (count: number) =>
    write('mine/counted.sql', `${header('50', 'max_rows: 1000')}select n from unnest(generate_array(1, ${count})) as n`);
  const run = (rule: string) => {
    write('change.yaml', `checks:\n  - query: counted\n    assertions:\n      - change: ${rule}\n`);
    return check(['change.yaml']);
  };

  test('is one since the last run, whatever came of that', async () => {
    const rule = '{ of: count(*), within: 20% }';
    const reports: string[] = [];
    for (const count of [100, 120, 100, 79, 80]) {
      rows(count);
      reports.push((await run(rule)).report.replace(/at \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/, 'at TIME'));
    }
    const ok = 'counted\n  ok    change: count(*) within 20%\n';
    const fail = 'counted\n  FAIL  change: count(*) within 20%\n';
    expect(reports).toEqual([
      `${ok}        there is no earlier run to compare with\n\n1 assertion: 1 ok\n`,
      `${ok}\n1 assertion: 1 ok\n`,
      `${ok}\n1 assertion: 1 ok\n`,
      `${fail}        is 79 and was 100 at TIME: -21%\n        change.yaml:4\n\n1 assertion: 1 failed\n`,
      `${ok}\n1 assertion: 1 ok\n`,
    ]);
  });

  test('is also a number, and of 0 no share is near', async () => {
    const of = (within: string) => `{ of: sum(n) - 1, within: ${within} }`;
    for (const [count, within, reason] of [
      [1, '2', 'there is no earlier run'],
      [2, '2', '1 ok'],
      [3, '2', 'is 5 and was 2 at'],
      [1, '50%', 'there is no earlier run'],
      [2, '50%', 'is 2 and was 0 at'],
    ] as const) {
      rows(count);
      expect((await run(of(within))).report).toContain(reason);
    }
  });

  test('NULL is no number', async () => {
    rows(0);
    expect((await run('{ of: max(n), within: 5 }')).report).toContain('max(n) is NULL');
  });

  test.each([
    ['{ of: n, within: 5 }', 'n is about each row, but `change` needs one value for all rows'],
    ['{ of: max(cast(n as string)), within: 5 }', 'max(cast(n as string)) is of type STRING, but `change` compares numbers'],
    ['{ of: count(*), within: much }', '"much" is neither a number nor a share such as 20%'],
    ['{ of: count(*) }', 'has no within'],
  ])('%s is refused', async (rule, message) => {
    rows(1);
    const { stderr, exitCode } = await run(rule);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe('quern check --since', () => {
  beforeAll(async () => {
    write(
      'past.yaml',
      'checks:\n  - query: numbers\n    params: { top: 3 }\n    assertions: [n > 1, count(*) = 3, { assert: n < 3, severity: warn }]\n',
    );
    await check(['past.yaml']);
    await check(['past.yaml']);
  });
  const past = async (...argv: readonly string[]) => {
    const { stdout, stderr, exitCode } = await home.run(['check', '--since', '1h', ...argv]);
    const lines = stdout.split('\n').filter((line) => line !== '');
    return { rows: lines.map((line): unknown => JSON.parse(line)), stderr, exitCode };
  };

  test('counts the runs of each assertion, those that do not hold first', async () => {
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/);
    const one = { query: 'numbers', params: 'top=3', runs: 2, failed: 0, warned: 0, last_run: time, since: time, value: null };
    expect((await past('--select', 'numbers')).rows).toEqual([
      { ...one, assertion: 'n > 1', failed: 2, last: 'failed' },
      { ...one, assertion: 'n < 3', warned: 2, last: 'warned' },
      { ...one, assertion: 'count(*) = 3', last: 'ok' },
    ]);
  });

  test('knows the project only, and as long as was asked for', async () => {
    expect((await past('--exclude', '*')).rows).toEqual([]);
    const nothing = await home.run(['check', '--since', '1ms']);
    expect(nothing).toEqual({
      stdout: '',
      stderr: 'note: the cache folder has no record of a check run since then\n',
      exitCode: 0,
    });
  });

  test.each([
    [['--since', 'yesterday'], '--since "yesterday" is not a duration'],
    [['--since', '1d', '--as-of', '2026-01-01'], '--as-of has no effect with --since, which runs nothing'],
    [['--since', '1d', '--select', 'tag:slow'], 'the history cannot be searched for tag:slow'],
  ])('%j is refused', async (argv, message) => {
    const { stderr, exitCode } = await home.run(['check', ...argv]);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  test('a cache folder that cannot be written costs the history and no check', async () => {
    write('no-folder', '');
    const { exitCode, stderr } = await home.run(['check', 'past.yaml', '--cache-dir', 'no-folder']);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('note: the check history in ')]);
  });
});

describe('the file of the history', () => {
  const folder = mkdtempSync(join(tmpdir(), 'quern-history-'));
  afterAll(() => removeFolder(folder));
  const runAt = (n: number, project = 'p'): PastRun => ({ at: `2026-01-15T12:00:0${n}.000Z`, project, place: 's', checks: [] });
  const fail = (why: string) => expect.unreachable(why);

  test('is the user’s own, and lines that were cut are none', () => {
    const history = openHistory(join(folder, 'a'), fail);
    history.append(runAt(1));
    appendFileSync(join(folder, 'a/checks.ndjson'), '{"at":"2026-01-1\n{"at":1,"project":"p"}\n');
    history.append(runAt(2, 'other'));
    history.append(runAt(3));
    expect(history.runsOf('p').map(({ at }) => at)).toEqual([runAt(1).at, runAt(3).at]);
    expect(statSync(join(folder, 'a/checks.ndjson')).mode & 0o777).toBe(0o600);
  });

  test('is bounded, and keeps the newest', () => {
    const history = openHistory(join(folder, 'b'), fail, 1000);
    for (let n = 0; n < 100; n++) history.append({ ...runAt(n % 10), place: String(n) });
    const kept = history.runsOf('p').map(({ place }) => Number(place));
    expect(kept.at(-1)).toBe(99);
    expect(kept).toEqual([...kept].sort((a, b) => a - b));
    expect(kept.length).toBeGreaterThan(5);
    const sizes = ['checks.ndjson', 'checks.1.ndjson'].map((name) => statSync(join(folder, 'b', name)).size);
    expect(sizes.every((size) => size <= 1000)).toBe(true);
  });

  test('that another process turns over is appended to meanwhile', () => {
    const history = openHistory(join(folder, 'c'), fail, 200);
    history.append(runAt(1));
    history.append(runAt(2));
    writeFileSync(join(folder, 'c/checks.ndjson.lock'), `${process.ppid}`);
    history.append(runAt(3));
    expect(readFileSync(join(folder, 'c/checks.ndjson'), 'utf8')).toContain(runAt(3).at);
  });
});
