// Text to dates and times, in exactly the forms that BigQuery's CAST takes.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/conversion_functions#cast_as_timestamp
import type { Span } from '../../../base/source-text.ts';
import { FIRST_MICROSECOND, LAST_MICROSECOND, parseDate, parseDatetime, parseTime, parseTimestamp } from '../../base/civil.ts';
import { fail } from '../../base/fail.ts';
import { DATE, DATETIME, TIME, TIMESTAMP, type Type } from '../../base/types.ts';
import type { LiteralValue } from '../../logical/nodes.ts';
import type { SqlExpression } from '../../target/ast.ts';
import { and, call, cast, failIf, iff, infix, isNotNull, isNull, lit, NULL, not, rarely } from '../../target/build.ts';
import { isConstant } from '../../target/constant.ts';
import { defineHelper } from '../../target/helpers.ts';
import { clickhouseType } from '../../target/types.ts';
import { byYears, holdsAllYears } from '../held-years.ts';
import { lowerLiteral } from '../literal.ts';
import { UTC } from './date-part.ts';
import { instantOf, isNoZone, type Zone } from './time-zone.ts';

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
/** Behind a time of day; of the names only UTC, which is how BigQuery itself writes timestamps in exports, and GMT. */
const OFFSET = `( UTC| GMT|[zZ]|${SHIFT})`;
/** Patterns of the text behind the day, without a zone and with one. */
const UNZONED = `([ Tt]${CLOCK})?`;
const ZONED = `[ Tt](${CLOCK}${OFFSET}|${SHIFT})`;
/** More of what BigQuery reads: zones by their names, offsets whose minutes have one digit, fractions of a leap second. */
const ODD_SHIFT = '[+-](\\d{1,2}:\\d|\\d{3})';
/** Names as of the time zone database: `Europe/Berlin`, `UTC+3`, and the few short ones, which most abbreviations are not. */
const NAME =
  ' (UTC[+-][0-9:]+|[A-Z][A-Za-z]+/[/A-Za-z_+0-9-]+|[HM]ST|E[ES]T|[CMW]ET|[A-Z]{3}[5-8][A-Z]DT|[A-Z][a-z]{3,}|GMT[+-]?0|PRC|RO[CK]|UCT|GB|NZ|W-SU)';
const UNREAD = `^\\d{4}-\\d{1,2}-\\d{1,2}[ Tt]((${CLOCK}|\\d{1,2}:\\d{1,2}:60\\.\\d{1,6})(${NAME}|${ODD_SHIFT})|\\d{1,2}:\\d{1,2}:60\\.\\d{1,6}|${ODD_SHIFT})$`;

/** How usual texts go on behind the day. Alternatives and groups in a pattern would cost more than to look for one after the other. */
const USUAL_CLOCK = '[ T][0-2]\\d:[0-5]\\d:[0-5]\\d';
const FRACTION = '[.]\\d{1,6}';

/** Whether a text that begins with four digits is of a year that ClickHouse holds. */
const ofHeldYear = (text: SqlExpression): SqlExpression =>
  and(infix('>=', text, byYears(lit('0001'), lit('1900'))), infix('<', text, byYears(lit(':'), lit('2300'))));

/**
 * A helper that tells whether a text has one of the usual forms: all digits of a day, and one of these patterns behind it. Most texts of a column do,
 * and patterns for digits at fixed places are cheaper by far. A month 13, a day 39 or a February 30 passes here: the parser makes NULL of it.
 */
const usualForms = (name: string, usual: readonly string[]) =>
  defineHelper(name, ['_text'], (text) => {
    const forms = usual.map((rest) => call('match', text, lit(`^\\d{4}-[01]\\d-[0-3]\\d${rest}$`)));
    const any = forms.reduce((all, form) => infix('OR', all, form));
    // The parser takes a month or day of 0 for 1, and hours from 24 on for those of the next day.
    const odd = [not(call('like', text, lit('%-00%'))), infix('<', call('substring', text, lit(12), lit(2)), lit('24'))];
    return and(any, ...odd);
  });

const USUAL_TIMES = {
  TIMESTAMP: usualForms('is_usual_timestamp', [`${USUAL_CLOCK}Z?`, `${USUAL_CLOCK}${FRACTION}Z?`, `${USUAL_CLOCK} UTC`, '']),
  DATETIME: usualForms('is_usual_datetime', [USUAL_CLOCK, '', `${USUAL_CLOCK}${FRACTION}`]),
  ' ': usualForms('is_day_and_clock', [USUAL_CLOCK.replace('[ T]', ' ')]),
  T: usualForms('is_iso_time', [USUAL_CLOCK.replace('[ T]', 'T')]),
};

