// Date parts, formats, and intervals: what goes with which function and type.
import type { Random } from '../../../src/cli/demo/random.ts';
import type { Type } from '../../../src/sql/base/types.ts';

const DATE_PARTS = ['DAY', 'WEEK', 'WEEK(MONDAY)', 'WEEK(SUNDAY)', 'WEEK(THURSDAY)', 'ISOWEEK', 'MONTH', 'QUARTER', 'YEAR', 'ISOYEAR'];
const TIME_PARTS = ['MICROSECOND', 'MILLISECOND', 'SECOND', 'MINUTE', 'HOUR'];

/** Parts that a function takes, by the type of its value. */
export function partsOf(name: string, kind: Type['kind'] | undefined): readonly string[] {
  if (name.startsWith('NORMALIZE')) return ['NFC', 'NFD', 'NFKC', 'NFKD'];
  if (name === 'EXTRACT') {
    if (kind === 'INTERVAL') return ['YEAR', 'MONTH', 'DAY', 'HOUR', 'MINUTE', 'SECOND', 'MILLISECOND', 'MICROSECOND'];
    if (kind === 'TIME') return TIME_PARTS;
    const days = [...DATE_PARTS, 'DAYOFWEEK', 'DAYOFYEAR'];
    return kind === 'DATE' ? days : [...days, ...TIME_PARTS];
  }
  if (name === 'LAST_DAY') return DATE_PARTS;
  const byName = name.startsWith('TIME_')
    ? 'TIME'
    : name.startsWith('DATE_') && kind !== 'TIMESTAMP' && kind !== 'DATETIME'
      ? 'DATE'
      : kind;
  if (byName === 'TIME') return TIME_PARTS;
  if (byName === 'DATE') return DATE_PARTS;
  return byName === 'TIMESTAMP' && name.endsWith('_DIFF') ? [...TIME_PARTS, 'DAY'] : [...TIME_PARTS, ...DATE_PARTS];
}

/** The units of intervals that are added to a type. */
export function intervalUnits(name: string, kind: Type['kind'] | undefined): readonly string[] {
  if (name.startsWith('TIME_')) return TIME_PARTS;
  if (kind === 'DATE') return ['DAY', 'WEEK', 'MONTH', 'QUARTER', 'YEAR'];
  if (name === 'GENERATE_TIMESTAMP_ARRAY') return ['HOUR', 'DAY', 'MINUTE'];
  if (name.endsWith('_BUCKET')) return ['MICROSECOND', 'SECOND', 'MINUTE', 'HOUR', 'DAY'];
  return kind === 'TIMESTAMP' ? [...TIME_PARTS, 'DAY'] : [...TIME_PARTS, 'DAY', 'WEEK', 'MONTH', 'QUARTER', 'YEAR'];
}

const DATE_FORMAT = '%Y %m %d %e %j %y %C %b %B %a %A %u %w %U %W %V %G %g %F %D %x %h %Q %E4Y %%'.split(' ');
const TIME_FORMAT = '%H %M %S %I %p %P %T %R %k %l %E3S %E6S %E*S %r %X'.split(' ');
const ZONE_FORMAT = '%z %Z %Ez %s'.split(' ');

/** A format for FORMAT_… of a type. */
export function formatOf(random: Random, name: string): string {
  const elements = name === 'FORMAT_TIME' ? TIME_FORMAT : name === 'FORMAT_DATE' ? DATE_FORMAT : [...DATE_FORMAT, ...TIME_FORMAT];
  const all = name === 'FORMAT_TIMESTAMP' ? [...elements, ...ZONE_FORMAT, '%c'] : elements;
  return Array.from({ length: 1 + random.below(3) }, () => random.pick(all)).join(random.pick(['-', ' ', '|', '']));
}

type Pair = readonly [format: string, text: string];
const PARSED_DATES: readonly Pair[] = [
  ['%Y-%m-%d', '2024-02-29'],
  ['%F', '1969-12-31'],
  ['%d/%m/%y', '01/02/69'],
  ['%d/%m/%y', '01/02/68'],
  ['%b %e, %Y', 'Feb  9, 2024'],
  ['%B %d %Y', 'march 31 2024'],
  ['%Y%j', '2024366'],
  ['%Y %j', '2023 366'],
  ['%D', '12/31/99'],
  ['%Y', '2024'],
  ['%m/%d/%Y', '2/3/2024'],
  ['%A %F', 'Thursday 2024-02-29'],
  ['%G-%V-%u', '2020-53-7'],
  ['%Y-%m-%d', '2023-02-29'],
  ['%Y-%m-%d', ' 2024-01-01 '],
  ['%Y%m%d', '20240131'],
  ['%Y-%U', '2024-05'],
  ['%C%y', '2024'],
  ['%F', '2024-13-01'],
  ['%h %d', 'Jan 5'],
];
const PARSED_TIMES: readonly Pair[] = [
  ['%H:%M:%S', '12:34:56'],
  ['%T', '23:59:60'],
  ['%I:%M %p', '12:00 AM'],
  ['%I:%M %p', '1:05 pm'],
  ['%H:%M:%E*S', '01:02:03.456789'],
  ['%H:%M:%E3S', '01:02:03.456'],
  ['%R', '24:00'],
  ['%k:%M', ' 7:05'],
  ['%H', '7'],
  ['%r', '01:02:03 PM'],
];
const PARSED_ZONES: readonly Pair[] = [
  ['%F %T %z', '2024-02-29 12:00:00 +0530'],
  ['%F %T%Ez', '2024-02-29 12:00:00-08:00'],
  ['%s', '1700000000'],
  ['%s', '-1'],
  ['%F %T %Z', '2024-07-01 12:00:00 UTC'],
];

/** A format for PARSE_…, and a text that it may fit. */
export function parsePair(random: Random, name: string): Pair {
  const both = ([date, dateText]: Pair, [time, timeText]: Pair): Pair => [`${date} ${time}`, `${dateText} ${timeText}`];
  if (name === 'PARSE_DATE') return random.pick(PARSED_DATES);
  if (name === 'PARSE_TIME') return random.pick(PARSED_TIMES);
  if (name === 'PARSE_TIMESTAMP' && random.chance(0.3)) return random.pick(PARSED_ZONES);
  return random.chance(0.3) ? random.pick(PARSED_DATES) : both(random.pick(PARSED_DATES), random.pick(PARSED_TIMES));
}

const FORMATS: Partial<Record<Type['kind'], readonly string[]>> = {
  INT64: ['%d', '%5d', '%-5d|', '%05d', '%+d', '%x', '%X', '%o', "%'d", '% d', '%i', '%t', '%T', '%d%%'],
  FLOAT64: ['%f', '%.2f', '%e', '%g', '%10.3f', '%-10.1f|', '%+.1f', "%'.2f", '%t', '%T', '%.0f', '%G', '%E'],
  STRING: ['%s', '%5s', '%-5s|', '%.2s', '%t', '%T', '%10.3s'],
};

export const formatFor = (random: Random, kind: Type['kind']): string => random.pick(FORMATS[kind] ?? ['%t', '%T']);
