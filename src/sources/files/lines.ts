// Cuts a stream of bytes into lines of text, in blocks, with bounded memory.
import { isUtf8 } from 'node:buffer';
import { escapeBytes } from '../../clickhouse/quote.ts';

export type Line =
  | { readonly number: number; readonly text: string }
  /** Kept out: not UTF-8, or longer than a line may be. `text` is what can be shown of it. */
  | { readonly number: number; readonly text: string; readonly problem: string };

/** Characters of UTF-8, and other bytes, of bytes as Latin-1 text. */
const CHARACTERS = /[ -~]+|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}|./gs;

/** Returns what can be shown of bytes: their text, with those that are not UTF-8 as `\xfc`. */
export const shownText = (bytes: Buffer): string =>
  bytes.toString('latin1').replace(CHARACTERS, (character) => {
    const part = Buffer.from(character, 'latin1');
    return isUtf8(part) ? part.toString('utf8') : escapeBytes(character);
  });

const MAX_LINE_BYTES = 64 * 1024 * 1024;
const LINE_FEED = 10;

/** Blocks of consecutive lines; a byte order mark is skipped. Blank lines are numbered but left out, and ends of lines are "\n", unless lines are wanted `asWritten`. */
export async function* readLines(bytes: AsyncIterable<Uint8Array>, asWritten = false): AsyncGenerator<readonly Line[]> {
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  let overlong = false;
  let number = 0;
  const hold = (part: Uint8Array): void => {
    if (pendingBytes + part.length > MAX_LINE_BYTES) overlong = true;
    if (overlong || part.length === 0) return;
    pending.push(part);
    pendingBytes += part.length;
  };
  const take = (): { readonly text: Buffer; readonly overlong: boolean } => {
    const taken = { text: Buffer.concat(pending), overlong };
    [pending, pendingBytes, overlong] = [[], 0, false];
    return taken;
  };
  for await (const chunk of bytes) {
    const first = chunk.indexOf(LINE_FEED);
    if (first === -1) {
      hold(chunk);
      continue;
    }
    const lines: Line[] = [];
    hold(chunk.subarray(0, first));
    const head = take();
    number = cut(head.text, number, lines, { overlong: head.overlong, asWritten });
    const last = chunk.lastIndexOf(LINE_FEED);
    if (last > first) number = cut(Buffer.from(chunk.buffer, chunk.byteOffset + first + 1, last - first - 1), number, lines, { asWritten });
    hold(chunk.subarray(last + 1));
    yield lines;
  }
  const rest = take();
  if (rest.text.length > 0 || rest.overlong) {
    const lines: Line[] = [];
    cut(rest.text, number, lines, { overlong: rest.overlong, asWritten });
    yield lines;
  }
}

interface Cutting {
  readonly overlong?: boolean;
  readonly asWritten: boolean;
}

/** Adds the lines of `block`, which ends where a line ends, and returns the number of the last one. */
function cut(block: Buffer, number: number, lines: Line[], { overlong = false, asWritten }: Cutting): number {
  if (overlong) {
    const text = shownText(block.subarray(0, 200));
    lines.push({ number: number + 1, text, problem: `longer than ${MAX_LINE_BYTES / 1024 / 1024} MB` });
    return number + 1;
  }
  if (isUtf8(block)) {
    for (const text of block.toString('utf8').split('\n')) add(lines, ++number, text, asWritten);
    return number;
  }
  for (let start = 0; start <= block.length; ) {
    const found = block.indexOf(LINE_FEED, start);
    const end = found === -1 ? block.length : found;
    const line = block.subarray(start, end);
    if (isUtf8(line)) add(lines, ++number, line.toString('utf8'), asWritten);
    else lines.push({ number: ++number, text: shownText(line), problem: 'not UTF-8' });
    start = end + 1;
  }
  return number;
}

function add(lines: Line[], number: number, raw: string, asWritten: boolean): void {
  const marked = number === 1 && raw.startsWith('\ufeff') ? raw.slice(1) : raw;
  if (asWritten) {
    lines.push({ number, text: marked });
    return;
  }
  const text = marked.endsWith('\r') ? marked.slice(0, -1) : marked;
  if (text.trim() !== '') lines.push({ number, text });
}
