// The records of a file of text, whatever its format: rows of CSV and TSV, lines, or the objects of a JSON document.
import { type AddBad, type CsvForm, readCsvRecords, type TextRecord } from './csv-records.ts';
import type { FilesDescription } from './description.ts';
import { type FileFormat, TEXT_FORMATS } from './formats.ts';
import { readObjects } from './json-objects.ts';
import { readLines } from './lines.ts';

/** How the records of a file are read; only CSV and TSV have cells. */
export interface RecordForm extends CsvForm {
  readonly format: FileFormat;
}

/** CSV as it usually is, without a header. */
export const PLAIN_CELLS: CsvForm = { delimiter: ',', skip: 0, header: false, cells: undefined };

/** Returns how the files are read that are described so. */
export function formOf(format: FileFormat, { settings, columns, format: as }: FilesDescription): RecordForm {
  const isNamed = as === 'CSVWithNames';
  return {
    format,
    delimiter: String(settings['format_csv_delimiter'] ?? (format === 'tsv' ? '\t' : ',')),
    skip: Number(settings['input_format_csv_skip_first_lines'] ?? 0),
    header: isNamed,
    cells: isNamed ? undefined : columns.length,
  };
}

/** Yields the records in blocks, without those that are none, which are reported to `bad`. */
export async function* readRecords(bytes: AsyncIterable<Uint8Array>, form: RecordForm, bad: AddBad): AsyncGenerator<readonly TextRecord[]> {
  if (TEXT_FORMATS.includes(form.format)) return yield* readCsvRecords(bytes, form, bad);
  for await (const lines of (form.format === 'json' ? readObjects : readLines)(bytes)) {
    const records: TextRecord[] = [];
    for (const line of lines) {
      if ('problem' in line) bad(line.number, line.problem, line.text);
      else records.push({ line: line.number, text: line.text });
    }
    yield records;
  }
}
