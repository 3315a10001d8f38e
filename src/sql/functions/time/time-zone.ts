// Time zones: names are ClickHouse's business (it knows changes of an offset to the quarter of an hour), offsets are plain arithmetic.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/timestamp_functions#timezone_definitions
import { offsetMicros } from '../../base/civil.ts';
import { fail } from '../../base/fail.ts';
import type { Expr, LiteralValue } from '../../logical/nodes.ts';
import type { SqlExpression } from '../../target/ast.ts';
import { call, failIf, iff, infix, inList, lit } from '../../target/build.ts';
import { UTC } from './date-part.ts';

export type Zone =
  | { readonly kind: 'utc' }
  /** Seconds east of UTC. */
  | { readonly kind: 'offset'; readonly seconds: number }
  | { readonly kind: 'name'; readonly name: SqlExpression }
  /** The zone is NULL, and so is what it is used for. */
  | { readonly kind: 'null' };

export const UTC_ZONE: Zone = { kind: 'utc' };

/** The zone an argument means. A zone must be the same for all rows: ClickHouse keeps it in the type. */
export function zoneOf(arg: Expr | null | undefined, lowered: SqlExpression | undefined, safe = false): Zone {
  if (arg === null || arg === undefined || lowered === undefined) return UTC_ZONE;
  if (arg.kind === 'literal') return safe && isNoZone(arg.value) ? { kind: 'null' } : constantZone(arg.value, arg.span);
  if (arg.kind === 'parameter') return { kind: 'name', name: lowered };
  return fail(
    'unsupported',
    arg.span,
    'a time zone that differs from row to row is not supported',
    "write the zone as a constant, e.g. 'Europe/Berlin'",
  );
}

/** True if a SAFE. call returns NULL for the zone; '' is none that is wrong. */
export function isNoZone(value: LiteralValue): boolean {
  const text = String(value);
  if (text === '' || offsetMicros(text) !== undefined || /^Z$/i.test(text)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone === '';
  } catch {
    return true;
  }
}

function constantZone(value: LiteralValue, span: Expr['span']): Zone {
  if (value === null) return { kind: 'null' };
  const text = String(value);
  if (/^(UTC|Etc\/UTC|GMT|Z)$/i.test(text)) return UTC_ZONE;
  const offset = offsetMicros(text);
  if (offset !== undefined) return offset === 0n ? UTC_ZONE : { kind: 'offset', seconds: Number(offset / 1_000_000n) };
  // Where nothing hangs on the zone, as in a second of TIMESTAMP_TRUNC, ClickHouse is not asked about it.
  if (!/^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/.test(text) || isNoZone(text))
    return fail('type', span, `'${text}' is not a time zone`, "write a name such as 'America/New_York' or an offset such as '+05:30'");
  return { kind: 'name', name: lit(text) };
}

/**
 * Zones that changed sides of the date line since 1970. ClickHouse's timeZoneOffset and %z are a day off there from then on; its text
 * and its fields are right.
 */
const CROSSED_DATE_LINE = /^(Pacific\/(Apia|Fakaofo|Kwajalein|Enderbury|Kanton|Kiritimati)|Kwajalein)$/i;

/** True if ClickHouse's offset of the zone can be relied on. The zone of a parameter is unknown. */
const hasOffset = (zone: SqlExpression): boolean => zone.kind === 'lit' && !CROSSED_DATE_LINE.test(String(zone.value));

/**
 * Zones that changed their clocks at 00:01, and between which days: ClickHouse takes a change to the quarter of an hour, and midnight for after it.
 * `sundays`: in spring and autumn, on Sundays.
 */
const ONE_PAST_MIDNIGHT: readonly (readonly [zone: RegExp, from: string, to: string, when?: 'sundays'])[] = [
  [/^(America\/(St_Johns|Goose_Bay)|Canada\/Newfoundland)$/i, '1987-04-04', '2011-03-22', 'sundays'],
  [/^America\/Moncton$/i, '1993-04-03', '2006-11-07', 'sundays'],
  [/^Antarctica\/Casey$/i, '2020-10-02', '2022-10-10'],
  [/^Asia\/(Gaza|Hebron)$/i, '2010-03-25', '2011-04-09'],
];

/** `time`, unless it is in the minute in which ClickHouse's clock of the zone is wrong. A zone's hours begin at a full one or at half past one. */
export function steady(time: SqlExpression, zone: SqlExpression): SqlExpression {
  const name = zone.kind === 'lit' ? String(zone.value) : '';
  const period = ONE_PAST_MIDNIGHT.find(([zones]) => zones.test(name));
  if (period === undefined) return time;
  const [, first, last, when] = period;
  const [from, to] = [first, last].map((day) => call('toDateTime64', lit(`${day} 00:00:00`), lit(6), UTC)) as [
    SqlExpression,
    SqlExpression,
  ];
  const tests = [
    infix('>=', time, from),
    infix('<', time, to),
    infix('=', infix('%', call('toMinute', time), lit(30)), lit(0)),
    ...(when === 'sundays'
      ? [
          infix('=', call('toDayOfWeek', time), lit(7)),
          inList(call('toMonth', time), [3, 4, 10, 11].map(lit)),
          infix('<', call('toHour', time), lit(7)),
        ]
      : []),
  ];
  const wrong = tests.reduce((all, test) => infix('AND', all, test));
  return failIf(wrong, `${name} changed its clocks at 00:01 from ${first} to ${last}, which ClickHouse cannot follow`, time);
}

