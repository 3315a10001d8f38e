// The file of an imported query: a header that keeps what was set, and the SQL as it was.
import { formatDuration } from '../base/quantity.ts';
import type { Endpoint } from './endpoint.ts';
import type { FoundParameter } from './find-parameters.ts';

interface QueryText {
  /** One that callers may know. */
  readonly id: string | undefined;
  /** The name it has now. */
  readonly name: string;
  readonly endpoint: Endpoint;
  readonly dialect: 'bigquery' | 'clickhouse';
  /** The text of `endpoint`, in the form that its dialect wants. */
  readonly sql: string;
  readonly parameters: readonly FoundParameter[];
}

export function queryText({ id, name, endpoint, dialect, sql, parameters }: QueryText): string {
  const { description, ttlSeconds = 0, warmingSeconds = 0, maxRows, sandbox, redactPii, enableAuth, labels, remarks = [] } = endpoint;
  const lines = [
    id === undefined ? [] : `id: ${id}`,
    `description: ${quoted(description ?? '')}`,
    endpoint.name === name ? [] : `# its name was ${quoted(endpoint.name)}`,
    labels === undefined || labels === '' ? [] : `# its labels were ${quoted(labels)}`,
    remarks.map(([what, value]) => `# ${what} ${quoted(value)}`),
    enableAuth === false ? '# it answered without a key' : [],
    dialect === 'clickhouse' ? 'dialect: clickhouse' : [],
    maxRows === undefined ? [] : `max_rows: ${maxRows}`,
    `cache: ${ttlSeconds === 0 ? 'disabled' : formatDuration(ttlSeconds)}`,
    // Without a cache there is nothing to keep warm.
    warmingSeconds > 0 && ttlSeconds > 0 ? `cache_warming: ${formatDuration(warmingSeconds)}` : [],
    sandbox === undefined ? [] : `sandbox: ${sandbox && dialect === 'bigquery' ? 'enabled' : 'disabled'}`,
    redactPii === undefined ? [] : `redact_pii: ${redactPii}`,
    parameters.length === 0
      ? []
      : [
          'params:',
          ...parameters.map(
            (one) =>
              `  ${one.name}: { type: ${headerType(one)}${one.required === true ? ', required: true' : ''} }${one.isGuess === true ? ' # a guess: the SQL does not say it' : ''}`,
          ),
        ],
  ];
  return `/*---\n${lines.flat().join('\n')}\n---*/\n${sql}${sql.endsWith('\n') ? '' : '\n'}`;
}

/** Returns the type as headers have it. */
export const headerType = ({ type, array = false }: FoundParameter): string => `${array ? 'array of ' : ''}${type}`;

/** Text as a YAML value on one line that neither ends the comment it stands in nor begins another. */
function quoted(text: string): string {
  return JSON.stringify(text)
    .replaceAll('*/', '*\\/')
    .replaceAll('/*', '/\\u002a')
    .replace(/[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
