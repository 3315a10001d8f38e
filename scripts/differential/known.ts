// Differences that are known and right as they are: the reference's own, and those that docs/dialect.md tells.
import { difference } from './compare.ts';
import type { Answer } from './finding.ts';
import type { Outcome } from './outcome.ts';

interface Known {
  readonly reason: string;
  readonly fits: (sql: string, answer: Answer) => boolean;
}

const KNOWN: readonly Known[] = [
  {
    reason:
      'the reference reads an INT64 in hexadecimal digits behind spaces, and not behind a line break or a tab, behind which it reads decimal ones',
    fits: (sql, { class: name, why }) => name === 'wrong' && /SAFE_CAST\(v AS INT64\)/.test(sql) && /\(31\), not \(NULL\)/.test(why),
  },
  {
    reason: 'SAFE.GENERATE_…ARRAY: the reference makes at most 16000 elements',
    fits: (sql, { class: name, why }) =>
      (name === 'wrong' || (name === 'error-where-rows' && /elements/.test(why))) && /SAFE\.GENERATE_(?:DATE_|TIMESTAMP_)?ARRAY/.test(sql),
  },
  {
    reason: 'the reference takes the fields of DATE, DATETIME and TIME as numbers of 32 bits',
    fits: (sql, { class: name, why }) =>
      ((name === 'wrong' && /SAFE\.(?:DATE|DATETIME|TIME)\(/.test(sql)) || (name === 'error-where-rows' && /there is no such/.test(why))) &&
      /\d{10}|\b(?:[ijk]|ai)\b/.test(sql),
  },
  {
    reason: 'SAFE.PARSE_…: the reference lacks the parts of ISO weeks',
    fits: (sql, { class: name }) => name === 'wrong' && /SAFE\.PARSE_\w+\('[^']*%[GgVu]/.test(sql),
  },
  {
    reason: 'CAST with FORMAT: the reference reads no names of months, which the documentation has',
    fits: (sql, { class: name }) =>
      (name === 'wrong' || name === 'rows-where-error') && /CAST\(.* AS (?:DATE|DATETIME|TIMESTAMP) FORMAT '[^']*MON/.test(sql),
  },
  {
    reason: 'PARSE_…: the reference reads no more than six digits of seconds where a format names their number',
    fits: (sql, { class: name }) => (name === 'wrong' || name === 'rows-where-error') && /PARSE_\w+\('[^']*%E[7-9]S/.test(sql),
  },
  {
    reason: 'with a position the reference takes ^ and \\b for that position; the cases that Google publishes take them for the whole text',
    fits: (sql, { class: name }) => name === 'wrong' && /REGEXP_(?:EXTRACT|INSTR|SUBSTR)\(.*'[^']*(?:\^|\\b)[^']*', /.test(sql),
  },
  {
    reason: 'ARRAY_SUM: the reference adds in 80 bits, and takes what rounds to the largest FLOAT64 for out of range',
    fits: (sql, { class: name, why }) => name === 'rows-where-error' && /ARRAY_SUM\(/.test(sql) && why === 'ARRAY_SUM double overflow',
  },
  {
    reason: 'ARRAY_SUM and ARRAY_AVG: the reference adds in 80 bits, of which more are left where large numbers cancel each other out',
    fits: (sql, { class: name, expected, got }) => name === 'wrong' && /ARRAY_(?:SUM|AVG)\(/.test(sql) && nearlySame(expected, got),
  },
  {
    reason: 'COVAR_POP, COVAR_SAMP and CORR: both sides keep what rounding leaves of products that cancel each other out',
    fits: (sql, { class: name, expected, got }) =>
      name === 'wrong' && /\b(?:COVAR_(?:POP|SAMP)|CORR)\(/.test(sql) && sameButForTraces(expected, got),
  },
  {
    reason: 'ROUND to more digits than there are: the reference multiplies in 80 bits, and takes the largest FLOAT64 for out of range',
    fits: (sql, { class: name, why }) =>
      (name === 'rows-where-error' && /\bROUND\(/.test(sql) && /ROUND\(-?1\.79769e\+308, -?\d/.test(why)) ||
      (name === 'wrong' && /\bSAFE\.ROUND\(/.test(sql) && /^no row \(NULL\); left over: \(-?1\.7976931348623157e\+308\)$/.test(why)),
  },
  {
    reason:
      '-0.0 and 0.0 are equal: which of them is the least, the greatest or rounded is not defined, and 1 divided by it has either sign',
    fits: (sql, { class: name, expected, got }) =>
      name === 'wrong' &&
      /(?:\b|ARRAY_)(?:MIN|MAX|LEAST|GREATEST|ROUND)\(/.test(sql) &&
      /\b(?:IEEE_DIVIDE|ATAN2)\(/.test(sql) &&
      sameButForSigns(expected, got),
  },
  {
    reason: 'LOG near 1: the last digit of the number, which hangs on the C library, is the first one of the result',
    fits: (sql, { class: name, expected, got }) =>
      name === 'wrong' &&
      /\b(?:LN|LOG|LOG10)\((?!\w+\)).*\b(?:A?(?:SIN|COS|TAN|COT|SEC|CSC)H?|EXP|POW(?:ER)?|SQRT|CBRT)\(/.test(sql) &&
      nearlySame(expected, got, 1e-6),
  },
  {
    reason: 'PARSE_JSON of a column rounds numbers that FLOAT64 does not hold (docs/dialect.md)',
    fits: (sql, { class: name, why }) => name === 'rows-where-error' && /PARSE_JSON\(/.test(sql) && /cannot round-trip/.test(why),
  },
  {
    reason: 'SAFE.PARSE_JSON of a column rounds numbers that FLOAT64 does not hold (docs/dialect.md)',
    fits: (sql, { class: name, expected, got }) =>
      name === 'wrong' && /SAFE\.PARSE_JSON\(/.test(sql) && !/'round'/.test(sql) && onlyMore(expected, got, /\d[.eE]\d|\d{17}/),
  },
  {
    reason: 'numbers in JSON are written in their shortest form (docs/dialect.md), and have another hash or length so',
    fits: (sql, { class: name }) =>
      name === 'wrong' &&
      /JSON/.test(sql) &&
      /\d\.0\b|\d[eE]\d/.test(sql) &&
      /\b(?:MD5|SHA\d+|FARM_FINGERPRINT|(?:\w+_)?LENGTH|TO_\w+|REVERSE)\(/.test(sql),
  },
  {
    reason: 'JSON_REMOVE: the reference gives NULL for a path that is NULL; the cases that Google publishes leave the document as it is',
    fits: (sql, { class: name }) => name === 'wrong' && /JSON_REMOVE\(.*NULL/.test(sql),
  },
  {
    reason: 'numbers in JSON are written in their shortest form (docs/dialect.md)',
    fits: (sql, { class: name, expected, got }) => name === 'wrong' && /JSON/.test(sql) && sameButForNumbers(expected, got),
  },
];

/** Whether rows are the same up to half of the digits of a FLOAT64. */
const nearlySame = (expected: Outcome, got: Outcome, tolerance = 1e-8): boolean =>
  expected.kind === 'rows' && got.kind === 'rows' && difference(expected, got, { ordered: true, tolerance }) === undefined;

/** Whether rows are the same once infinities have no sign, and the angles of zeros are all the same. */
function sameButForSigns(expected: Outcome, got: Outcome): boolean {
  if (expected.kind !== 'rows' || got.kind !== 'rows') return false;
  const plain = (outcome: typeof expected): typeof expected => ({
    ...outcome,
    rows: outcome.rows.map((row) =>
      row.map((value) => (typeof value !== 'number' ? value : Math.abs(value) === Math.PI ? 0 : Math.abs(value))),
    ),
  });
  return difference(plain(expected), plain(got), { ordered: false }) === undefined;
}

/** Whether rows are the same but for values that the reference has as NULL, and that are written like `pattern` here. */
function onlyMore(expected: Outcome, got: Outcome, pattern: RegExp): boolean {
  if (expected.kind !== 'rows' || got.kind !== 'rows' || expected.rows.length !== got.rows.length) return false;
  const rows = got.rows.map((row, i) =>
    row.map((value, at) => (expected.rows[i]?.[at] === null && typeof value === 'string' && pattern.test(value) ? null : value)),
  );
  return difference(expected, { ...got, rows }, { ordered: true }) === undefined;
}

/** Whether rows are the same once a FLOAT64 that is next to 0 is 0. */
function sameButForTraces(expected: Outcome, got: Outcome): boolean {
  if (expected.kind !== 'rows' || got.kind !== 'rows') return false;
  const plain = (outcome: typeof expected): typeof expected => ({
    ...outcome,
    rows: outcome.rows.map((row) => row.map((value) => (typeof value === 'number' && Math.abs(value) < 1e-14 ? 0 : value))),
  });
  return difference(plain(expected), plain(got), { ordered: false, tolerance: 1e-9 }) === undefined;
}

/** Whether rows are the same once all numbers in texts are written alike. */
function sameButForNumbers(expected: Outcome, got: Outcome): boolean {
  if (expected.kind !== 'rows' || got.kind !== 'rows') return false;
  const plain = ({ rows }: typeof expected): string =>
    rows
      .map((row) =>
        JSON.stringify(row, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value)).replace(
          /-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g,
          (number) => String(Number(number) + 0),
        ),
      )
      .sort()
      .join();
  return plain(expected) === plain(got);
}

/** Why an answer that is not the same is no fault; undefined where it is one. */
export const knownReason = (sql: string, answer: Answer): string | undefined => KNOWN.find(({ fits }) => fits(sql, answer))?.reason;
