// ClickHouse types of values, as GoogleSQL types.
import { bareType, type ClickHouseType, literalArgument } from '../../../clickhouse/type.ts';
import { arrayOf, BIGNUMERIC, BOOL, DATE, FLOAT64, INT64, NUMERIC, STRING, TIMESTAMP, type Type } from '../../base/types.ts';

/** A column or field that holds one value. */
interface PlainType {
  readonly type: Type;
  /** ClickHouse type without Nullable that stands for it, when the stored one does not. */
  readonly cast?: string;
}

const DATE_TIME = "DateTime64(6, 'UTC')";

export function plainType(stored: ClickHouseType): PlainType | undefined {
  const type = bareType(stored);
  const { name, args } = type;
  switch (name) {
    case 'String':
      return { type: STRING };
    case 'FixedString':
    case 'UUID':
    case 'IPv4':
    case 'IPv6':
    case 'Enum8':
    case 'Enum16':
      return { type: STRING, cast: 'String' };
    case 'Bool':
      return { type: BOOL };
    case 'Int64':
      return { type: INT64 };
    case 'Float64':
      return { type: FLOAT64 };
    case 'Float32':
    case 'BFloat16':
      return { type: FLOAT64, cast: 'Float64' };
    case 'Decimal':
      return Number(literalArgument(type, 0)) <= 38 && Number(literalArgument(type, 1)) <= 9
        ? { type: NUMERIC, cast: 'Decimal(38, 9)' }
        : { type: BIGNUMERIC, cast: 'Decimal(76, 38)' };
    case 'Date32':
      return { type: DATE };
    case 'Date':
      return { type: DATE, cast: 'Date32' };
    case 'DateTime':
      return { type: TIMESTAMP, cast: DATE_TIME };
    case 'DateTime64':
      return literalArgument(type, 0) === '6' && literalArgument(type, 1) === 'UTC'
        ? { type: TIMESTAMP }
        : { type: TIMESTAMP, cast: DATE_TIME };
    case 'Array': {
      const [stands] = args;
      const element = stands === undefined ? undefined : plainType(stands.type);
      if (stands === undefined || element === undefined || element.type.kind === 'ARRAY') return undefined;
      return { type: arrayOf(element.type), cast: `Array(Nullable(${element.cast ?? bareType(stands.type).text}))` };
    }
    default:
      if (/^U?Int(8|16|32|64)$/.test(name)) return { type: INT64, cast: 'Int64' };
      return /^U?Int(128|256)$/.test(name) ? { type: BIGNUMERIC, cast: 'Decimal(76, 38)' } : undefined;
  }
}

/** The type of values that are stored so; undefined for types that queries cannot read. */
export const valueType = (stored: ClickHouseType): Type | undefined => plainType(stored)?.type;
