// Reads the YAML header of a saved query. Loads the YAML parser, so it is itself loaded only when a query must be read again.
import { QuernError } from '../../base/errors.ts';
import type { SourceText } from '../../base/source-text.ts';
import { isMapping, readSection, type ValueAt } from '../../fields/value-at.ts';
import { readYaml } from '../../fields/yaml.ts';
import { DEFAULT_MAX_ROWS, draftOf, type SavedQuery } from '../saved-query.ts';
import { HEADER } from './fields.ts';
import { derivedId } from './own-id.ts';
import { headerSpan } from './text.ts';

/**
 * The saved query in `source`. A file without a header is a draft: it has no id, no parameters and is not cached.
 * Throws QuernError `config` with every problem of the header.
 */
export function parseSavedQuery(source: SourceText, name: string): SavedQuery {
  const span = headerSpan(source.text);
  if (span === undefined) return draftOf(source, name);
  if (span === 'unclosed') {
    throw new QuernError('config', 'the header is not closed', {
      source,
      span: { start: 0, end: 5 },
      hint: 'close it with ---*/ before the SQL',
    });
  }
  const section = readYaml(source.text.slice(span.start, span.end), source, 'the header', span.start);
  if (!isMapping(section.value)) {
    throw new QuernError('config', 'the header must contain fields, one `name: value` per line', {
      source,
      span,
      hint: `the fields are ${HEADER.names.join(', ')}`,
    });
  }
  const fields = readSection(section, { what: `the header of ${source.name}` }, readHeader);
  return { ...fields, id: fields.id === '' ? derivedId(source.name, name) : fields.id, name, source };
}

function readHeader(header: ValueAt): Omit<SavedQuery, 'name' | 'source'> {
  const fields = HEADER.read(header) ?? {};
  const { cache = {}, cache_warming: warmingSeconds = 0, params: parameters = [], checks = [], dialect = 'bigquery' } = fields;
  const ttlSeconds = cache.ttl ?? 0;
  const sandbox = fields.sandbox === 'enabled';
  if (warmingSeconds > 0 && ttlSeconds === 0) header.at('cache_warming').problem('needs a cache', 'set `cache`, or remove `cache_warming`');
  if (sandbox && dialect === 'clickhouse') header.at('sandbox').problem('needs SQL in the BigQuery dialect', 'remove `sandbox`');
  if (sandbox && parameters.some(({ name }) => name.toLowerCase() === 'sql')) {
    const message = 'takes the argument `sql` from callers, but there is also a parameter with that name';
    header.at('sandbox').problem(message, 'rename the parameter');
  }
  const limits = {
    maxExecutionSeconds: fields.timeout,
    maxMemoryBytes: fields.max_memory,
    maxRowsToRead: fields.max_scan,
    maxResultBytes: fields.max_result_bytes,
  };
  return {
    id: fields.id ?? '',
    description: fields.description ?? '',
    dialect,
    maxRows: fields.max_rows ?? DEFAULT_MAX_ROWS,
    ttlSeconds,
    ...(cache.buckets === false ? { keepBuckets: false } : {}),
    ...(warmingSeconds > 0 ? { warmingSeconds } : {}),
    sandbox,
    redactPii: fields.redact_pii ?? false,
    // The settings decide what the header leaves out.
    limits: Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== undefined)),
    parameters,
    ...(checks.length === 0 ? {} : { checks }),
  };
}
