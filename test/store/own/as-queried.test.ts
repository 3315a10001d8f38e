// A file has the same columns, types and values in a table that it is loaded into as in a query over it.
import { afterAll, expect, test } from 'vitest';
import { cliHome } from '../../support/run-cli.ts';

const home = cliHome();
afterAll(() => home.remove());

const rows = async (from: string) => (await home.run(['query', `select * from ${from} order by 1`, '--format', 'csv'])).stdout;
/** Lines behind those of which other readers make up their mind. */
const late = Array.from({ length: 15_000 }, (_, i) => `${i},x\n`).join('');

const FILES: readonly (readonly [what: string, name: string, text: string, types: string])[] = [
  ['codes', 'codes.csv', 'zip,n\n00501,5\n10001,06\n', 'zip STRING, n STRING'],
  ['a code among many numbers', 'late.csv', `zip,n\n${late}00501,x\n`, 'zip STRING, n STRING'],
  ['many digits', 'digits.csv', 'n\n12345678901234567890\n12345678901234567891\n', 'n STRING'],
  ['many digits among fractions', 'mixed.csv', 'n\n12345678901234567890\n1.5\n', 'n STRING'],
  ['times of day', 'times.csv', 'at,end\n10:00:00,23:59:59.5\n11:30:00,00:00:00\n', 'at TIME, end TIME'],
  ['times without seconds', 'minutes.csv', 'at\n2026-01-02 03:04\n', 'at STRING'],
  ['years of all times', 'years.csv', 'd,t\n0999-12-31,2300-01-01 00:00:00\n', 'd DATE, t TIMESTAMP'],
  ['truth and fractions', 'plain.csv', 'yes,x,n\ntrue,1.5,-7\nFALSE,2,8\n', 'yes BOOL, x FLOAT64, n INT64'],
  ['spaces', 'spaces.csv', 'a,b\n 1,x \n 2,y \n', 'a STRING, b STRING'],
  ['semicolons', 'semicolons.csv', 'a;b\n1;2,5\n', 'a INT64, b STRING'],
  ['tabs in CSV', 'tabs.csv', 'a\tb\n1\tx\n', 'a INT64, b STRING'],
  ['codes in TSV', 'codes.tsv', 'zip\tn\n00501\t5\n', 'zip STRING, n INT64'],
  [
    'texts in JSON',
    'texts.ndjson',
    '{"zip":"00501","at":"10:00:00","d":"2026-01-02","t":"2026-01-02T03:04:05+02:00","s":{"t":"2026-01-02T03:04:05+02:00"}}\n',
    'zip STRING, at TIME, d DATE, t TIMESTAMP, s STRUCT<t STRING>',
  ],
  ['integers of JSON beyond INT64', 'large.ndjson', '{"n":12345678901234567890}\n{"n":5}\n', 'n BIGNUMERIC'],
];

test.each(FILES)('%s', async (what, name, text, types) => {
  home.write(name, text);
  const table = `t_${what.replaceAll(' ', '_')}`;
  const { stderr, exitCode } = await home.run(['load', table, name]);
  expect([exitCode, /new table \S+: ([^;\n]*)/.exec(stderr)?.[1]]).toEqual([0, types]);
  expect(await rows(table)).toBe(await rows(`\`${name}\``));
});

test('digits that no type of JSON holds are never rounded', async () => {
  const digits = '123456789012345678901234567890';
  home.write('long.ndjson', `{"n":${digits}}\n{"n":5}\n`);
  expect((await home.run(['load', 'long', 'long.ndjson'])).exitCode).toBe(0);
  expect(await rows('long')).toBe(`n\n5\n${digits}\n`);
  home.write('longer.ndjson', `{"i":1,"n":5}\n{"i":2,"n":-${digits.repeat(2)}}\n`);
  expect((await home.run(['load', 'longer', 'longer.ndjson'])).exitCode).toBe(0);
  expect(await rows('longer')).toBe(`i,n\n1,"5"\n2,"-${digits.repeat(2)}"\n`);
});

test.each([
  ['twice.csv', 'a,A\n1,2\n'],
  ['twice.ndjson', '{"a":1,"A":2}\n'],
  ['twice.json', '[{"a":1},{"A":2}]'],
])('two columns of the same name are refused by both in the same words: %s', async (name, text) => {
  home.write(name, text);
  const [queried, loaded] = [await home.run(['query', `select * from \`${name}\``]), await home.run(['load', 'twice', name])];
  const told = `${name} has the column A twice\n   = hint: give each column a different name: upper and lower case make no difference\n`;
  expect([queried.stderr, loaded.stderr.replace(`${home.folder}/`, '')]).toEqual([`error[config]: ${told}`, `error[load]: ${told}`]);
});
