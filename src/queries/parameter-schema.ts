// JSON Schema of the values that a parameter takes.
import type { JsonSchema } from '../base/json-schema.ts';
import { PARAMETER_TYPES } from './parameter-types.ts';
import type { ParameterDeclaration, ParameterType } from './saved-query.ts';
import { textFormatSchema } from './text-formats/text-format.ts';

export function parameterSchema({ format, enum: allowed, suggest, default: fallback, ...type }: ParameterDeclaration): JsonSchema {
  const text = format === undefined ? {} : textFormatSchema(format);
  const one = {
    ...elementSchema(type),
    ...text,
    ...(allowed === undefined ? {} : { enum: allowed }),
    ...(suggest === undefined ? {} : { examples: suggest }),
  };
  return { ...(type.array ? { type: 'array', items: one } : one), ...(fallback === undefined ? {} : { default: fallback }) };
}

function elementSchema({ type, fields = [] }: ParameterType): JsonSchema {
  if (type !== 'struct') return PARAMETER_TYPES[type].schema;
  const ofField = (field: ParameterType): JsonSchema =>
    field.array ? { type: 'array', items: elementSchema(field) } : elementSchema(field);
  const named = fields.flatMap((field) => (field.name === null ? [] : [[field.name, ofField(field)] as const]));
  if (named.length < fields.length)
    return { type: 'array', prefixItems: fields.map(ofField), minItems: fields.length, maxItems: fields.length };
  const required = fields.flatMap(({ name, array }) => (array && name !== null ? [name] : []));
  return {
    type: 'object',
    properties: Object.fromEntries(named),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}
