// Bound values that ClickHouse does not read as they are written: dates and times outside of 1900 to 2299, which it would move to the edge without a word, in
// the text of a Date32 always, and in that of a DateTime64 before version 26.7; and BIGNUMERICs with a digit more than a Decimal(76, 38) is read with.
import { QuernError } from '../base/errors.ts';
import { withPlaceholders } from '../clickhouse/placeholders.ts';
import { quoteString } from '../clickhouse/quote.ts';
import type { Binding, BoundText } from '../engine/engine.ts';
import { isFar, isFarDate } from './is-far.ts';

const TIME = "DateTime64(6, 'UTC')";
/** True where ClickHouse holds the years 1 to 9999. */
const HOLDS_ALL = "toYear(toDateTime64('9999-12-31 00:00:00', 6, 'UTC')) = 9999";
const TOO_OLD = 'this version of ClickHouse holds dates from 1900 to 2299; 26.7 and newer hold 1 to 9999';

/** The same query where such values arrive as they are, or fail it. Throws QuernError `parameter` for types that cannot hold one. */
export function withFarValues({ sql, bindings }: BoundText): BoundText {
  const far = new Map(
    bindings.filter(isFar).map((binding) => [binding.name, isFarDate(binding) ? farDate(binding) : wideDecimal(binding)]),
  );
  if (far.size === 0) return { sql, bindings };
  return {
    sql: withPlaceholders(sql, (name) => far.get(name)?.sql),
    bindings: bindings.map((binding) => far.get(binding.name)?.binding ?? binding),
  };
}

interface Written {
  /** What stands in place of the placeholder. */
  readonly sql: string;
  readonly binding: Binding;
}

const farDate = (binding: Binding): Written => ({
  sql: farDateText(binding.name, binding.type),
  binding: { ...binding, type: binding.type.replaceAll('Date32', TIME) },
});

/** The number in steps of its last digit, as a whole number with as many bits. */
function wideDecimal(binding: Binding): Written {
  const { name, type, value } = binding;
  if (typeof value !== 'object' || value === null || !('digits' in value))
    throw new QuernError('parameter', `${name} has a number with 39 digits before the point, which ${type} may not hold`, {
      hint: 'send it as a parameter of its own',
    });
  const [whole = '', fraction = ''] = value.digits.split('.');
  return {
    sql: `reinterpret(toInt256({${name}:String}), 'Decimal(76, 38)')`,
    binding: { ...binding, type: 'String', value: whole + fraction.padEnd(DECIMALS, '0') },
  };
}

const DECIMALS = 38;

function farDateText(name: string, type: string): string {
  if (/Date/i.test(type.replaceAll(TIME, '').replaceAll('Date32', '')))
    throw new QuernError('parameter', `${name} has a date outside of 1900 to 2299, which ${type} may not hold`, {
      hint: `write {${name}:Nullable(Date32)} or {${name}:Nullable(${TIME})}`,
    });
  const asTime = type.replaceAll('Date32', TIME);
  const value = asTime === type ? `{${name}:${type}}` : `CAST({${name}:${asTime}}, ${quoteString(type)})`;
  // Reading the message as a number fails, and leaves a constant, which a primary key can use.
  return `if(toUInt8(if(${HOLDS_ALL}, '0', ${quoteString(TOO_OLD)})) = 0, ${value}, ${value})`;
}
