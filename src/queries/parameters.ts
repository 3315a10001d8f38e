// From what the caller gave to what the engine binds: arguments by declared parameter, all problems in one error.

import { type ErrorDetails, nearest, type Problem, QuernError } from '../base/errors.ts';
import type { Binding, BoundValue } from '../engine/engine.ts';
import { positionOf } from '../sql/base/positional.ts';
import { INSTANT_PARAMETER, parameterValue, type TranslatedParameter } from '../sql/translation.ts';
import { parameterKindText, plainValue, readValue } from './parameter-value.ts';
import type { ParameterDeclaration } from './saved-query.ts';

/** The value of every declared parameter by its declared name; NULL where nothing was given and there is no default. */
export type ArgumentValues = Readonly<Record<string, BoundValue>>;

interface ArgumentRules {
  /** `report` (default) for callers who name parameters on purpose, `ignore` where a protocol lets clients send other names. */
  readonly unknown?: 'report' | 'ignore';
  /** Names that callers may give beside the parameters: they mean something to the one who passes the arguments on. */
  readonly others?: readonly string[];
}

/**
 * Reads `given` (text from flags, any JSON value, or a list for a repeated flag) by the declarations. Names may be written with `-` for `_`.
 * null and undefined mean absent, and so does '' for every type but string and bytes.
 * Throws QuernError `parameter` that lists every missing, invalid and unknown argument.
 */
export function readArguments(
  declarations: readonly ParameterDeclaration[],
  given: Readonly<Record<string, unknown>>,
  queryName: string,
  { unknown = 'report', others = [] }: ArgumentRules = {},
): ArgumentValues {
  const problems: Problem[] = [];
  const names = new Map(declarations.map(({ name }) => [spelling(name), name]));
  const raws = new Map<string, unknown>();
  for (const [key, raw] of Object.entries(given)) {
    const name = names.get(spelling(key));
    if (raw === undefined || raw === null) continue;
    if (name === undefined) {
      if (unknown === 'report' && !others.includes(key))
        problems.push({ kind: 'unknown', name: key, message: suggestion(key, declarations, others) });
    } else if (raws.has(name) && argumentText(raws.get(name)) !== argumentText(raw)) {
      problems.push({ kind: 'invalid', name, message: 'is given twice, with different values' });
    } else {
      raws.set(name, raw);
    }
  }
  const values = declarations.map((declaration): [string, BoundValue] => {
    const raw = raws.get(declaration.name);
    if (isAbsent(declaration, raw)) {
      if (declaration.required) problems.push({ kind: 'missing', name: declaration.name, message: describe(declaration) });
      return [declaration.name, absentValue(declaration)];
    }
    const read = readValue(declaration, raw);
    if ('value' in read) return [declaration.name, read.value];
    const position = positionOf(declaration.name);
    problems.push({ kind: 'invalid', name: position === undefined ? declaration.name : `parameter ${position}`, message: read.problem });
    return [declaration.name, null];
  });
  if (problems.length > 0) throw argumentError(queryName, declarations.length, problems);
  return Object.fromEntries(values);
}

/**
 * The bindings of a translation's parameters. `instant` is the canonical text of CURRENT_TIMESTAMP() (see instant.ts); when it is
 * undefined, the instant is left out, which is right for a cache key only.
 */
export function bindingsFor(
  parameters: readonly TranslatedParameter[],
  values: ArgumentValues,
  instant: string | undefined,
): readonly Binding[] {
  return parameters.flatMap(({ name, type }): Binding[] => {
    if (name === INSTANT_PARAMETER) return instant === undefined ? [] : [{ name, type, value: instant }];
    const value = parameterValue(name, values);
    // ClickHouse has no NULL arrays: an absent one is empty, and where the query asks, another parameter says that it is NULL.
    // https://clickhouse.com/docs/sql-reference/data-types/nullable
    return [{ name, type, value: value === null && type.startsWith('Array(') ? [] : value }];
  });
}

/** The values as people and logs read them. */
export const plainArguments = (values: ArgumentValues): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, plainValue(value)]));

/** Describes one parameter for help and errors: `project ref (string)`. */
function describe(declaration: ParameterDeclaration): string {
  const allowed = declaration.enum === undefined ? '' : `, one of: ${declaration.enum.join(', ')}`;
  const text = `${parameterKindText(declaration)}${allowed}`;
  return declaration.description ? `${declaration.description} (${text})` : text;
}

function isAbsent(declaration: ParameterDeclaration, raw: unknown): boolean {
  return raw === undefined || (raw === '' && (!['string', 'bytes'].includes(declaration.type) || declaration.array));
}

/** Text of what was given, for comparison. JSON may hold an object that has a `toString` of its own, which String() cannot turn into text. */
export function argumentText(raw: unknown): string {
  if (Array.isArray(raw)) return raw.map(argumentText).join(',');
  return typeof raw === 'object' && raw !== null
    ? `{${Object.entries(raw).map(([name, value]) => `${name}:${argumentText(value)}`)}}`
    : String(raw);
}

/** A default passes the same reading as an argument: it was checked when the header was parsed. */
function absentValue(declaration: ParameterDeclaration): BoundValue {
  if (declaration.default === undefined) return null;
  const read = readValue(declaration, declaration.default);
  return 'value' in read ? read.value : null;
}

/** BigQuery does not tell @Project from @project; a shell user writes `-` where SQL has `_`. */
const spelling = (name: string): string => name.toLowerCase().replaceAll('-', '_');

function suggestion(key: string, declarations: readonly ParameterDeclaration[], others: readonly string[]): string {
  const names = declarations.map(({ name }) => name);
  const near = nearest(key.replaceAll('-', '_'), [...names, ...others]);
  if (near !== undefined) return `is not a parameter; did you mean ${near}?`;
  return names.length === 0 ? 'is not a parameter; the query has none' : `is not a parameter; the parameters are ${names.join(', ')}`;
}

/** Makes the error about the arguments of a query that declares so many parameters. */
export function argumentError(
  queryName: string,
  declared: number,
  problems: readonly Problem[],
  details: Pick<ErrorDetails, 'cause' | 'engineCode'> = {},
): QuernError {
  const order = ['missing', 'invalid', 'unknown'];
  const sorted = [...problems].sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
  const counted = [
    count(problems, 'missing', 'is missing', 'are missing'),
    count(problems, 'invalid', 'is invalid', 'are invalid'),
    count(problems, 'unknown', 'is unknown', 'are unknown'),
  ];
  const parts = counted.filter((part) => part !== '');
  const list = parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}` : parts[0];
  const parameters = declared === 0 ? 'no parameters' : `${declared} parameter${declared === 1 ? '' : 's'}`;
  return new QuernError(
    'parameter',
    `${queryName} ${problems.some(({ kind }) => kind === 'missing') ? 'needs' : 'takes'} ${parameters}, ${list}`,
    {
      ...details,
      problems: sorted,
      hint: `see its parameters with \`quern show ${queryName}\``,
    },
  );
}

function count(problems: readonly Problem[], kind: string, one: string, several: string): string {
  const number = problems.filter((problem) => problem.kind === kind).length;
  return number === 0 ? '' : `${number} ${number === 1 ? one : several}`;
}
