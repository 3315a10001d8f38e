// Help for one saved query: what it is, its parameters, and a line that runs it.
import { afterAll, expect, test } from 'vitest';
import { cliHome } from '../../support/run-cli.ts';

const home = cliHome();
afterAll(() => home.remove());

const OF_COUNTS = `Usage: quern run usage.api-counts --project <value> --interval <value> [flags]

Requests per API area (REST, storage, auth, realtime) over time for one project.

Parameters:
  --project   regexp string, required; for example "abcdefgh"; Regular
              expression matched against the request URL
  --interval  string, required; one of: minutely, hourly, daily; for example
              "daily"; minutely: the last 60 minutes by minute; hourly: the last
              hour by hour; daily: the last 7 days by day

Example:
  quern run usage.api-counts --project abcdefgh --interval daily

Flags of the command: quern run --help
Its SQL: quern show usage.api-counts
`;

test.each([
  ['run', 'usage.api-counts', '--help'],
  ['run', '-h', 'usage.api-counts'],
  ['run', '--format', 'csv', 'usage.api-counts', '--project', 'x', '--help'],
  ['--quiet', 'run', '--no-cache', 'usage.api-counts', '--help'],
])('quern %s %s %s', async (...argv) => {
  expect(await home.run(argv, { terminal: 80 })).toEqual({ stdout: OF_COUNTS, stderr: '', exitCode: 0 });
});

test('of a query of a folder named by a flag, with a value that a shell would take apart', async () => {
  home.write(
    'mine/a.sql',
    `/*---\nid: 4c01dc9a-90f3-4c81-99e0-1e85e62aac10\nparams:\n  who: { type: string, required: true, example: "it's me" }\n  n: { type: integer, required: true }\n---*/\nselect @who, @n`,
  );
  const { stdout } = await home.run(['--queries', 'mine', 'explain', 'a', '--help'], { terminal: 80 });
  expect(stdout).toContain(`Example:\n  quern explain a --who 'it'\\''s me' --n 10\n`);
});

test('the example of every query that ships runs', async () => {
  for (const name of ['usage.api-counts', 'logs.all', 'functions.invocation-stats']) {
    const { stdout } = await home.run(['run', name, '--help']);
    const example = /Example:\n {2}quern (.*)\n/.exec(stdout)?.[1]?.split(' ') ?? [];
    expect(await home.run([...example, '--quiet'])).toMatchObject({ exitCode: 0 });
  }
});

test('a name that there is not is told, and without a name the help is that of the command', async () => {
  expect(await home.run(['run', 'usage.api-count', '--help'])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('did you mean usage.api-counts?'),
  });
  expect((await home.run(['run', '--help'])).stdout).toMatch(/^Usage: quern run <name/);
  expect((await home.run(['list', '--help'])).stdout).toMatch(/^Usage: quern list/);
});
