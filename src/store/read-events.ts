// Reads the lines of a file as events, by its format, and hands over rows or the reasons why a line is bad.

import { createReadStream } from 'node:fs';
import { QuernError } from '../base/errors.ts';
import { quoteString } from '../clickhouse/quote.ts';
import type { EmbeddedEngine } from '../engine/embedded/embedded.ts';
import { parseJson } from '../engine/lossless-json.ts';
import { readCells } from '../sources/files/cells.ts';
import type { AddBad, TextRecord } from '../sources/files/csv-records.ts';
import { formatOf } from '../sources/files/formats.ts';
import { PLAIN_CELLS, readRecords } from '../sources/files/records.ts';
import { Invalid } from './bad-lines.ts';
import { isCombinedLog, readCombinedLog } from './combined-log.ts';
import { type EventContext, type EventRow, type LogEvent, toRow } from './event.ts';
import { checkMark, firstLine, type Input, linesOf, markedFormat } from './input.ts';
import { isRecord } from './metadata.ts';

const LOAD_FORMATS = ['ndjson', 'csv', 'parquet', 'combined'] as const;
export type LoadFormat = (typeof LOAD_FORMATS)[number];

/** `said` is what the user says. Throws QuernError `load` for a file that holds no events. */
export async function eventFormat(input: Input, said: LoadFormat | undefined, engine: EmbeddedEngine): Promise<LoadFormat> {
  if (markedFormat(input) === 'parquet') return 'parquet';
  if (said === 'parquet') checkMark(input, said);
  const named = LOAD_FORMATS.find((format) => format !== 'parquet' && format === formatOf(input.name));
  return said ?? named ?? sniff(input, engine);
}

async function sniff(input: Input, engine: EmbeddedEngine): Promise<LoadFormat> {
  const line = input.bytes === 0 ? '' : await firstLine(input, engine);
  if (line === '' || line.startsWith('{')) return 'ndjson';
  if (isCombinedLog(line)) return 'combined';
  if (/^(?:"[^"]*"|[\w.]+)(?:,(?:"[^"]*"|[\w.]*))+$/.test(line) && /\btimestamp\b/.test(line)) return 'csv';
  throw new QuernError('load', `cannot detect the format of ${input.name}`, {
    hint: line.startsWith('[')
      ? 'JSON arrays are not supported: write one event per line (NDJSON)'
      : `set it with --format ${LOAD_FORMATS.join('|')}`,
  });
}

/** The lines of a file, decompressed; of Parquet its rows as NDJSON. */
export function eventLines(input: Input, format: LoadFormat, engine: EmbeddedEngine): AsyncIterable<Uint8Array> {
  if (format === 'parquet')
    return engine.trustedStream(
      `SELECT * FROM file(${quoteString(input.path)}, 'Parquet') SETTINGS date_time_output_format = 'iso', output_format_json_named_tuples_as_objects = 1`,
      'JSONEachRow',
    );
  return input.compression === undefined ? createReadStream(input.path, { highWaterMark: 1 << 20 }) : linesOf(input, engine);
}

interface Reading {
  readonly format: LoadFormat;
  readonly context: EventContext;
  /** Reads a line of an access log in a format of its own. */
  readonly readAccess?: ((line: string) => LogEvent) | undefined;
}

/** Rows in blocks, without those of lines that are no events, which are reported to `bad`. */
export async function* readEvents(lines: AsyncIterable<Uint8Array>, reading: Reading, bad: AddBad): AsyncGenerator<readonly EventRow[]> {
  const { format, context, readAccess = readCombinedLog } = reading;
  let parse = format === 'combined' ? readAccess : readJsonEvent;
  const rowsOf = (records: readonly TextRecord[]): readonly EventRow[] => {
    const rows: EventRow[] = [];
    for (const { line, text } of records) {
      try {
        rows.push(toRow(() => parse(text), line, text, context));
      } catch (error) {
        if (!(error instanceof Invalid)) throw error;
        bad(line, error.message, text);
      }
    }
    return rows;
  };
  let header: readonly string[] | undefined;
  for await (const records of readRecords(lines, { ...PLAIN_CELLS, format: format === 'csv' ? 'csv' : 'ndjson' }, bad)) {
    if (format !== 'csv') {
      yield rowsOf(records);
      continue;
    }
    const [first, ...others] = records.map(({ line, text }) => ({ line, text: text.replace(/\r$/, '') }));
    if (first === undefined) continue;
    const rows = header === undefined ? others : [first, ...others];
    header ??= readHeader(first.text);
    const names = header;
    parse = (text) => csvEvent(names, readCells(text));
    yield rowsOf(rows);
  }
}

function readJsonEvent(text: string): LogEvent {
  let event: ReturnType<typeof parseJson>;
  try {
    event = parseJson(text);
  } catch (error) {
    throw new Invalid(error instanceof RangeError ? 'nests too deeply' : 'not JSON');
  }
  if (!isRecord(event)) throw new Invalid('not a JSON object');
  return event;
}

function readHeader(text: string): readonly string[] {
  const names = readCells(text).map((cell) => (cell ?? '').trim());
  if (names.includes('timestamp') && new Set(names).size === names.length && !names.includes('')) return names;
  throw new QuernError('load', 'the first line of the CSV file is not a header with the column timestamp', {
    hint: 'the header must name each column once, for example id,timestamp,project,event_message,metadata',
  });
}

/**
 * The event of a record: the columns `id`, `timestamp`, `event_message`, `project` and `metadata` (JSON text) by name; any other column is a
 * field of metadata, a dotted name (`request.path`, with or without `metadata.` in front) a path in it. Empty cells are absent.
 */
function csvEvent(header: readonly string[], cells: readonly (string | null)[]): LogEvent {
  const event: LogEvent = {};
  header.forEach((name, at) => {
    const cell = cells[at] ?? null;
    if (cell === null) return;
    if (name.includes('.')) setPath(event, name.startsWith('metadata.') ? name.slice('metadata.'.length) : name, cell);
    else event[name] = cell;
  });
  return event;
}

function setPath(event: LogEvent, path: string, cell: string): void {
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  let record = event;
  for (const key of keys) {
    const next = record[key] ?? {};
    if (!isRecord(next)) throw new Invalid(`column ${path} is inside ${key}, which is also a column`);
    record[key] = next;
    record = next;
  }
  record[last] = cell;
}
