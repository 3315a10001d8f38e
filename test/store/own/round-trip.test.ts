// What quern exports comes back as it was: in a query over the file, and in a table that it is loaded into.
import { afterAll, expect, test } from 'vitest';
import { cliHome } from '../../support/run-cli.ts';

const home = cliHome();
afterAll(() => home.remove());

/** The values of two rows by their types. */
const SCALARS = {
  id: ['INT64', '1', '-9223372036854775808'],
  zip: ['STRING', "'00501'", 'NULL'],
  quoted: ['STRING', '\'a "quoted", text\'', "'two\\nlines'"],
  empty: ['STRING', "''", "' '"],
  double: ['FLOAT64', '0.1', "CAST('nan' AS FLOAT64)"],
  price: ['NUMERIC', "NUMERIC '1.50'", 'NULL'],
  exact: ['BIGNUMERIC', "BIGNUMERIC '12345678901234567890.5'", "BIGNUMERIC '-0.00000000000000000000000000000000000001'"],
  flag: ['BOOL', 'TRUE', 'NULL'],
  day: ['DATE', "DATE '0001-01-01'", "DATE '9999-12-31'"],
  clock: ['TIME', "TIME '12:34:56.5'", 'NULL'],
  plain: ['DATETIME', "DATETIME '2026-01-31 12:34:56'", "DATETIME '1969-12-31 23:59:59.5'"],
  moment: ['TIMESTAMP', "TIMESTAMP '2026-01-31 12:34:56.123456+00'", "TIMESTAMP '1969-12-31 23:59:59+00'"],
  raw: ['BYTES', "b'abc\\xff'", "b''"],
  doc: ['JSON', `JSON '{"a": [1, "x"]}'`, `JSON '"7"'`],
} as const;
const NESTED = {
  list: ['ARRAY<INT64>', '[1, 2]', '[]'],
  days: ['ARRAY<DATE>', "[DATE '2026-01-31']", '[]'],
  record: ['STRUCT<a INT64, b STRING>', "STRUCT(1 AS a, '007' AS b)", 'STRUCT(2, CAST(NULL AS STRING))'],
  records: ['ARRAY<STRUCT<k STRING, v NUMERIC>>', "[STRUCT('a' AS k, NUMERIC '1.5' AS v)]", '[]'],
} as const;

type Values = Readonly<Record<string, readonly [type: string, first: string, second: string]>>;
const without = (values: Values, ...names: readonly string[]): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));
const row = (values: Values, at: 1 | 2): string =>
  `select ${Object.entries(values)
    .map(([name, each]) => `${each[at]} as ${name}`)
    .join(', ')}`;

const ALL = { ...SCALARS, ...NESTED };
/** Arrow has no type for JSON, and takes BYTES for texts; no days of Arrow lie where those of ClickHouse do not. */
const FORMATS: Readonly<Record<string, { readonly values: Values; readonly isTold: boolean }>> = {
  csv: { values: SCALARS, isTold: true },
  ndjson: { values: ALL, isTold: true },
  parquet: { values: ALL, isTold: false },
  arrow: { values: without(ALL, 'raw', 'doc'), isTold: false },
};

test.each(Object.entries(FORMATS))('%s', async (format, { values, isTold }) => {
  const sql = `${row(values, 1)} union all ${row(values, 2)}`;
  const file = `out.${format}`;
  expect(await home.run(['query', sql, '--output', file])).toMatchObject({ stderr: expect.not.stringContaining('error'), exitCode: 0 });
  const schema = Object.entries(values).map(([name, [type]]) => `${name}:${type}`);
  home.write('quern.yaml', `sources:\n  told: { file: ${file}${isTold ? `, schema: ${JSON.stringify(schema)}` : ''} }\n`);
  const table = `t_${format}`;
  const loaded = await home.run(['load', table, file, ...(isTold ? ['--schema', schema.join(',')] : [])]);
  const types = Object.entries(values).map(([name, [type]]) => `${name} ${type}`);
  expect([loaded.exitCode, loaded.stderr]).toEqual([0, expect.stringContaining(`new table ${table}: ${types.join(', ')};`)]);
  const rows = async (from: string): Promise<string> => {
    const { stdout, stderr } = await home.run(['query', `select * from ${from} order by id`, '--format', 'ndjson']);
    return stdout === '' ? stderr : stdout;
  };
  const as = await rows(`(${sql})`);
  expect([await rows('told'), await rows(table)]).toEqual([as, as]);
});
