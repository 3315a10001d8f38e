// Turns lines of JSONCompactEachRow into rows of the API as bytes: most values are copied as they stand, so that a page of 10 MB makes no objects.
import { type Json, parseJson } from '../../../engine/lossless-json.ts';
import type { Type } from '../../../sql/base/types.ts';
import type { PagedResult } from '../../answers/paged-answers.ts';
import { redactorOf } from '../../answers/redact.ts';
import { floatText, type TimestampForm, writerOf } from './cells.ts';

const [QUOTE, BACKSLASH, COMMA, LINE_END, SPACE] = [34, 92, 44, 10, 32];
const [MINUS, DOT, ZERO, NINE] = [45, 46, 48, 57];
const [OPEN, CLOSE, OPEN_BRACE, CLOSE_BRACE] = [91, 93, 123, 125];
const LETTER_N = 110;

const ROW_START = Buffer.from('{"f":[');
const ROW_END = Buffer.from(']}');
const CELL_START = Buffer.from('{"v":');
const NULL = Buffer.from('null');

/** `text` and `number`: copied, the latter with quotes; `parsed`: read and written anew. */
type Way = { readonly how: 'text' | 'number' | 'float' } | { readonly how: 'parsed'; readonly write: (value: Json) => string };

/** Below that a loop is faster than a call into Node. */
const SHORT = 100;

/** Bytes that grow. */
export class ByteWriter {
  bytes: Buffer;
  length = 0;

  constructor(capacity: number) {
    this.bytes = Buffer.allocUnsafeSlow(Math.max(capacity, 256));
  }

  copy(from: Buffer, start: number, end: number): void {
    this.#reserve(end - start);
    const { bytes, length } = this;
    if (end - start > SHORT) from.copy(bytes, length, start, end);
    else for (let i = start; i < end; i++) bytes[length + i - start] = from[i] as number; // within its length
    this.length = length + end - start;
  }

  put(all: Buffer): void {
    this.copy(all, 0, all.length);
  }

  byte(byte: number): void {
    this.#reserve(1);
    this.bytes[this.length++] = byte;
  }

  text(text: string): void {
    this.#reserve(3 * text.length);
    this.length += this.bytes.write(text, this.length);
  }

  /** Short text of ASCII. */
  ascii(text: string): void {
    this.#reserve(text.length);
    const { bytes, length } = this;
    for (let i = 0; i < text.length; i++) bytes[length + i] = text.charCodeAt(i);
    this.length = length + text.length;
  }

  /** Returns what has been written, without a copy. */
  whole(): Buffer {
    return this.bytes.subarray(0, this.length);
  }

  #reserve(more: number): void {
    if (this.length + more <= this.bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(2 * this.bytes.length, this.length + more));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }
}

/** Writes the row of the line that begins at `start`; returns where the next line begins. */
type RowCopier = (lines: Buffer, start: number, to: ByteWriter) => number;

/** `wants`: of which columns there are cells; default: of all. */
export function rowCopier(
  { columns, redacts }: Pick<PagedResult, 'columns' | 'redacts'>,
  timestamps: TimestampForm,
  wants: readonly boolean[] = columns.map(() => true),
): RowCopier {
  const ways = columns.map(({ type }) => (redacts ? redactedWay(type, timestamps) : undefined) ?? wayOf(type, timestamps));
  const first = wants.indexOf(true);
  return (lines, start, to) => {
    to.put(ROW_START);
    let at = start + 1;
    for (let i = 0; i < ways.length; i++) {
      while (lines[at] === SPACE || lines[at] === COMMA) at++;
      const end = endOfValue(lines, at);
      if (wants[i] === true) {
        if (i > first) to.byte(COMMA);
        to.put(CELL_START);
        copyCell(lines, at, end, { to, way: ways[i] as Way }); // there is one for each column
        to.byte(CLOSE_BRACE);
      }
      at = end;
    }
    to.put(ROW_END);
    const lineEnd = lines.indexOf(LINE_END, at);
    return lineEnd === -1 ? lines.length : lineEnd + 1;
  };
}

