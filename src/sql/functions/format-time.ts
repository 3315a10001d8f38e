// FORMAT_DATE, FORMAT_DATETIME, FORMAT_TIME, FORMAT_TIMESTAMP: the format is read at translation time.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/timestamp_functions#format_timestamp
import { fail } from '../analyze/fail.ts';
import type { Ch } from '../clickhouse/ast.ts';
import { call, cast, lit, NULL } from '../clickhouse/build.ts';
import type { Expr } from '../resolved.ts';
import { onFirstDay } from './date-part.ts';
import { define, type Family, type LowerCall } from './define.ts';
import { ELEMENTS, type Element, secondsElement } from './format-element.ts';
import { UTC_ZONE, wallClock, type Zone, zoneOf } from './time-zone.ts';

/** `%E4Y`, `%E3S`, `%E*S`, `%Ez`, or one letter. */
const ELEMENT = /%(E4Y|E\*S|E\dS|Ez|[\s\S]|$)/g;

type Piece = { readonly text: string } | { readonly element: Element };

/** The format's pieces: text and elements in turn. */
export function readFormat(format: string, arg: Expr | null): readonly Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of format.matchAll(ELEMENT)) {
    if (match.index > end) pieces.push({ text: format.slice(end, match.index) });
    end = match.index + match[0].length;
    const name = match[1] ?? '';
    const element = /^E[\d*]S$/.test(name) ? secondsElement(name[1] ?? '*') : ELEMENTS[name];
    if (element === undefined)
      return fail('unsupported', arg?.span ?? { start: 0, end: 0 }, `the format element ${match[0]} is not supported`);
    pieces.push({ element });
  }
  if (end < format.length) pieces.push({ text: format.slice(end) });
  return pieces;
}

/** `value` as text: neighbouring elements that ClickHouse has too become one format. */
function format(value: Ch, zone: Zone, c: LowerCall): Ch {
  const text = c.constant(0);
  if (text === null) return cast(NULL, 'Nullable(String)');
  if (text === undefined)
    return fail('unsupported', c.args[0]?.span ?? { start: 0, end: 0 }, 'the format must be a constant', "e.g. '%Y-%m-%d %H:%M'");
  const clock = wallClock(value, zone);
  const parts: Ch[] = [];
  let chunk = '';
  const flush = (): void => {
    if (chunk === '') return;
    const zoned = zone.kind === 'name' ? call('formatDateTime', value, lit(chunk), zone.name) : call('formatDateTime', clock, lit(chunk));
    parts.push(zoned);
    chunk = '';
  };
  for (const piece of readFormat(String(text), c.args[0] ?? null)) {
    if ('text' in piece) chunk += piece.text.replace(/%/g, '%%');
    else if ('native' in piece.element) chunk += piece.element.native;
    else {
      flush();
      parts.push(piece.element.make(clock, zone, value));
    }
  }
  flush();
  const [first] = parts;
  if (first === undefined) return call('formatDateTime', clock, lit(''));
  return parts.length === 1 ? first : call('concat', ...parts);
}

export const formatting: Family = {
  FORMAT_TIMESTAMP: define('format STRING, value TIMESTAMP, [zone STRING] -> STRING', ({ value, zone }, c) =>
    format(value, zoneOf(c.args[2], zone), c),
  ),
  FORMAT_DATETIME: define('format STRING, value DATETIME -> STRING', ({ value }, c) => format(value, UTC_ZONE, c)),
  FORMAT_DATE: define('format STRING, value DATE -> STRING', ({ value }, c) => format(value, UTC_ZONE, c)),
  FORMAT_TIME: define('format STRING, value TIME -> STRING', ({ value }, c) => format(onFirstDay(value), UTC_ZONE, c)),
};
