// The records of a JSON file, one by one, for a load that has met a bad one: what is no record is told with its reason, the others are handed
// on as lines of JSON for the engine.

import type { EmbeddedEngine } from '../../engine/embedded/embedded.ts';
import type { DeclaredColumn } from '../../sources/table-schema.ts';
import { Invalid } from '../bad-lines.ts';
import { type Line, readLines } from '../lines.ts';
import type { EngineFile } from './engine-file.ts';
import { checkFields, membersOf, withJsonAsText } from './json-record.ts';

export interface TextRecord {
  /** 1-based. */
  readonly line: number;
  readonly text: string;
  /** A line of JSONEachRow. */
  readonly json: string;
}

type AddBad = (line: number, reason: string, text: string) => undefined;

/** The name that the number of a record's line has in its JSON. */
export const LINE_FIELD = '_quern_line';

export interface RecordReading {
  /** Of the table. */
  readonly columns: readonly DeclaredColumn[];
  /** Fields that the table does not have are left out. */
  readonly ignoreUnknown: boolean;
}

/** The lines of a file of texts, decompressed; of a JSON document its objects, each on a line. */
export function linesOf(file: EngineFile, engine: EmbeddedEngine): AsyncIterable<Uint8Array> {
  const sql =
    file.format === 'json'
      ? `SELECT replaceRegexpAll(json, '[\\r\\n]+', ' ') FROM ${file.from('JSONAsString', 'json String')}`
      : `SELECT line FROM ${file.from('LineAsString', 'line String')}`;
  return engine.trustedStream(`${sql} SETTINGS max_threads = 1, input_format_parallel_parsing = 0`, 'TSVRaw');
}

/** In blocks. */
export async function* readRecords(
  bytes: AsyncIterable<Uint8Array>,
  reading: RecordReading,
  bad: AddBad,
): AsyncGenerator<readonly TextRecord[]> {
  for await (const lines of readLines(bytes)) yield jsonRecords(reading, bad, lines);
}

export function jsonRecords({ columns, ignoreUnknown }: RecordReading, bad: AddBad, lines: readonly Line[]): readonly TextRecord[] {
  const types = new Map(columns.map(({ name, type }) => [name, type]));
  return lines.flatMap((line) => {
    if ('problem' in line) return nothing(bad(line.number, line.problem, line.text));
    try {
      const members = membersOf(line.text);
      checkFields(members, types, '', ignoreUnknown);
      const json = `{${[`"${LINE_FIELD}":${line.number}`, ...withJsonAsText(members, types, ignoreUnknown)].join(',')}}\n`;
      return [{ line: line.number, text: line.text, json }];
    } catch (error) {
      if (!(error instanceof Invalid)) throw error;
      return nothing(bad(line.number, error.message, line.text));
    }
  });
}

const nothing = (_told: undefined): readonly TextRecord[] => [];
