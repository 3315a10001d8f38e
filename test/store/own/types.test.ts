// Every type of BigQuery's out of texts: the table gives back the values that they say, and lines that say none are kept out with the reason.
import { afterAll, expect, test } from 'vitest';
import { cliHome } from '../../support/run-cli.ts';

const home = cliHome();
afterAll(() => home.remove());

let queries = 0;
const query = async (sql: string): Promise<readonly unknown[]> => {
  const id = `4c01dc9a-90f3-4c81-99e0-${String(++queries).padStart(12, '0')}`;
  home.write('q.sql', `/*---\nid: ${id}\n---*/\n${sql}\n`);
  const { stdout, stderr } = await home.run(['run', 'q.sql', '--format', 'ndjson']);
  if (stderr !== '') throw new Error(stderr);
  return stdout
    .trim()
    .split('\n')
    .map((line) => line.replace(/^\{"v":|\}$/g, ''));
};
const bad = (stderr: string): readonly string[] =>
  stderr.split('\n').flatMap((line) => /^x\.\w+:(\d+: .*?)(?:: [^:]*[{,].*)?$/.exec(line)?.[1] ?? []);

/** Of a type: a JSON value and the value that a query shows; null where there is none. */
const CASES: readonly (readonly [type: string, json: string, shown: string | null])[] = [
  ['INT64', '9223372036854775807', '9223372036854775807'],
  ['INT64', '"-12"', '-12'],
  ['INT64', '9223372036854775808', null],
  ['INT64', '-9223372036854775809', null],
  ['INT64', '1.5', null],
  ['INT64', '"a"', null],
  ['INT64', '""', null],
  ['INT64', '[1]', null],
  ['INT64', '{}', null],
  ['INT64', 'null', 'null'],
  ['FLOAT64', '0.1', '0.1'],
  ['FLOAT64', '1e308', '1e308'],
  ['FLOAT64', '1e400', '"Infinity"'],
  ['FLOAT64', '"inf"', '"Infinity"'],
  ['FLOAT64', '"NaN"', '"NaN"'],
  ['NUMERIC', '12345678901234567890.123456789', '12345678901234567890.123456789'],
  ['NUMERIC', '0.0000000005', '0.000000001'],
  ['NUMERIC', '-0.0000000005', '-0.000000001'],
  ['NUMERIC', '1e3', '1000'],
  ['NUMERIC', '"1.2.3"', null],
  ['NUMERIC', '99999999999999999999999999999.999999999', '99999999999999999999999999999.999999999'],
  ['NUMERIC', '100000000000000000000000000000', null],
  ['BIGNUMERIC', '0.12345678901234567890123456789012345678', '0.12345678901234567890123456789012345678'],
  ['BIGNUMERIC', '0.123456789012345678901234567890123456789', '0.12345678901234567890123456789012345678'],
  ['BOOL', 'true', 'true'],
  ['BOOL', '"False"', null],
  ['BOOL', '1', 'true'],
  ['BOOL', '2', null],
  ['STRING', '"a\\u00e9\\n"', '"aé\\n"'],
  ['STRING', '1.50', '"1.50"'],
  ['STRING', 'true', '"true"'],
  ['STRING', '""', '""'],
  ['STRING', '"\\ud800"', null],
  ['BYTES', '"/wA="', '"/wA="'],
  ['BYTES', '""', '""'],
  ['BYTES', '"a"', null],
  ['DATE', '"2024-02-29"', '"2024-02-29"'],
  ['DATE', '"2023-02-29"', null],
  ['DATE', '"0001-01-01"', '"0001-01-01"'],
  ['DATE', '"1600-02-29"', '"1600-02-29"'],
  ['DATE', '"1700-02-29"', null],
  ['DATE', '"9999-12-31"', '"9999-12-31"'],
  ['DATE', '"0000-01-01"', null],
  ['DATE', '"2024-01-01 00:00:00"', null],
  ['TIME', '"23:59:59.123456"', '"23:59:59.123456"'],
  ['TIME', '"24:00:00"', null],
  ['TIME', '"12:60:00"', null],
  ['DATETIME', '"2024-01-02T03:04:05.123456"', '"2024-01-02T03:04:05.123456"'],
  ['DATETIME', '"2024-01-02 03:04:05"', '"2024-01-02T03:04:05"'],
  ['DATETIME', '"2024-01-02"', '"2024-01-02T00:00:00"'],
  ['DATETIME', '"2024-01-02T03:04:05Z"', null],
  ['DATETIME', '"0001-01-01 00:00:00"', '"0001-01-01T00:00:00"'],
  ['DATETIME', '"2300-01-01 00:00:00.5"', '"2300-01-01T00:00:00.500000"'],
  ['TIMESTAMP', '"2024-01-02T03:04:05.5+02:00"', '"2024-01-02T01:04:05.500000Z"'],
  ['TIMESTAMP', '"2024-01-02 03:04:05 UTC"', '"2024-01-02T03:04:05Z"'],
  ['TIMESTAMP', '"2024-01-02 24:04:05"', null],
  ['TIMESTAMP', '"2024-02-30 03:04:05"', null],
  ['TIMESTAMP', '"1899-12-31 23:00:00-02:00"', '"1900-01-01T01:00:00Z"'],
  ['TIMESTAMP', '"1600-01-01 01:00:00+02:00"', '"1599-12-31T23:00:00Z"'],
  ['TIMESTAMP', '"9999-12-31T23:59:59.999999Z"', '"9999-12-31T23:59:59.999999Z"'],
  ['TIMESTAMP', '"Jan 2 2024"', null],
  ['JSON', '{"b": 1.10, "a": [1, null]}', '{"b":1.1,"a":[1,null]}'],
  ['JSON', '"12"', '"12"'],
  ['JSON', '12', '12'],
  ['JSON', '[{}]', '[{}]'],
  ['JSON', 'null', 'null'],
];

test.each([...new Set(CASES.map(([type]) => type))])('%s', async (type) => {
  const cases = CASES.filter(([of]) => of === type);
  home.write('x.ndjson', cases.map(([, json], i) => `{"i": ${i}, "v": ${json}}\n`).join(''));
  const name = `t_${type}`;
  const { stderr } = await home.run(['load', name, 'x.ndjson', '--skip-bad-lines', '--schema', `i:INT64,v:${type}`]);
  const wrong = cases.flatMap(([, , shown], i) => (shown === null ? [i] : []));
  expect(bad(stderr).map((line) => Number(line.split(':')[0]) - 1)).toEqual(wrong);
  const right = cases.filter((_, i) => !wrong.includes(i));
  expect(await query(`select v from ${name} order by i`)).toEqual(right.map(([, , shown]) => shown));

  // The same one by one, where nothing else makes the file be read again, must give the same.
  for (const [i, [, json, shown]] of right.entries()) {
    if (type === 'JSON') break;
    home.write('x.ndjson', `{"i": ${i}, "v": ${json}}\n`);
    expect(await home.run(['load', name, 'x.ndjson', '--replace', '--quiet', '--schema', `i:INT64,v:${type}`])).toMatchObject({
      stderr: '',
    });
    expect(await query(`select v from ${name}`)).toEqual([shown]);
  }
});

test('records, lists of records and NULLs among them', async () => {
  home.write(
    'x.ndjson',
    [
      '{"i": 1, "s": {"x": 1, "t": {"u": "a"}}, "r": [{"k": "a", "n": [1, 2]}, {"k": null}], "a": ["p", "q"]}',
      '{"i": 2, "s": null, "r": [], "a": []}',
      '{"i": 3, "s": {"x": null}}',
      '{"i": 4, "r": [null]}',
      '{"i": 5, "s": [1]}',
      '{"i": 6, "a": ["p", null]}',
      '{"i": 7, "r": {"k": "a"}}',
      '{"i": 8, "s": {"x": "y"}}',
    ]
      .map((line) => `${line}\n`)
      .join(''),
  );
  const schema = JSON.stringify([
    { name: 'i', type: 'INTEGER' },
    {
      name: 's',
      type: 'RECORD',
      fields: [
        { name: 'x', type: 'INTEGER' },
        { name: 't', type: 'RECORD', fields: [{ name: 'u', type: 'STRING' }] },
      ],
    },
    {
      name: 'r',
      type: 'RECORD',
      mode: 'REPEATED',
      fields: [
        { name: 'k', type: 'STRING' },
        { name: 'n', type: 'INTEGER', mode: 'REPEATED' },
      ],
    },
    { name: 'a', type: 'STRING', mode: 'REPEATED' },
  ]);
  home.write('s.json', schema);
  const { stderr } = await home.run(['load', 'nested', 'x.ndjson', '--skip-bad-lines', '--schema', 's.json']);
  expect(bad(stderr)).toEqual([
    '5: s is an array, not a record',
    '7: r is a record, not an array',
    '8: s: a value in it does not fit its type',
  ]);
  expect(await query('select to_json_string(struct(s, r, a)) as v from nested order by i')).toEqual([
    String.raw`"{\"s\":{\"x\":1,\"t\":{\"u\":\"a\"}},\"r\":[{\"k\":\"a\",\"n\":[1,2]},{\"k\":null,\"n\":[]}],\"a\":[\"p\",\"q\"]}"`,
    String.raw`"{\"s\":null,\"r\":[],\"a\":[]}"`,
    String.raw`"{\"s\":{\"x\":null,\"t\":null},\"r\":[],\"a\":[]}"`,
    String.raw`"{\"s\":null,\"r\":[null],\"a\":[]}"`,
    String.raw`"{\"s\":null,\"r\":[],\"a\":[\"p\",null]}"`,
  ]);
  expect(
    await query(
      'select concat(ifnull(s.t.u, "-"), cast((select count(*) from unnest(r)) as string), cast(s is null as string)) as v from nested order by i',
    ),
  ).toEqual(['"a2false"', '"-0true"', '"-0false"', '"-1true"', '"-0true"']);
});

test('a column of dates becomes one of any year when such a date is added', async () => {
  home.write('x.csv', 'd,t\n2024-01-02,2024-01-02 03:04:05\n');
  await home.run(['load', 'years', 'x.csv']);
  home.write('x.csv', 'd,t\n0999-12-31,2300-01-01 00:00:00\n');
  expect((await home.run(['load', 'years', 'x.csv'])).exitCode).toBe(0);
  expect(await query('select concat(cast(d as string), " ", cast(t as string)) as v from years order by d')).toEqual([
    '"0999-12-31 2300-01-01 00:00:00+00"',
    '"2024-01-02 2024-01-02 03:04:05+00"',
  ]);
  expect(await query('select extract(year from max(d)) as v from years')).toEqual(['2024']);
});
