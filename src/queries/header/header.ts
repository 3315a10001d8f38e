// Reads the YAML header of a saved query. Loads the YAML parser, so it is itself loaded only when a query must be read anew.
import { randomUUID } from 'node:crypto';
import { isMap, parseDocument } from 'yaml';
import { QuernError } from '../../base/errors.ts';
import type { SourceText } from '../../base/source-text.ts';
import type { ParameterDeclaration, SavedQuery } from '../saved-query.ts';
import { readCache, readCacheTime, readSwitch } from './cache.ts';
import { readHeaderChecks } from './checks.ts';
import { fieldReader, type HeaderProblem, headerError, type Invalid, notYaml } from './fields.ts';
import { LIMIT_FIELDS, readLimits } from './limits.ts';
import { readParameters, readText } from './parameters.ts';
import { headerSpan, isUuid } from './text.ts';

/** The fields of a header. */
export const HEADER_FIELDS = [
  'id',
  'description',
  'dialect',
  'max_rows',
  'cache',
  'cache_warming',
  'sandbox',
  'redact_pii',
  ...LIMIT_FIELDS,
  'params',
  'checks',
] as const;
const DEFAULT_MAX_ROWS = 1000;

/**
 * The saved query in `source`. A file without a header is a draft: it has no id, no parameters and is not cached.
 * Throws QuernError `config` with every problem of the header.
 */
export function parseSavedQuery(source: SourceText, name: string): SavedQuery {
  const span = headerSpan(source.text);
  if (span === undefined) return draft(source, name);
  if (span === 'unclosed') {
    throw new QuernError('config', 'the header is not closed', {
      source,
      span: { start: 0, end: 5 },
      hint: 'close it with ---*/ before the SQL',
    });
  }
  const document = parseDocument(source.text.slice(span.start, span.end));
  const [broken] = document.errors;
  if (broken !== undefined) throw notYaml(source, 'the header', broken, span.start);
  const problems: HeaderProblem[] = [];
  if (!isMap(document.contents)) {
    throw new QuernError('config', 'the header must contain fields, one `name: value` per line', {
      source,
      span,
      hint: `the fields are ${HEADER_FIELDS.join(', ')}`,
    });
  }

  const fields = fieldReader(document.contents, { document, offset: span.start, note: (problem) => problems.push(problem) });
  fields.refuseOthers(HEADER_FIELDS);
  const { ttlSeconds, keepBuckets } = readCache(fields);
  const warmingSeconds = fields.field('cache_warming', readCacheTime) ?? 0;
  if (warmingSeconds > 0 && ttlSeconds === 0) fields.problem('cache_warming', 'needs a cache', 'set `cache`, or remove `cache_warming`');
  if (!fields.has('id')) fields.problem('id', 'is missing', `add a line such as id: ${randomUUID()}`);
  const params = fields.mapping('params');
  const checks = readHeaderChecks(fields, source);
  const query: SavedQuery = {
    name,
    id: fields.field('id', readId) ?? '',
    description: fields.field('description', readText) ?? '',
    dialect: fields.field('dialect', (value) => oneOf(['bigquery', 'clickhouse'], value)) ?? 'bigquery',
    maxRows: fields.field('max_rows', readMaxRows) ?? DEFAULT_MAX_ROWS,
    ttlSeconds,
    ...(keepBuckets ? {} : { keepBuckets }),
    ...(warmingSeconds > 0 ? { warmingSeconds } : {}),
    sandbox: fields.field('sandbox', (value) => oneOf(['enabled', 'disabled'], value)) === 'enabled',
    redactPii: fields.field('redact_pii', readSwitch) ?? false,
    limits: readLimits(fields),
    parameters: params === undefined ? [] : readParameters(params),
    ...(checks.length === 0 ? {} : { checks }),
    source,
  };
  if (query.sandbox) {
    if (query.dialect === 'clickhouse') fields.problem('sandbox', 'needs SQL in the BigQuery dialect', 'remove `sandbox`');
    if (query.parameters.some(({ name }) => name.toLowerCase() === 'sql'))
      fields.problem(
        'sandbox',
        'takes the argument `sql` from callers, but there is also a parameter with that name',
        'rename the parameter',
      );
  }
  if (problems.length > 0) throw headerError(source, problems);
  return query;
}

/** The header that a draft using these parameters needs. */
export function headerFor(parameters: readonly Pick<ParameterDeclaration, 'name' | 'type'>[]): string {
  const params = parameters.map(({ name, type }) => `  ${name}: { type: ${type} }`);
  return [
    '/*---',
    `id: ${randomUUID()}`,
    'description: what the query answers',
    ...(params.length > 0 ? ['params:', ...params] : []),
    '---*/',
  ].join('\n');
}

function draft(source: SourceText, name: string): SavedQuery {
  return {
    name,
    id: '',
    description: '',
    dialect: 'bigquery',
    maxRows: DEFAULT_MAX_ROWS,
    ttlSeconds: 0,
    sandbox: false,
    redactPii: false,
    limits: {},
    parameters: [],
    source,
  };
}

function readId(value: unknown): string | Invalid {
  if (typeof value === 'string' && isUuid(value)) return value.toLowerCase();
  return { message: `${JSON.stringify(value)} is not a UUID`, hint: `for example ${randomUUID()}` };
}

function readMaxRows(value: unknown): number | Invalid {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value;
  return { message: `${JSON.stringify(value)} is not a number of rows`, hint: 'write a whole number above 0' };
}

function oneOf<const T extends string>(values: readonly T[], value: unknown): T | Invalid {
  return values.find((candidate) => candidate === value) ?? { message: `${JSON.stringify(value)} is not one of: ${values.join(', ')}` };
}
