// SQL that a script gives with its parameters: their types are those of the values, unless it says them.
import { QuernError } from '../base/errors.ts';
import { type GivenParameter, MAX_ROWS, oneOffRequest, positionalName } from '../execution/one-off.ts';
import type { QueryRequest } from '../execution/request.ts';
import { readParameterType, typeHint } from '../queries/parameter-type.ts';
import type { ParameterTypeName } from '../queries/saved-query.ts';
import type { Services } from '../services.ts';
import { type QuernSql, refuseUnknown, SQL_OPTIONS } from './options.ts';

const HINTS = {
  stray: (called: string): string => `leave out ${called.replace('@', '')}`,
  missing: (called: string): string =>
    called.startsWith('@') ? `add it to the parameters: { ${called.slice(1)}: … }` : 'give as many values as there are ?, in a list',
};

/** Throws what is wrong with the SQL and its parameters. */
export async function sqlRequest(
  { sql, maxRows = MAX_ROWS, cacheSeconds, files = false, ...others }: QuernSql,
  parameters: Readonly<Record<string, unknown>> | readonly unknown[],
  { filesAmong, preparedQueries }: Pick<Services, 'filesAmong' | 'preparedQueries'>,
): Promise<QueryRequest> {
  refuseUnknown('SQL', { sql, ...others }, SQL_OPTIONS);
  for (const [name, value] of Object.entries({ maxRows, cacheSeconds }))
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= 0))
      throw new QuernError('usage', `${name}: ${JSON.stringify(value)} is not a whole number`, { hint: `write it like ${name}: 1000` });
  const { headerSpan } = await import('../queries/header/text.ts');
  const declares = headerSpan(sql) !== undefined;
  if (declares && isList(parameters))
    throw new QuernError('usage', 'the header of the SQL names its parameters', { hint: 'give their values by name: { name: value }' });
  const byName = isList(parameters) ? parameters.map((value, i) => [positionalName(i + 1), value] as const) : Object.entries(parameters);
  const given = declares ? [] : byName.map(([name, value]) => givenParameter(name, value));
  const request = await oneOffRequest(
    { text: { name: '<query>', text: sql }, given, maxRows, ttlSeconds: cacheSeconds, hints: HINTS },
    { filesAmong: async (names) => (files ? filesAmong(names) : []), texts: (await preparedQueries()).texts },
  );
  return declares && !isList(parameters) ? { ...request, arguments: parameters } : request;
}

const isList = (parameters: object): parameters is readonly unknown[] => Array.isArray(parameters);

const NAME = /^[A-Za-z_]\w*$/;

function givenParameter(name: string, given: unknown): GivenParameter {
  if (!NAME.test(name))
    throw new QuernError('usage', `${JSON.stringify(name)} is not a valid parameter name`, { hint: 'use letters, digits and _' });
  if (typeof given === 'object' && given !== null && !isPlain(given)) return saidParameter(name, given);
  const array = Array.isArray(given);
  const sample: unknown = array ? given.find((one) => one !== null) : given;
  const type = typeOf(sample);
  if (type === undefined)
    throw new QuernError('usage', `the value of ${name} cannot be used as a parameter`, {
      hint: `use text, numbers, booleans, Dates, bytes, arrays of these, or { type: 'timestamp', value: … }`,
    });
  const float = array && type === 'integer' && given.some((one) => typeOf(one) === 'float');
  return { declaration: { name, type: float ? 'float' : type, array, required: false }, value: plain(given) };
}

const isPlain = (given: object): boolean => Array.isArray(given) || given instanceof Date || given instanceof Uint8Array;

function typeOf(value: unknown): ParameterTypeName | undefined {
  if (value instanceof Uint8Array) return 'bytes';
  if (value instanceof Date) return 'timestamp';
  switch (typeof value) {
    case 'bigint':
      return 'integer';
    case 'number':
      return Number.isInteger(value) ? 'integer' : 'float';
    case 'boolean':
      return 'boolean';
    case 'string':
      return 'string';
    default:
      return value === null || value === undefined ? 'string' : undefined;
  }
}

/** `{ type: 'array of integer', value: [1] }` */
function saidParameter(name: string, given: object): GivenParameter {
  const { type: said, value, ...others } = given as { readonly type?: unknown; readonly value?: unknown }; // whatever it holds
  const type = typeof said === 'string' ? readParameterType(said) : undefined;
  if (type !== undefined && Object.keys(others).length === 0)
    return { declaration: { name, ...type, required: false }, value: plain(value) };
  throw new QuernError('usage', `${name} is not { type, value } with a valid parameter type`, { hint: typeHint(String(said ?? '')) });
}

function plain(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value ?? null;
  return Object.fromEntries(Object.entries(value).map(([name, field]: [string, unknown]) => [name, plain(field)]));
}
