// CSV with a header line as log events (RFC 4180).

import { Invalid } from '../sources/files/cells.ts';
import type { LogEvent } from './event.ts';
import { isRecord } from './metadata.ts';

interface CsvReader {
  /** Takes the next line. A record, when it completes one: its cells, and the number of the line it began on. */
  push(line: string, number: number): CsvRecord | undefined;
  /** What is left at the end: a record whose quotes were never closed. */
  readonly unfinished: CsvRecord | undefined;
}

export interface CsvRecord {
  readonly number: number;
  readonly text: string;
}

/** A record that is longer is cut there, and so is none. */
const MAX_RECORD_CHARACTERS = 64 * 1024 * 1024;

/** Joins lines until quotes are balanced: a quoted cell may hold line breaks. */
export function createCsvReader(): CsvReader {
  let lines: string[] = [];
  let [first, characters, isOpen] = [0, 0, false];
  const take = (): CsvRecord => {
    const record = { number: first, text: lines.join('\n') };
    [lines, characters, isOpen] = [[], 0, false];
    return record;
  };
  return {
    push(line, number) {
      if (lines.length === 0) first = number;
      if (characters <= MAX_RECORD_CHARACTERS) lines.push(line);
      characters += line.length + 1;
      if (countQuotes(line) % 2 === 1) isOpen = !isOpen;
      return isOpen ? undefined : take();
    },
    get unfinished() {
      return lines.length === 0 ? undefined : take();
    },
  };
}

function countQuotes(text: string): number {
  let count = 0;
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at + 1)) count++;
  return count;
}

/**
 * The event of a record: the columns `id`, `timestamp`, `event_message`, `project` and `metadata` (JSON text) by name; any other column is a
 * field of metadata, a dotted name (`request.path`, with or without `metadata.` in front) a path in it. Empty cells are absent.
 */
export function csvEvent(header: readonly string[], cells: readonly (string | null)[]): LogEvent {
  if (cells.length !== header.length)
    throw new Invalid(`${cells.length} ${cells.length === 1 ? 'cell' : 'cells'}, but the header has ${header.length}`);
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
