// FORMAT_DATE, FORMAT_DATETIME, FORMAT_TIME, FORMAT_TIMESTAMP: the format is read at translation time.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/timestamp_functions#format_timestamp
import { fail } from '../../base/fail.ts';
import type { SqlExpression } from '../../target/ast.ts';
import { call, lit } from '../../target/build.ts';
import type { Family, LowerCall } from '../define.ts';
import { strict } from '../strict.ts';
import { onFirstDay, refuseEdges, UTC } from './date-part.ts';
import { type Element, elementOf, type Needs } from './format-element.ts';
import { byAge, UTC_ZONE, wallClock, writtenClock, type Zone, zoneOf } from './time-zone.ts';

/** `%E4Y`, `%E3S`, `%Od` or one character. */
const ELEMENT = /%(E4Y|E\*S|E\dS|E[a-zA-Z]|O[a-zA-Z]|[\s\S]|$)/g;

/** The elements that each type has. Others are printed as they are written, as BigQuery does. */
const HAS: Readonly<Record<string, readonly Needs[]>> = {
  DATE: ['date', 'nothing'],
  TIME: ['clock', 'nothing'],
  DATETIME: ['date', 'clock', 'both', 'nothing'],
  TIMESTAMP: ['date', 'clock', 'both', 'instant', 'nothing'],
};

export type Piece = { readonly text: string } | { readonly element: Element };

/** The format's pieces: text and elements in turn. */
function readFormat(format: string, has: readonly Needs[]): readonly Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of format.matchAll(ELEMENT)) {
    if (match.index > end) pieces.push({ text: format.slice(end, match.index) });
    end = match.index + match[0].length;
    const element = elementOf(match[1] ?? '');
    pieces.push(element !== undefined && has.includes(element.needs) ? { element } : { text: match[0] });
  }
  if (end < format.length) pieces.push({ text: format.slice(end) });
  return pieces;
}

function format(value: SqlExpression, zone: Zone, c: LowerCall): SqlExpression {
  const text = c.constant(0);
  if (text === undefined)
    return fail('unsupported', c.args[0]?.span ?? { start: 0, end: 0 }, 'the format must be a constant', "e.g. '%Y-%m-%d %H:%M'");
  if (zone.kind !== 'utc') refuseEdges(c, 'ZONE', 'start', 1);
  const known = c.constant(1);
  const year = typeof known === 'bigint' ? yearOf(known, c.typeOf(1).kind) : 2000;
  if (year < 1000 && /%[EO]?[YGCcFx+]/.test(String(text).replaceAll('%E4Y', '')))
    return fail('unsupported', c.args[1]?.span ?? { start: 0, end: 0 }, 'years before 1000 are formatted with %E4Y only', 'write %E4Y');
  // ClickHouse 26.7 counts one day less for the last day whose Date32 it can write as text.
  const isDay = c.typeOf(1).kind === 'DATE' && String(text).includes('%j');
  return renderPieces(
    readFormat(String(text), HAS[c.typeOf(1).kind] ?? []),
    isDay ? call('toDateTime64', value, lit(6), UTC) : value,
    zone,
  );
}

const yearOf = (known: bigint, kind: string): number =>
  new Date(Number(kind === 'DATE' ? known * 86_400_000n : known / 1000n)).getUTCFullYear();

/** `value` as text. */
export function renderPieces(pieces: readonly Piece[], value: SqlExpression, zone: Zone): SqlExpression {
  const usual = rendered(pieces, value, zone, zone.kind === 'name' ? undefined : wallClock(value, zone));
  return zone.kind === 'name' ? byAge(value, zone, () => rendered(pieces, value, zone, writtenClock(value, zone.name)), usual) : usual;
}

/** Neighbouring elements that ClickHouse has too become one format. `shown`: what a clock shows; without, ClickHouse finds that out. */
function rendered(pieces: readonly Piece[], value: SqlExpression, zone: Zone, shown: SqlExpression | undefined): SqlExpression {
  const clock = shown ?? wallClock(value, zone);
  const parts: SqlExpression[] = [];
  let chunk = '';
  const flush = (): void => {
    if (chunk === '') return;
    const isOwn = shown === undefined && zone.kind === 'name';
    parts.push(isOwn ? call('formatDateTime', value, lit(chunk), zone.name) : call('formatDateTime', clock, lit(chunk)));
    chunk = '';
  };
  for (const piece of pieces) {
    if ('text' in piece) chunk += piece.text.replace(/%/g, '%%');
    else if ('native' in piece.element) chunk += piece.element.native;
    else {
      flush();
      parts.push(piece.element.make(clock, zone, value));
    }
  }
  flush();
  // Constants alone would never be NULL.
  if (parts.length > 0 && parts.every(({ kind }) => kind === 'lit')) parts.push(call('formatDateTime', clock, lit('')));
  const [first] = parts;
  // Even an empty format is NULL for NULL.
  if (first === undefined) return call('formatDateTime', clock, lit(''));
  return parts.length === 1 ? first : call('concat', ...parts);
}

export const formatting = (): Family => ({
  FORMAT_TIMESTAMP: strict(
    'format STRING, value TIMESTAMP, [zone STRING] -> STRING | format STRING, value DATETIME -> STRING',
    ({ value, zone }, c) => format(value, zoneOf(c.args[2], zone, c.safe), c),
  ),
  FORMAT_DATETIME: strict('format STRING, value DATETIME -> STRING | format STRING, value TIMESTAMP -> STRING', ({ value }, c) =>
    format(value, UTC_ZONE, c),
  ),
  FORMAT_DATE: strict(
    'format STRING, value DATE -> STRING | format STRING, value DATETIME -> STRING | format STRING, value TIMESTAMP -> STRING',
    ({ value }, c) => format(value, UTC_ZONE, c),
  ),
  FORMAT_TIME: strict('format STRING, value TIME -> STRING', ({ value }, c) => format(onFirstDay(value), UTC_ZONE, c)),
});
