// SQL that a script gives with its parameters: their types are those of the values, unless it says them.
import { QuernError } from '../base/errors.ts';
import { type GivenParameter, MAX_ROWS, oneOffRequest } from '../execution/one-off.ts';
import type { QueryRequest } from '../execution/request.ts';
import { nearestTypeName, PARAMETER_TYPE_NAMES } from '../queries/parameter-value.ts';
import type { ParameterTypeName } from '../queries/saved-query.ts';
import type { SourceDefinition } from '../sources/definition.ts';
import { type QuernSql, refuseUnknown, SQL_OPTIONS } from './options.ts';

const HINTS = {
  stray: (name: string): string => `leave out ${name}`,
  missing: (name: string): string => `add it to the parameters: { ${name}: … }`,
};

/** Throws what is wrong with the SQL and its parameters. `filesAmong` finds the files for which paths among names stand. */
export async function sqlRequest(
  { sql, maxRows = MAX_ROWS, cacheSeconds, files = false, ...others }: QuernSql,
  parameters: Readonly<Record<string, unknown>>,
  filesAmong: (names: readonly string[]) => Promise<readonly SourceDefinition[]>,
): Promise<QueryRequest> {
  refuseUnknown('SQL', { sql, ...others }, SQL_OPTIONS);
  for (const [name, value] of Object.entries({ maxRows, cacheSeconds }))
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= 0))
      throw new QuernError('usage', `${name}: ${JSON.stringify(value)} is not a whole number`, { hint: `write it like ${name}: 1000` });
  const { headerSpan } = await import('../queries/header/text.ts');
  const declares = headerSpan(sql) !== undefined;
  const given = declares ? [] : Object.entries(parameters).map(([name, value]) => givenParameter(name, value));
  const request = await oneOffRequest(
    { text: { name: '<query>', text: sql }, given, maxRows, ttlSeconds: cacheSeconds, hints: HINTS },
    async (names) => (files ? filesAmong(names) : []),
  );
  return declares ? { ...request, arguments: parameters } : request;
}

const NAME = /^[A-Za-z_]\w*$/;
const ARRAY = /^array\s+of\s+/i;

function givenParameter(name: string, given: unknown): GivenParameter {
  if (!NAME.test(name))
    throw new QuernError('usage', `${JSON.stringify(name)} is not a valid parameter name`, { hint: 'use letters, digits and _' });
  if (typeof given === 'object' && given !== null && !Array.isArray(given) && !(given instanceof Date)) return saidParameter(name, given);
  const array = Array.isArray(given);
  const sample: unknown = array ? given.find((one) => one !== null) : given;
  const type = typeOf(sample);
  if (type === undefined)
    throw new QuernError('usage', `the value of ${name} cannot be used as a parameter`, {
      hint: `use text, numbers, booleans, Dates, arrays of these, or { type: 'timestamp', value: … }`,
    });
  const float = array && type === 'integer' && given.some((one) => typeOf(one) === 'float');
  return { declaration: { name, type: float ? 'float' : type, array, required: false }, value: plain(given) };
}

function typeOf(value: unknown): ParameterTypeName | undefined {
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
  const element = typeof said === 'string' ? said.replace(ARRAY, '') : '';
  const type = PARAMETER_TYPE_NAMES.find((one) => one === element.toLowerCase());
  if (type !== undefined && Object.keys(others).length === 0)
    return { declaration: { name, type, array: element !== said, required: false }, value: plain(value) };
  const near = nearestTypeName(element);
  throw new QuernError('usage', `${name} is not { type, value } with a valid parameter type`, {
    hint: near === undefined ? `the types are ${PARAMETER_TYPE_NAMES.join(', ')}, and \`array of\` each` : `did you mean ${near}?`,
  });
}

function plain(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  return Array.isArray(value) ? value.map(plain) : (value ?? null);
}
