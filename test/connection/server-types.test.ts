// Columns of a server's tables whose types BigQuery does not have: right rows in each format, or a refusal that says what to do.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ClickHouseServer, startClickHouse } from '../support/clickhouse-server.ts';
import { cliHome } from '../support/run-cli.ts';

const home = cliHome();
/** Without a server, to read files. */
const elsewhere = cliHome();
let server: ClickHouseServer;

/** ClickHouse's type, the value in its words, the type in BigQuery, and the value as JSON. */
const COLUMNS: Readonly<Record<string, readonly [stored: string, value: string, type: string, json: string]>> = {
  u128: ['UInt128', '5', 'BIGNUMERIC', '5'],
  i128: ['Nullable(Int128)', '-7', 'BIGNUMERIC', '-7'],
  u256: ['UInt256', "'99999999999999999999999999999999999999'", 'BIGNUMERIC', '99999999999999999999999999999999999999'],
  i256: ['Int256', '-1', 'BIGNUMERIC', '-1'],
  d256: ['Decimal(76, 20)', "'-0.00000000000000000001'", 'BIGNUMERIC', '-0.00000000000000000001'],
  e8: ["Enum8('a' = 1, 'b c' = 2)", "'b c'", 'STRING', '"b c"'],
  e16: ["Enum16('x' = -300)", "'x'", 'STRING', '"x"'],
  ip4: ['IPv4', "'1.2.3.4'", 'STRING', '"1.2.3.4"'],
  ip6: ['IPv6', "'::ffff:1.2.3.4'", 'STRING', '"::ffff:1.2.3.4"'],
  u: ['UUID', "'61f0c404-5cb3-11e7-907b-a6006ad3dba0'", 'STRING', '"61f0c404-5cb3-11e7-907b-a6006ad3dba0"'],
  d32: ['Date32', "'2299-12-31'", 'DATE', '"2299-12-31"'],
  fs: ['FixedString(4)', "'ab'", 'STRING', '"ab"'],
  lc: ['LowCardinality(Nullable(String))', 'NULL', 'STRING', 'null'],
  lcn: ['LowCardinality(UInt32)', '7', 'INT64', '7'],
  lcf: ['LowCardinality(FixedString(3))', "'d'", 'STRING', '"d"'],
  saf: ['SimpleAggregateFunction(max, DateTime)', '1', 'TIMESTAMP', '"1970-01-01T00:00:01Z"'],
  safa: ['SimpleAggregateFunction(groupArrayArray, Array(String))', "['a']", 'ARRAY<STRING>', '["a"]'],
  nested: [
    'Nested(a Int64, b Array(Tuple(x IPv4)))',
    "[(1, [('1.1.1.1')])]",
    'ARRAY<STRUCT<a INT64, b ARRAY<STRUCT<x STRING>>>>',
    '[{"a":1,"b":[{"x":"1.1.1.1"}]}]',
  ],
  variant: ['Variant(Array(Int64), Int64, String)', "'s'", 'JSON', '"s"'],
  dynamic: ['Dynamic', '[1, 2]::Array(Int64)', 'JSON', '[1,2]'],
  bf: ['BFloat16', '1.5', 'FLOAT64', '1.5'],
  tuple: ['Tuple(ip IPv6, d Decimal256(3))', "('::1', 1.125)", 'STRUCT<ip STRING, d BIGNUMERIC>', '{"ip":"::1","d":1.125}'],
  map: [
    'Map(LowCardinality(String), UInt64)',
    "{'k': 18446744073709551615}",
    'ARRAY<STRUCT<key STRING, value BIGNUMERIC>>',
    '[{"key":"k","value":18446744073709551615}]',
  ],
  au: ['Array(Nullable(UUID))', "['00000000-0000-0000-0000-000000000001']", 'ARRAY<STRING>', '["00000000-0000-0000-0000-000000000001"]'],
};
const NAMES = Object.keys(COLUMNS);
const ROW = `{${NAMES.map((name) => `"${name}":${COLUMNS[name]?.[3]}`).join(',')}}`;

const GEOGRAPHY = 'GEOGRAPHY is not supported; a view can give it as text, with wkt';
/** What queries cannot read, and why. */
const REFUSED: Readonly<Record<string, readonly [stored: string, why: string]>> = {
  point: ['Point', GEOGRAPHY],
  ring: ['Ring', GEOGRAPHY],
  polygon: ['MultiPolygon', GEOGRAPHY],
  days: ['IntervalDay', 'BigQuery has no such type; a view can give it as another'],
  deep: ['Decimal(76, 50)', 'BIGNUMERIC has at most 38 digits after the point; a view can round it'],
  states: ['AggregateFunction(uniq, UInt64)', 'it holds aggregate states, which a view would have to merge'],
  grid: ['Array(Array(Int64))', 'BigQuery has no arrays of arrays'],
};

