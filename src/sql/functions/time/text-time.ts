// Text to dates and times, in exactly the forms that BigQuery's CAST takes.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/conversion_functions#cast_as_timestamp
import type { Span } from '../../../base/source-text.ts';
import { FIRST_MICROSECOND, LAST_MICROSECOND, parseDate, parseDatetime, parseTime, parseTimestamp } from '../../base/civil.ts';
import { fail } from '../../base/fail.ts';
import { printedNodes } from '../../base/size.ts';
import { DATE, DATETIME, TIME, TIMESTAMP, type Type } from '../../base/types.ts';
import type { LiteralValue } from '../../logical/nodes.ts';
import type { SqlExpression } from '../../target/ast.ts';
import { and, call, cast, failIf, iff, infix, isNotNull, isNull, lit, NULL, not } from '../../target/build.ts';
import { isConstant } from '../../target/constant.ts';
import { clickhouseType } from '../../target/types.ts';
import { byYears } from '../held-years.ts';
import { lowerLiteral } from '../literal.ts';
import { UTC } from './date-part.ts';
import { instantOf, type Zone } from './time-zone.ts';

interface TextContext {
  readonly constant: LiteralValue | undefined;
  /** NULL where the text does not read. */
  readonly safe: boolean;
  readonly span: Span;
  /** The zone is an argument of its own, and the text must not name one. */
  readonly zoneApart?: boolean;
}

const DAY = '\\d{4}-(0?[1-9]|1[0-2])-(0?[1-9]|[12]\\d|3[01])';
/** Years that every ClickHouse holds, and all of BigQuery's. */
const FEW_YEARS = '(19|2[0-2])\\d\\d';
const ALL_YEARS = '(000[1-9]|00[1-9]\\d|0[1-9]\\d\\d|[1-9]\\d{3})';
const CLOCK = '([01]?\\d|2[0-3]):[0-5]?\\d:([0-5]?\\d(\\.\\d{1,6})?|60)';
const SHIFT = '[+-](\\d:[0-5]\\d|(0?\\d|1[0-3])|(0\\d|1[0-3]):?[0-5]\\d|14(:?00)?)';
/** Behind a time of day; of the names only UTC, which is how BigQuery itself writes timestamps in exports. */
const OFFSET = `( UTC|[zZ]|${SHIFT})`;
/** Patterns of the text behind the day, without a zone and with one. */
const UNZONED = `([ Tt]${CLOCK})?`;
const ZONED = `[ Tt](${CLOCK}${OFFSET}|${SHIFT})`;
/** More of what BigQuery reads: zones by their names, offsets whose minutes have one digit, fractions of a leap second. */
const ODD_SHIFT = '[+-](\\d{1,2}:\\d|\\d{3})';
const NAME = ' [A-Za-z][/A-Za-z_+0-9:-]+';
const UNREAD = `^\\d{4}-\\d{1,2}-\\d{1,2}[ Tt]((${CLOCK}|\\d{1,2}:\\d{1,2}:60\\.\\d{1,6})(${NAME}|${ODD_SHIFT})|\\d{1,2}:\\d{1,2}:60\\.\\d{1,6}|${ODD_SHIFT})$`;

/** How the text of a usual time goes on behind its day, with `hours`. */
const usualClock = (hours: string): string => `[ T]${hours}:[0-5]\\d:[0-5]\\d([.]\\d{1,6})?`;

/** Above this many nodes the value is not written again for the sake of speed. */
const MOST_NODES = 24;

/**
 * Whether the text matches the pattern `full`. In a column most have the usual form, digits at fixed places, and patterns for that, without
 * alternatives, are cheaper by far. A month 13, a day 39 or a February 30 passes here: the parser makes NULL of it, as of what no pattern matches.
 */
