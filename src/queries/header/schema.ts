// JSON Schema of the header of a saved query; a field that the readers know and this does not, or the other way round, does not compile.
import { closed, DRAFT, DURATION_SCHEMA, type JsonSchema, SIZE_SCHEMA } from '../../base/json-schema.ts';
import { PARAMETER_TYPE_NAMES } from '../parameter-value.ts';
import { TEXT_FORMAT_NAMES } from '../text-formats/text-format.ts';
import type { ASSERTION_FIELDS } from './assertions.ts';
import type { CACHE_FIELDS } from './cache.ts';
import type { GROUP_FIELDS } from './checks.ts';
import type { HEADER_FIELDS } from './header.ts';
import type { PARAMETER_FIELDS } from './parameters.ts';

type Fields<N extends string> = Readonly<Record<N, JsonSchema>>;

const scalar: JsonSchema = { type: ['string', 'number', 'boolean'] };
const count: JsonSchema = { type: 'integer', minimum: 0 };
const rowLimit: JsonSchema = { type: 'integer', minimum: 1 };
const severity: JsonSchema = { enum: ['error', 'warn'], description: 'the severity of a failed assertion; by default error' };
const tags: JsonSchema = {
  anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
  description: 'tags, for --select tag:NAME',
};
const columns: JsonSchema = { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' }, minItems: 1 }] };
const threshold: JsonSchema = {
  type: 'string',
  pattern: '^\\s*(>=?|!?=)\\s*(\\d{1,15}|\\d{1,3}(\\.\\d{1,6})?\\s*%)\\s*$',
  examples: ['> 10', '> 1%'],
};
const where: JsonSchema = {
  type: 'string',
  minLength: 1,
  description: 'check only the rows for which this is true',
  examples: ["status = 'open'"],
};

const parameter: Fields<(typeof PARAMETER_FIELDS)[number]> = {
  type: { enum: PARAMETER_TYPE_NAMES.flatMap((name) => [name, `array of ${name}`]) },
  format: { enum: TEXT_FORMAT_NAMES, description: 'what text must look like, for string and array of string' },
  required: { type: 'boolean' },
  enum: { type: 'array', items: { type: ['string', 'number'] }, minItems: 1, description: 'the allowed values' },
  suggest: {
    type: 'array',
    items: { type: ['string', 'number'] },
    minItems: 1,
    description: 'known values that forms and completion offer; others are allowed',
  },
  default: { anyOf: [scalar, { type: 'array', items: scalar }], description: 'the value used if the argument is absent' },
  description: { type: 'string' },
  example: scalar,
};

const assertion: Fields<(typeof ASSERTION_FIELDS)[number]> = {
  assert: { type: 'string', description: 'a boolean BigQuery expression over the rows', examples: ['count(*) > 0'] },
  not_null: columns,
  unique: columns,
  accepted_values: { type: 'object', minProperties: 1, maxProperties: 1, additionalProperties: { type: 'array', minItems: 1 } },
  freshness: closed({ column: { type: 'string' }, within: DURATION_SCHEMA }, ['column', 'within']),
  row_count: { ...closed({ min: count, max: count }), minProperties: 1 },
  relationships: {
    ...closed({ column: columns, to: { type: 'string', minLength: 1 }, key: columns }, ['column', 'to']),
    description: 'every value must be a key of a saved query or a source',
  },
  change: {
    ...closed(
      {
        of: { type: 'string', minLength: 1 },
        within: {
          anyOf: [
            { type: 'number', minimum: 0 },
            { type: 'string', pattern: '^\\s*\\d+(\\.\\d+)?\\s*%?\\s*$' },
          ],
        },
      },
      ['of', 'within'],
    ),
    description: 'how far a number may be from its value in the last run',
  },
  name: { type: 'string' },
  description: { type: 'string' },
  severity,
  tags,
  where,
  warn_if: { ...threshold, description: 'how many failing rows make a warning' },
  error_if: { ...threshold, description: 'how many failing rows make an error' },
};
const oneAssertion: JsonSchema = { anyOf: [{ type: 'string', minLength: 1 }, closed(assertion)] };

const group: Fields<(typeof GROUP_FIELDS)[number]> = {
  params: { type: 'object', description: 'arguments of the query' },
  where,
  assertions: { type: 'array', items: oneAssertion, minItems: 1 },
  severity,
  tags,
};

const cache: Fields<(typeof CACHE_FIELDS)[number]> = {
  ttl: { anyOf: [{ const: 'disabled' }, DURATION_SCHEMA], description: 'how long a result may be reused' },
  buckets: { type: 'boolean', default: true, description: 'whether the rows of whole days, hours and so on are kept longer' },
};

const header: Fields<(typeof HEADER_FIELDS)[number]> = {
  id: { type: 'string', pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$', description: 'a unique UUID' },
  description: { type: 'string', description: 'what the query answers' },
  dialect: { enum: ['bigquery', 'clickhouse'], default: 'bigquery', description: 'clickhouse: run the SQL as it is' },
  max_rows: { ...rowLimit, default: 1000, description: 'upper bound on rows' },
  cache: {
    anyOf: [{ const: 'disabled' }, DURATION_SCHEMA, closed(cache, ['ttl'])],
    description: 'how long a result may be reused',
  },
  cache_warming: { anyOf: [{ const: 'disabled' }, DURATION_SCHEMA], description: 'how often a server refreshes the result by itself' },
  sandbox: { enum: ['enabled', 'disabled'], default: 'disabled', description: 'whether callers may send SQL that reads its WITH tables' },
  redact_pii: { type: 'boolean', default: false, description: 'whether IP addresses are hidden in served results' },
  timeout: { ...DURATION_SCHEMA, description: 'time after which the query is cancelled' },
  max_memory: { ...SIZE_SCHEMA, description: 'memory that the query may use on the engine' },
  max_scan: { ...rowLimit, description: 'rows that the query may read from tables' },
  max_result_bytes: { ...SIZE_SCHEMA, description: 'size that the result may have on the engine' },
  params: {
    type: 'object',
    description: 'the parameters, by name',
    propertyNames: { pattern: '^[A-Za-z_][A-Za-z0-9_]*$' },
    additionalProperties: closed(parameter, ['type']),
  },
  checks: {
    type: 'array',
    description: 'what its rows must satisfy: assertions, or groups of assertions with arguments',
    items: { anyOf: [...(oneAssertion['anyOf'] as readonly JsonSchema[]), closed(group, ['assertions'])] },
  },
};

/** Of a file of checks. */
export const checksSchema = (): JsonSchema => ({
  $schema: DRAFT,
  title: 'quern checks',
  ...closed(
    {
      checks: {
        type: 'array',
        description: 'saved queries, with what their rows must satisfy',
        items: closed({ query: { type: 'string', minLength: 1, description: 'name, UUID, or path relative to this file' }, ...group }, [
          'query',
          'assertions',
        ]),
      },
    },
    ['checks'],
  ),
});

export const querySchema = (): JsonSchema => ({
  $schema: DRAFT,
  title: 'Header of a quern saved query',
  ...closed(header, ['id']),
});
