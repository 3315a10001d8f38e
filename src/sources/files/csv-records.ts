// The records of a CSV or TSV file, cut as the engine cuts them and left as they are written: which lines are one record, and how many cells it has.
import { type Line, readLines } from './lines.ts';

export interface TextRecord {
  /** Of its first line, 1-based. */
  readonly line: number;
  /** Without the end of its last line. */
  readonly text: string;
  /** The text as the engine is to read it, where that is another. */
  readonly written?: string;
}

/** How the lines are read. */
export interface CsvForm {
  readonly delimiter: string;
  /** Lines above the header and the rows. */
  readonly skip: number;
  /** Whether the first record names the columns; where nobody knows, it is a row. */
  readonly header: boolean | undefined;
  /** How many cells a row has; undefined: as many as the first record. */
  readonly cells: number | undefined;
}

/** Takes a record that cannot be read; `schema` names a column and a type for it with which it could. */
export type AddBad = (line: number, reason: string, text: string, schema?: string) => void;

/** Says that the file ends within quotes. */
export const NOT_CLOSED = 'a quoted cell is not closed';

/** A record that is longer is cut there, and so is none. */
const MAX_RECORD_CHARACTERS = 64 * 1024 * 1024;

/** The rows of a file in blocks, without those that have too few or too many cells, which are reported to `bad`. */
export async function* readCsvRecords(bytes: AsyncIterable<Uint8Array>, form: CsvForm, bad: AddBad): AsyncGenerator<readonly TextRecord[]> {
  const reader = new CsvReader(form, bad);
  for await (const lines of readLines(bytes, true)) yield lines.flatMap((line) => (line.number <= form.skip ? [] : reader.take(line)));
  reader.end();
}

/** A record whose end has not been read yet. */
interface Begun {
  readonly line: number;
  readonly lines: string[];
  characters: number;
  cells: number;
  /** Whether it ends within quotes, as far as it has been read. */
  open: boolean;
  /** Whether something stands between a closing quote and the end of its cell. */
  odd: boolean;
}

class CsvReader {
  private readonly form: CsvForm;
  private readonly bad: AddBad;
  private cells: number | undefined;
  private header: boolean;
  private named: boolean;
  private begun: Begun | undefined;
  /** Empty lines that nothing has followed yet: at the end of a file they are no rows. */
  private empty: Line[] = [];

  constructor(form: CsvForm, bad: AddBad) {
    this.form = form;
    this.bad = bad;
    this.cells = form.cells;
    this.header = form.header === true;
    this.named = this.header;
  }

  take(line: Line): readonly TextRecord[] {
    if (this.begun === undefined && !this.header && /^\r?$/.test(line.text)) {
      this.empty.push(line);
      return [];
    }
    const records = [...this.empty, line].flatMap((each) => this.takeLine(each));
    this.empty = [];
    return records;
  }

  end(): void {
    if (this.begun !== undefined) this.bad(this.begun.line, NOT_CLOSED, this.begun.lines.join('\n'));
  }

  private takeLine(line: Line): readonly TextRecord[] {
    if ('problem' in line) {
      this.bad(line.number, line.problem, line.text);
      return [];
    }
    const begun = this.begun ?? { line: line.number, lines: [], characters: 0, cells: 0, open: false, odd: false };
    if (begun.characters <= MAX_RECORD_CHARACTERS) begun.lines.push(line.text);
    begun.characters += line.text.length + 1;
    scan(begun, line.text.replace(/\r$/, ''), this.form.delimiter);
    this.begun = begun.open ? begun : undefined;
    return begun.open ? [] : this.recordOf(begun);
  }

  private recordOf({ line, lines, cells, odd }: Begun): readonly TextRecord[] {
    const text = lines.join('\n');
    if (this.cells === undefined && this.form.header === undefined) this.named = !/(?:^|\W)[+-]?\d/.test(text);
    this.cells ??= cells;
    if (this.header) {
      this.header = false;
      return [];
    }
    const wanted = this.named ? `the header has ${this.cells}` : `there are ${this.cells} columns`;
    if (odd) this.bad(line, 'there is a quote in the middle of a cell', text);
    else if (cells !== this.cells) this.bad(line, `${cells} ${cells === 1 ? 'cell' : 'cells'}, but ${wanted}`, text);
    else return [{ line, text }];
    return [];
  }
}

/** Adds a line to a record. A quote begins a quoted cell only where the cell begins. */
function scan(record: Begun, line: string, delimiter: string): void {
  let at = 0;
  for (let quoted = record.open; ; quoted = false) {
    if (!quoted) {
      record.cells++;
      quoted = line[at] === '"';
      if (quoted) at++;
    }
    if (quoted) {
      at = closing(line, at);
      record.open = at < 0;
      if (record.open) return;
    }
    const next = line.indexOf(delimiter, at);
    if (quoted && line.slice(at, next < 0 ? undefined : next).trim() !== '') record.odd = true;
    if (next < 0) return;
    at = next + 1;
  }
}

/** The place behind the quote that ends what stands between quotes at `at`; -1 where it goes on in the next line. Two quotes are one of the text. */
function closing(line: string, at: number): number {
  for (let quote = line.indexOf('"', at); quote >= 0; quote = line.indexOf('"', quote + 2)) {
    if (line[quote + 1] !== '"') return quote + 1;
  }
  return -1;
}

/** How many cells the line has that a file begins with; undefined where a quoted cell goes on in the next line. */
export function cellsIn(line: string, delimiter: string): number | undefined {
  const record: Begun = { line: 1, lines: [], characters: 0, cells: 0, open: false, odd: false };
  scan(record, line, delimiter);
  return record.open ? undefined : record.cells;
}
