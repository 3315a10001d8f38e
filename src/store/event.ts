// Turns one log event into a row of its source's table.
import { createHash } from 'node:crypto';
import { type Json, parseJson, printJson } from '../engine/lossless-json.ts';
import { type LogSource, PROJECT_REFERENCE } from '../sources/log/log-sources.ts';
import { Invalid } from './bad-lines.ts';
import { isRecord, prepareMetadata, wellFormed } from './metadata.ts';
import { readTimestamp } from './timestamp.ts';

export type LogEvent = { [field: string]: Json };

export interface EventContext {
  readonly source: LogSource;
  /** For events that do not name theirs. */
  readonly project?: string | undefined;
}

export interface EventRow {
  /** A line of JSONCompactEachRow, in the order of tableColumns(). */
  readonly json: string;
  /** ClickHouse's text in UTC. */
  readonly timestamp: string;
  readonly several: boolean;
  /** The event has the project reference that its source declares. */
  readonly referred: boolean;
}

const EVENT_FIELDS = new Set(['id', 'timestamp', 'event_message', 'project', 'metadata']);

/**
 * The row of `parse()`, an event as it was read; it is asked again when the event's own JSON text must be kept beside the column.
 * - `id`: text or number; without one, a hash of the line and its number, so that loading again gives the same id.
 * - `project`: `project_ref` of its metadata in sources that declare it; else the event's `project`, else `project_ref` or `project` of its
 *   metadata, else the project given for the load, else ''.
 * - fields that events do not have by themselves become fields of `metadata`, so that plain application logs load too.
 * Throws Invalid with the reason when the event has no readable timestamp, or a field does not fit.
 */
export function toRow(parse: () => LogEvent, lineNumber: number, line: string, context: EventContext): EventRow {
  const event = parse();
  const timestamp = readTimestamp(event['timestamp']);
  if (timestamp === undefined) throw new Invalid(timestampProblem(event['timestamp']));
  const metadata = prepareMetadata(wholeMetadata(event, context.source), context.source.metadata);
  const reference = metadataText(metadata.fields, PROJECT_REFERENCE);
  // Where the source declares the reference, the column always equals it: a filter on the field can use the column, which the table is sorted by.
  const declared = Object.hasOwn(context.source.metadata, PROJECT_REFERENCE) ? reference : undefined;
  const project = declared ?? textField(event, 'project') ?? reference ?? metadataText(metadata.fields, 'project') ?? context.project;
  const cells = [
    JSON.stringify(textField(event, 'id') ?? createHash('sha256').update(`${lineNumber}\n${line}`).digest('hex').slice(0, 32)),
    `"${timestamp}"`,
    JSON.stringify(project ?? ''),
    JSON.stringify(textField(event, 'event_message') ?? ''),
    ...context.source.columns.map((name) => JSON.stringify(textField(event, name) ?? null)),
    printJson(metadata.fields),
    JSON.stringify(metadata.records),
    metadata.faithful ? '""' : JSON.stringify(printJson(withoutNulls(wholeMetadata(parse(), context.source) ?? null))),
  ];
  return { json: `[${cells.join(',')}]\n`, timestamp, several: metadata.several, referred: declared !== undefined };
}

function timestampProblem(value: Json | undefined): string {
  if (value === undefined || value === null || value === '') return 'no timestamp';
  return `timestamp ${printJson(value)} is neither ISO 8601 nor a number since 1970 (up to 2149)`;
}

/** The event's metadata with its other unknown fields put in. */
function wholeMetadata(event: LogEvent, source: LogSource): Json | undefined {
  const given = event['metadata'];
  const value = given === '' ? null : given;
  const metadata = typeof value === 'string' ? textMetadata(value) : value;
  const others = Object.keys(event).filter((key) => !EVENT_FIELDS.has(key) && !source.columns.includes(key));
  if (others.length === 0) return metadata;
  const record = Array.isArray(metadata) && metadata.length === 1 ? metadata[0] : (metadata ?? {});
  if (!isRecord(record)) throw new Invalid(`field ${others[0]} cannot be added to metadata, which is not a single record`);
  for (const key of others) {
    if (Object.hasOwn(record, key)) throw new Invalid(`field ${key} is both in the event and in its metadata`);
    record[key] = event[key] ?? null;
  }
  return record;
}

/** NULL fields are absent ones; a record that holds nothing else must stay, as an empty record. */
function withoutNulls(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).flatMap(([key, field]) => (field === null ? [] : [[key, withoutNulls(field)]])));
}

/** Metadata that was written as JSON text, as in a CSV cell. */
function textMetadata(text: string): Json {
  try {
    return parseJson(text);
  } catch {
    throw new Invalid('metadata is text that is not JSON');
  }
}

function textField(event: LogEvent, name: string): string | undefined {
  const value = event[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'object') throw new Invalid(`${name} is not text`);
  return typeof value === 'string' ? wellFormed(value) : String(value);
}

function metadataText(fields: { [key: string]: Json }, name: string): string | undefined {
  const value = fields[name];
  return value === undefined || value === null || typeof value === 'object' ? undefined : String(value);
}
