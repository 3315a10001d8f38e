// The elements of FORMAT_DATE, FORMAT_TIMESTAMP and their kin.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/format-elements#format_elements_date_time
import type { SqlExpression } from '../../target/ast.ts';
import { call, iff, infix, lit } from '../../target/build.ts';
import { offsetAt, wallClock, type Zone } from './time-zone.ts';

/** The parts of a time that an element needs: fields of the date, of the clock, or the zone. */
export type Needs = 'date' | 'clock' | 'both' | 'instant' | 'nothing';

/** An element is a chunk of ClickHouse's own format, or an expression over the value on its wall clock. */
export type Element =
  | { readonly needs: Needs; readonly native: string }
  | { readonly needs: Needs; readonly make: (clock: SqlExpression, zone: Zone, instant: SqlExpression) => SqlExpression };

const native = (needs: Needs, text: string): Element => ({ needs, native: text });
const made = (needs: Needs, make: (clock: SqlExpression, zone: Zone, instant: SqlExpression) => SqlExpression): Element => ({
  needs,
  make,
});
const spaced = (value: SqlExpression): SqlExpression => call('leftPad', call('toString', value), lit(2), lit(' '));
const padded = (value: SqlExpression, width: number): SqlExpression => call('leftPad', call('toString', value), lit(width), lit('0'));

/** Letters as BigQuery has them; on the right ClickHouse's. https://clickhouse.com/docs/sql-reference/functions/date-time-functions#formatDateTime */
const ELEMENTS: Readonly<Record<string, Element>> = {
  '%': native('nothing', '%%'),
  n: native('nothing', '\n'),
  t: native('nothing', '\t'),
  A: native('date', '%W'),
  a: native('date', '%a'),
  B: native('date', '%M'),
  b: native('date', '%b'),
  h: native('date', '%b'),
  C: native('date', '%C'),
  c: made('both', (clock) =>
    call(
      'concat',
      call('formatDateTime', clock, lit('%a %b ')),
      spaced(call('toDayOfMonth', clock)),
      call('formatDateTime', clock, lit(' %H:%i:%S %Y')),
    ),
  ),
  D: native('date', '%m/%d/%y'),
  x: native('date', '%m/%d/%y'),
  d: native('date', '%d'),
  e: made('date', (clock) => spaced(call('toDayOfMonth', clock))),
  F: native('date', '%Y-%m-%d'),
  G: native('date', '%G'),
  g: native('date', '%g'),
  j: native('date', '%j'),
  m: native('date', '%m'),
  Q: native('date', '%Q'),
  u: native('date', '%u'),
  V: native('date', '%V'),
  w: native('date', '%w'),
  Y: native('date', '%Y'),
  E4Y: native('date', '%Y'),
  y: native('date', '%y'),
  H: native('clock', '%H'),
  I: native('clock', '%I'),
  k: made('clock', (clock) => spaced(call('toHour', clock))),
  l: made('clock', (clock) => spaced(infix('+', infix('%', infix('+', call('toHour', clock), lit(11)), lit(12)), lit(1)))),
  M: native('clock', '%i'),
  p: native('clock', '%p'),
  P: made('clock', (clock) => call('lower', call('formatDateTime', clock, lit('%p')))),
  R: native('clock', '%H:%i'),
  r: native('clock', '%I:%i:%S %p'),
  S: native('clock', '%S'),
  T: native('clock', '%H:%i:%S'),
  X: native('clock', '%H:%i:%S'),
  U: made('date', (clock) => padded(call('toWeek', clock, lit(0)), 2)),
  W: made('date', (clock) => padded(call('toWeek', clock, lit(5)), 2)),
  J: made('date', (clock) => padded(infix('+', call('dateDiff', lit('day'), call('toStartOfISOYear', clock), clock), lit(1)), 3)),
  s: made('both', (_clock, _zone, instant) => call('toString', call('toInt64', call('floor', call('toDecimal128', instant, lit(6)))))),
  z: made('instant', (_clock, zone, instant) => offsetText(zone, instant, '')),
  Ez: made('instant', (_clock, zone, instant) => offsetText(zone, instant, ':')),
  Z: made('instant', (_clock, zone, instant) => zoneText(zone, instant)),
};

const pad2 = (n: number): string => String(n).padStart(2, '0');

/** `+0530` or `+05:30`. */
export function offsetText(zone: Zone, instant: SqlExpression, separator: string): SqlExpression {
  if (zone.kind === 'utc') return lit(`+00${separator}00`);
  if (zone.kind === 'offset') {
    const minutes = Math.abs(zone.seconds) / 60;
    return lit(`${zone.seconds < 0 ? '-' : '+'}${pad2(Math.floor(minutes / 60))}${separator}${pad2(minutes % 60)}`);
  }
  if (zone.kind === 'null') return wallClock(instant, zone);
  const seconds = offsetAt(instant, zone.name);
  const minutes = call('intDiv', call('abs', seconds), lit(60));
  const sign = iff(infix('<', seconds, lit(0)), lit('-'), lit('+'));
  return call('concat', sign, padded(call('intDiv', minutes, lit(60)), 2), lit(separator), padded(infix('%', minutes, lit(60)), 2));
}

/** `UTC`, `UTC-7`, `UTC+0530`. */
function zoneText(zone: Zone, instant: SqlExpression): SqlExpression {
  if (zone.kind === 'utc') return lit('UTC');
  if (zone.kind === 'offset') {
    const [hours, minutes] = [Math.floor(Math.abs(zone.seconds) / 3600), (Math.abs(zone.seconds) / 60) % 60];
    return lit(`UTC${zone.seconds < 0 ? '-' : '+'}${minutes === 0 ? hours : `${pad2(hours)}${pad2(minutes)}`}`);
  }
  if (zone.kind === 'null') return wallClock(instant, zone);
  // -0700 → -7, +0000 → nothing.
  const short = [
    ['([+-])0?(\\d+)00$', '\\1\\2'],
    ['[+-]0$', ''],
  ].reduce(
    (text, [pattern = '', replacement = '']) => call('replaceRegexpOne', text, lit(pattern), lit(replacement)),
    offsetText(zone, instant, ''),
  );
  return call('concat', lit('UTC'), short);
}

/** Elements that also have an alternative form (`%Od`, `%Ey`), which here is the same. */
const ALTERNATIVES: Readonly<Record<string, string>> = { E: 'CcXxYy', O: 'deHImMSuUVwWy' };

/** The element of this name, the letters after `%`. */
export function elementOf(name: string): Element | undefined {
  if (/^E[\d*]S$/.test(name)) return secondsElement(name[1] ?? '*');
  const [modifier = '', letter = ''] = name;
  return ELEMENTS[name] ?? (ALTERNATIVES[modifier]?.includes(letter) ? ELEMENTS[letter] : undefined);
}

/** `%E3S`, `%E0S`, `%E*S`: seconds with decimals. */
function secondsElement(digits: string): Element {
  if (digits === '0') return native('clock', '%S');
  if (digits !== '*') {
    const count = Number(digits);
    return made('clock', (clock) => {
      const six = call('formatDateTime', clock, lit('%S.%f'));
      if (count === 6) return six;
      return count < 6 ? call('substring', six, lit(1), lit(3 + count)) : call('concat', six, lit('0'.repeat(count - 6)));
    });
  }
  return made('clock', (clock) => call('trimRight', call('trimRight', call('formatDateTime', clock, lit('%S.%f')), lit('0')), lit('.')));
}
