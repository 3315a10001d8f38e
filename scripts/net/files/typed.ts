// Files of formats that have types of their own, as the engine writes them; and one text in every compression.
import type { NetFile } from './file.ts';

/** The ClickHouse type of each column, and the values of two rows. */
const COLUMNS = {
  id: ['Int64', '1', '2'],
  small: ['Int8', '-128', '127'],
  half: ['UInt16', '65535', '0'],
  middle: ['Int32', '-2147483648', '2147483647'],
  unsigned: ['UInt64', "'18446744073709551615'", '1'],
  wide: ['Int128', "'170141183460469231731687303715884105727'", '1'],
  single: ['Float32', '1.5', '-0.25'],
  double: ['Float64', '0.1', "'nan'"],
  flag: ['Bool', 'true', 'false'],
  text: ['String', "'00501'", "'Größe'"],
  fixed: ['FixedString(3)', "'abc'", "'de'"],
  low: ['LowCardinality(String)', "'a'", "'b'"],
  nullable_text: ['Nullable(String)', 'NULL', "''"],
  nullable_number: ['Nullable(Int64)', 'NULL', '5'],
  price: ['Decimal(10, 2)', "'1.50'", "'-0.01'"],
  exact: ['Decimal(38, 9)', "'12345678901234567890.123456789'", '0'],
  nullable_price: ['Nullable(Decimal(18, 4))', 'NULL', "'1.5'"],
  day: ['Date32', "'2026-01-31'", "'1969-12-31'"],
  day16: ['Date', "'2026-01-31'", "'1970-01-01'"],
  seconds: ["DateTime('UTC')", "'2026-01-31 12:34:56'", "'1970-01-01 00:00:01'"],
  micros: ["DateTime64(6, 'UTC')", "'2026-01-31 12:34:56.123456'", "'1969-12-31 23:59:59.5'"],
  nanos: ["DateTime64(9, 'UTC')", "'2026-01-31 12:34:56.123456789'", "'2026-01-31 00:00:00'"],
  berlin: ["DateTime64(3, 'Europe/Berlin')", "'2026-01-31 12:34:56.5'", "'2026-07-31 12:34:56.5'"],
  clock: ['Time64(6)', "'12:34:56.5'", "'00:00:00'"],
  uuid: ['UUID', "'7a0e9c52-1f0b-4e53-8a67-3f5d3f0b1000'", "'7a0e9c52-1f0b-4e53-8a67-3f5d3f0b1001'"],
  ip: ['IPv4', "'192.0.2.1'", "'10.0.0.1'"],
  enumerated: ["Enum8('a' = 1, 'b' = 2)", "'a'", "'b'"],
  list: ['Array(Int64)', '[1, 2]', '[]'],
  texts: ['Array(Nullable(String))', "['a', NULL]", '[]'],
  lists: ['Array(Array(Int64))', '[[1], [2, 3]]', '[]'],
  record: ['Tuple(a Int64, b Nullable(String))', "(1, 'x')", '(2, NULL)'],
  records: ['Array(Tuple(k String, v Float64))', "[('a', 1.5)]", '[]'],
  map: ['Map(String, Int64)', "map('a', 1)", 'map()'],
} as const;
type Name = keyof typeof COLUMNS;

const selected = (names: readonly Name[]): string => {
  const row = (at: 1 | 2): string =>
    `SELECT ${names.map((name) => `CAST(${COLUMNS[name][at]} AS ${COLUMNS[name][0]}) AS ${name}`).join(', ')}`;
  return `${row(1)} UNION ALL ${row(2)}`;
};

/** What the engine does not write in a format. */
const LACKING: Readonly<Record<string, readonly Name[]>> = {
  Parquet: ['clock'],
  Arrow: [],
  ORC: ['clock', 'uuid'],
  Avro: ['clock'],
};
/** Columns for which the whole file is refused have one of their own. */
const ALONE: readonly Name[] = ['wide', 'lists', 'texts', 'map'];

const typed = Object.entries(LACKING).flatMap(([format, lacking]): readonly NetFile[] => {
  const ending = format.toLowerCase();
  const names = (Object.keys(COLUMNS) as readonly Name[]).filter((name) => !lacking.includes(name)); // Object.keys only knows strings
  const alone = ALONE.map((name): NetFile => ({ name: `${name}.${ending}`, select: selected(['id', name]), format }));
  return [{ name: `typed.${ending}`, select: selected(names.filter((name) => !ALONE.includes(name))), format }, ...alone];
});

const TEXT = 'id,zip,at\n1,00501,2026-01-31T12:34:56Z\n2,02134,2026-02-01T00:00:00Z\n';
/** The same, which the engine cannot compress itself. */
const BZIP2 =
  'QlpoOTFBWSZTWZ2E/3cAAB/bgAAQAAZ/EAQQJCBEECAAVEJiAxGINT0p5PVPUPTU0boZRnftQYm7F1h0NAaIXDW7QDiUZyHZCTAnwCpuVoqT4u5IpwoSE7Cf7uA=';

/** The first and the last day that ClickHouse's dates have. */
const DAYS = "SELECT 1 AS id, CAST('1900-01-01' AS Date32) AS day UNION ALL SELECT 2, CAST('2299-12-31' AS Date32)";

export const TYPED_FILES: readonly NetFile[] = [
  ...typed,
  ...['Parquet', 'Arrow', 'ORC', 'Avro'].map((format): NetFile => ({ name: `days.${format.toLowerCase()}`, select: DAYS, format })),
  ...['gz', 'zst', 'xz', 'lz4', 'br'].map((ending): NetFile => ({ name: `packed.csv.${ending}`, content: TEXT })),
  { name: 'packed.csv.bz2', content: Buffer.from(BZIP2, 'base64') },
  { name: 'packed.ndjson.gz', content: '{"id":1,"zip":"00501"}\n{"id":2,"zip":"02134"}\n' },
  { name: 'packed.tsv.zst', content: 'id\tzip\n1\t00501\n' },
];
