// CSV that a spreadsheet may open: with csv_formulas = escape no text of the data is a formula to it; the same bytes however they are made.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { queryText } from '../queries/support.ts';
import { cliHome } from '../support/run-cli.ts';
import { serveCli } from '../support/serve-cli.ts';

const home = cliHome();
afterAll(() => home.remove());

/** Each text as the SQL writes it, and as CSV has it with formulas escaped. */
const TEXTS: readonly (readonly [string, string])[] = [
  ["'=cmd|x'", `"'=cmd|x"`],
  ["'+1'", `"'+1"`],
  ["'-1'", `"'-1"`],
  ["'@sum(a1)'", `"'@sum(a1)"`],
  ["'\\t=1'", `"'\t=1"`],
  ["'\\r=1'", `"'\r=1"`],
  ["'\\n=1'", `"'\n=1"`],
  ["'＝1'", `"'＝1"`],
  ['\'="a"\'', `"'=""a"""`],
  ["'a=1'", '"a=1"'],
  ["' =1'", '" =1"'],
  ["''", '""'],
  ['cast(null as string)', ''],
  ['to_base64(b"\\xf8")', `"'+A=="`],
];
const VALUES = `-n as i, -n / 2 as f, numeric '-1.5' as d, b"\\xfb\\xff" as b`;
const NESTED = `['=1'] as a, json '-5' as j, json '"=1"' as k`;
const texts = `from (select n, [${TEXTS.map(([sql]) => `ifnull(${sql}, 'none')`).join(', ')}][ordinal(n)] as text from unnest(generate_array(1, ${TEXTS.length})) as n)`;
const SQL = `select nullif(text, 'none') as text, ${VALUES} ${texts} order by n`;

home.write('q/held.sql', queryText(1, SQL));
home.write('q/streamed.sql', queryText(2, SQL, 'max_rows: 20000'));
home.write('q/nested.sql', queryText(3, `select '=1' as \`=head\`, ${NESTED}`, 'max_rows: 20000'));

const lines = (text: (row: (typeof TEXTS)[number]) => string, b: string): string =>
  `text,i,f,d,b\n${TEXTS.map((row, i) => `${text(row)},${-(i + 1)},${-(i + 1) / 2},-1.5,${b}\n`).join('')}`;
const ESCAPED = lines(([, escaped]) => escaped, `"'+/8="`);
const KEPT = lines(([, escaped]) => escaped.replace(/^"'/, '"'), '"+/8="');

const run = (...argv: readonly string[]) => home.run(['run', ...argv, '--queries', 'q', '--quiet']);

describe('quern run', () => {
  test.each(['held', 'streamed'])('keeps texts exactly as they are, unless asked (%s)', async (name) => {
    expect(await run(name, '--format', 'csv')).toEqual({ stdout: KEPT, stderr: '', exitCode: 0 });
  });

  test.each(['held', 'streamed'])('escapes what a spreadsheet would compute, and no number (%s)', async (name) => {
    expect(await run(name, '--format', 'csv', '--csv-formulas', 'escape')).toEqual({ stdout: ESCAPED, stderr: '', exitCode: 0 });
    expect((await run(name, '-o', 'rows.csv', '--csv-formulas', 'escape')).exitCode).toBe(0);
    expect(readFileSync(join(home.folder, 'rows.csv'), 'utf8')).toBe(ESCAPED);
  });

  test('escapes the same whoever prints the rows', async () => {
    const sql =
      'select code_points_to_string([n, 61]) as text, code_points_to_string([61, n]) as more from unnest(generate_array(1, 400)) as n order by n';
    home.write('q/codes.sql', queryText(4, sql));
    home.write('q/codes-streamed.sql', queryText(5, sql, 'max_rows: 20000'));
    const [held, streamed] = await Promise.all(
      ['codes', 'codes-streamed'].map((name) => run(name, '--format', 'csv', '--csv-formulas', 'escape')),
    );
    expect(streamed).toEqual(held);
    expect(held?.stdout.match(/"'/g)).toHaveLength(400 + 7 + 1); // one is an apostrophe of the data
  });

  test('escapes names of columns too, and no JSON', async () => {
    const expected = `'=head,a,j,k\n"'=1","[""=1""]","-5","""=1"""\n`;
    for (const flags of [[], ['--no-cache']]) {
      expect((await run('nested', '--format', 'csv', '--csv-formulas', 'escape', ...flags)).stdout).toBe(expected);
    }
  });

  test('escapes nothing in other formats', async () => {
    for (const format of ['tsv', 'ndjson', 'markdown']) {
      const [kept, escaped] = await Promise.all(
        [[], ['--csv-formulas', 'escape']].map((flags) => run('held', '--format', format, ...flags)),
      );
      expect([format, escaped?.stdout]).toEqual([format, kept?.stdout]);
    }
  });

  test('takes the setting from the environment, and refuses another', async () => {
    const env = { QUERN_CSV_FORMULAS: 'escape' };
    expect((await home.run(['run', 'held', '--queries', 'q', '--format', 'csv'], { env })).stdout).toBe(ESCAPED);
    expect((await run('held', '--csv-formulas', 'drop')).stderr).toBe('error[usage]: --csv-formulas "drop" is not one of: keep, escape\n');
  });
});

test('quern serve escapes them in replies, and keeps them unless asked', async () => {
  for (const [flags, expected] of [
    [[], KEPT],
    [['--csv-formulas', 'escape'], ESCAPED],
  ] as const) {
    const { address, stop } = await serveCli(home, ['--no-auth', '--queries', 'q', ...flags]);
    expect(await (await fetch(`${address}/api/endpoints/streamed.csv`)).text()).toBe(expected);
    await stop();
  }
});
