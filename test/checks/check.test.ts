// Which checks quern check runs, what it refuses, and where its reports go.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { checkHome, header } from './check-home.ts';

const home = checkHome();
const { check, write } = home;

describe('which checks run', () => {
  test('is by default those in headers, and those in the folder `checks` of the project, from wherever it is called', async () => {
    write('checks/a.yaml', 'checks:\n  - { query: ../draft.sql, assertions: [count(*) = 2], tags: [quick] }\n');
    const { checks } = JSON.parse((await home.run(['check', '--reporter', 'json'])).stdout);
    expect(checks.map(({ query }: { query: string }) => query)).toEqual(['numbers', 'numbers', 'draft']);
  });

  test('comes with a look at the boards of the project, whose mistakes are told with their places', async () => {
    write('boards/traffic.yaml', 'title: Traffic\npanels:\n  - query: numbrs\n');
    onTestFinished(() => rmSync(join(home.folder, 'boards'), { recursive: true }));
    const { stderr, exitCode } = await check([]);
    expect([stderr.split('\n').slice(0, 2), exitCode]).toEqual([
      ['error[config]: boards/traffic.yaml: panels[0].query: there is no saved query named numbrs', '  --> boards/traffic.yaml:3:12'],
      2,
    ]);
    write('boards/traffic.yaml', 'title: Traffic\npanels:\n  - query: numbers\n    params: { top: 3 }\n');
    expect((await check(['numbers'])).exitCode).toBe(0);
  });

  test('is for patterns and tags to say', async () => {
    const names = async (...argv: string[]) => {
      const { stdout, stderr } = await home.run(['check', '--reporter', 'json', ...argv]);
      if (stdout === '') return stderr;
      return JSON.parse(stdout).checks.flatMap(({ assertions }: { assertions: { name: string }[] }) => assertions.map(({ name }) => name));
    };
    expect(await names('--select', 'tag:quick')).toEqual(['count(*) = 2']);
    expect(await names('--select', 'numb*', '--exclude', 'n in *')).toEqual([
      'max(n) = @top',
      'count(*) = 6 and min(n) = 4',
      'h = div(n, 2)',
    ]);
    expect(await names('--select', 'h = div(n, ?)', '--select', 'draft')).toEqual(['h = div(n, 2)', 'count(*) = 2']);
    expect(await names('--select', 'nubmers')).toBe(
      'error[usage]: --select nubmers matches no assertion\n   = hint: did you mean numbers?\n',
    );
    expect(await names('--exclude', '*')).toBe(
      'error[usage]: no checks are left to run\n   = hint: --exclude leaves out everything that --select matches\n',
    );
  });

  test('is an error where there are none', async () => {
    expect(await home.run(['check', 'usage.api-counts'])).toEqual({
      stdout: '',
      stderr: 'error[usage]: usage.api-counts has no checks\n   = hint: add `checks:` to its header\n',
      exitCode: 2,
    });
    expect((await home.run(['check', 'nothing.yaml'])).stderr).toBe(
      'error[usage]: there is no file nothing.yaml\n   = hint: name a YAML check file, or a saved query with `checks:` in its header\n',
    );
  });
});

describe('arguments', () => {
  test('of the command go before those of a check, for the queries that have such parameters', async () => {
    const argv = ['check', 'numbers', 'draft.yaml', '--params', '-', '--reporter', 'json'];
    write('draft.yaml', 'checks:\n  - { query: ./draft.sql, assertions: [count(*) = 2] }\n');
    const { stdout } = await home.run(argv, { stdin: '{"TOP": 5}' });
    expect(JSON.parse(stdout).checks.map(({ params, rows }: { params: unknown; rows: number }) => [params, rows])).toEqual([
      [{ TOP: 5 }, 5],
      [{ TOP: 5 }, 5],
      [{}, 2],
    ]);
    expect((await home.run(argv, { stdin: '{"pot": 5}' })).stderr).toBe(
      'error[usage]: no checked query has a parameter pot\n   = hint: list parameters with `quern show NAME`\n',
    );
  });
});

