// Dates and times out of texts of columns: those of the usual form are seen by a cheaper pattern, and give what others give. What a text says is told by
// the translator's own reading of constants.
import { expect, test } from 'vitest';
import { parseDate, parseDatetime, parseTimestamp } from '../../../src/sql/base/civil.ts';
import { queryRunner } from '../../support/query-rows.ts';

const engine = queryRunner();

const two = (n: number): string => String(n).padStart(2, '0');
const upTo = (n: number): readonly string[] => Array.from({ length: n + 1 }, (_, i) => two(i));
const DAYS = [
  ...upTo(20).map((month) => `2024-${month}-28`),
  ...upTo(40).flatMap((day) => [`2024-02-${day}`, `2023-02-${day}`, `1999-12-${day}`, `2024-04-${day}`]),
  ...['0000', '0001', '0999', '1000', '1582', '1899', '2299', '2300', '2999', '3000', '9999', '10000', '-2024', ' 2024'].map(
    (y) => `${y}-01-02`,
  ),
  ...['2024-1-2', '2024-10-20', '2024-00-00', '2024-01-02-00', '20240102', '2024-01', '2024-1-02', '2024-01-2'],
];
const CLOCKS = [
  ...upTo(31).map((hour) => `${hour}:04:05`),
  ...upTo(61).flatMap((n) => [`03:${n}:05`, `03:04:${n}`]),
  ...['23:59:60', '24:00:00', '3:4:5', '03:04', '03', '030405', '03:04:05.', '03:04:05.1', '03:04:05.123456', '03:04:05.1234567'],
  ...['03:04:05.123456789', '03:04:05.1234567890', '03:04:05,5', '19:59:59.9', '20:00:00.000001', '29:00:00.5', '-03:04:05', '03:-4:05'],
];
const ZONES = ['Z', 'z', ' UTC', ' Z', '+00', '-00', '-08', '+05:30', '+14', '+15', '-00:30', ' +01:00', 'Z ', '.Z'];
const TEXTS = [
  ...DAYS,
  ...CLOCKS.flatMap((clock) => [`2024-01-02 ${clock}`, `2024-12-31T${clock}`]),
  ...ZONES.flatMap((zone) =>
    ['2024-01-02', '1999-12-31T23:04:05', '2024-06-30 19:59:59.123456', '2024-06-30 20:00:00.5'].map((t) => `${t}${zone}`),
  ),
  ...DAYS.flatMap((day) => [`${day} 20:00:00`, `${day}T03:04:05.678901Z`, `${day} 03:04:05 UTC`]),
  ...['', ' ', '2024-01-02 ', '2024-01-02T', '2024-01-02  03:04:05', '2024-01-02t03:04:05z', '2024-01-02\n', '2024-01-02 03:04:05\n', 'x'],
];

const READ: Readonly<Record<string, (text: string) => number | bigint | undefined>> = {
  DATE: parseDate,
  DATETIME: parseDatetime,
  TIMESTAMP: (text) => {
    const read = parseTimestamp(text);
    return read === undefined || (read.zone !== '' && read.zone !== 'Z') ? undefined : read.micros;
  },
};

test.each(Object.keys(READ))('%s', async (type) => {
  const read = READ[type];
  const rows = TEXTS.map((text) => [text, read?.(text)?.toString() ?? null] as const)
    // What may be the name of a zone is refused; and where a zone may follow, constants may have blanks at the end.
    .filter(([text, said]) => type !== 'TIMESTAMP' || (said === null ? !/\d ?[A-Za-z]+[/\w+-]*$/.test(text) : !/\s$/.test(text)));
  const texts = rows.map(([text]) => JSON.stringify(text)).join(', ');
  const number = { DATE: 'UNIX_DATE(v)', DATETIME: "DATETIME_DIFF(v, '1970-01-01', MICROSECOND)", TIMESTAMP: 'UNIX_MICROS(v)' }[type];
  const sql = (x: string): string =>
    `SELECT x, CAST(${number} AS STRING) FROM (SELECT x, SAFE_CAST(${x} AS ${type}) AS v, o FROM UNNEST([${texts}]) x WITH OFFSET o) ORDER BY o`;
  expect(await engine.rows(sql('x'))).toEqual(rows);
  // As columns of files are read.
  expect(await engine.rows(sql("NULLIF(x, '')"))).toEqual(rows);
});

test.each([
  ['DATE', '2024-13-01'],
  ['DATE', '2024-00-01'],
  ['DATE', '2023-02-29'],
  ['DATETIME', '2024-01-00 03:04:05'],
  ['DATETIME', '2024-01-02 24:04:05'],
  ['DATETIME', '2024-01-02 03:04:05Z'],
  ['TIMESTAMP', '2024-01-39 03:04:05'],
  ['TIMESTAMP', '2024-01-02T29:04:05Z'],
  ['TIMESTAMP', '2024-01-02 03:04:05 UTCZ'],
  ['TIMESTAMP', '2024-01-02 03:60:05'],
])('no %s: %s', async (type, text) => {
  const among = ['2024-01-02', text, '2024-01-03'].map((each) => `'${each}'`).join(', ');
  expect(await engine.engineFailure(`SELECT CAST(x AS ${type}) FROM UNNEST([${among}]) x`)).toContain(`the text is not a ${type}`);
});
