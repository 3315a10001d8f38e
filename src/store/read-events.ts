// Reads the lines of a file as events, by its format, and hands over rows or the reasons why a line is bad.

import { QuernError } from '../base/errors.ts';
import { parseJson } from '../engine/lossless-json.ts';
import { readCells } from '../sources/files/cells.ts';
import type { Line } from '../sources/files/lines.ts';
import { Invalid } from './bad-lines.ts';
import { readCombinedLog } from './combined-log.ts';
import { type CsvRecord, createCsvReader, csvEvent } from './csv.ts';
import { type EventContext, type EventRow, type LogEvent, toRow } from './event.ts';
import type { LoadFormat } from './input.ts';
import { isRecord } from './metadata.ts';

type AddRow = (row: EventRow) => void;
type AddBad = (line: number, reason: string, text: string) => void;

export interface LineReader {
  read(lines: readonly Line[], addRow: AddRow, addBad: AddBad): void;
  /** After the last line. Throws QuernError or adds a bad line when something is unfinished. */
  end(addRow: AddRow, addBad: AddBad): void;
}

/** `readAccess` reads a line of an access log in a format of its own. */
export function lineReader(format: LoadFormat, context: EventContext, readAccess = readCombinedLog): LineReader {
  if (format === 'csv') return csvReader(context);
  const parse = format === 'combined' ? readAccess : readJsonEvent;
  return {
    read(lines, addRow, addBad) {
      for (const line of lines) {
        if ('problem' in line) addBad(line.number, line.problem, line.text);
        else readOne(() => parse(line.text), line.number, line.text, context, addRow, addBad);
      }
    },
    end: () => undefined,
  };
}

function readOne(parse: () => LogEvent, number: number, text: string, context: EventContext, addRow: AddRow, addBad: AddBad): void {
  try {
    addRow(toRow(parse, number, text, context));
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    addBad(number, error.message, text);
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
  let names: readonly string[] = [];
  try {
    names = readCells(text).map((cell) => (cell ?? '').trim());
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
  }
  if (names.includes('timestamp') && new Set(names).size === names.length && !names.includes('')) return names;
  throw new QuernError('load', 'the first line of the CSV file is not a header with the column timestamp', {
    hint: 'the header must name each column once, for example id,timestamp,project,event_message,metadata',
  });
}

function csvReader(context: EventContext): LineReader {
  const reader = createCsvReader();
  let header: readonly string[] | undefined;
  const record = ({ number, text }: CsvRecord, addRow: AddRow, addBad: AddBad): void => {
    if (header === undefined) header = readHeader(text);
    else {
      const names = header;
      readOne(() => csvEvent(names, readCells(text)), number, text, context, addRow, addBad);
    }
  };
  return {
    read(lines, addRow, addBad) {
      for (const line of lines) {
        if ('problem' in line) addBad(line.number, line.problem, line.text);
        else {
          const whole = reader.push(line.text, line.number);
          if (whole !== undefined) record(whole, addRow, addBad);
        }
      }
    },
    end(_addRow, addBad) {
      const left = reader.unfinished;
      if (left !== undefined) addBad(left.number, 'a quoted cell is not closed', left.text);
    },
  };
}