describe('definitions that are wrong', () => {
  test('are all told of, with their places, before anything runs', async () => {
    write(
      'wrong.yaml',
      `checks:
  - query: by-method
    params: { projekt: demo }
    assertions: [count(*) > 0]
  - query: nubmers
    assertions: [count(*) > 0]
  - query: numbers
    assertions:
      - coutn(*) > 0
      - "n +  > 1"
      - sum(n)
      - m > 0
      - n
      - not_null: wrod
      - { assert: count(*) > 0, error_if: '> 3' }
      - count(*) > n
`,
    );
    expect(await home.run(['check', 'wrong.yaml'])).toMatchInlineSnapshot(`
      {
        "exitCode": 2,
        "stderr": "error[config]: the checks have 10 errors; none were run
        --> wrong.yaml:2:12
         |
       2 |   - query: by-method
         |            ^^^^^^^^^
         = wrong.yaml:2    parameter         by-method needs 2 parameters, 1 is missing and 1 is unknown; project project ref (string); projekt is not a parameter; did you mean project?; set arguments in \`params:\` of the check, or for all checks with --params FILE
         = wrong.yaml:5    unknown-query     there is no saved query named nubmers; did you mean numbers? \`quern list\` shows them all
         = wrong.yaml:9    unknown-function  coutn is not a function quern can translate; did you mean COUNT(value)?
         = wrong.yaml:10   syntax            expected an expression after "+", found ">"
         = wrong.yaml:11   type              the assertion is of type INT64, so it is neither true nor false
         = wrong.yaml:12   unknown-column    there is no column or table m here; the names you can use here are result, n, h, word
         = wrong.yaml:13   type              the assertion is of type INT64, so it is neither true nor false
         = wrong.yaml:14   unknown-column    there is no column or table wrod here; did you mean word?
         = wrong.yaml:15   config            the assertion is about all rows together, so there are no failing rows to count; leave out warn_if and error_if, or assert something about each row
         = wrong.yaml:16   type              n is neither grouped nor aggregated; add it to GROUP BY, or aggregate it: ANY_VALUE(n)
      ",
        "stdout": "",
      }
    `);
    write(
      'wrong.yaml',
      'checks:\n  - query: numbers\n    assertions:\n      - assert: >\n          count(*) > 0\n      - "max(n) > maxx(h)"\n',
    );
    expect((await home.run(['check', 'wrong.yaml'])).stderr).toMatchInlineSnapshot(`
      "error[unknown-function]: maxx is not a function quern can translate
        --> wrong.yaml:6:19
         |
       6 |       - "max(n) > maxx(h)"
         |                   ^^^^
         = hint: did you mean MAX(value)?
      "
    `);
  });

  test('are told of where the file is no file of checks', async () => {
    write('list.yaml', '- a\n');
    write('typo.yaml', 'cheks: []\n');
    write('broken.yaml', 'checks:\n  - query: "a\n');
    expect((await home.run(['check', 'list.yaml', 'typo.yaml', 'broken.yaml'])).stderr).toMatchInlineSnapshot(`
      "error[config]: the checks have 3 errors; none were run
         = checks          config  list.yaml contains no checks; start it with \`checks:\` and a list of queries with assertions
         = broken.yaml:3   config  broken.yaml is not YAML: a text that begins with " is not closed; add the " at its end
         = typo.yaml:1     config  cheks is not a field of a check file; did you mean checks?
      "
    `);
  });
});

describe('what the engine cannot answer', () => {
  test('fails by itself, and the others are still checked', async () => {
    write(
      'error.yaml',
      'checks:\n  - query: numbers\n    assertions: [count(*) = 4, "div(1, n - 3) < 9", n < 9]\n  - { query: ./draft.sql, assertions: [count(*) = 2] }\n',
    );
    const { stdout, stderr, exitCode } = await home.run(['check', 'error.yaml', '--reporter', 'json']);
    const states = JSON.parse(stdout).checks.map(({ assertions }: { assertions: { state: string }[] }) =>
      assertions.map(({ state }) => state),
    );
    expect([states, stderr, exitCode]).toEqual([
      [['pass', 'unknown', 'pass'], ['pass']],
      'error[check]: 1 could not be checked\n   = hint: see the report\n',
      1,
    ]);
  });

  test('in time makes the exit code 4, and an engine that is away 3', async () => {
    write('slow.sql', `${header('22', 'dialect: clickhouse')}select max(sipHash64(number)) as n from numbers(1000000000000)`);
    write(
      'slow.yaml',
      'checks:\n  - { query: ./slow.sql, assertions: [n > 0, n > 1] }\n  - { query: ./draft.sql, assertions: [count(*) = 2] }\n',
    );
    const slow = await check(['slow.yaml', '--timeout', '1s']);
    expect([slow.exitCode, slow.stderr.split('\n')[0]]).toEqual([4, 'error[timeout]: 2 could not be checked']);
    const away = await home.run(['check', 'draft.yaml', '--url', 'http://127.0.0.1:9']);
    expect([away.exitCode, away.stdout]).toEqual([3, '']);
  });
});

