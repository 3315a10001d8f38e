// JSON Schema of the values that a parameter takes.
import type { JsonSchema } from '../base/json-schema.ts';
import type { ParameterDeclaration, ParameterTypeName } from './saved-query.ts';
import { textFormatSchema } from './text-formats/text-format.ts';

const SCHEMAS: Readonly<Record<ParameterTypeName, JsonSchema>> = {
  string: { type: 'string' },
  integer: { type: 'integer', format: 'int64' },
  float: { type: 'number' },
  boolean: { type: 'boolean' },
  timestamp: { type: 'string', format: 'date-time' },
  date: { type: 'string', format: 'date' },
};

export function parameterSchema({ type, array, format, enum: allowed, suggest, default: fallback }: ParameterDeclaration): JsonSchema {
  const text = format === undefined ? {} : textFormatSchema(format);
  const one = {
    ...SCHEMAS[type],
    ...text,
    ...(allowed === undefined ? {} : { enum: allowed }),
    ...(suggest === undefined ? {} : { examples: suggest }),
  };
  return { ...(array ? { type: 'array', items: one } : one), ...(fallback === undefined ? {} : { default: fallback }) };
}
