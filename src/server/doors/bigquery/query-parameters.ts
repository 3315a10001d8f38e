// The `queryParameters` of BigQuery's API as the parameters of a request.
// https://cloud.google.com/bigquery/docs/reference/rest/v2/QueryParameter
import { QuernError } from '../../../base/errors.ts';
import { type GivenParameter, positionalName } from '../../../execution/one-off.ts';
import { readParameterType, TYPES_TEXT } from '../../../queries/parameter-type.ts';
import { readValue } from '../../../queries/parameter-value.ts';
import type { ParameterField, ParameterType } from '../../../queries/saved-query.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads `queryParameters` and `parameterMode` of a request, for oneOffRequest. Without a mode, parameters without names are positional. Throws QuernError
 * `parameter` that names the parameter, and says what would be right.
 */
export function readQueryParameters(queryParameters: unknown, parameterMode?: unknown): readonly GivenParameter[] {
  if (queryParameters === undefined || queryParameters === null) return [];
  if (!Array.isArray(queryParameters))
    return refuse('queryParameters is not a list', 'send a list of { name, parameterType, parameterValue }');
  const list = queryParameters.map((one: unknown, i) => fieldsOf(one) ?? refuse(`query parameter ${i + 1} is not an object`));
  const isPositional = readsPositions(parameterMode, list);
  const given = list.map((one, i) => (isPositional ? readOne(one, `${i + 1}`, positionalName(i + 1)) : readNamed(one, i)));
  const seen = new Set<string>();
  for (const { declaration } of given) {
    const name = declaration.name.toLowerCase();
    if (seen.has(name)) refuse(`query parameter ${declaration.name} is given twice`, 'names are not case-sensitive');
    seen.add(name);
  }
  return given;
}

function readsPositions(mode: unknown, list: readonly Fields[]): boolean {
  if (mode === undefined || mode === null || mode === '') return list.length > 0 && list.every(({ name }) => !hasText(name));
  const known = typeof mode === 'string' ? mode.toUpperCase() : '';
  if (known !== 'NAMED' && known !== 'POSITIONAL') refuse(`parameterMode ${JSON.stringify(mode)} is not NAMED or POSITIONAL`);
  return known === 'POSITIONAL';
}

const hasText = (value: unknown): value is string => typeof value === 'string' && value !== '';

function readNamed(one: Fields, index: number): GivenParameter {
  const { name } = one;
  if (!hasText(name)) return refuse(`query parameter ${index + 1} has no name`, 'name all parameters, or none and write ? in the SQL');
  if (!/^[A-Za-z_]\w*$/.test(name)) refuse(`${JSON.stringify(name)} is not a valid parameter name`, 'use letters, digits and _');
  return readOne(one, name, name);
}

function readOne({ parameterType, parameterValue }: Fields, called: string, name: string): GivenParameter {
  const type = readType(parameterType, called);
  const value = writtenValue(type, parameterValue, called);
  const declaration = { name, ...type, required: false };
  if (value === null) return { declaration, value };
  const read = readValue(type, value);
  return 'problem' in read ? refuse(`query parameter ${called}: ${read.problem}`) : { declaration, value };
}

function readType(parameterType: unknown, called: string): ParameterType {
  const { type, arrayType, structTypes } = fieldsOf(parameterType) ?? {};
  if (!hasText(type)) return refuse(`query parameter ${called} has no type`, 'send parameterType: { type: "STRING" }');
  const word = type.toUpperCase();
  if (word === 'ARRAY') {
    const element = readType(arrayType, called);
    return element.array ? refuse(`query parameter ${called}: an array cannot hold arrays`) : { ...element, array: true };
  }
  if (word === 'STRUCT' || word === 'RECORD') {
    if (!Array.isArray(structTypes)) return refuse(`query parameter ${called} is a STRUCT without structTypes`);
    const fields = structTypes.map((one: unknown): ParameterField => {
      const field = fieldsOf(one) ?? {};
      return { ...readType(field['type'], called), name: hasText(field['name']) ? field['name'] : null };
    });
    return { type: 'struct', array: false, fields };
  }
  const known = /^\w+$/.test(type) ? readParameterType(word) : undefined;
  return known ?? refuse(`query parameter ${called}: ${type} is not a type of parameters`, `the types are ${TYPES_TEXT}`);
}

/** The value in the form of readValue; null for NULL. */
function writtenValue(type: ParameterType, parameterValue: unknown, called: string): unknown {
  const fields = fieldsOf(parameterValue);
  if (fields === undefined)
    return parameterValue === undefined || parameterValue === null
      ? null
      : refuse(`query parameter ${called}: parameterValue is not an object`);
  const { value, arrayValues, structValues } = fields;
  if (type.array) {
    if (Array.isArray(arrayValues)) return arrayValues.map((item: unknown) => writtenValue({ ...type, array: false }, item, called));
    // A list without elements and no list are the same to BigQuery; a null is said.
    return 'value' in fields ? null : [];
  }
  if (type.type !== 'struct') return value ?? null;
  const given = fieldsOf(structValues);
  if (given === undefined) return null;
  const inOrder = Object.values(given);
  const byName = new Map(Object.entries(given).map(([name, one]) => [name.toLowerCase(), one]));
  // By position: a field may have no name.
  return (type.fields ?? []).map((field, i) => {
    const one = field.name === null ? inOrder[i] : byName.get(field.name.toLowerCase());
    return writtenValue(field, one === undefined && field.array ? {} : one, called);
  });
}

const fieldsOf = (value: unknown): Fields | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;

function refuse(message: string, hint?: string): never {
  throw new QuernError('parameter', message, hint === undefined ? {} : { hint });
}
