// Text to dates and times, in exactly the forms that BigQuery's CAST takes.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/conversion_functions#cast_as_timestamp
import type { Span } from '../../../source-text.ts';
import { parseDate, parseDatetime, parseTime, parseTimestamp } from '../../civil.ts';
import { fail } from '../../fail.ts';
import type { LiteralValue } from '../../logical/resolved.ts';
import type { Ch } from '../../target/ast.ts';
import { call, cast, failIf, iff, lit, NULL, not } from '../../target/build.ts';
import { clickhouseType } from '../../target/types.ts';
import { DATE, DATETIME, TIME, TIMESTAMP, type Type } from '../../types.ts';
import { lowerLiteral } from '../literal.ts';
import { UTC } from './date-part.ts';
import { instantOf, type Zone } from './time-zone.ts';

interface TextContext {
  readonly constant: LiteralValue | undefined;
  /** NULL where the text does not read. */
  readonly safe: boolean;
  readonly span: Span;
}

const DAY = '\\d{4}-(0?[1-9]|1[0-2])-(0?[1-9]|[12]\\d|3[01])';
/** Years that ClickHouse can hold. */
const HELD = '^(19|2[0-2])\\d\\d';
const CLOCK = '([01]?\\d|2[0-3]):[0-5]?\\d:([0-5]?\\d(\\.\\d{0,9})?|60)';
/** Offsets; of the names only UTC, which is how BigQuery itself writes timestamps in exports. */
const OFFSET = '( UTC| ?([zZ]|[+-]((0?\\d|1[0-3])(:?[0-5]\\d)?|14(:?00)?)))';

/** What the text reads as; a year that BigQuery has and ClickHouse has not fails even where NULL is meant for bad texts. */
const held = (value: Ch, parsed: Ch): Ch => failIf(not(call('match', value, lit(HELD))), 'the year is outside of 1900 to 2299', parsed);

/** `parse` where the text matches the pattern, else an error or NULL. */
function checked(value: Ch, pattern: string, what: string, parse: (orNull: string) => Ch, { safe }: TextContext): Ch {
  const years = pattern.startsWith(DAY) && !safe ? pattern.replace('\\d{4}', '(19|2[0-2])\\d\\d') : pattern;
  const good = call('match', value, lit(`^${years}$`));
  if (safe) return iff(good, pattern.startsWith(DAY) ? held(value, parse('OrNull')) : parse('OrNull'), NULL);
  // One test for the form and the years: both fail.
  return failIf(not(good), `the text is not a ${what}`, parse(''));
}

function constantOr(
  constant: LiteralValue | undefined,
  type: Type,
  parse: (text: string) => bigint | undefined,
  context: TextContext,
): Ch | undefined {
  if (constant === undefined) return undefined;
  const parsed = constant === null ? undefined : parse(String(constant));
  if (parsed !== undefined) return lowerLiteral({ kind: 'literal', type, value: parsed, span: context.span });
  if (constant === null || context.safe) return cast(NULL, clickhouseType(type));
  return fail('type', context.span, `'${String(constant)}' is not a ${type.kind}`);
}

export function textToDate(value: Ch, context: TextContext): Ch {
  const parse = (text: string): bigint | undefined => {
    const day = parseDate(text);
    return day === undefined ? undefined : BigInt(day);
  };
  const date = (orNull: string): Ch => call('toDate32', call(`parseDateTime64BestEffort${orNull}`, value, lit(6), UTC));
  return constantOr(context.constant, DATE, parse, context) ?? checked(value, DAY, 'DATE', date, context);
}

export function textToDatetime(value: Ch, context: TextContext): Ch {
  const datetime = (orNull: string): Ch => call(`parseDateTime64BestEffort${orNull}`, call('upper', value), lit(6), UTC);
  return (
    constantOr(context.constant, DATETIME, parseDatetime, context) ??
    checked(value, `${DAY}([ Tt]${CLOCK})?`, 'DATETIME', datetime, context)
  );
}

export function textToTime(value: Ch, context: TextContext): Ch {
  const time = (orNull: string): Ch =>
    call('toTime64', call(`parseDateTime64BestEffort${orNull}`, call('concat', lit('1970-01-01 '), value), lit(6), UTC), lit(6));
  return constantOr(context.constant, TIME, parseTime, context) ?? checked(value, CLOCK, 'TIME', time, context);
}

/** `zone` holds for texts that name none themselves. */
export function textToTimestamp(value: Ch, zone: Zone, context: TextContext): Ch {
  const { constant } = context;
  if (zone.kind === 'null' || constant === null) return cast(NULL, clickhouseType(TIMESTAMP));
  if (constant !== undefined) {
    const parsed = parseTimestamp(String(constant));
    if (parsed === undefined) {
      if (context.safe) return cast(NULL, clickhouseType(TIMESTAMP));
      return fail('type', context.span, `'${String(constant)}' is not a TIMESTAMP`);
    }
    const clock = lowerLiteral({ kind: 'literal', type: TIMESTAMP, value: parsed.micros, span: context.span });
    if (parsed.zone === 'Z') return clock;
    return instantOf(clock, parsed.zone === '' ? zone : { kind: 'name', name: lit(parsed.zone) });
  }
  const parse = (orNull: string): Ch => {
    const instant = call(`parseDateTime64BestEffort${orNull}`, call('upper', value), lit(6), UTC);
    if (zone.kind === 'utc') return instant;
    return iff(call('match', value, lit(`^${DAY}([ Tt]${CLOCK})?${OFFSET}$`)), instant, instantOf(instant, zone));
  };
  const pattern = `${DAY}([ Tt]${CLOCK})?(${OFFSET})?`;
  if (!context.safe) return checked(value, pattern, 'TIMESTAMP', parse, context);
  // A zone's name in the text reads in BigQuery; ClickHouse has zones only as constants, so this must not become NULL.
  const named = call('match', value, lit(`^${DAY}([ Tt]${CLOCK})? ?[A-Za-z]+[/A-Za-z_+0-9-]*$`));
  const good = call('match', value, lit(`^${pattern}$`));
  return iff(
    good,
    held(value, parse('OrNull')),
    failIf(named, 'a time zone’s name inside of a text is not supported', cast(NULL, clickhouseType(TIMESTAMP))),
  );
}
