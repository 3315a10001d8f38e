// Dates and times outside of 1900 to 2299 as bound values: ClickHouse would move them to the edge without a word, in the text of a Date32 always, and in that
// of a DateTime64 before version 26.7.
import { QuernError } from '../base/errors.ts';
import { withPlaceholders } from '../clickhouse/placeholders.ts';
import { quoteString } from '../clickhouse/quote.ts';
import type { Binding } from '../engine/engine.ts';
import { isFar } from './is-far.ts';

interface Bound {
  readonly sql: string;
  readonly bindings: readonly Binding[];
}

const TIME = "DateTime64(6, 'UTC')";
/** True where ClickHouse holds the years 1 to 9999. */
const HOLDS_ALL = "toYear(toDateTime64('9999-12-31 00:00:00', 6, 'UTC')) = 9999";
const TOO_OLD = 'this version of ClickHouse holds dates from 1900 to 2299; 26.7 and newer hold 1 to 9999';

/** The same query where such values arrive as they are, or fail it. Throws QuernError `parameter` for types that cannot hold one. */
export function withFarDates({ sql, bindings }: Bound): Bound {
  const far = new Map(bindings.filter(isFar).map((binding) => [binding.name, binding.type]));
  if (far.size === 0) return { sql, bindings };
  return {
    sql: withPlaceholders(sql, (name) => written(name, far.get(name))),
    bindings: bindings.map((binding) => (far.has(binding.name) ? { ...binding, type: binding.type.replaceAll('Date32', TIME) } : binding)),
  };
}

function written(name: string, type: string | undefined): string | undefined {
  if (type === undefined) return undefined;
  if (/Date/i.test(type.replaceAll(TIME, '').replaceAll('Date32', '')))
    throw new QuernError('parameter', `${name} has a date outside of 1900 to 2299, which ${type} may not hold`, {
      hint: `write {${name}:Nullable(Date32)} or {${name}:Nullable(${TIME})}`,
    });
  const asTime = type.replaceAll('Date32', TIME);
  const value = asTime === type ? `{${name}:${type}}` : `CAST({${name}:${asTime}}, ${quoteString(type)})`;
  // Reading the message as a number fails, and leaves a constant, which a primary key can use.
  return `if(toUInt8(if(${HOLDS_ALL}, '0', ${quoteString(TOO_OLD)})) = 0, ${value}, ${value})`;
}
