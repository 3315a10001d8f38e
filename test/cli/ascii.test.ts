// Terminals whose character set is not UTF-8: all that quern draws is ASCII, and as wide as before.
import { afterAll, describe, expect, test } from 'vitest';
import { cliHome } from '../support/run-cli.ts';

const home = cliHome();
afterAll(() => home.remove());
const sql = (text: string) => home.write('q.sql', text);
const ASCII = /^[\n\x20-\x7e]*$/;

const LOCALES: readonly Readonly<Record<string, string>>[] = [
  { LANG: 'C' },
  { LC_ALL: 'POSIX', LANG: 'en_US.UTF-8' },
  { LC_CTYPE: 'en_US.ISO-8859-1' },
];
describe.each(LOCALES)('with %o', (env) => {
  test('a table', async () => {
    const { stdout } = await home.run(['run', sql("select 1 as n, 'a text that is much longer than the terminal' as s")], {
      terminal: 40,
      env,
    });
    expect(stdout).toBe(`+---+----------------------------------+
| n | s                                |
+---+----------------------------------+
| 1 | a text that is much longer than~ |
+---+----------------------------------+
`);
  });

  test.each([
    ['blocks', ['--format', 'table'], "select 1 as a_long_name, 2 as another_long_name, 'x' as third, 4 as the_fourth_of_them, 5 as five"],
    [
      'a chart',
      ['--format', 'chart'],
      "select timestamp_add(timestamp '2026-01-01', interval n hour) as t, n - 3 as v_ms from unnest([1, 2, 3, 4, 5]) as n",
    ],
    ['bars', ['--chart', 'bar'], "select s, n from unnest([struct('a' as s, -5 as n), ('b', 7)])"],
    ['sparklines', ['--sparkline'], 'select [1, 5, 3, 9] as a'],
  ])('%s', async (_, flags, text) => {
    const { stdout, exitCode } = await home.run(['run', sql(text), ...flags], { terminal: 30, env });
    expect([exitCode, stdout]).toEqual([0, expect.stringMatching(ASCII)]);
    const wide = await home.run(['run', sql(text), ...flags], { terminal: 30, env: { LANG: 'C.UTF-8' } });
    expect(wide.stdout).not.toMatch(ASCII);
    expect(stdout.split('\n').length).toBe(wide.stdout.split('\n').length);
  });

  test('the place of an error', async () => {
    const long = `select ${Array.from({ length: 80 }, (_, i) => `${i} as c${i}`).join(', ')}, nosuch(1)`;
    const { stderr } = await home.run(['run', sql(long)], { terminal: 80, env });
    expect(stderr).toMatch(ASCII);
    expect(stderr).toMatch(/\^/);
  });

  test('texts of the data stay as they are, and so does what goes to a pipe', async () => {
    const given = sql("select 'é│…' as s");
    expect((await home.run(['run', given], { terminal: 40, env })).stdout).toContain('é');
    expect((await home.run(['run', given], { env })).stdout).toBe('{"s":"é│…"}\n');
  });
});
