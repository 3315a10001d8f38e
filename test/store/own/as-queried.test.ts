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

const many = Array.from({ length: 25_000 }, (_, i) => `${i + 1},${i}\n`).join('');
const objects = Array.from({ length: 25_000 }, (_, i) => `{"id":${i + 1},"n":${i},"o":{"t":"10:00:00","n":[${i}]}}\n`).join('');

test.each([
  ['fraction.csv', `id,n\n${many}25001,0.5\n`, '25002: n: "0.5" is not INT64', 'n:FLOAT64'],
  ['digits.csv', `id,n\n${many}25001,9223372036854775808\n`, '25002: n: "9223372036854775808" is not INT64', 'n:BIGNUMERIC'],
  ['word.csv', `id,n\n${many}25001,x\n`, '25002: n: "x" is not INT64', 'n:STRING'],
  ['fraction.ndjson', `${objects}{"id":25001,"n":0.5}\n`, '25001: n: "0.5" is not INT64', 'n:FLOAT64'],
])(
  'a value that does not fit the types of the first rows is refused by both, with the type to declare: %s',
  async (name, text, why, schema) => {
    home.write(name, text);
    const table = name.replace('.', '_');
    const queried = await home.run(['query', `select sum(n) as n from \`${name}\``]);
    const refused = await home.run(['load', table, name]);
    expect(queried.stderr).toContain(`error[data]: ${name}:${why}\n`);
    expect(queried.stderr).toContain(`or declare its column: \`schema: ${schema}\``);
    expect(refused.stderr).toContain(`${name}:${why}`);
    expect(refused.stderr).toContain(`declare the column with --schema ${schema},`);
    const { exitCode } = await home.run(['load', table, name, '--schema', schema]);
    expect(exitCode).toBe(0);
  },
);

test.each([
  ['nested.ndjson', 'o:STRUCT<t TIME, n ARRAY<INT64>>', '{"o":{"t":"25:00:00"}}', 'the text is not a TIME'],
  ['range.ndjson', 'o:STRUCT<t TIME, n ARRAY<INT64>>', '{"o":{"n":[9223372036854775808]}}', 'a value is out of the range of INT64'],
  ['json.ndjson', 'o:JSON', '{"o":"\\ud83d"}', 'a value in a column of type JSON is not JSON'],
])('a wrong value within a nested one is refused by both with its line: %s', async (name, schema, line, why) => {
  home.write(name, `\n${objects}${line}\n`);
  home.write('quern.yaml', `sources:\n  nested: { file: ${name}, schema: "${schema}" }\n`);
  const queried = await home.run(['query', 'select max(to_json_string(o)) as o from nested']);
  expect(queried.stderr).toContain(`error[data]: ${name}:25002: ${why}\n`);
  const { stderr } = await home.run(['load', 'nested_table', name, '--schema', schema]);
  expect(stderr).toContain(`${name}:25002: ${why}`);
});

test('truth values may stand within quotes', async () => {
  home.write('truth.csv', 'id,b\n1,"true"\n2,FALSE\n3,\n4,"t"\n5,0\n6,"Yes"\n');
  expect((await home.run(['load', 'truth', 'truth.csv', '--schema', 'b:BOOL'])).exitCode).toBe(0);
  home.write('quern.yaml', 'sources:\n  truths: { file: truth.csv, schema: "b:BOOL" }\n');
  const wanted = 'id,b\n1,true\n2,false\n3,\n4,true\n5,false\n6,true\n';
  expect([await rows('truth'), await rows('truths')]).toEqual([wanted, wanted]);
  const counted = async (where: string) =>
    (await home.run(['query', `select id from truths where ${where} order by id`, '--format', 'csv'])).stdout;
  expect(await counted('b')).toBe('id\n1\n4\n6\n');
  expect(await counted('b = false or b is null')).toBe('id\n2\n3\n5\n');
  home.write('truth.csv', 'id,b\n1,"true"\n2,"maybe"\n');
  expect((await home.run(['query', 'select logical_or(b) as b from truths'])).stderr).toContain('truth.csv:3: b: "maybe" is not BOOL');
  expect((await home.run(['load', 'truth', 'truth.csv'])).stderr).toContain('truth.csv:3: b: "maybe" is not BOOL');
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
