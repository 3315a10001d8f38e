// quern run --watch: pictures in place, until Ctrl-C; and the flags that draw.
import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type CliOptions, cliHome } from '../support/run-cli.ts';

const home = cliHome();
afterAll(() => home.remove());

const enter = '\u001b[?1049h\u001b[?25l\u001b[?7l';
const leave = '\u001b[?7h\u001b[?25h\u001b[?1049l';
const [begin, end] = ['\u001b[?2026h\u001b[H', '\u001b[J\u001b[?2026l'];
const query = (fields: string, sql: string) => `/*---\nid: 4c01dc9a-90f3-4c81-99e0-1e85e62aab77\n${fields}\n---*/\n${sql}`;
/** What differs from run to run is made the same. */
const steady = (text: string) => text.replace(/\d\d:\d\d:\d\d UTC/g, 'NOW').replace(/ in \d+ ms/g, ' in N ms');

interface Frames {
  /** The lines of each picture, without what steers the terminal. */
  readonly pictures: readonly (readonly string[])[];
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** Calls `onPicture` after each picture, which ends the watching by returning true. */
async function watch(argv: readonly string[], onPicture: (count: number) => boolean, screen?: CliOptions['screen']): Promise<Frames> {
  const pictures: string[][] = [];
  let interrupt: () => void = () => undefined;
  const ended = await home.run(['run', ...argv], {
    ...(screen === undefined ? { terminal: 40 } : { screen }),
    onListen: (listener) => {
      interrupt = listener;
    },
    onStdout: (text) => {
      if (!text.startsWith(begin) || !text.endsWith(end)) return;
      const picture = text.slice(begin.length, -end.length);
      pictures.push(picture.split('\r\n').map((line) => steady(line.replace('\u001b[K', ''))));
      if (onPicture(pictures.length)) interrupt();
    },
  });
  return { ...ended, pictures };
}

describe('quern run --watch', () => {
  test('draws the rows again and again on a screen of its own, until Ctrl-C, which is success', async () => {
    home.write('one.sql', 'select 1 as one');
    const { pictures, stdout, stderr, exitCode } = await watch(['one.sql', '--watch', '100ms'], (count) => count === 3);
    const picture = ['NOW: 1 row in N ms; one, every 100ms', '┌─────┐', '│ one │', '├─────┤', '│   1 │', '└─────┘'];
    expect(pictures).toEqual([picture, picture, picture]);
    expect([stdout.startsWith(enter), stdout.endsWith(leave), stdout.split(enter).length, stdout.split(leave).length]).toEqual([
      true,
      true,
      2,
      2,
    ]);
    expect([stderr, exitCode]).toEqual(['', 0]);
  });

  test('keeps the last picture when a run fails, says why below it, and goes on', async () => {
    const good = 'select 1 as one';
    home.write('edited.sql', good);
    const { pictures, exitCode } = await watch(['edited.sql', '--watch', '100ms', '--no-cache'], (count) => {
      if (count === 1) home.write('edited.sql', 'select 1 as');
      if (count === 2) home.write('edited.sql', good);
      return count === 3;
    });
    const picture = ['NOW: 1 row in N ms; edited, every 100ms', '┌─────┐', '│ one │', '├─────┤', '│   1 │', '└─────┘'];
    expect(pictures).toEqual([
      picture,
      [
        ...picture,
        'error[syntax]: expected a name after as, found the end of the query',
        expect.stringMatching(/^ {2}--> .*edited\.sql:1:12$/),
        '   |',
        ' 1 | select 1 as',
        '   |            ^',
        '   = hint: the query ends too early: complete it, or remove as',
        'the last run failed at NOW; the next run is 100ms later',
      ],
      picture,
    ]);
    expect(exitCode).toBe(0);
  });

  test('a chart fills the screen and no more; a table that is longer is cut, and says so', async () => {
    home.write('many.sql', query('max_rows: 30', 'select n as number from unnest(generate_array(1, 100)) as n order by n'));
    const { pictures } = await watch(['many.sql', '--watch', '1h'], () => true);
    expect(pictures[0]?.length).toBe(24);
    expect([pictures[0]?.[0], ...(pictures[0]?.slice(-3) ?? [])]).toEqual([
      'NOW: 30 rows in N ms; many, every 1h',
      '│     18 │',
      '… 13 more lines',
      'note: only the first 30 rows: many has max_rows: 30',
    ]);
    const chart = await watch(['many.sql', '--watch', '1h', '--chart', 'bar'], () => true);
    expect(chart.pictures[0]?.length).toBeLessThanOrEqual(24);
  });

  test('draws anew when the terminal is resized, without a run', async () => {
    home.write('days.sql', "select date '2026-01-02' as day, 5 as n");
    const screen = Object.assign(new EventEmitter(), { columns: 60, rows: 24 });
    const { pictures } = await watch(
      ['days.sql', '--watch', '1h', '--format', 'chart'],
      (count) => {
        if (count === 2) return true;
        Object.assign(screen, { columns: 12, rows: 5 }).emit('resize');
        return false;
      },
      screen,
    );
    const status = 'NOW: 1 row in N ms; days, every 1h';
    expect(pictures).toEqual([
      [status, '   n', ...[5, 4, 3, 2, 1].map((n) => `${n} ┤█████`), '0 └──────', '   2026-01-02'],
      [status, 'a chart nee…'],
    ]);
    expect(screen.listenerCount('resize')).toBe(0);
  });

  test('says that rows are from the cache', async () => {
    home.write('cached.sql', query('cache: 1h', 'select 2 as two'));
    const { pictures } = await watch(['cached.sql', '--watch', '100ms'], (count) => count === 2);
    expect(pictures.map(([status]) => status?.replace(/cached \d/, 'cached N'))).toEqual([
      'NOW: 1 row in N ms; cached, every 100ms',
      'NOW: 1 row, cached N s ago; cached, every 100ms',
    ]);
  });

  test('a first run that fails ends it, with the terminal untouched', async () => {
    home.write('broken.sql', 'select 1 as');
    const { pictures, stdout, exitCode } = await watch(['broken.sql', '--watch', '1s'], () => true);
    expect([pictures, stdout, exitCode]).toEqual([[], '', 2]);
    home.write('names.sql', "select 'a' as a");
    const invalid = await watch(['names.sql', '--watch', '1s', '--chart', 'line'], () => true);
    expect([invalid.stdout, invalid.exitCode]).toEqual(['', 2]);
  });

  test.each([
    [['--watch', '30'], '--watch "30" is not an interval', 'write it like 30s or 5m; the shortest is 100ms'],
    [['--watch', '1s', '--scalar'], '--watch redraws the terminal and cannot be combined with --scalar', 'leave one of them out'],
    [['--watch', '1s', '--sql', '-'], '--watch reads --sql - only once', 'put the SQL in a file: --sql @FILE'],
    [
      ['--watch', '1s', '--format', 'csv'],
      '--watch draws a table or a chart, but the format is csv',
      'use --format table or --format chart',
    ],
  ])('%j is refused', async (flags, message, hint) => {
    home.write('one.sql', 'select 1 as one');
    expect(await home.run(['run', 'one.sql', ...flags], { terminal: 80 })).toEqual({
      stdout: '',
      stderr: `error[usage]: ${message}\n   = hint: ${hint}\n`,
      exitCode: 2,
    });
  });

  test('a pipe is refused', async () => {
    home.write('one.sql', 'select 1 as one');
    expect((await home.run(['run', 'one.sql', '--watch', '1s'])).stderr).toBe(
      'error[usage]: --watch needs standard output to be a terminal\n' +
        '   = hint: leave out --watch, and run the command from a timer or a loop\n',
    );
  });
});

describe('the flags that draw', () => {
  test('--chart stands for --format chart, and --chart-y for its columns', async () => {
    home.write('bars.sql', "select 'a' as name, 1 as n, 2 as m");
    expect(await home.run(['run', 'bars.sql', '--chart-y', 'm'])).toEqual({
      stdout: `m\na │${'█'.repeat(75)} 2\n`,
      stderr: '',
      exitCode: 0,
    });
    const plain = await home.run(['run', 'bars.sql', '--chart', 'bar', '--columns', 'name,n'], { env: { LC_ALL: 'C' } });
    expect(plain.stdout).toBe(`n\na |${'#'.repeat(75)} 1\n`);
  });

  test('--sparkline stands for --format table', async () => {
    home.write('spark.sql', 'select [1, 5, 9] as hourly');
    expect((await home.run(['run', 'spark.sql', '--sparkline'])).stdout).toBe(
      '┌────────┐\n│ hourly │\n├────────┤\n│ ▁▅█    │\n└────────┘\n',
    );
  });

  test('--chart shapes the picture that a file wants, too', async () => {
    home.write('days.sql', "select day, n from unnest([struct(date '2026-01-01' as day, 3 as n), (date '2026-01-02', 5)])");
    const drawn = async (...flags: readonly [string, ...string[]]) => {
      const { exitCode, stderr } = await home.run(['run', 'days.sql', '--output', ...flags]);
      expect([exitCode, stderr]).toEqual([0, '']);
      return readFileSync(join(home.folder, flags[0]), 'utf8');
    };
    expect(await drawn('line.svg')).toContain('class="plot l0"');
    expect(await drawn('bars.svg', '--chart', 'bar')).not.toContain('class="plot l0"');
    expect(await drawn('page.html', '--chart', 'bar')).toMatch(/<h1>.*days.*<\/h1>[\s\S]*<svg /);
    expect(await drawn('chart.txt', '--chart', 'bar')).toContain('2026-01-01 to 2026-01-02');
  });

  test.each([
    [['--chart', 'line', '--format', 'json'], '--chart is for a chart, but the format is json', ', or use --format chart, html, svg, png'],
    [['--sparkline', '--chart-x', 'n'], '--sparkline is for a table, but the format is chart', ''],
  ])('%j do not go together', async (flags, message, instead) => {
    home.write('one.sql', 'select 1 as one');
    expect((await home.run(['run', 'one.sql', ...flags])).stderr).toBe(
      `error[usage]: ${message}\n   = hint: leave one of them out${instead}\n`,
    );
  });
});