/** Undefined for values in which nothing can be hidden. */
function redactedWay(type: Type, timestamps: TimestampForm): Way | undefined {
  const redact = redactorOf(type);
  const write = writerOf(type, timestamps);
  return redact && { how: 'parsed', write: (value) => write(redact(value) as Json) }; // texts stay texts
}

function wayOf(type: Type, timestamps: TimestampForm): Way {
  switch (type.kind) {
    case 'STRING':
    case 'BYTES':
    case 'DATE':
      return { how: 'text' };
    case 'INT64':
      return { how: 'number' };
    case 'FLOAT64':
      return { how: 'float' };
    default:
      return { how: 'parsed', write: writerOf(type, timestamps) };
  }
}

interface Cell {
  readonly to: ByteWriter;
  readonly way: Way;
}

function copyCell(lines: Buffer, start: number, end: number, { to, way }: Cell): void {
  if (way.how === 'parsed') {
    to.text(way.write(parseJson(lines.toString('utf8', start, end))));
    return;
  }
  const first = lines[start];
  if (first === LETTER_N) to.put(NULL);
  else if (way.how === 'text' && first === QUOTE) to.copy(lines, start, end);
  else if (way.how === 'float') copyFloat(lines, start, end, to);
  // A number in a column of texts, or an integer that the engine has put in quotes.
  else if (first === QUOTE) to.copy(lines, start, end);
  else quoted(lines, start, end, to);
}

function quoted(lines: Buffer, start: number, end: number, to: ByteWriter): void {
  to.byte(QUOTE);
  to.copy(lines, start, end);
  to.byte(QUOTE);
}

/** What stands in quotes is one of nan, inf and -inf. */
function copyFloat(lines: Buffer, start: number, end: number, to: ByteWriter): void {
  const plain = plainDigits(lines, start, end);
  to.byte(QUOTE);
  if (plain === undefined) {
    const text = lines.toString('latin1', start, end);
    to.ascii(floatText(SPECIAL[text] ?? Number(text)));
  } else {
    to.copy(lines, start, end);
    if (plain === 'whole') to.ascii('.0');
  }
  to.byte(QUOTE);
}

/** Digits before the point with which a number has no exponent, whatever is behind it. */
const MOST_DIGITS = 7;

/** Tells whether the number is written as the API has it, but for the `.0` of a whole one; undefined if that takes more than a look at its bytes. */
function plainDigits(lines: Buffer, start: number, end: number): 'whole' | 'broken' | undefined {
  let at = lines[start] === MINUS ? start + 1 : start;
  const digits = at;
  while (isDigit(lines[at])) at++;
  const isPlain = at > digits && at - digits <= MOST_DIGITS && lines[digits] !== ZERO;
  if (!isPlain) return undefined;
  if (at === end) return 'whole';
  if (lines[at] !== DOT) return undefined;
  at++;
  while (isDigit(lines[at])) at++;
  return at === end ? 'broken' : undefined;
}

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= ZERO && byte <= NINE;

const SPECIAL: Readonly<Record<string, number>> = {
  '"nan"': Number.NaN,
  '"-nan"': Number.NaN,
  '"inf"': Number.POSITIVE_INFINITY,
  '"-inf"': Number.NEGATIVE_INFINITY,
};

/** Returns where the JSON value that begins at `start` has ended. */
function endOfValue(lines: Buffer, start: number): number {
  const first = lines[start];
  if (first === QUOTE) return endOfText(lines, start);
  let at = start;
  if (first !== OPEN && first !== OPEN_BRACE) {
    for (let byte = lines[at]; byte !== COMMA && byte !== CLOSE && byte !== CLOSE_BRACE && byte !== undefined; byte = lines[at]) at++;
    return at;
  }
  for (let depth = 0; at < lines.length; at++) {
    const byte = lines[at];
    if (byte === QUOTE) at = endOfText(lines, at) - 1;
    else if (byte === OPEN || byte === OPEN_BRACE) depth++;
    else if ((byte === CLOSE || byte === CLOSE_BRACE) && --depth === 0) return at + 1;
  }
  return at;
}

/** Behind the closing quote. */
function endOfText(lines: Buffer, start: number): number {
  let at = start + 1;
  for (; lines[at] !== QUOTE && at < lines.length; at++) if (lines[at] === BACKSLASH) at++;
  return at + 1;
}