const LACKS_YEAR = 'the year is outside 1900 to 2299, which is all that ClickHouse holds before 26.7';

/** A year that BigQuery has and ClickHouse lacks fails even if bad texts give NULL. */
const inFewYears = (value: SqlExpression, parsed: SqlExpression): SqlExpression =>
  failIf(not(call('match', value, lit(`^${FEW_YEARS}`))), LACKS_YEAR, parsed);

/** The same of a text that was not read. */
const unlessYear = (value: SqlExpression, none: SqlExpression): SqlExpression =>
  failIf(
    and(not(holdsAllYears()), call('match', value, lit('^\\d{4}-')), not(call('match', value, lit(`^${FEW_YEARS}`)))),
    LACKS_YEAR,
    none,
  );

/** NULL, but for a leap second with a fraction, which BigQuery takes for the next minute's first. */
const unlessLeap = (value: SqlExpression): SqlExpression =>
  failIf(call('like', value, lit('%:60.%')), 'the leap second inside the text is not supported', NULL);

/** A form of texts: what it is of, its pattern, and what reads it. */
interface TextForm {
  readonly what: 'DATE' | 'DATETIME' | 'TIME' | 'TIMESTAMP';
  readonly pattern: string;
  readonly parse: (text: SqlExpression, orNull: string) => SqlExpression;
}

const isDated = ({ pattern }: TextForm): boolean => pattern.startsWith(DAY);

/** The value of a text; NULL where it does not read. */
const readOrNull = (text: SqlExpression, { pattern, parse }: TextForm): SqlExpression =>
  iff(call('match', text, lit(`^${pattern}$`)), parse(text, 'OrNull'), NULL);

/** The same of days and instants, NULL also where ClickHouse lacks the year. */
const ofHeld = (text: SqlExpression, read: SqlExpression): SqlExpression => iff(ofHeldYear(text), read, NULL);

const readInstantOrNull = (text: SqlExpression, form: TextForm, isUsual: (text: SqlExpression) => SqlExpression): SqlExpression =>
  ofHeld(
    text,
    rarely(isUsual(text), parsed(text), [text], (odd) => readOrNull(odd, form)),
  );

const parsed = (text: SqlExpression): SqlExpression => call('parseDateTime64BestEffortOrNull', text, lit(6), UTC);

/** The value of a text of a usual form; what `rare` makes of other texts, and of those of years that ClickHouse lacks. */
export const usualInstant = (
  text: SqlExpression,
  form: keyof typeof USUAL_TIMES,
  rare: (text: SqlExpression) => SqlExpression,
): SqlExpression => rarely(and(USUAL_TIMES[form](text), ofHeldYear(text)), parsed(text), [text], rare);

