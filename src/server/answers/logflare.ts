// What `--compat logflare` changes: for clients that were written for Logflare's endpoints, Supabase Studio among them.
import type { QueryResult, ResultColumn, Value } from '../../base/result.ts';
import { type Failure, type FailureReply, plainForm } from '../http/failure.ts';

type Type = ResultColumn['type'];

/** Saved queries whose callers send SQL of their own, as their stored twins at Logflare allow. */
const SANDBOXED: ReadonlySet<string> = new Set(['logs.all']);

/** Values that clients send today where the saved query knows others, by query and parameter. */
const ALIASES: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>> = {
  'usage.api-counts': { interval: { '1hr': 'minutely', '1day': 'hourly', '7day': 'daily' } },
};

export const allowsSql = (queryName: string): boolean => SANDBOXED.has(queryName);

/** The arguments as the saved query knows them; an empty bound of time is none. */
export function acceptedArguments(queryName: string, given: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const aliases = ALIASES[queryName] ?? {};
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]): [string, unknown][] => {
      if (value === '' && name.startsWith('iso_timestamp_')) return [];
      const known = aliases[name];
      return [[name, typeof value === 'string' && known !== undefined && Object.hasOwn(known, value) ? known[value] : value]];
    }),
  );
}

/** `k=v,k2=v2` of the header LF-ENDPOINT-LABELS; what is not a pair is left out, as it says nothing. */
export function labelsOf(header: string): Readonly<Record<string, string>> {
  const pairs = header.split(',').map((pair) => pair.split('='));
  return Object.fromEntries(
    pairs.flatMap(([key = '', ...rest]) => (key.trim() === '' || rest.length === 0 ? [] : [[key.trim(), rest.join('=').trim()]])),
  );
}

/**
 * The same rows as those clients want them: a TIMESTAMP is the number of microseconds since 1970. The other values are in the form
 * already: DATETIME without a zone, numbers with all their digits.
 */
export function logflareResult(result: QueryResult): QueryResult {
  const converters = result.columns.map(({ type }) => converter(type));
  return {
    ...result,
    // Their answers hold the rows and nothing else.
    truncated: false,
    columns: result.columns.map(({ name, type }) => ({ name, type: converted(type) })),
    rows: result.rows.map((row) => row.map((value, i) => (value === null ? null : (converters[i]?.(value) ?? value)))),
  };
}

type Convert = (value: Exclude<Value, null>) => Value;

/** Undefined for types without a TIMESTAMP in them. */
function converter(type: Type): Convert | undefined {
  if (type.kind === 'TIMESTAMP') return (value) => microseconds(String(value));
  if (type.kind === 'ARRAY') {
    const element = converter(type.element);
    return element === undefined ? undefined : (value) => elements(value).map((item) => (item === null ? null : element(item)));
  }
  if (type.kind !== 'STRUCT') return undefined;
  const fields = type.fields.map((field) => converter(field.type));
  if (fields.every((field) => field === undefined)) return undefined;
  return (value) => elements(value).map((item, i) => (item === null ? null : (fields[i]?.(item) ?? item)));
}

const elements = (value: Value): readonly Value[] => (Array.isArray(value) ? value : []);

function converted(type: Type): Type {
  if (type.kind === 'TIMESTAMP') return { kind: 'INT64' };
  if (type.kind === 'ARRAY') return { kind: 'ARRAY', element: converted(type.element) };
  if (type.kind !== 'STRUCT') return type;
  return { kind: 'STRUCT', fields: type.fields.map(({ name, type: field }) => ({ name, type: converted(field) })) };
}

/** `2026-01-02T03:04:05.678901Z` → 1767323045678901. */
function microseconds(text: string): number | bigint {
  const [whole = '', fraction = ''] = text.replace('Z', '').split('.');
  const exact = BigInt(Date.parse(`${whole}Z`)) * 1000n + BigInt(fraction.padEnd(6, '0'));
  const number = Number(exact);
  return Number.isSafeInteger(number) ? number : exact;
}

/**
 * Failures of a query have status 200 and a text, since that is where those clients look for it; who may not ask, and what is not
 * there, are the same to them.
 */
export function logflareForm(failure: Failure): FailureReply {
  const { status, headers, error, message, position, problems = [], hint } = failure;
  if (status === 401 || status === 403 || error?.code === 'unknown-query') return { status: 401, body: { error: 'Unauthorized' }, headers };
  if (error === undefined) return plainForm(failure);
  const place = position === undefined ? '' : ` (${position.file} line ${position.line}, column ${position.column})`;
  const details = problems.map((problem) => `; ${problem.name}: ${problem.message}`).join('');
  return { status: 200, body: { error: `${message}${place}${details}${hint === undefined ? '' : `. Hint: ${hint}`}` }, headers };
}
