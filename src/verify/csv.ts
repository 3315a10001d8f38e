// Reads CSV: fields with commas between, quoted where they hold commas, quotes or line breaks.

/** A record's fields; null for one that is empty and not quoted. */
type CsvRecord = readonly (string | null)[];

/** Throws SyntaxError for a quote that does not end, and for text behind one. */
export function parseCsv(text: string): readonly CsvRecord[] {
  const records: CsvRecord[] = [];
  let record: (string | null)[] = [];
  const field = /"((?:[^"]|"")*)"|([^",\r\n][^,\r\n]*)|/y;
  for (let at = 0; at < text.length; ) {
    field.lastIndex = at;
    const [whole = '', quoted, plain] = field.exec(text) ?? [];
    at += whole.length;
    record.push(quoted?.replaceAll('""', '"') ?? plain ?? null);
    const line = records.length + 1;
    if (text[at] === '"') throw new SyntaxError(`record ${line} has a quote that is not closed`);
    if (at < text.length && !/[,\r\n]/.test(text[at] ?? '')) throw new SyntaxError(`record ${line} has text after a closing quote`);
    if (text[at] === ',') {
      at++;
      if (at === text.length) record.push(null);
      continue;
    }
    records.push(record);
    record = [];
    at += text.startsWith('\r\n', at) ? 2 : 1;
  }
  if (record.length > 0) records.push(record);
  return records;
}
