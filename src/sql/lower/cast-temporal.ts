// CAST between dates, times and text. https://cloud.google.com/bigquery/docs/reference/standard-sql/conversion_functions#cast
import { QuernError } from '../../base/errors.ts';
import { fail } from '../base/fail.ts';
import { parseInterval } from '../base/interval.ts';
import { lowerLiteral } from '../functions/literal.ts';
import { nullOf } from '../functions/strict.ts';
import { formatCast, parseCast } from '../functions/time/cast-format.ts';
import { clockOfAnyDay, onFirstDay, UTC } from '../functions/time/date-part.ts';
import { intervalText } from '../functions/time/interval.ts';
import type { Target } from '../functions/time/parse-token.ts';
import { textToDate, textToDatetime, textToTime, textToTimestamp } from '../functions/time/text-time.ts';
import { shortText, timestampText } from '../functions/time/time-text.ts';
import { instantOf, midnight, wallClock, type Zone, zoneOf } from '../functions/time/time-zone.ts';
import type { SqlExpression } from '../target/ast.ts';
import { call, lit } from '../target/build.ts';
import type { CastContext, CastRule, CastRules } from './cast-rule.ts';

const zoneIn = ({ zoneArg, zone }: CastContext): Zone => zoneOf(zoneArg, zone);

export const TEMPORAL_CASTS: CastRules = {
  'STRING>DATE': textToDate,
  'STRING>DATETIME': textToDatetime,
  'STRING>TIME': textToTime,
  'STRING>TIMESTAMP': (value, context) => textToTimestamp(value, zoneIn(context), context),
  'DATE>STRING': (value) => call('toString', value),
  'DATE>DATETIME': (value) => call('toDateTime64', value, lit(6), UTC),
  'DATE>TIMESTAMP': (value, context) => midnight(value, zoneIn(context)),
  'DATETIME>STRING': shortText,
  'DATETIME>DATE': (value) => call('toDate32', value),
  'DATETIME>TIMESTAMP': (value, context) => instantOf(value, zoneIn(context)),
  'DATETIME>TIME': clockOfAnyDay,
  'TIMESTAMP>STRING': (value, context) => timestampText(value, zoneIn(context)),
  'TIMESTAMP>DATE': (value, context) => call('toDate32', wallClock(value, zoneIn(context))),
  'TIMESTAMP>DATETIME': (value, context) => wallClock(value, zoneIn(context)),
  'TIMESTAMP>TIME': (value, context) => clockOfAnyDay(wallClock(value, zoneIn(context))),
  'TIME>STRING': shortText,
  'INTERVAL>STRING': intervalText,
  'STRING>INTERVAL': textToInterval,
};

/** Returns the text of the format, or null, which makes the result NULL. */
function formatOf({ format, span }: CastContext): string | null {
  const text = format?.constant;
  if (text === null || typeof text === 'string') return text;
  return fail('unsupported', span, 'FORMAT must be a constant', "e.g. FORMAT 'YYYY-MM-DD HH24:MI:SS'");
}

/** Reads constants only: ClickHouse cannot read intervals of unknown form. */
function textToInterval(_value: SqlExpression, { constant, safe, span, to }: CastContext): SqlExpression {
  if (typeof constant !== 'string') return fail('unsupported', span, 'only a constant string can be cast to INTERVAL', 'use MAKE_INTERVAL');
  const value = parseInterval(constant);
  if (value !== undefined) return lowerLiteral({ kind: 'literal', type: to, value, span });
  // BigQuery may read shorter forms, so the result is NULL only for texts that are surely no interval.
  return safe && (!/\d.*[-: ].*\d/.test(constant) || /^\s|\s$|\s\s|[^\S ]/.test(constant))
    ? nullOf(to)
    : fail('type', span, `'${constant}' is not an INTERVAL`, "e.g. '1-2 3 4:5:6.7' or 'P1Y2M3DT4H5M6S'");
}

/** SAFE_CAST is NULL if the format says nothing about the type. A format that quern does not know is refused. */
function orNull(make: () => SqlExpression, { safe, to }: CastContext): SqlExpression {
  try {
    return make();
  } catch (error) {
    if (safe && error instanceof QuernError && error.code === 'type') return nullOf(to);
    throw error;
  }
}

const toText =
  (from: Target): CastRule =>
  (value, context) => {
    const format = formatOf(context);
    if (format === null) return nullOf(context.to);
    const shown = from === 'TIME' ? onFirstDay(value) : value;
    return orNull(() => formatCast(shown, from, zoneIn(context), format, context.span), context);
  };
const fromText =
  (target: Target): CastRule =>
  (value, context) => {
    const format = formatOf(context);
    if (format === null) return nullOf(context.to);
    const { safe, span, fresh } = context;
    return orNull(() => parseCast(value, format, { target, zone: zoneIn(context), safe, span, fresh }), context);
  };

export const TEMPORAL_FORMAT_CASTS: CastRules = {
  'DATE>STRING': toText('DATE'),
  'DATETIME>STRING': toText('DATETIME'),
  'TIME>STRING': toText('TIME'),
  'TIMESTAMP>STRING': toText('TIMESTAMP'),
  'STRING>DATE': fromText('DATE'),
  'STRING>DATETIME': fromText('DATETIME'),
  'STRING>TIME': fromText('TIME'),
  'STRING>TIMESTAMP': fromText('TIMESTAMP'),
};