beforeAll(async () => {
  server = await startClickHouse({ profiles: { default: { allow_suspicious_low_cardinality_types: 1 } } });
  const types = NAMES.map((name) => `\`${name}\` ${COLUMNS[name]?.[0]}`).join(', ');
  await server.run(`CREATE TABLE types (${types}) ENGINE = MergeTree ORDER BY tuple() SETTINGS flatten_nested = 0`);
  await server.run(`INSERT INTO types VALUES (${NAMES.map((name) => COLUMNS[name]?.[1]).join(', ')})`);
  const refused = Object.entries(REFUSED).map(([name, [stored]]) => `${name} ${stored}`);
  await server.run(`CREATE TABLE refused (id Int64, ${refused.join(', ')}) ENGINE = MergeTree ORDER BY tuple()`);
  await server.run('INSERT INTO refused (id) VALUES (1)');
  await server.run('CREATE VIEW wkts AS SELECT id, wkt(point) AS point, uniqMerge(states) AS n FROM refused GROUP BY ALL');
  writeFileSync(
    join(home.folder, 'quern.yaml'),
    `url: ${server.url}\nsources: { types: { table: types }, refused: { table: refused } }\nnames: { "lake.*": "default.{2}" }\n`,
  );
}, 120_000);

afterAll(async () => {
  await server.stop();
  home.remove();
  elsewhere.remove();
});

const query = (sql: string, ...flags: readonly string[]) => home.run(['query', sql, ...flags]);

test('quern sources says what each is', async () => {
  const { stdout } = await home.run(['sources', 'types', '--format', 'csv']);
  const types = stdout
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split('","').slice(0, 2).join(' ').replaceAll('"', ''));
  expect(types).toEqual(NAMES.map((name) => `${name} ${COLUMNS[name]?.[2]}`));
});

describe('rows', () => {
  test.each(['json', 'ndjson'])('as %s', async (format) => {
    const { stdout, stderr } = await query('select * from types', '--format', format);
    expect([stdout, stderr]).toEqual([format === 'json' ? `{"result": [\n${ROW}\n]}\n` : `${ROW}\n`, '']);
  });

  test.each(['csv', 'tsv', 'markdown', 'table'])('as %s', async (format) => {
    const { stdout, exitCode } = await query('select * from types', '--format', format);
    expect(exitCode).toBe(0);
    const text = stdout.replaceAll('\\[', '[').replaceAll('\\]', ']').replaceAll('""', '"');
    for (const name of NAMES.filter((one) => one !== 'lc' && one !== 'variant'))
      expect(text).toContain(COLUMNS[name]?.[3].replace(/^"|"$/g, ''));
  });

  test.each(['ndjson', 'csv', 'parquet', 'arrow'])('in a file, %s', async (format) => {
    const file = join(home.folder, `rows.${format}`);
    const { stderr, exitCode } = await query('select * from types', '--output', file);
    expect([exitCode, stderr]).toEqual([0, expect.anything()]);
    if (format === 'ndjson') return expect(readFileSync(file, 'utf8')).toBe(`${ROW}\n`);
    if (format === 'csv') return expect(readFileSync(file, 'utf8')).toBe((await query('select * from types', '--format', 'csv')).stdout);
    const again = await elsewhere.run(['query', `select * from \`${file}\``, '--format', 'ndjson']);
    // Arrow has no type for JSON.
    const row =
      format === 'arrow'
        ? ROW.replace('"variant":"s"', String.raw`"variant":"\"s\""`).replace('"dynamic":[1,2]', '"dynamic":"[1,2]"')
        : ROW;
    expect(again).toEqual({ stdout: `${row}\n`, stderr: '', exitCode: 0 });
    return undefined;
  });

  test.each(NAMES)('%s alone, compared, grouped and counted', async (name) => {
    const [, , type, json] = COLUMNS[name] ?? ['', '', '', ''];
    expect((await query(`select ${name} as v from types`)).stdout).toBe(`{"v":${json}}\n`);
    expect((await query(`select count(${name}) as n from types where ${name} is not null`)).stdout).toBe(
      `{"n":${json === 'null' ? 0 : 1}}\n`,
    );
    const { stdout, stderr } = await query(`select ${name} as v, count(*) as n from types group by 1`);
    if (type === 'JSON') expect(stderr).toContain('= hint: use what they hold');
    else expect([stdout, stderr]).toEqual([`{"v":${json},"n":1}\n`, '']);
  });
});

test.each(Object.entries(REFUSED))('%s is refused, with what to do', async (name, [stored, why]) => {
  const { stderr, exitCode } = await query(`select ${name} from refused`);
  expect([exitCode, stderr]).toEqual([
    2,
    expect.stringContaining(`= hint: the table has it as ${stored}, which queries cannot read: ${why}`),
  ]);
  // A name that only a rule leads to has its columns told too.
  const { stdout } = await home.run(['sources', 'lake.refused']);
  expect(stdout).toContain(JSON.stringify({ column: name, type: `not read: ${why}`, stored }));
});

test('such a view gives rows', async () => {
  expect((await query('select * from lake.wkts')).stdout).toBe('{"id":1,"point":"POINT(0 0)","n":0}\n');
});

test('an integer beyond BIGNUMERIC fails the query in words', async () => {
  await server.run("CREATE TABLE wide (n UInt256) ENGINE = Memory AS SELECT toUInt256('100000000000000000000000000000000000000')");
  const { stderr, exitCode } = await query('select n from lake.wide');
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('a value is out of range for BIGNUMERIC')]);
});
