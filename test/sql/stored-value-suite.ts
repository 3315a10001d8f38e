// Columns whose stored type stands for none of BigQuery's: a filter on them is made with the stored value, gives the rows that one on the shown value
// gives, and is seen by the table's key.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EmbeddedEngine, openEmbedded } from '../../src/engine/embedded/embedded.ts';
import { readDefinitions } from '../../src/sources/definition.ts';
import { sourceFromTable } from '../../src/sources/table/table-source.ts';
import { INT64, STRING } from '../../src/sql/base/types.ts';
import { translate } from '../../src/sql/index.ts';
import type { SourceCatalog } from '../../src/sql/source.ts';
import { type TempFolder, tempFolder } from '../support/temp-store.ts';

interface Case {
  readonly type: string;
  readonly values: readonly string[];
  /** In BigQuery's words: constants of the query, and the type of those that are known when it runs. */
  readonly constants: readonly string[];
  readonly ordered?: true;
  /** Constants whose filter the key sees, with comparison. */
  readonly keyed: readonly string[];
  readonly schema?: string;
}

const BIG = ['170141183460469231731687303715884105727', '99999999999999999999999999999999999999'];
const NUMBERS = ['0', '1', '-1', '5', '5.5', '-5.5', '18446744073709551615', '18446744073709551616', '-9223372036854775808'];
const numbers = [
  ...NUMBERS.map((n) => `bignumeric '${n}'`),
  '7',
  '-7',
  '2.5',
  'cast(null as int64)',
  'cast(@five as int64)',
  'cast(@minus as int64)',
  'cast(@none as int64)',
];
const some = [
  "bignumeric '5'",
  "bignumeric '-5.5'",
  "bignumeric '18446744073709551616'",
  '7',
  '2.5',
  'cast(null as int64)',
  'cast(@minus as int64)',
];
const U = ['00000000-0000-0000-0000-000000000000', '0a0b0c0d-0001-0002-0003-000000000005', 'ffffffff-ffff-ffff-ffff-ffffffffffff'];

