// Finds the argument that made a run fail, where the failure shows it: what only the engine finds invalid is the caller's to mend all the same.

import { type Problem, QuernError, type RejectedValue } from '../../base/errors.ts';
import { quoteString } from '../../clickhouse/quote.ts';
import { plainValue, shown } from '../../queries/parameter-value.ts';
import { type ArgumentValues, argumentError } from '../../queries/parameters.ts';
import type { PreparedQuery } from '../prepared-query.ts';

export interface FailedRun {
  readonly prepared: Pick<PreparedQuery, 'name' | 'parameters' | 'sql'>;
  readonly values: ArgumentValues;
  /** The SQL for these arguments, where it is another. */
  readonly sent?: string;
}

/** QuernError `parameter` for the failure of a run that an argument caused; every other one as it is. */
export function blamed(error: unknown, run: FailedRun): unknown {
  const { prepared, values } = run;
  if (!(error instanceof QuernError) || error.code !== 'data') return error;
  const { rejected } = error.details;
  const guilty = rejected === undefined ? [] : argumentsBehind(rejected, run);
  if (rejected === undefined || guilty.length === 0) return error;
  const [first = ''] = guilty;
  const { engineCode, cause } = error.details;
  const details = { cause, engineCode };
  if (guilty.length > 1) {
    return new QuernError('parameter', error.message, { ...details, hint: `check the arguments ${guilty.join(', ')}` });
  }
  const problem: Problem = { kind: 'invalid', name: first, message: messageOf(rejected, plainValue(values[first] ?? null)) };
  return argumentError(prepared.name, prepared.parameters.length, [problem], details);
}

function messageOf({ value, why }: RejectedValue, given: unknown): string {
  // A guard's own words are about something that was made of the argument.
  return value === undefined ? `${shown(given)}: ${why}` : `${shown(given)} ${why}`;
}

/** Names of the arguments that may have caused it. */
function argumentsBehind(
  { value, parameter, why, among = [] }: RejectedValue,
  { prepared, values, sent = prepared.sql }: FailedRun,
): readonly string[] {
  const given = prepared.parameters.map(({ name }) => name).filter((name) => values[name] !== null && values[name] !== undefined);
  if (parameter !== undefined) return given.filter((name) => name === parameter);
  if (value === undefined) {
    // What the arguments decide may have left no condition in the guard.
    const texts = [sent, prepared.sql].map((sql) => parametersInGuards(sql, why));
    const guarded = texts.find((names) => names.size > 0) ?? new Set(among);
    return given.filter((name) => guarded.has(name));
  }
  const whole = given.filter((name) => [values[name]].flat().includes(value));
  // A part of the pattern that could stand for itself alone says nothing.
  return whole.length > 0 ? whole : given.filter((name) => isPartOf(value, values[name]));
}

const isPartOf = (value: string, part: unknown): boolean => typeof part === 'string' && /[^\w\s]/.test(part) && value.includes(part);

const TEXT = /'(?:[^'\\]|\\.|'')*'/gs;
const GUARD = /toUInt8\(\s*if\(/g;

/** The parameters in the checks of constants that say `message`, as sql/target/print.ts writes them. Checks of rows depend on the data too. */
function parametersInGuards(sql: string, message: string): ReadonlySet<string> {
  const end = `${quoteString(message)}, '0'))`;
  const names = new Set<string>();
  for (const { index } of sql.matchAll(GUARD)) {
    const guard = sql.slice(index, endOfCall(sql, index));
    if (!guard.endsWith(end)) continue;
    for (const [, name = ''] of guard.replace(TEXT, '').matchAll(/\{(\w+):/g)) names.add(name);
  }
  return names;
}

/** Behind the parenthesis that closes the call at `start`. */
function endOfCall(sql: string, start: number): number {
  const token = /'(?:[^'\\]|\\.|'')*'|`(?:[^`\\]|\\.)*`|[()]/gs;
  token.lastIndex = start;
  let depth = 0;
  for (let found = token.exec(sql); found !== null; found = token.exec(sql)) {
    if (found[0] === '(') depth++;
    else if (found[0] === ')' && --depth === 0) return token.lastIndex;
  }
  return sql.length;
}
