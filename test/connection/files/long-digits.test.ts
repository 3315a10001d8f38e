// Integers of NDJSON and JSON that are longer than the engine's: a query over the file has what a load of it has.
import { afterAll, expect, test } from 'vitest';
import { cliHome } from '../../support/run-cli.ts';

const home = cliHome();
afterAll(() => home.remove());

const D23 = '12345678901234567890123';
const D40 = '1234567890123456789012345678901234567890';
const AT_MOST = '9223372036854775807';

const FILES: readonly (readonly [name: string, text: string, types: string, rows: string])[] = [
  ['plain.ndjson', `{"i":1,"n":${D23}}\n{"i":2,"n":5}\n`, 'i INT64, n BIGNUMERIC', `1,${D23}\n2,5\n`],
  ['side.ndjson', `{"i":1,"n":[${D23},${D23}, ${D23}]}\n`, 'i INT64, n ARRAY<BIGNUMERIC>', `1,"[${D23},${D23},${D23}]"\n`],
  ['deep.ndjson', `{"i":1,"o":{"a":{"n":${D23}}}}\n`, 'i INT64, o STRUCT<a STRUCT<n BIGNUMERIC>>', `1,"{""a"":{""n"":${D23}}}"\n`],
  ['below.ndjson', '{"i":1,"n":-9223372036854775809}\n{"i":2,"n":5}\n', 'i INT64, n STRING', '1,"-9223372036854775809"\n2,"5"\n'],
  ['least.ndjson', `{"i":1,"n":-9223372036854775808,"m":${D23}}\n`, 'i INT64, n INT64, m BIGNUMERIC', `1,-9223372036854775808,${D23}\n`],
  ['beyond.ndjson', `{"i":1,"n":${D40}}\n{"i":2,"n":null}\n`, 'i INT64, n STRING', `1,"${D40}"\n2,\n`],
  ['document.json', `[{"i":1,\n"n":${D23}},\n{"i":2,"n":${AT_MOST}}]\n`, 'i INT64, n BIGNUMERIC', `1,${D23}\n2,${AT_MOST}\n`],
];

test.each(FILES)('%s', async (name, text, types, rows) => {
  home.write(name, text);
  const table = `t_${name.replaceAll('.', '_')}`;
  const { stderr, exitCode } = await home.run(['load', table, name]);
  expect([exitCode, /new table \S+: ([^;\n]*)/.exec(stderr)?.[1]]).toEqual([0, types]);
  for (const from of [`\`${name}\``, table]) {
    const { stdout } = await home.run(['query', `select * from ${from} order by 1`, '--format', 'csv']);
    expect(stdout.slice(stdout.indexOf('\n') + 1)).toBe(rows);
  }
});

test('columns that other files have are found beside them', async () => {
  home.write('several/a.ndjson', `{"n":${D23}}\n`);
  home.write('several/b.ndjson', '{"n":1,"m":"x"}\n');
  expect((await home.run(['query', 'select n, m from `several/*.ndjson` order by n'])).stdout).toBe(
    `{"n":1,"m":"x"}\n{"n":${D23},"m":null}\n`,
  );
});
