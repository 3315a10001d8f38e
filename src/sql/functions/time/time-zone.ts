// Time zones: names are ClickHouse's business (it knows changes of an offset to the quarter of an hour), offsets are plain arithmetic.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/timestamp_functions#timezone_definitions
import { offsetMicros } from '../../civil.ts';
import { fail } from '../../fail.ts';
import type { Expr, LiteralValue } from '../../logical/resolved.ts';
import type { Ch } from '../../target/ast.ts';
import { call, lit } from '../../target/build.ts';
import { UTC } from './date-part.ts';

export type Zone =
  | { readonly kind: 'utc' }
  /** Seconds east of UTC. */
  | { readonly kind: 'offset'; readonly seconds: number }
  | { readonly kind: 'name'; readonly name: Ch }
  /** The zone is NULL, and so is what it is used for. */
  | { readonly kind: 'null' };

export const UTC_ZONE: Zone = { kind: 'utc' };

/** The zone an argument means. A zone must be the same for all rows: ClickHouse keeps it in the type. */
export function zoneOf(arg: Expr | null | undefined, lowered: Ch | undefined): Zone {
  if (arg === null || arg === undefined || lowered === undefined) return UTC_ZONE;
  if (arg.kind === 'literal') return constantZone(arg.value, arg.span);
  if (arg.kind === 'parameter') return { kind: 'name', name: lowered };
  return fail(
    'unsupported',
    arg.span,
    'a time zone that differs from row to row is not supported',
    "write the zone as a constant, e.g. 'Europe/Berlin'",
  );
}

function constantZone(value: LiteralValue, span: Expr['span']): Zone {
  if (value === null) return { kind: 'null' };
  const text = String(value);
  if (/^(UTC|Etc\/UTC|GMT|Z)$/i.test(text)) return UTC_ZONE;
  const offset = offsetMicros(text);
  if (offset !== undefined) return offset === 0n ? UTC_ZONE : { kind: 'offset', seconds: Number(offset / 1_000_000n) };
  if (!/^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/.test(text))
    return fail('type', span, `'${text}' is not a time zone`, "write a name such as 'America/New_York' or an offset such as '+05:30'");
  return { kind: 'name', name: lit(text) };
}

/**
 * Zones that changed sides of the date line since 1970. ClickHouse's timeZoneOffset and %z are a day off there from then on; its text
 * and its fields are right.
 */
const CROSSED_DATE_LINE = /^(Pacific\/(Apia|Fakaofo|Kwajalein|Enderbury|Kanton|Kiritimati)|Kwajalein)$/i;

/** Whether ClickHouse's offset of the zone can be relied on; of a parameter's zone nothing is known yet. */
export const hasOffset = (zone: Ch): boolean => zone.kind === 'lit' && !CROSSED_DATE_LINE.test(String(zone.value));

/** What a clock in the zone shows at an instant (TIMESTAMP to DATETIME). */
export function wallClock(value: Ch, zone: Zone): Ch {
  switch (zone.kind) {
    case 'utc':
      return value;
    case 'offset':
      return addSeconds(value, zone.seconds);
    case 'name': {
      const local = call('toTimeZone', value, zone.name);
      if (hasOffset(zone.name)) return call('addSeconds', value, call('timeZoneOffset', local));
      return call('toDateTime64', call('toString', local), lit(6), UTC);
    }
    case 'null':
      return NULL_TIME;
  }
}

/**
 * The instant at which a clock in the zone shows `value` (DATETIME to TIMESTAMP). A time that the zone skips or has twice takes the
 * offset before the change: ClickHouse finds an instant before it in both cases.
 */
export function instantOf(value: Ch, zone: Zone): Ch {
  switch (zone.kind) {
    case 'utc':
      return value;
    case 'offset':
      return addSeconds(value, -zone.seconds);
    case 'name': {
      const near = call('toDateTime64', call('toString', value), lit(6), zone.name);
      if (hasOffset(zone.name)) return call('subtractSeconds', value, call('timeZoneOffset', near));
      const missing = call('dateDiff', lit('microsecond'), call('toDateTime64', call('toString', near), lit(6), UTC), value);
      return call('toTimeZone', call('addMicroseconds', near, missing), UTC);
    }
    case 'null':
      return NULL_TIME;
  }
}

/** Midnight of a Date32 in the zone, as an instant. */
export function midnight(date: Ch, zone: Zone): Ch {
  if (zone.kind === 'name') return call('toTimeZone', call('toDateTime64', date, lit(6), zone.name), UTC);
  return instantOf(call('toDateTime64', date, lit(6), UTC), zone);
}

const NULL_TIME: Ch = { kind: 'cast', operand: lit(null), type: "Nullable(DateTime64(6, 'UTC'))" };
const addSeconds = (value: Ch, seconds: number): Ch =>
  seconds < 0 ? call('subtractSeconds', value, lit(-seconds)) : call('addSeconds', value, lit(seconds));
