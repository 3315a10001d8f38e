// Files that quern exports, of every type that a column can have.
import type { NetFile } from './file.ts';

/** The values of two rows. */
const VALUES = {
  id: ['1', '2'],
  zip: ["'00501'", "'02134'"],
  large: ['9223372036854775807', '-9223372036854775808'],
  double: ['0.1', "CAST('nan' AS FLOAT64)"],
  price: ["NUMERIC '1.50'", "NUMERIC '-0.01'"],
  exact: ["BIGNUMERIC '12345678901234567890.5'", 'NULL'],
  flag: ['TRUE', 'FALSE'],
  day: ["DATE '2026-01-31'", "DATE '1969-12-31'"],
  clock: ["TIME '12:34:56.5'", "TIME '00:00:00'"],
  plain: ["DATETIME '2026-01-31 12:34:56'", "DATETIME '1969-12-31 23:59:59.5'"],
  moment: ["TIMESTAMP '2026-01-31 12:34:56.123456+00'", "TIMESTAMP '1969-12-31 23:59:59+00'"],
  raw: ["b'abc'", "b''"],
  doc: [`JSON '{"a": [1, "x"]}'`, "JSON 'null'"],
  quoted: [`'a "quoted", text'`, "'two\\nlines'"],
  maybe: ["''", 'NULL'],
  list: ['[1, 2]', '[]'],
  days: ["[DATE '2026-01-31']", '[]'],
  record: ["STRUCT(1 AS a, '007' AS b)", 'STRUCT(2, CAST(NULL AS STRING))'],
  records: ["[STRUCT('a' AS k, NUMERIC '1.5' AS v)]", '[]'],
} as const;

const row = (at: 0 | 1): string =>
  `SELECT ${Object.entries(VALUES)
    .map(([name, values]) => `${values[at]} AS ${name}`)
    .join(', ')}`;
const QUERY = `${row(0)} UNION ALL ${row(1)} ORDER BY id`;

/** For days that they cannot hold, and for bytes that are no text, readers may refuse the whole file. */
const FAR_DAYS = "SELECT 1 AS id, DATE '0001-01-01' AS day UNION ALL SELECT 2, DATE '9999-12-31' ORDER BY id";
const RAW_BYTES = "SELECT 1 AS id, b'abc\\xff' AS raw";

export const EXPORTED_FILES: readonly NetFile[] = (['csv', 'tsv', 'ndjson', 'parquet', 'arrow'] as const).flatMap((format) => [
  { name: `exported.${format}`, query: QUERY, format },
  { name: `far-days.${format}`, query: FAR_DAYS, format },
  { name: `raw-bytes.${format}`, query: RAW_BYTES, format },
]);
