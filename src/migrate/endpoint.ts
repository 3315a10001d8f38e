// A query as it was found elsewhere, and an endpoint of Logflare as its management API and its exports give it.
import { isUuid } from '../queries/header/text.ts';
import type { FoundParameter } from './find-parameters.ts';

export interface Endpoint {
  readonly kind: 'endpoint';
  readonly name: string;
  readonly sql: string;
  readonly language: string;
  readonly id?: string;
  readonly description?: string;
  readonly ttlSeconds?: number;
  readonly warmingSeconds?: number;
  readonly maxRows?: number;
  readonly sandbox?: boolean;
  readonly redactPii?: boolean;
  readonly enableAuth?: boolean;
  readonly labels?: string;
  /** The folders that its file was in, outermost first: they tell queries of one name apart. */
  readonly folders?: readonly string[];
  /** The table that was made of its rows, `project.dataset.table`: other queries read it by that name. */
  readonly relation?: string;
  /** Parameters whose types are known from elsewhere than the SQL. */
  readonly given?: readonly FoundParameter[];
  /** Its other parameters are texts, as Logflare binds all of them. */
  readonly onlyTexts?: true;
  /** Facts that comments retain: `it ran`, `every 24 hours`. */
  readonly remarks?: readonly (readonly [what: string, value: string])[];
  /** Name in FROM → UUID of the source. */
  readonly sources: Readonly<Record<string, string>>;
  /** Parts of the original that could not be retained. */
  readonly notes: readonly string[];
}

/** Something that should have been a query. */
export interface Unreadable {
  readonly kind: 'unreadable';
  readonly name: string;
  readonly reason: string;
  readonly hint?: string;
}

export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

export const text = (value: unknown): string | undefined => (typeof value === 'string' && value.trim() !== '' ? value : undefined);

/** A query of BigQuery's. */
export const query = (name: string, sql: string, more: Partial<Endpoint> = {}): Endpoint => ({
  kind: 'endpoint',
  name,
  sql,
  language: 'bq_sql',
  sources: {},
  notes: [],
  ...more,
});

/** The endpoint in a JSON value; `fallback` names one that has no name. */
export function readEndpoint(value: unknown, fallback: string): Endpoint | Unreadable {
  if (!isFields(value)) return { kind: 'unreadable', name: fallback, reason: `${shown(value)} is not an endpoint` };
  const problems: string[] = [];
  const notes: string[] = [];
  const read = <T>(field: string, expected: string, fits: (value: unknown) => value is T): T | undefined => {
    const found = value[field] ?? undefined; // null is "not set"
    if (found === undefined || fits(found)) return found;
    problems.push(`${field} is ${shown(found)}, not ${expected}`);
    return undefined;
  };
  const name = read('name', 'text', isText) ?? '';
  const sql = read('query', 'SQL', isText);
  if (value['query'] === undefined || value['query'] === null || sql?.trim() === '') problems.push('it has no query');
  const id = read('token', 'text', isText);
  if (id !== undefined && !isUuid(id)) notes.push(`its id ${shown(id)} is not a UUID, so it has a new one`);
  const maxRows = read('max_limit', 'a whole number', isCount);
  if (maxRows === 0) notes.push('its max_limit was 0, so max_rows has its default');
  const sources = read('source_mapping', 'an object of names and UUIDs', isFields) ?? {};
  for (const [source, uuid] of Object.entries(sources))
    if (!isText(uuid)) notes.push(`its source_mapping maps ${shown(source)} to ${shown(uuid)}, which was left out`);
  const rest = {
    description: read('description', 'text', isText),
    ttlSeconds: read('cache_duration_seconds', 'a whole number', isCount),
    warmingSeconds: read('proactive_requerying_seconds', 'a whole number', isCount),
    maxRows: maxRows === 0 ? undefined : maxRows,
    sandbox: read('sandboxable', 'true or false', isBoolean),
    redactPii: read('redact_pii', 'true or false', isBoolean),
    enableAuth: read('enable_auth', 'true or false', isBoolean),
    labels: read('labels', 'text', isText),
    id: id !== undefined && isUuid(id) ? id.toLowerCase() : undefined,
  };
  const language = read('language', 'text', isText) ?? 'bq_sql';
  if (problems.length > 0 || sql === undefined)
    return { kind: 'unreadable', name: name === '' ? fallback : name, reason: problems.join('; ') };
  return {
    kind: 'endpoint',
    name,
    sql,
    language,
    ...(value['token'] === undefined ? {} : { onlyTexts: true as const }),
    sources: Object.fromEntries(Object.entries(sources).filter((entry): entry is [string, string] => isText(entry[1]))),
    notes,
    ...defined(rest),
  };
}

type Defined<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };

function defined<T extends object>(values: T): Defined<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<T>; // what is left has its type
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';
const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
