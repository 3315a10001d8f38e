// Reads JSON so that nothing is lost: numbers keep their digits, objects the order of their fields.

/** A number as it was written. */
interface NumberText {
  readonly number: string;
}
interface Fields {
  readonly fields: readonly (readonly [string, Cell])[];
}
export type Cell = null | boolean | string | NumberText | Fields | readonly Cell[];

/** Throws SyntaxError for text that is not JSON. */
export function parseExactJson(text: string): Cell {
  const reader = new JsonReader(text);
  const value = reader.value();
  reader.end();
  return value;
}

const codeOf = (mark: string): number => mark.charCodeAt(0);
const [QUOTE, BACKSLASH, MINUS, ZERO, NINE] = [codeOf('"'), codeOf('\\'), codeOf('-'), codeOf('0'), codeOf('9')];
const [LIST, LIST_END, FIELDS, FIELDS_END, COMMA, COLON, SPACE] = [91, 93, 123, 125, 44, 58, 32];
const WORDS = { t: true, f: false, n: null } as const;
/** Those that numbers are written with: digits, signs, dot, and the letter of an exponent. */
const NUMBER_MARKS = new Uint8Array(128);
for (const mark of '0123456789+-.eE') NUMBER_MARKS[codeOf(mark)] = 1;

/** Reads JSON character by character, since a reply may have ten million. Its functions throw SyntaxError where the text is none. */
export class JsonReader {
  readonly #text: string;
  #at = 0;
  /** Where the next backslash is, seen from the last string: most texts have none, and are read without a look at each character. */
  #escape: number;

  constructor(text: string) {
    this.#text = text;
    this.#escape = text.indexOf('\\');
  }

  value(): Cell {
    const code = this.#next();
    if (code === QUOTE) return this.#string();
    if (code === MINUS || (code >= ZERO && code <= NINE)) return { number: this.#number() };
    if (code === LIST) return this.list(() => this.value());
    return code === FIELDS ? { fields: this.#pairs() } : this.#word();
  }

  list<Item>(item: () => Item): Item[] {
    const list: Item[] = [];
    this.#begin(LIST);
    if (this.#isEnd(LIST_END)) return list;
    do list.push(item());
    while (this.#goesOn(LIST_END));
    return list;
  }

  /** Calls `field` at the value of each field, which it reads. */
  fields(field: (name: string) => void): void {
    this.#begin(FIELDS);
    if (this.#isEnd(FIELDS_END)) return;
    do {
      this.#next();
      const name = this.#string();
      this.#begin(COLON);
      field(name);
    } while (this.#goesOn(FIELDS_END));
  }

  /** The values of an object whose fields are those, which `quoted` has as they are written; undefined, and nothing is read, for any other. */
  cells(quoted: readonly string[]): Cell[] | undefined {
    const [start, before] = [this.#at, this.#escape];
    const list: Cell[] = [];
    this.#begin(FIELDS);
    for (const [i, name] of quoted.entries()) {
      this.#next();
      if (!this.#text.startsWith(name, this.#at)) break;
      this.#at += name.length;
      this.#begin(COLON);
      list.push(this.value());
      if (this.#goesOn(FIELDS_END) !== i < quoted.length - 1) break;
    }
    if (list.length === quoted.length && this.#text.charCodeAt(this.#at - 1) === FIELDS_END) return list;
    this.#at = start;
    this.#escape = before;
    return undefined;
  }

  /** Nothing follows. */
  end(): void {
    if (!Number.isNaN(this.#next())) this.#fail();
  }

  /** Returns the next character that is no white space; NaN at the end. */
  #next(): number {
    let code = this.#text.charCodeAt(this.#at);
    while (code <= SPACE) code = this.#text.charCodeAt(++this.#at);
    return code;
  }

  #begin(code: number): void {
    if (this.#next() !== code) this.#fail();
    this.#at++;
  }

  #isEnd(end: number): boolean {
    if (this.#next() !== end) return false;
    this.#at++;
    return true;
  }

  /** Passes a comma, or the end. */
  #goesOn(end: number): boolean {
    const code = this.#next();
    if (code !== COMMA && code !== end) this.#fail();
    this.#at++;
    return code === COMMA;
  }

  #pairs(): [string, Cell][] {
    const pairs: [string, Cell][] = [];
    this.fields((name) => pairs.push([name, this.value()]));
    return pairs;
  }

  #string(): string {
    const start = this.#at;
    let end = this.#text.indexOf('"', start + 1);
    if (end === -1 || this.#text.charCodeAt(start) !== QUOTE) this.#fail();
    if (this.#escape !== -1 && this.#escape < start) this.#escape = this.#text.indexOf('\\', start);
    const isPlain = this.#escape === -1 || this.#escape > end;
    if (!isPlain) end = this.#endOfEscaped();
    this.#at = end + 1;
    return isPlain ? this.#text.slice(start + 1, end) : (JSON.parse(this.#text.slice(start, end + 1)) as string); // a quoted text is a string
  }

  #endOfEscaped(): number {
    let at = this.#escape;
    while (this.#text.charCodeAt(at) !== QUOTE) {
      at += this.#text.charCodeAt(at) === BACKSLASH ? 2 : 1;
      if (at >= this.#text.length) this.#fail();
    }
    return at;
  }

  #number(): string {
    const start = this.#at;
    while (NUMBER_MARKS[this.#text.charCodeAt(this.#at)] === 1) this.#at++;
    return this.#text.slice(start, this.#at);
  }

  #word(): boolean | null {
    const value = WORDS[this.#text.charAt(this.#at) as keyof typeof WORDS] as boolean | null | undefined;
    if (value === undefined || !this.#text.startsWith(String(value), this.#at)) this.#fail();
    this.#at += String(value).length;
    return value ?? null;
  }

  #fail(): never {
    throw new SyntaxError(
      this.#at >= this.#text.length ? 'the JSON text ends too early' : `the JSON text goes wrong at character ${this.#at + 1}`,
    );
  }
}

export const isList = (cell: Cell): cell is readonly Cell[] => Array.isArray(cell);
export const isNumber = (cell: Cell): cell is NumberText => typeof cell === 'object' && cell !== null && 'number' in cell;
export const isFields = (cell: Cell): cell is Fields => typeof cell === 'object' && cell !== null && 'fields' in cell;

/** The value of a field, where the cell is an object that has it. */
export function field(cell: Cell | undefined, name: string): Cell | undefined {
  return cell !== undefined && isFields(cell) ? cell.fields.find(([own]) => own === name)?.[1] : undefined;
}

/** JSON text on one line, or on several where `indent` says how far levels are apart. */
export function exactJson(cell: Cell, indent = '', margin = ''): string {
  if (cell === null || typeof cell === 'boolean') return String(cell);
  if (typeof cell === 'string') return JSON.stringify(cell);
  if (isNumber(cell)) return cell.number;
  const inner = margin + indent;
  const [open, close, parts] = isList(cell)
    ? ['[', ']', cell.map((item) => exactJson(item, indent, inner))]
    : ['{', '}', cell.fields.map(([name, item]) => `${JSON.stringify(name)}:${indent === '' ? '' : ' '}${exactJson(item, indent, inner)}`)];
  if (parts.length === 0) return open + close;
  return indent === '' ? open + parts.join(',') + close : `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${margin}${close}`;
}
