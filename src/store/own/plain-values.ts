// Columns of files whose values become those of the table by a cast or by nothing at all: for them the translator, which takes longer to load than
// a small file does, is not needed. test/store/own/plain-values.test.ts holds it to what the translator would write.
import { quoteIdentifier, quoteString } from '../../clickhouse/quote.ts';
import { bareType, readType } from '../../clickhouse/type.ts';
import { storedType, type ValueType } from './stored-type.ts';

/** ClickHouse types of a file's columns, by the type that they are read as. */
const PLAIN: Readonly<Partial<Record<ValueType['kind'], RegExp>>> = {
  INT64: /^(?:U?Int(?:8|16|32)|Int64)$/,
  FLOAT64: /^Float(?:32|64)$/,
  BOOL: /^Bool$/,
  STRING: /^String$/,
  DATE: /^Date(?:32)?$/,
  TIMESTAMP: /^DateTime(?:64)?$/,
};

/** ClickHouse SQL of a column that is `found` in the table `of`, as values of `type`; undefined where only the translator knows. */
export function plainValue(of: string, name: string, found: string, type: ValueType): string | undefined {
  const bare = bareType(readType(found));
  const stored = storedType(type);
  if (stored === undefined || PLAIN[type.kind]?.test(bare.name) !== true) return undefined;
  const column = `${of}.${quoteIdentifier(name)}`;
  return bare.name === 'String' || found === stored ? column : `CAST(${column}, ${quoteString(stored)})`;
}