const CASES: Readonly<Record<string, Case>> = {
  byte: {
    type: 'UInt8',
    values: ['0', '1', '5', '44', '255'],
    constants: [
      '0',
      '44',
      '300',
      '-1',
      '256',
      "numeric '5.5'",
      '2.5',
      'cast(null as int64)',
      'cast(@five as int64)',
      'cast(@minus as int64)',
    ],
    ordered: true,
    keyed: ['= 44', '> 17', 'in (44, 300, -1)', 'between 2 and 9', '= cast(@five as int64)'],
  },
  short: {
    type: 'Nullable(Int16)',
    values: ['0', '-7', '5', '32767', '-32768', 'NULL'],
    constants: ['0', '5', '-7', '32768', '-32769', '70000', 'cast(null as int64)', 'cast(@minus as int64)'],
    ordered: true,
    keyed: ['= 5', '< -9'],
  },
  day: {
    type: 'Date',
    values: ["'1970-01-01'", "'2026-07-10'", "'2149-06-06'"],
    constants: [
      "date '1970-01-01'",
      "date '2026-07-10'",
      "date '1969-12-31'",
      "date '2149-06-07'",
      "date '0001-01-01'",
      "date '9999-12-31'",
      "date '2026-06-10' + interval 1 month",
      "date_sub(date '1970-01-31', interval 1 month)",
      'cast(null as date)',
    ],
    ordered: true,
    keyed: ["= '2026-07-10'", "> date '2026-06-10' + interval 1 month", "in (date '2026-07-10', date '1900-01-01')"],
  },
  second: {
    type: 'DateTime',
    values: ["'1970-01-01 00:00:00'", "'2026-07-10 12:00:00'", "'2106-02-07 06:28:15'"],
    constants: [
      "timestamp '1970-01-01 00:00:00+00'",
      "timestamp '2026-07-10 12:00:00+00'",
      "timestamp '2026-07-10 12:00:00.5+00'",
      "timestamp '1969-12-31 23:59:59+00'",
      "timestamp '2106-02-07 06:28:16+00'",
      "timestamp '9999-12-31 00:00:00+00'",
      'cast(null as timestamp)',
    ],
    ordered: true,
    keyed: ["= timestamp '2026-07-10 12:00:00+00'"],
  },
  unsigned: {
    type: 'UInt64',
    values: ['0', '1', '5', '18446744073709551615'],
    constants: numbers,
    ordered: true,
    keyed: ['= 5', '> 17', 'between 3 and 9', 'in (5, 5.5, -1)', '= cast(@five as int64)'],
  },
  absent: {
    type: 'Nullable(UInt64)',
    values: ['0', 'NULL', '5', '18446744073709551615'],
    constants: some,
    ordered: true,
    keyed: ['= 5', '<= 5.5'],
  },
  wide: { type: 'Int128', values: ['0', '-1', '5', BIG[1] ?? ''], constants: some, ordered: true, keyed: ['= 5', '< -7'] },
  widest: { type: 'UInt256', values: ['0', '1', '5', BIG[1] ?? ''], constants: some, ordered: true, keyed: ['= 5'] },
  said: {
    type: 'UInt128',
    values: ['0', '1', '5', '9223372036854775807'],
    constants: ['0', '5', '-5', 'cast(null as int64)', 'cast(@five as int64)', 'cast(@minus as int64)'],
    ordered: true,
    keyed: ['= 5', '> 7'],
    schema: 'v:INT64',
  },
  exact: {
    type: 'UInt32',
    values: ['0', '1', '5', '4294967295'],
    constants: some,
    ordered: true,
    keyed: ['= 5', '<= 5.5'],
    schema: 'v:NUMERIC',
  },
  decimal: {
    type: 'Decimal(5, 2)',
    values: ['0', '-1.01', '5.5', '999.99', '-999.99'],
    constants: [...numbers, "numeric '5.501'", "numeric '-5.501'", '999.99', '1000', '-1000', '0.004'],
    ordered: true,
    keyed: ['= 5.5', '< -7.005'],
  },
  long: {
    type: 'Decimal(76, 20)',
    values: ['0', '-1.01', '5.5', '18446744073709551616'],
    constants: some,
    ordered: true,
    keyed: ['= 5.5'],
  },
  uuid: {
    type: 'UUID',
    values: U.map((u) => `'${u}'`),
    constants: [
      ...U.map((u) => `'${u}'`),
      `'${U[1]?.toUpperCase()}'`,
      "''",
      "'x'",
      'cast(null as string)',
      'cast(@uuid as string)',
      'cast(@word as string)',
      'cast(@none as string)',
      'upper(@uuid)',
    ],
    keyed: [`= '${U[1]}'`, `in ('${U[1]}', 'x')`, '= cast(@uuid as string)', "in (cast(@uuid as string), 'x')"],
  },
  absent_uuid: {
    type: 'Nullable(UUID)',
    values: [...U.map((u) => `'${u}'`), 'NULL'],
    constants: [`'${U[1]}'`, "'x'", 'cast(null as string)', 'cast(@uuid as string)', 'cast(@word as string)'],
    keyed: [`= '${U[1]}'`],
  },
  v4: {
    type: 'IPv4',
    values: ["'0.0.0.0'", "'10.0.0.7'", "'255.255.255.255'"],
    constants: [
      "'0.0.0.0'",
      "'10.0.0.7'",
      "'10.0.0.07'",
      "'10.0.0.7.'",
      "'256.0.0.1'",
      "'x'",
      "''",
      'cast(null as string)',
      'cast(@four as string)',
      'cast(@word as string)',
    ],
    keyed: ["= '10.0.0.7'", '= cast(@four as string)'],
  },
  v6: {
    type: 'IPv6',
    values: ["'::'", "'2001:db8::7'", "'::ffff:10.0.0.7'"],
    constants: [
      "'::'",
      "'2001:db8::7'",
      "'2001:DB8::7'",
      "'2001:db8:0::7'",
      "'::ffff:10.0.0.7'",
      "'10.0.0.7'",
      "'x'",
      "''",
      'cast(null as string)',
      'cast(@six as string)',
    ],
    keyed: ["= '2001:db8::7'", '= cast(@six as string)'],
  },
  member: {
    type: "Enum8('' = -1, 'a' = 1, 'it\\'s' = 2, 'x,y = 3' = 3)",
    values: ["''", "'a'", "'it\\'s'", "'x,y = 3'"],
    constants: [
      "''",
      "'a'",
      "'A'",
      '"it\'s"',
      "'x,y = 3'",
      "'zz'",
      'cast(null as string)',
      'cast(@word as string)',
      'cast(@four as string)',
      'cast(@none as string)',
    ],
    keyed: ["= 'a'", "in ('a', 'zz')", '= cast(@word as string)'],
  },
};