/** The value of a text, else an error, or NULL where that is safe. */
function checked(value: SqlExpression, form: TextForm, { safe }: TextContext, read = (text: SqlExpression) => readOrNull(text, form)) {
  const { what, pattern, parse } = form;
  const none = pattern.includes(CLOCK) ? unlessLeap(value) : NULL;
  if (isConstant(value)) {
    // Parameters and other constants keep to the years that every ClickHouse holds: they are read before each query.
    const of = (years: string): SqlExpression => lit(`^${isDated(form) ? pattern.replace('\\d{4}', years) : pattern}$`);
    if (!safe) return failIf(not(call('match', value, of(FEW_YEARS))), `the text is not a ${what}`, parse(value, ''));
    const parsed = parse(value, 'OrNull');
    return iff(call('match', value, of(ALL_YEARS)), isDated(form) ? inFewYears(value, parsed) : parsed, none);
  }
  // ClickHouse may parse what a column has in a NULL's place, which is no such text.
  const found = read(value);
  if (!safe) return failIf(infix('AND', isNull(found), isNotNull(value)), `the text is not a ${what}`, found);
  return iff(isNotNull(found), found, isDated(form) ? unlessYear(value, none) : none);
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

const day: TextForm = {
  what: 'DATE',
  pattern: DAY,
  parse: (text, orNull) => call('toDate32', call(`parseDateTime64BestEffort${orNull}`, text, lit(6), UTC)),
};
const datetime: TextForm = {
  what: 'DATETIME',
  pattern: `${DAY}${UNZONED}`,
  parse: (text, orNull) => call(`parseDateTime64BestEffort${orNull}`, call('upper', text), lit(6), UTC),
};
const clock: TextForm = {
  what: 'TIME',
  pattern: CLOCK,
  parse: (text, orNull) =>
    call('toTime64', call(`parseDateTime64BestEffort${orNull}`, call('concat', lit('1970-01-01 '), text), lit(6), UTC), lit(6)),
};
const instant: TextForm = {
  what: 'TIMESTAMP',
  pattern: `${DAY}([ Tt](${CLOCK}${OFFSET}?|${SHIFT}))?`,
  parse: datetime.parse,
};

const readDay = defineHelper('text_to_date', ['_text'], (text) => {
  const read = call('toDate32OrNull', text);
  return rarely(infix('=', call('toString', read), text), read, [text], (odd) => {
    const parsed = day.parse(odd, 'OrNull');
    // Of a year that it lacks, and of the year 0, ClickHouse makes a day of another year.
    const sameYear = call('startsWith', call('toString', parsed), call('substring', odd, lit(1), lit(4)));
    return iff(and(call('match', odd, lit(`^${DAY}$`)), sameYear), parsed, NULL);
  });
});
const readDatetime = defineHelper('text_to_datetime', ['_text'], (text) => readInstantOrNull(text, datetime, USUAL_TIMES.DATETIME));
const readClock = defineHelper('text_to_time', ['_text'], (text) => readOrNull(text, clock));
const readInstant = defineHelper('text_to_timestamp', ['_text'], (text) => readInstantOrNull(text, instant, USUAL_TIMES.TIMESTAMP));

export function textToDate(value: SqlExpression, context: TextContext): SqlExpression {
  const parse = (text: string): bigint | undefined => {
    const days = parseDate(text);
    return days === undefined ? undefined : BigInt(days);
  };
  return constantOr(context.constant, DATE, parse, context) ?? checked(value, day, context, readDay);
}

export const textToDatetime = (value: SqlExpression, context: TextContext): SqlExpression =>
  constantOr(context.constant, DATETIME, parseDatetime, context) ?? checked(value, datetime, context, readDatetime);

export const textToTime = (value: SqlExpression, context: TextContext): SqlExpression =>
  constantOr(context.constant, TIME, parseTime, context) ?? checked(value, clock, context, readClock);

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
    if (parsed === undefined || isTwice || isNoZone(parsed.zone)) {
      if (context.safe) return cast(NULL, clickhouseType(TIMESTAMP));
      return fail(
        'type',
        context.span,
        isTwice ? 'the time zone is given twice: in the text and as an argument' : `'${String(constant)}' is not a TIMESTAMP`,
      );
    }
    const clockTime = lowerLiteral({ kind: 'literal', type: TIMESTAMP, value: parsed.micros, span: context.span });
    if (parsed.zone === 'Z') return clockTime;
    const itsZone: Zone = parsed.zone === '' ? zone : { kind: 'name', name: lit(parsed.zone) };
    refuseEnds(parsed.micros, itsZone, context.span);
    return instantOf(clockTime, itsZone);
  }
  const parse: TextForm['parse'] = (text, orNull) => {
    const read = instant.parse(text, orNull);
    if (context.zoneApart === true) return instantOf(read, zone);
    return iff(call('match', text, lit(`^${DAY}${ZONED}$`)), read, instantOf(read, zone));
  };
  if (context.zoneApart === true) return checked(value, { ...datetime, what: 'TIMESTAMP', parse }, context);
  const form: TextForm = zone.kind === 'utc' ? instant : { ...instant, parse };
  const read = (text: SqlExpression): SqlExpression =>
    zone.kind === 'utc' && !isConstant(text) ? readInstant(text) : readOrNull(text, form);
  if (!context.safe) return checked(value, form, context, read);
  // BigQuery reads it; ClickHouse has zones only as constants. So this must not become NULL.
  const unread = failIf(
    call('match', value, lit(UNREAD)),
    'the time zone inside the text is not supported',
    cast(NULL, clickhouseType(TIMESTAMP)),
  );
  if (isConstant(value))
    return iff(
      call('match', value, lit(`^${form.pattern.replace('\\d{4}', ALL_YEARS)}$`)),
      inFewYears(value, form.parse(value, 'OrNull')),
      unread,
    );
  const found = read(value);
  return iff(isNotNull(found), found, unlessYear(value, unread));
}
