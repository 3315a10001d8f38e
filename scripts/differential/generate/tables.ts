// Tables of a few rows of values that find faults: the same rows for the reference and in ClickHouse.

import type { Value } from '../../../src/base/result.ts';
import type { Random } from '../../../src/cli/demo/random.ts';
import {
  arrayOf,
  BIGNUMERIC,
  BOOL,
  BYTES,
  DATE,
  DATETIME,
  FLOAT64,
  INT64,
  INTERVAL,
  JSON_TYPE,
  NUMERIC,
  STRING,
  TIME,
  TIMESTAMP,
  type Type,
} from '../../../src/sql/base/types.ts';
import { engineLiteral } from '../literal.ts';
import type { Table } from '../outcome.ts';
import type { EngineTable } from '../place.ts';
import { atom, type Expression } from '../tree.ts';
import { anyValue } from './values.ts';

/** A table on both sides, with any of its rows. */
export interface TablePair {
  readonly table: Table;
  engine(rows: Table['rows'], names?: readonly string[]): EngineTable;
}

interface Column {
  readonly name: string;
  readonly type: Type;
  readonly engineType: string;
  /** Holds these texts only. */
  readonly values?: readonly Value[];
}

const nullable = (type: string): string => `Nullable(${type})`;
const column = (name: string, type: Type, engineType: string, values?: readonly Value[]): Column => ({
  name,
  type,
  engineType,
  ...(values === undefined ? {} : { values }),
});

const HEX = ['', '00', '616263', 'ff', '6100', 'c3a9', 'c3', 'f09f9880', '01020304'];
const JSON_TEXTS = ['null', '1', '"a"', '{"a":1,"b":[1,2,{"c":"d"}]}', '[1,null,"x"]', '{"a":"1","x y":null}', 'true', '1.5', '{}'];

export const COLUMNS: readonly Column[] = [
  column('id', INT64, 'Int64'),
  column('i', INT64, nullable('Int64')),
  column('j', INT64, nullable('Int64')),
  column('k', INT64, 'Int64'),
  column('f', FLOAT64, nullable('Float64')),
  column('g', FLOAT64, nullable('Float64')),
  column('b', BOOL, nullable('Bool')),
  column('c', BOOL, 'Bool'),
  column('s', STRING, nullable('String')),
  column('u', STRING, nullable('String')),
  column('v', STRING, 'String'),
  column('w', STRING, 'LowCardinality(Nullable(String))'),
  column('d', DATE, nullable('Date32')),
  column('e', DATE, nullable('Date32')),
  column('t', TIMESTAMP, nullable("DateTime64(6, 'UTC')")),
  column('x', TIMESTAMP, nullable("DateTime64(6, 'UTC')")),
  column('n', NUMERIC, nullable('Decimal(38, 9)')),
  column('m', NUMERIC, nullable('Decimal(38, 9)')),
  column('p', BIGNUMERIC, nullable('Decimal(76, 38)')),
  column('ai', arrayOf(INT64), `Array(${nullable('Int64')})`),
  column('af', arrayOf(FLOAT64), `Array(${nullable('Float64')})`),
  column('sa', arrayOf(STRING), `Array(${nullable('String')})`),
  column('hx', STRING, nullable('String'), HEX),
  column('jx', STRING, nullable('String'), JSON_TEXTS),
];

/** Types that no column has, as made from one that there is. */
const MADE: readonly (readonly [Type, string])[] = [
  [BYTES, 'FROM_HEX($hx)'],
  [JSON_TYPE, 'PARSE_JSON($jx)'],
  [DATETIME, 'DATETIME($x)'],
  [DATETIME, 'DATETIME($t)'],
  [TIME, 'TIME($x)'],
  [TIME, 'TIME($t)'],
  [INTERVAL, 'MAKE_INTERVAL(second => $id)'],
  [arrayOf(BYTES), '[FROM_HEX($hx)]'],
  [arrayOf(DATE), '[$d, $e]'],
  [arrayOf(NUMERIC), '[$n, $m]'],
  [arrayOf(BOOL), '[$b, $c]'],
  [arrayOf(TIMESTAMP), '[$t, $x]'],
];

/** The columns of a table under an alias as expressions. */
export function columnsOf(alias = ''): readonly Expression[] {
  const prefix = alias === '' ? '' : `${alias}.`;
  const plain = COLUMNS.filter(({ values }) => values === undefined).map(({ name, type }) => atom(type, `${prefix}${name}`));
  return [...plain, ...MADE.map(([type, text]) => atom(type, text.replace(/\$/g, prefix)))];
}

export interface TableOptions {
  readonly mild?: boolean;
  readonly rows: number;
}

export function randomTable(random: Random, name: string, { mild = false, rows }: TableOptions): Table {
  return {
    name,
    columns: COLUMNS.map((c) => ({ name: c.name, type: c.type })),
    rows: Array.from({ length: rows }, (_, at) =>
      COLUMNS.map(({ name: column, type, engineType, values }) => {
        if (column === 'id') return BigInt(at + 1);
        const nulls = engineType.includes('Nullable') ? 0.15 : 0;
        if (values !== undefined) return random.chance(nulls) ? null : random.pick(values);
        return anyValue(random, type, { mild, nulls }) ?? (type.kind === 'ARRAY' ? [] : null);
      }),
    ),
  };
}

/** The table in ClickHouse, in two parts: of many parts is what rows are merged from. */
/** `names`: of the columns, only these. */
export function engineTable({ name, rows }: Table, names?: readonly string[]): EngineTable {
  const kept = COLUMNS.flatMap((c, at) => (names === undefined || names.includes(c.name) ? [{ ...c, at }] : []));
  const columns = kept.map((c) => `${c.name} ${c.engineType}`).join(', ');
  const insert = (some: readonly (readonly Value[])[]): string =>
    `INSERT INTO x.${name} ${some.map((row) => `SELECT ${kept.map((c) => engineLiteral(c.type, row[c.at] ?? null, c.engineType)).join(', ')}`).join(' UNION ALL ')}`;
  const half = Math.ceil(rows.length / 2);
  return {
    name,
    statements: [
      `CREATE TABLE x.${name} (${columns}) ENGINE = MergeTree ORDER BY tuple()`,
      ...[rows.slice(0, half), rows.slice(half)].filter((some) => some.length > 0).map(insert),
    ],
  };
}
