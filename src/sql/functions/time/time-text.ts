// Dates and times to text, as CAST and STRING write them.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/conversion_functions#cast_as_string

import { STRING } from '../../base/types.ts';
import type { SqlExpression } from '../../target/ast.ts';
import { call, lit } from '../../target/build.ts';
import { nullOf } from '../strict.ts';
import { offsetText } from './format-element.ts';
import { byAge, wallClock, writtenClock, type Zone } from './time-zone.ts';

/** ClickHouse's text with six decimals, cut to the three or none that are needed. */
export const shortText = (value: SqlExpression): SqlExpression =>
  call('replaceRegexpOne', call('toString', value), lit('(\\.000)?000$'), lit(''));

/** `2026-01-02 03:04:05.678+05:30`; an offset of whole hours is written without minutes. */
export function timestampText(value: SqlExpression, zone: Zone): SqlExpression {
  if (zone.kind === 'null') return nullOf(STRING);
  const usual = shortText(wallClock(value, zone));
  const written = zone.kind === 'name' ? byAge(value, zone, () => shortText(writtenClock(value, zone.name)), usual) : usual;
  return call('concat', written, shortOffset(value, zone));
}

function shortOffset(value: SqlExpression, zone: Zone): SqlExpression {
  const full = offsetText(zone, value, ':');
  if (full.kind === 'lit') return lit(String(full.value).replace(/:00$/, ''));
  return call('replaceRegexpOne', full, lit(':00$'), lit(''));
}