function fits(value: SqlExpression, full: SqlExpression, rest: (hours: string) => string): SqlExpression {
  const matches = call('match', value, full);
  if (isConstant(value) || printedNodes(value) > MOST_NODES) return matches;
  const form = (hours: string) => (years: string) => lit(`^${years}-[01]\\d-[0-3]\\d${rest(hours)}$`);
  const [early = matches, late = matches] = ['[01]\\d', '2[0-3]']
    .map(form)
    .map((of) => call('match', value, byYears(of('[12]\\d{3}'), of('2[0-2]\\d\\d'))));
  const clocks = rest('') === '' ? early : infix('OR', early, late);
  // Months and days of 0, which the parser takes for 1, and two zones.
  const odd = ['%-00%', '%CZ%'].map((like) => not(call('like', value, lit(like))));
  return infix('OR', and(clocks, ...odd), matches);
}

/** Reads the text. A year that BigQuery has and ClickHouse lacks fails even if bad texts give NULL. */
function held(value: SqlExpression, parsed: SqlExpression): SqlExpression {
  const years = isConstant(value) ? lit(`^${FEW_YEARS}`) : byYears(lit('^\\d'), lit(`^${FEW_YEARS}`));
  return failIf(
    not(call('match', value, years)),
    'the year is outside 1900 to 2299, which is all that ClickHouse holds before 26.7',
    parsed,
  );
}

/** NULL, but for a leap second with a fraction, which BigQuery takes for the next minute's first. */
const unlessLeap = (value: SqlExpression): SqlExpression =>
  failIf(call('like', value, lit('%:60.%')), 'the leap second inside the text is not supported', NULL);

/** `parse` where the text matches the pattern, else an error or NULL. */
function checked(
  value: SqlExpression,
  pattern: string,
  what: string,
  usual: (hours: string) => string,
  parse: (orNull: string) => SqlExpression,
  { safe }: TextContext,
): SqlExpression {
  const dated = pattern.startsWith(DAY);
  const of = (years: string): SqlExpression => lit(`^${dated ? pattern.replace('\\d{4}', years) : pattern}$`);
  // Parameters and other constants keep to the years that every ClickHouse holds: they are read before each query.
  const bounded = isConstant(value) ? of(FEW_YEARS) : byYears(of(ALL_YEARS), of(FEW_YEARS));
  const form = safe || !dated ? of(ALL_YEARS) : bounded;
  const good = dated ? fits(value, form, usual) : call('match', value, form);
  if (safe) return iff(good, dated ? held(value, parse('OrNull')) : parse('OrNull'), pattern.includes(CLOCK) ? unlessLeap(value) : NULL);
  // One test for the form and the years: both fail.
  if (isConstant(value)) return failIf(not(good), `the text is not a ${what}`, parse(''));
  // ClickHouse may parse what a column has in a NULL's place, which is no such text.
  const read = iff(good, parse('OrNull'), NULL);
  return failIf(infix('AND', isNull(read), isNotNull(value)), `the text is not a ${what}`, read);
}

function constantOr(
  constant: LiteralValue | undefined,
  type: Type,
  parse: (text: string) => bigint | undefined,
  context: TextContext,
): SqlExpression | undefined {
  if (constant === undefined) return undefined;
  const parsed = constant === null ? undefined : parse(String(constant));
  if (parsed !== undefined) return lowerLiteral({ kind: 'literal', type, value: parsed, span: context.span });
  if (constant === null || context.safe) return cast(NULL, clickhouseType(type));
  return fail('type', context.span, `'${String(constant)}' is not a ${type.kind}`);
}

export function textToDate(value: SqlExpression, context: TextContext): SqlExpression {
  const parse = (text: string): bigint | undefined => {
    const day = parseDate(text);
    return day === undefined ? undefined : BigInt(day);
  };
  const date = (orNull: string): SqlExpression => call('toDate32', call(`parseDateTime64BestEffort${orNull}`, value, lit(6), UTC));
  return constantOr(context.constant, DATE, parse, context) ?? checked(value, DAY, 'DATE', () => '', date, context);
}

