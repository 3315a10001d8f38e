// The scalar parameters of a request.
import type { GivenParameter } from '../../../execution/one-off.ts';
import type { ParameterTypeName } from '../../../queries/saved-query.ts';
import { invalid } from './errors.ts';
import { isObject, type ReadParameters } from './job-request.ts';

const TYPES: Readonly<Record<string, ParameterTypeName>> = {
  STRING: 'string',
  INT64: 'integer',
  INTEGER: 'integer',
  FLOAT64: 'float',
  FLOAT: 'float',
  BOOL: 'boolean',
  BOOLEAN: 'boolean',
  TIMESTAMP: 'timestamp',
  DATE: 'date',
};

export const readScalarParameters: ReadParameters = (queryParameters) =>
  Array.isArray(queryParameters) ? queryParameters.map(givenParameter) : [];

function givenParameter(parameter: unknown): GivenParameter {
  const { name, parameterType, parameterValue } = isObject(parameter) ? parameter : {};
  const { type, arrayType } = isObject(parameterType) ? parameterType : {};
  const element = isObject(arrayType) ? arrayType['type'] : type;
  const known = typeof element === 'string' ? TYPES[element.toUpperCase()] : undefined;
  if (typeof name !== 'string' || known === undefined) throw invalid(`The parameter ${String(name)} has no type that is supported`);
  const array = isObject(arrayType);
  const { value = null, arrayValues } = isObject(parameterValue) ? parameterValue : {};
  const values = Array.isArray(arrayValues) ? arrayValues.map((one) => (isObject(one) ? (one['value'] ?? null) : null)) : [];
  return { declaration: { name, type: known, array, required: false }, value: array ? values : value };
}
