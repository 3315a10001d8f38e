// Differences that are known and right as they are: the reference's own, and those that docs/dialect.md tells.
import type { Answer } from './finding.ts';
import type { Outcome } from './outcome.ts';

interface Known {
  readonly reason: string;
  readonly fits: (sql: string, answer: Answer) => boolean;
}

const KNOWN: readonly Known[] = [
  {
    reason: 'SAFE.GENERATE_…ARRAY: the reference makes at most 16000 elements',
    fits: (sql, { class: name }) => name === 'wrong' && /SAFE\.GENERATE_(?:DATE_|TIMESTAMP_)?ARRAY/.test(sql),
  },
  {
    reason: 'the reference takes the fields of DATE, DATETIME and TIME as numbers of 32 bits',
    fits: (sql, { class: name }) => name === 'wrong' && /SAFE\.(?:DATE|DATETIME|TIME)\(/.test(sql) && /\d{10}|\b[ijk]\b/.test(sql),
  },
  {
    reason: 'SAFE.PARSE_…: the reference lacks the parts of ISO weeks',
    fits: (sql, { class: name }) => name === 'wrong' && /SAFE\.PARSE_\w+\('[^']*%[GgVu]/.test(sql),
  },
  {
    reason: 'with a position the reference takes ^ and \\b for that position; the cases that Google publishes take them for the whole text',
    fits: (sql, { class: name }) => name === 'wrong' && /REGEXP_(?:EXTRACT|INSTR|SUBSTR)\(.*'[^']*(?:\^|\\b)[^']*', /.test(sql),
  },
  {
    reason: 'texts that are no URLs may give another host (docs/dialect.md)',
    fits: (sql, { class: name }) => name === 'wrong' && /NET\.HOST\((?!')/.test(sql),
  },
  {
    reason: 'in columns, a time before 1970 with a fraction in the last second of a part counts as the next part (docs/dialect.md)',
    fits: (sql, { class: name, got }) =>
      name === 'wrong' && /(?:DATETIME|TIMESTAMP)_TRUNC\(/.test(sql) && JSON.stringify(got).includes('1970-01-01T00:00:00Z'),
  },
  {
    reason: 'an operand that NULL or FALSE makes unneeded is not computed, and does not fail',
    fits: (sql, { class: name, got }) =>
      name === 'rows-where-error' && /CAST\(NULL AS|\bFALSE AND\b|\bAND FALSE\b|\bTRUE OR\b|\bOR TRUE\b/.test(sql) && onlyEmpty(got),
  },
  {
    reason: 'dates reach from 1900 to 2299 in ClickHouse (docs/dialect.md)',
    fits: (_, { class: name, why }) => (name === 'error-where-rows' || name === 'refused') && /1900|2299/.test(why),
  },
];

const onlyEmpty = (got: Outcome): boolean =>
  got.kind === 'rows' && got.rows.every((row) => row.every((value) => value === null || value === false || value === true));

/** Why an answer that is not the same is no fault; undefined where it is one. */
export function knownReason(sql: string, answer: Answer): string | undefined {
  return KNOWN.find(({ fits }) => fits(sql, answer))?.reason;
}
