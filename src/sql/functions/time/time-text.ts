// Dates and times to text, as CAST and STRING write them.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/conversion_functions#cast_as_string

import { STRING } from '../../base/types.ts';
import type { SqlExpression } from '../../target/ast.ts';
import { call, infix, lit } from '../../target/build.ts';
import { isConstant } from '../../target/constant.ts';
import { defineHelper } from '../../target/helpers.ts';
import { nullOf } from '../strict.ts';
import { offsetText } from './format-element.ts';
import { byAge, wallClock, writtenClock, type Zone } from './time-zone.ts';

/** ClickHouse's text with six decimals, cut to the three or none that are needed. */
export function shortText(value: SqlExpression): SqlExpression {
  const text = call('toString', value);
  return isConstant(value) ? call('replaceRegexpOne', text, lit('(\\.000)?000$'), lit('')) : withoutZeros(text);
}

const withoutZeros = defineHelper('without_zero_fraction', ['_text'], (text) => {
  const endsWith = (zeros: string): SqlExpression => call('endsWith', text, lit(zeros));
  const zeros = call('multiIf', endsWith('.000000'), lit(7), endsWith('000'), lit(3), lit(0));
  return call('substring', text, lit(1), infix('-', call('length', text), zeros));
});

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