describe('reports and files', () => {
  test('the summary of a step keeps what other steps have written', async () => {
    write('summary.yaml', 'checks:\n  - query: numbers\n    assertions: [n < 3]\n');
    write('step.md', '# Before\n\n');
    const path = join(home.folder, 'step.md');
    const { stdout } = await home.run(['check', 'summary.yaml', '--reporter', `markdown=${path}`], { env: { GITHUB_STEP_SUMMARY: path } });
    expect(stdout).toBe('');
    expect(readFileSync(path, 'utf8')).toMatch(/^# Before\n\n## Checks: 1 failed, 0 ok\n\n\| \| query /);
  });

  test('several reports are written, each whole, and failing rows into files that go when they hold', async () => {
    write('files.yaml', 'checks:\n  - query: numbers\n    assertions: [n < 3, { assert: n < 4, severity: warn }, n < 9]\n');
    const argv = [
      'files.yaml',
      '--failures-dir',
      'failures',
      '--rows',
      '1',
      '--reporter',
      'terminal',
      '--reporter',
      'github',
      '--reporter',
      'json=r.json',
    ];
    expect(await check(argv)).toMatchInlineSnapshot(`
      {
        "exitCode": 1,
        "report": "numbers
        FAIL  n < 3
              fails for 2 of 4 rows
              rows in failures/numbers--n-3--c5c0b1.csv
              files.yaml:3
              ┌───┬───┬──────┐
              │ n │ h │ word │
              ├───┼───┼──────┤
              │ 4 │ 2 │ w    │
              └───┴───┴──────┘
              … and 1 more row
        WARN  n < 4
              fails for 1 of 4 rows
              rows in failures/numbers--n-4--72b118.csv
              files.yaml:3
              ┌───┬───┬──────┐
              │ n │ h │ word │
              ├───┼───┼──────┤
              │ 4 │ 2 │ w    │
              └───┴───┴──────┘
        ok    n < 9

      3 assertions: 1 ok, 1 warning, 1 failed
      ::error file=files.yaml,line=3,col=18,title=numbers%3A n < 3::fails for 2 of 4 rows
      ::warning file=files.yaml,line=3,col=35,title=numbers%3A n < 4::fails for 1 of 4 rows
      ",
        "stderr": "error[check]: 1 of 3 assertions failed
         = hint: see the report
      ",
      }
    `);
    const files = readdirSync(join(home.folder, 'failures'));
    expect(files.map((file) => readFileSync(join(home.folder, 'failures', file), 'utf8'))).toEqual([
      'n,h,word\n4,2,"w"\n3,1,\n',
      'n,h,word\n4,2,"w"\n',
    ]);
    expect(JSON.parse(readFileSync(join(home.folder, 'r.json'), 'utf8')).checks[0].assertions[0]).toMatchObject({
      failing_rows: 2,
      sample: [{ n: 4 }],
    });
    writeFileSync(join(home.folder, 'two.json'), '{"top": 2}');
    expect((await check([...argv, '--params', 'two.json'])).exitCode).toBe(0);
    expect(readdirSync(join(home.folder, 'failures'))).toEqual([]);
    write('files.yaml', 'checks:\n  - query: numbers\n    params: {}\n    assertions: [n < 5, { assert: n < 4, severity: warn }, n < 9]\n');
    const { exitCode } = await check(['files.yaml', '--failures-dir', 'failures', '--fail-on-warn', '--failures-format', 'ndjson']);
    expect([exitCode, readdirSync(join(home.folder, 'failures')).filter((file) => file.endsWith('.ndjson')).length]).toEqual([1, 1]);
  });

  test('a report that cannot be written is an error', async () => {
    const { stderr, exitCode } = await home.run(['check', 'draft.yaml', '--reporter', 'json=nowhere/r.json']);
    expect([stderr.split('\n')[0], exitCode]).toEqual([
      `error[usage]: ${join(home.folder, 'nowhere/r.json')} cannot be written: there is no folder ${join(home.folder, 'nowhere')}`,
      2,
    ]);
  });
});

describe('the cache', () => {
  test('is left alone unless it is asked for', async () => {
    write('cached.yaml', 'checks:\n  - { query: by-method, params: { project: demo }, assertions: [count(*) > 0] }\n');
    const entries = async () => (await home.run(['cache', 'list', '--format', 'ndjson', '--quiet'])).stdout.split('\n').length - 1;
    expect([(await check(['cached.yaml'])).exitCode, await entries()]).toEqual([0, 0]);
    expect([(await check(['cached.yaml', '--use-cache'])).exitCode, await entries()]).toEqual([0, 1]);
  });
});
