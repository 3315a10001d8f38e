// The lines of a file of texts, and those of JSON as records, for a load that has met a bad one.

import { Invalid } from '../../sources/files/cells.ts';
import type { AddBad, TextRecord } from '../../sources/files/csv-records.ts';
import { membersOf } from '../../sources/files/json-members.ts';
import type { readObjects } from '../../sources/files/json-objects.ts';
import { objectAsTexts, typesOf } from '../../sources/files/json-texts.ts';
import { readLines } from '../../sources/files/lines.ts';
import type { DeclaredColumn } from '../../sources/table-schema.ts';
import { checkFields } from './json-record.ts';

/** Lines in blocks, or the objects of a JSON document, without those that are no text, which are reported to `bad`. */
export async function* readTextLines(
  bytes: AsyncIterable<Uint8Array>,
  bad: AddBad,
  read: typeof readObjects = readLines,
): AsyncGenerator<readonly TextRecord[]> {
  for await (const lines of read(bytes)) {
    const records: TextRecord[] = [];
    for (const line of lines) {
      if ('problem' in line) bad(line.number, line.problem, line.text);
      else records.push({ line: line.number, text: line.text });
    }
    yield records;
  }
}

export interface JsonFields {
  /** Columns by their names in the file. */
  readonly columns: readonly DeclaredColumn[];
  /** Fields that the table does not have are left out. */
  readonly ignoreUnknown: boolean;
}

/** The lines that are objects with the fields of the columns; the others are reported to `bad`. */
export function jsonRecords(lines: readonly TextRecord[], { columns, ignoreUnknown }: JsonFields, bad: AddBad): readonly TextRecord[] {
  const types = new Map(columns.map(({ name, type }) => [name, type]));
  const texts = typesOf(columns);
  const records: TextRecord[] = [];
  for (const { line, text } of lines) {
    try {
      const members = membersOf(text);
      checkFields(members, types, '', ignoreUnknown);
      records.push({ line, text, written: objectAsTexts(members, texts) });
    } catch (error) {
      if (!(error instanceof Invalid)) throw error;
      bad(line, error.message, text);
    }
  }
  return records;
}
