// The table of the fields of a header: how each is read, and what editors know of it.
import { randomUUID } from 'node:crypto';
import { DRAFT, DURATION_SCHEMA, type JsonSchema } from '../../base/json-schema.ts';
import { formatDuration, parseDuration } from '../../base/quantity.ts';
import { type Field, field, mapping } from '../../fields/field.ts';
import { BOOLEAN, oneOf, SECONDS, SIZE, type ValueKind, wholeNumber } from '../../fields/kinds.ts';
import { isMapping } from '../../fields/value-at.ts';
import { DEFAULT_MAX_ROWS } from '../saved-query.ts';
import { CHECKS } from './checks.ts';
import { LINES, PARAMETERS } from './parameters.ts';
import { isUuid } from './text.ts';

const UUID: ValueKind<string> = {
  expected: 'a UUID',
  schema: { type: 'string', pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' },
  read: (raw) => (typeof raw === 'string' && isUuid(raw) ? raw.toLowerCase() : undefined),
};

const ROWS = wholeNumber('a number of rows', 1);
const ROWS_HINT = 'write a whole number above 0';
const SIZE_WORDS: ValueKind<number> = { ...SIZE, expected: 'a size' };
const SIZE_HINT = 'for example 500MB or 2GiB';

/** Seconds; 0 for `disabled`. */
const CACHE_TIME: ValueKind<number> = {
  expected: 'a duration',
  schema: { anyOf: [{ const: 'disabled' }, DURATION_SCHEMA] },
  read(raw) {
    if (raw === 'disabled') return 0;
    return typeof raw === 'string' ? parseDuration(raw) : undefined;
  },
};
const cacheTime = (description: string): Field<number> =>
  field(CACHE_TIME, {
    description,
    hint: (value) =>
      typeof value === 'number' && value > 0 ? `write the unit: ${formatDuration(value)}` : 'write it like 900s, 15m, 1h or disabled',
  });

const TTL = cacheTime('how long a result may be reused');
const CACHE = mapping(
  'cache',
  {
    ttl: TTL,
    buckets: field(BOOLEAN, { default: true, description: 'whether the rows of whole days, hours and so on are kept longer' }),
  },
  { required: ['ttl'], usage: 'write it like { ttl: 15m, buckets: false }' },
);

/** `cache: 15m`, or `cache: { ttl: 15m, buckets: false }`. */
const CACHE_FIELD: Field<{ readonly ttl?: number | undefined; readonly buckets?: boolean | undefined }> = {
  schema: { anyOf: [{ const: 'disabled' }, DURATION_SCHEMA, CACHE.schema], description: 'how long a result may be reused' },
  read: (value) => (isMapping(value.value) ? CACHE.read(value) : { ttl: TTL.read(value) }),
};

export const HEADER = mapping('a header', {
  id: field(UUID, {
    description: 'a unique UUID; by default one made of the names of the project and the query',
    hint: () => `for example ${randomUUID()}`,
  }),
  description: field(LINES, { description: 'what the query answers', must: true, hint: 'put it in quotes' }),
  dialect: field(oneOf(['bigquery', 'clickhouse']), { default: 'bigquery', description: 'clickhouse: run the SQL as it is' }),
  max_rows: field(ROWS, { default: DEFAULT_MAX_ROWS, description: 'upper bound on rows', hint: ROWS_HINT }),
  cache: CACHE_FIELD,
  cache_warming: cacheTime('how often a server refreshes the result by itself'),
  sandbox: field(oneOf(['enabled', 'disabled']), {
    default: 'disabled',
    description: 'whether callers may send SQL that reads its WITH tables',
  }),
  redact_pii: field(BOOLEAN, { default: false, description: 'whether IP addresses are hidden in served results' }),
  timeout: field(
    { ...SECONDS, expected: 'a duration' },
    { description: 'time after which the query is cancelled', hint: 'for example 30s or 5m' },
  ),
  max_memory: field(SIZE_WORDS, { description: 'memory that the query may use on the engine', hint: SIZE_HINT }),
  max_scan: field(ROWS, { description: 'rows that the query may read from tables', hint: ROWS_HINT }),
  max_result_bytes: field(SIZE_WORDS, { description: 'size that the result may have on the engine', hint: SIZE_HINT }),
  params: PARAMETERS,
  checks: CHECKS,
});

export const querySchema = (): JsonSchema => ({
  $schema: DRAFT,
  title: 'Header of a quern saved query',
  ...HEADER.schema,
});
