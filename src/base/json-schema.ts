// JSON Schema as data, and the pieces that several schemas share.

export type JsonSchema = Readonly<Record<string, unknown>>;

/** `900s`, `15m`: as parseDuration reads. */
export const DURATION_SCHEMA: JsonSchema = {
  type: 'string',
  pattern: '^\\s*\\d+(\\.\\d+)?(ms|s|m|h|d)\\s*$',
  examples: ['30s', '15m', '1h'],
};

/** `256MB`, or bytes: as parseSize reads. */
export const SIZE_SCHEMA: JsonSchema = {
  anyOf: [
    { type: 'integer', minimum: 1 },
    { type: 'string', pattern: '^\\s*\\d+(\\.\\d+)?\\s*([kKmMgGtT]?[iI]?[bB])?\\s*$' },
  ],
  examples: ['256MB', '2GiB'],
};

/** A mapping with these fields and no others. */
export const closed = (properties: Readonly<Record<string, JsonSchema>>, required: readonly string[] = []): JsonSchema => ({
  type: 'object',
  additionalProperties: false,
  properties,
  ...(required.length === 0 ? {} : { required }),
});

export const DRAFT = 'https://json-schema.org/draft/2020-12/schema';
