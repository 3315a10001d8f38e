// The GoogleSQL type that shows a ClickHouse type's values best, for queries that are ClickHouse SQL already.
import { splitType, typeField } from '../../sources/type-text.ts';
import {
  arrayOf,
  BIGNUMERIC,
  BOOL,
  DATE,
  DATETIME,
  FLOAT64,
  INT64,
  JSON_TYPE,
  NUMERIC,
  STRING,
  type StructField,
  structOf,
  TIME,
  TIMESTAMP,
  type Type,
} from '../../sql/types.ts';

const PLAIN: Readonly<Record<string, Type>> = {
  Bool: BOOL,
  Float32: FLOAT64,
  Float64: FLOAT64,
  BFloat16: FLOAT64,
  Date: DATE,
  Date32: DATE,
  Time: TIME,
  Time64: TIME,
  JSON: JSON_TYPE,
  Object: JSON_TYPE,
  Map: JSON_TYPE,
  Variant: JSON_TYPE,
  Dynamic: JSON_TYPE,
  Point: structOf([
    { name: null, type: FLOAT64 },
    { name: null, type: FLOAT64 },
  ]),
};

/** https://clickhouse.com/docs/sql-reference/data-types ; a type without a counterpart is shown as text. */
export function googleType(clickhouseType: string): Type {
  const [name = '', ...parts] = splitType(clickhouseType);
  const [first = ''] = parts;
  switch (name) {
    case 'Nullable':
    case 'LowCardinality':
      return googleType(first);
    case 'SimpleAggregateFunction':
      return googleType(parts[1] ?? '');
    case 'Array':
      return arrayOf(googleType(first));
    case 'Nested':
      return arrayOf(structOf(parts.map(structField)));
    case 'Tuple':
      return structOf(parts.map(structField));
    case 'Decimal':
      return Number(first) <= 38 && Number(parts[1]) <= 9 ? NUMERIC : BIGNUMERIC;
    case 'DateTime':
      return isUtc(first) ? TIMESTAMP : DATETIME;
    case 'DateTime64':
      return isUtc(parts[1] ?? '') ? TIMESTAMP : DATETIME;
    default:
      return PLAIN[name] ?? (/^U?Int(8|16|32|64)$|^Interval/.test(name) ? INT64 : /^U?Int(128|256)$/.test(name) ? BIGNUMERIC : STRING);
  }
}

/** Times of a zone of their own are printed as that zone's wall clock. */
function isUtc(zone: string): boolean {
  return zone === '' || /^'(UTC|Etc\/UTC|GMT)'$/.test(zone);
}

function structField(text: string): StructField {
  const { name, type } = typeField(text);
  return { name, type: googleType(type) };
}