const PARAMETERS = { five: 5n, minus: -7n, none: null, uuid: U[1] ?? '', word: 'a', four: '10.0.0.7', six: '2001:db8::7' } as const;
const TYPES = { five: INT64, minus: INT64, none: STRING, uuid: STRING, word: STRING, four: STRING, six: STRING };

let data: TempFolder;
let engine: EmbeddedEngine;
const sources: SourceCatalog = {
  names: Object.keys(CASES),
  find(name) {
    const { type, schema } = CASES[name] ?? {};
    const section = { value: { [name]: { table: name, kind: 'table', ...(schema === undefined ? {} : { schema }) } } };
    const [definition] = readDefinitions(section);
    const columns = [
      { name: 'v', type: type ?? '' },
      { name: 'id', type: 'Int64' },
      { name: 'pad', type: 'String' },
    ];
    return definition === undefined ? undefined : sourceFromTable(definition, columns);
  },
};

async function run(sql: string, explain = ''): Promise<readonly (readonly unknown[])[]> {
  const { parameters, ...translation } = translate(sql, { sources, parameters: TYPES });
  const bindings = parameters.map(({ name, type }) => ({ name, type, value: PARAMETERS[name as keyof typeof PARAMETERS] }));
  return (await engine.execute({ ...translation, sql: `${explain}${translation.sql}`, bindings })).rows;
}

const holds =
  (which: 'first' | 'others') =>
  (name: string, { constants, ordered, keyed }: Case) => {
    const operators = ordered === true ? ['=', '!=', '<', '<=', '>', '>='] : ['=', '!='];
    const conditions = constants.flatMap((constant) => [
      ...operators.map((operator) => `v ${operator} ${constant}`),
      ...(ordered === true
        ? [`${constant} < v`, `v between ${constant} and ${constants[1]}`, `v between ${constants[0]} and ${constant}`]
        : []),
      `v in (${constant}, ${constants[1]})`,
      `v not in (${constant}, ${constants[0]})`,
    ]);
    // A third of the operators, each with a third of the constants, finds what an ordinary change breaks.
    const chosen = conditions.filter((_, i) => (i % 3 === 0) === (which === 'first'));
    const all = [...chosen, ...chosen.map((condition) => `not (${condition})`)];

    test('the rows are those of the value that queries see', async () => {
      // Several conditions in one query take less time than one in each, and than all.
      const each = async (from: string): Promise<readonly string[]> => {
        const found: string[] = [];
        for (let start = 0; start < all.length; start += 12) {
          const parts = all.slice(start, start + 12).map((condition, i) => `select ${i} i, id from ${from} where ${condition}`);
          const rows = await run(`${parts.join(' union all ')} order by i, id`);
          found.push(...rows.map(([i, id]) => `${id}: ${all[start + Number(i)]}`));
        }
        return found;
      };
      // What a CASE gives is no column of the table.
      const seen = await each(`(select id, case when id > -1 then v end v from ${name})`);
      expect(await each(name)).toEqual(seen);
    });

    test.each(which === 'first' ? keyed : [])('the key sees v %s', async (condition) => {
      const granules = async (where: string): Promise<number> => {
        const [estimate] = await run(`select count(pad) from ${name} where ${where}`, 'EXPLAIN ESTIMATE ');
        return Number(estimate?.[4] ?? 0);
      };
      expect(await granules(`v ${condition}`)).toBeLessThan(CASES[name]?.values.length ?? 0);
    });
  };

export function storedValuesHold(which: 'first' | 'others'): void {
  beforeAll(async () => {
    data = tempFolder();
    engine = await openEmbedded({ path: data.path });
    for (const [name, { type, values }] of Object.entries(CASES)) {
      const settings = 'index_granularity = 1, allow_nullable_key = 1';
      await engine.command(
        `CREATE TABLE default.${name} (v ${type}, id Int64, pad String) ENGINE = MergeTree ORDER BY v SETTINGS ${settings}`,
      );
      await engine.command(`INSERT INTO default.${name} VALUES ${values.map((value, i) => `(${value}, ${i}, '')`).join(', ')}`);
    }
  });
  afterAll(async () => {
    await engine.close();
    data.remove();
  });
  describe.each(Object.entries(CASES))('%s', holds(which));
}
