// The outcome of a check, in data and in words.
import type { QuernError } from '../base/errors.ts';
import { formatCount, formatNumber } from '../base/quantity.ts';
import type { QueryResult, ResultColumn, Value } from '../base/result.ts';
import { jsonPrinter, textPrinter } from '../output/value.ts';
import type { AssertionDefinition } from '../queries/check-definition.ts';
import type { Check } from './check.ts';

/** `unknown`: the engine could not say. */
export type State = 'pass' | 'warn' | 'fail' | 'unknown';

/** The value of an aggregate call of the assertion. */
interface Measure {
  readonly name: string;
  readonly column: ResultColumn;
  readonly value: Value;
}

/** The value of an assertion about a change in an earlier run. */
export interface LastValue {
  readonly value: number;
  /** When that run began. */
  readonly at: string;
}

export interface AssertionOutcome {
  readonly assertion: AssertionDefinition;
  readonly state: State;
  /** The value of an assertion about all rows. */
  readonly verdict?: boolean | null;
  readonly measures: readonly Measure[];
  /** The values of an assertion about the change since the last run: that of now, and that of the last run, if there was one. */
  readonly change?: { readonly value: number; readonly last: LastValue | undefined };
  /** The number of rows that an assertion with `where` is about. */
  readonly looked?: number;
  /** The number of rows that break an assertion about each row. */
  readonly failingRows?: number;
  /** Some of those rows, or all of them when they are to be kept. */
  readonly sample?: QueryResult;
  /** The reason why they could not be fetched. */
  readonly sampleError?: QuernError;
  /** The file that they were written to. */
  readonly file?: string;
  readonly error?: QuernError;
}

export interface CheckOutcome {
  readonly check: Check;
  /** Undefined when the rows could not be had. */
  readonly rows: number | undefined;
  /** There may be more rows than the query returns. */
  readonly atLimit: boolean;
  /** Parts of the data that did not answer. */
  readonly missing: readonly string[];
  readonly assertions: readonly AssertionOutcome[];
  readonly elapsedMs: number;
}

interface Counts {
  readonly assertions: number;
  readonly passed: number;
  readonly warned: number;
  readonly failed: number;
  readonly unknown: number;
}

export function countStates(outcomes: readonly CheckOutcome[]): Counts {
  const states = outcomes.flatMap(({ assertions }) => assertions.map(({ state }) => state));
  const number = (wanted: State) => states.filter((state) => state === wanted).length;
  return { assertions: states.length, passed: number('pass'), warned: number('warn'), failed: number('fail'), unknown: number('unknown') };
}

/** Says which rows were not looked at. */
export const remarksOf = ({ check, atLimit, missing }: CheckOutcome): readonly string[] => [
  ...(atLimit ? [`the query returns at most ${formatCount(check.query.maxRows, 'row')} (max_rows)`] : []),
  ...(missing.length > 0 ? [`rows are missing: ${missing.join(', ')} did not answer`] : []),
];

/** Says why an assertion has the state it has; '' where nothing was found. The text may hold data. */
export function reasonOf(
  { assertion, state, verdict, measures, failingRows, error, looked, change }: AssertionOutcome,
  all: number | undefined,
): string {
  const rows = looked ?? all;
  if (error !== undefined) return `could not be checked: ${error.message}`;
  if (failingRows !== undefined) {
    if (failingRows === 0) return '';
    const broken = `fails for ${failingRows === rows ? allRows(rows) : `${formatNumber(failingRows)} of ${formatCount(rows ?? 0, 'row')}`}`;
    return state === 'pass' ? `${broken}, which is allowed` : broken;
  }
  if (change !== undefined) return changeOf(assertion, state, change);
  if (state === 'pass') return '';
  const unknown = verdict === null ? [rows === 0 ? 'is NULL, because there are no rows' : 'is NULL, which is not true'] : [];
  // The value of an assertion that is one call is the verdict.
  const telling = measures.filter(({ name }) => name !== assertion.name);
  const values = telling.map(({ name, column, value }) => `${name} is ${valueText(value, column)}`);
  return [...unknown, ...values].join('; ') || 'is false';
}

function changeOf({ rule }: AssertionDefinition, state: State, { value, last }: NonNullable<AssertionOutcome['change']>): string {
  if (last === undefined) return 'there is no earlier run to compare with';
  if (state === 'pass' || rule.kind !== 'change') return '';
  const difference = value - last.value;
  const far = rule.within.percent && last.value !== 0 ? `${shortest((difference / Math.abs(last.value)) * 100)}%` : shortest(difference);
  return `is ${shortest(value)} and was ${shortest(last.value)} at ${last.at.slice(0, 19)}Z: ${difference > 0 ? '+' : ''}${far}`;
}

const shortest = (number: number): string => String(Math.round(number * 1e6) / 1e6);

const allRows = (rows: number): string => (rows === 1 ? 'the only row' : `all ${formatCount(rows, 'row')}`);

const LONGEST = 100;

function valueText(value: Value, { type }: ResultColumn): string {
  if (value === null) return 'NULL';
  // In quotes a text that is empty, or spells NULL, can be told.
  const text = (type.kind === 'STRING' ? jsonPrinter(type) : textPrinter(type))(value).replace(/\s+/g, ' ');
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