export function textToDatetime(value: SqlExpression, context: TextContext): SqlExpression {
  const datetime = (orNull: string): SqlExpression => call(`parseDateTime64BestEffort${orNull}`, call('upper', value), lit(6), UTC);
  return (
    constantOr(context.constant, DATETIME, parseDatetime, context) ??
    checked(value, `${DAY}([ Tt]${CLOCK})?`, 'DATETIME', (hours) => `(${usualClock(hours)})?`, datetime, context)
  );
}

export function textToTime(value: SqlExpression, context: TextContext): SqlExpression {
  const time = (orNull: string): SqlExpression =>
    call('toTime64', call(`parseDateTime64BestEffort${orNull}`, call('concat', lit('1970-01-01 '), value), lit(6), UTC), lit(6));
  return constantOr(context.constant, TIME, parseTime, context) ?? checked(value, CLOCK, 'TIME', () => '', time, context);
}

/** A clock of the first or the last day may show an instant outside of BigQuery's years. */
function refuseEnds(clock: bigint, zone: Zone, span: Span): void {
  if (zone.kind === 'utc') return;
  const [early, late] = zone.kind === 'offset' ? [zone.seconds, zone.seconds] : [86_400, -86_400];
  if (clock - BigInt(early) * 1_000_000n < FIRST_MICROSECOND || clock - BigInt(late) * 1_000_000n > LAST_MICROSECOND)
    fail('type', span, 'the result is, or may be, outside 0001-01-01 to 9999-12-31');
}

/** `zone` holds for texts that name none themselves. */
export function textToTimestamp(value: SqlExpression, zone: Zone, context: TextContext): SqlExpression {
  const { constant } = context;
  if (zone.kind === 'null' || constant === null) return cast(NULL, clickhouseType(TIMESTAMP));
  if (constant !== undefined) {
    const parsed = parseTimestamp(String(constant));
    const isTwice = context.zoneApart === true && parsed !== undefined && parsed.zone !== '';
    if (parsed === undefined || isTwice) {
      if (context.safe) return cast(NULL, clickhouseType(TIMESTAMP));
      return fail(
        'type',
        context.span,
        isTwice ? 'the time zone is given twice: in the text and as an argument' : `'${String(constant)}' is not a TIMESTAMP`,
      );
    }
    const clock = lowerLiteral({ kind: 'literal', type: TIMESTAMP, value: parsed.micros, span: context.span });
    if (parsed.zone === 'Z') return clock;
    const itsZone: Zone = parsed.zone === '' ? zone : { kind: 'name', name: lit(parsed.zone) };
    refuseEnds(parsed.micros, itsZone, context.span);
    return instantOf(clock, itsZone);
  }
  const parse = (orNull: string): SqlExpression => {
    const instant = call(`parseDateTime64BestEffort${orNull}`, call('upper', value), lit(6), UTC);
    if (zone.kind === 'utc') return instant;
    if (context.zoneApart === true) return instantOf(instant, zone);
    return iff(call('match', value, lit(`^${DAY}${ZONED}$`)), instant, instantOf(instant, zone));
  };
  const pattern = context.zoneApart === true ? `${DAY}${UNZONED}` : `${DAY}([ Tt](${CLOCK}${OFFSET}?|${SHIFT}))?`;
  const usual = (hours: string): string => `(${usualClock(hours)}${context.zoneApart === true ? '' : '( UTC|Z)?'})?`;
  if (context.safe && context.zoneApart === true) return checked(value, pattern, 'TIMESTAMP', usual, parse, context);
  if (!context.safe) return checked(value, pattern, 'TIMESTAMP', usual, parse, context);
  // BigQuery reads it; ClickHouse has zones only as constants. So this must not become NULL.
  const unread = call('match', value, lit(UNREAD));
  const good = fits(value, lit(`^${pattern.replace('\\d{4}', ALL_YEARS)}$`), usual);
  return iff(
    good,
    held(value, parse('OrNull')),
    failIf(unread, 'the time zone inside the text is not supported', cast(NULL, clickhouseType(TIMESTAMP))),
  );
}