/** Zones that were 9 hours and more behind UTC before 1970. */
const FAR_BEHIND =
  /^(US\/(Alaska|Aleutian|Hawaii|Samoa)|America\/(Adak|Anchorage|Atka|Juneau|Metlakatla|Nome|Sitka|Yakutat|Dawson|Whitehorse)|Canada\/Yukon|Pacific\/(Gambier|Honolulu|Johnston|Marquesas|Midway|Niue|Pago_Pago|Pitcairn|Rarotonga|Samoa|Tahiti)|HST)$/i;

/** Seconds east of UTC. Before 1970 ClickHouse adds a day in most zones, which no zone is ahead of UTC. */
function offsetOf(local: SqlExpression, zone: SqlExpression): SqlExpression {
  const offset = call('timeZoneOffset', local);
  const most = zone.kind === 'lit' && FAR_BEHIND.test(String(zone.value)) ? 0 : 54_000;
  return infix('-', offset, infix('*', lit(86_400), infix('>', offset, lit(most))));
}

/** Seconds east of UTC at an instant. */
export function offsetAt(instant: SqlExpression, name: SqlExpression): SqlExpression {
  if (hasOffset(name)) return offsetOf(call('toTimeZone', instant, name), name);
  return call('dateDiff', lit('second'), instant, wallClock(instant, { kind: 'name', name }));
}

/** The first year from which on the zone's offset was one of whole minutes; undefined where it always was since 1900. */
function wholeMinutesFrom(zone: string): number | undefined {
  const clock = new Intl.DateTimeFormat('en', { timeZone: zone, second: 'numeric' });
  for (let year = 1972; year >= 1900; year--) if (clock.format(Date.UTC(year, 0, 1)) !== '0') return year + 1;
  return undefined;
}

/** `usual`, and `old` while the zone's offset had seconds, as it had before there were standard times: ClickHouse's texts and fields are wrong then. */
export function byAge(value: SqlExpression, zone: Zone, old: () => SqlExpression, usual: SqlExpression): SqlExpression {
  if (zone.kind !== 'name' || zone.name.kind !== 'lit' || isNoZone(String(zone.name.value))) return usual;
  const year = wholeMinutesFrom(String(zone.name.value));
  if (year === undefined) return usual;
  return iff(infix('<', value, call('toDateTime64', lit(`${year}-01-01 00:00:00`), lit(6), UTC)), old(), usual);
}

/** Returns the time at an instant as BigQuery writes it: without the seconds of the zone's offset. */
export const writtenClock = (instant: SqlExpression, name: SqlExpression): SqlExpression =>
  call('addSeconds', instant, infix('*', call('intDiv', offsetAt(instant, name), lit(60)), lit(60)));

/** Returns the time that a clock in the zone shows at an instant (TIMESTAMP to DATETIME). */
export function wallClock(value: SqlExpression, zone: Zone): SqlExpression {
  switch (zone.kind) {
    case 'utc':
      return value;
    case 'offset':
      return addSeconds(value, zone.seconds);
    case 'name': {
      const local = call('toTimeZone', steady(value, zone.name), zone.name);
      if (hasOffset(zone.name)) return call('addSeconds', value, offsetOf(local, zone.name));
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
export function instantOf(value: SqlExpression, zone: Zone): SqlExpression {
  switch (zone.kind) {
    case 'utc':
      return value;
    case 'offset':
      return addSeconds(value, -zone.seconds);
    case 'name': {
      const near = call('toDateTime64', call('toString', steady(value, zone.name)), lit(6), zone.name);
      if (hasOffset(zone.name)) return call('subtractSeconds', value, offsetOf(near, zone.name));
      const missing = call('dateDiff', lit('microsecond'), call('toDateTime64', call('toString', near), lit(6), UTC), value);
      return call('toTimeZone', call('addMicroseconds', near, missing), UTC);
    }
    case 'null':
      return NULL_TIME;
  }
}

/** Midnight of a Date32 in the zone, as an instant. */
export function midnight(date: SqlExpression, zone: Zone): SqlExpression {
  if (zone.kind === 'name') return steady(call('toTimeZone', call('toDateTime64', date, lit(6), zone.name), UTC), zone.name);
  return instantOf(call('toDateTime64', date, lit(6), UTC), zone);
}

const NULL_TIME: SqlExpression = { kind: 'cast', operand: lit(null), type: "Nullable(DateTime64(6, 'UTC'))" };
const addSeconds = (value: SqlExpression, seconds: number): SqlExpression =>
  seconds < 0 ? call('subtractSeconds', value, lit(-seconds)) : call('addSeconds', value, lit(seconds));
