// Aggregates of queries that run again and again, which ClickHouse compiles after the third run: they give what they gave before.
import { type RowsOfQuery, testRealTables } from '../../support/real-tables.ts';

const RUNS = 6;
const again = (query: string, row: readonly unknown[]): readonly RowsOfQuery[] => Array.from({ length: RUNS }, () => [query, [row]]);

testRealTables(
  {
    moments: {
      columns: "t Nullable(DateTime64(6, 'UTC')), n Nullable(Decimal(38, 9)), i Nullable(Int64), d Nullable(Date32), g Nullable(String)",
      rows: "('1900-01-01 00:00:00', -1.5, -5, '1900-01-01', 'a'), ('1970-01-02 00:00:00', 2, 3, '1970-01-02', 'a'), (NULL, NULL, NULL, NULL, 'a')",
    },
  },
  {
    'times before 1970': [
      ...again('SELECT MIN(t) FROM moments GROUP BY g', ['1900-01-01T00:00:00Z']),
      ...again('SELECT MAX(t) FROM moments GROUP BY g', ['1970-01-02T00:00:00Z']),
      ...again('SELECT MIN(d), MAX(d) FROM moments GROUP BY g', ['1900-01-01', '1970-01-02']),
    ],
    numbers: [
      ...again('SELECT MIN(n), MAX(n), SUM(n), AVG(n) FROM moments GROUP BY g', ['-1.5', '2', '0.5', '0.25']),
      ...again('SELECT MIN(i), MAX(i), SUM(i), AVG(i) FROM moments GROUP BY g', [-5, 3, -2, -1]),
    ],
  },
);
