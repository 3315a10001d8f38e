// Chooses the columns that are compared, and their tolerances: from the result, from what was recorded, and from what the user says.

import { columnNames } from '../base/column-names.ts';
import { didYouMean, QuernError } from '../base/errors.ts';
import { parseDuration } from '../base/quantity.ts';
import type { ResultColumn, Row } from '../base/result.ts';
import type { ComparedColumn } from './compare.ts';
import { ESTIMATES, type Tolerance } from './normal.ts';
import type { Recorded } from './recorded.ts';

export interface ColumnOptions {
  /** `column=1%`, `column=0.5`, `column=1s`. */
  readonly tolerances: readonly string[];
  readonly ignored: readonly string[];
  readonly isEstimate: (column: string) => boolean;
}

interface ChosenColumns {
  readonly columns: readonly ComparedColumn[];
  /** Columns that only one side has. */
  readonly onlyGot: readonly string[];
  readonly onlyExpected: readonly string[];
  /** Columns that are compared as estimates. */
  readonly estimates: readonly string[];
}

const NUMBERS: ReadonlySet<string> = new Set(['INT64', 'FLOAT64', 'NUMERIC', 'BIGNUMERIC']);
const TIMES: ReadonlySet<string> = new Set(['TIMESTAMP', 'DATETIME']);

/** Throws `usage` for a tolerance or a name that fits no column. */
export function chooseColumns(
  { columns, rows }: { readonly columns: readonly ResultColumn[]; readonly rows: readonly Row[] },
  recorded: Recorded,
  { tolerances, ignored, isEstimate }: ColumnOptions,
): ChosenColumns {
  const names = columnNames(columns);
  const known = [...new Set([...names, ...recorded.columns])];
  const ignore = new Set(ignored.map((name) => known[indexOf(known, name, '--ignore')]?.toLowerCase()));
  const given = new Map(tolerances.map((text) => readTolerance(text, names, columns)));
  const compared: ComparedColumn[] = [];
  const onlyGot: string[] = [];
  const estimates: string[] = [];
  const seen = new Set<string>();
  names.forEach((name, at) => {
    const type = columns[at]?.type;
    const twin = recorded.columns.find((one) => one === name) ?? recorded.columns.find((one) => one.toLowerCase() === name.toLowerCase());
    if (twin !== undefined) seen.add(twin);
    if (type === undefined || ignore.has(name.toLowerCase())) return;
    // BigQuery's exports leave NULL fields out: a column that nobody recorded may hold nothing but NULL. CSV has a line of names.
    const absent = twin === undefined && (recorded.text ? recorded.columns.length > 0 : recorded.rows.length > 0);
    if (absent && (recorded.text || rows.some((row) => !isNothing(row[at])))) {
      onlyGot.push(name);
      return;
    }
    const estimate = !given.has(at) && isEstimate(name) && NUMBERS.has(scalarOf(type).kind);
    if (estimate) estimates.push(name);
    const tolerance = given.get(at) ?? (estimate ? ESTIMATES : undefined);
    compared.push({ name, recorded: twin ?? name, at, type, tolerance });
  });
  const onlyExpected = recorded.columns.filter((name) => !seen.has(name) && !ignore.has(name.toLowerCase()));
  return { columns: compared, onlyGot, onlyExpected, estimates };
}

const isNothing = (value: unknown): boolean => value === null || value === undefined || (Array.isArray(value) && value.length === 0);

const scalarOf = (type: ResultColumn['type']): ResultColumn['type'] => (type.kind === 'ARRAY' ? scalarOf(type.element) : type);

function readTolerance(text: string, names: readonly string[], columns: readonly ResultColumn[]): readonly [number, Tolerance] {
  const equals = text.lastIndexOf('=');
  const at = indexOf(names, text.slice(0, Math.max(equals, 0)), '--tolerance');
  const amount = text.slice(equals + 1).trim();
  const type = columns[at] === undefined ? 'STRING' : scalarOf(columns[at].type).kind;
  const [, digits, percent] = /^(\d+(?:\.\d+)?(?:e-?\d+)?)(%?)$/i.exec(amount) ?? [];
  if (digits !== undefined && NUMBERS.has(type))
    return [at, percent === '%' ? { relative: Number(digits) / 100, absolute: 0 } : { relative: 0, absolute: Number(digits) }];
  const seconds = parseDuration(amount);
  if (seconds !== undefined && TIMES.has(type)) return [at, { relative: 0, absolute: seconds * 1e6 }];
  const ofTimes = TIMES.has(type) ? '1s or 500ms' : undefined;
  const expected = NUMBERS.has(type) ? '1% or 0.5' : ofTimes;
  throw new QuernError(
    'usage',
    `--tolerance ${text}: ${names[at]} is of type ${type}${expected === undefined ? ', which has no tolerance' : ''}`,
    {
      hint: expected === undefined ? `to leave out the column: --ignore ${names[at]}` : `write it like ${names[at]}=${expected}`,
    },
  );
}

function indexOf(names: readonly string[], typed: string, flag: string): number {
  const exact = names.indexOf(typed);
  const at = exact === -1 ? names.findIndex((name) => name.toLowerCase() === typed.toLowerCase()) : exact;
  if (at !== -1) return at;
  throw new QuernError('usage', `${flag} ${JSON.stringify(typed)} is not a column`, {
    hint: didYouMean(typed, names) ?? `the columns are ${names.join(', ')}`,
  });
}
