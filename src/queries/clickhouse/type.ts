// The GoogleSQL type that shows a ClickHouse type's values best, for queries that are ClickHouse SQL already.
import { bareType, type ClickHouseType, literalArgument, readType, type TypeArgument } from '../../clickhouse/type.ts';
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
} from '../../sql/base/types.ts';

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
export const googleType = (text: string): Type => shownAs(readType(text));

function shownAs(given: ClickHouseType): Type {
  const type = bareType(given);
  const { name, args } = type;
  const inner = (at: number): Type => {
    const argument = args[at];
    return argument === undefined ? STRING : shownAs(argument.type);
  };
  switch (name) {
    case 'SimpleAggregateFunction':
      return inner(1);
    case 'Array':
      return arrayOf(inner(0));
    case 'Nested':
      return arrayOf(structOf(args.map(structField)));
    case 'Tuple':
      return structOf(args.map(structField));
    case 'Decimal':
      return Number(literalArgument(type, 0)) <= 38 && Number(literalArgument(type, 1)) <= 9 ? NUMERIC : BIGNUMERIC;
    case 'DateTime':
      return isUtc(literalArgument(type, 0)) ? TIMESTAMP : DATETIME;
    case 'DateTime64':
      return isUtc(literalArgument(type, 1)) ? TIMESTAMP : DATETIME;
    default:
      if (/^U?Int(128|256)$/.test(name)) return BIGNUMERIC;
      return PLAIN[name] ?? (/^U?Int(8|16|32|64)$|^Interval/.test(name) ? INT64 : STRING);
  }
}

/** Times of a zone of their own are printed as that zone's wall clock. */
const isUtc = (zone: string): boolean => ['', 'UTC', 'Etc/UTC', 'GMT'].includes(zone);

const structField = ({ name, type }: TypeArgument): StructField => ({ name, type: shownAs(type) });
