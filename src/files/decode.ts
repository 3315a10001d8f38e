// Text in other encodings than UTF-8, decoded once: the engine reads UTF-8 alone.
import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { type Encoding, markedEncoding, UndecodableError } from './encoding.ts';

/** Writes the text of the file `from` into the file `to` as UTF-8, without a byte order mark. Throws UndecodableError, and what the file system and `signal` throw. */
export const decodeFile = (from: string, to: string, encoding: Encoding, signal?: AbortSignal): Promise<void> =>
  pipeline(
    createReadStream(from, { highWaterMark: PIECE_BYTES }),
    (pieces: AsyncIterable<Buffer>) => decoded(pieces, encoding),
    createWriteStream(to, { mode: 0o600 }),
    { ...(signal === undefined ? {} : { signal }) },
  );

const MARK = '\ufeff';
const PIECE_BYTES = 1 << 18;

async function* decoded(pieces: AsyncIterable<Buffer>, encoding: Encoding): AsyncGenerator<Buffer> {
  let decode: Decode | undefined;
  let line = 1;
  /** The bytes of a character that the next piece ends. */
  let begun: Buffer = Buffer.alloc(0);
  for await (const piece of pieces) {
    const bytes = begun.length === 0 ? piece : Buffer.concat([begun, piece]);
    if (decode === undefined && bytes.length < 2) {
      begun = bytes;
      continue;
    }
    const first = decode === undefined;
    decode ??= decoderOf(encoding, bytes);
    const end = decode.isWide ? wholeUnits(bytes, decode.high) : bytes.length;
    begun = Buffer.from(bytes.subarray(end));
    const text = decode.text(bytes.subarray(0, end));
    const wrong = decode.wrong.exec(text);
    if (wrong !== null) throw new UndecodableError(line + lineFeeds(text.slice(0, wrong.index)), `not ${encoding}`);
    line += lineFeeds(text);
    yield Buffer.from(first && text.startsWith(MARK) ? text.slice(1) : text);
  }
  if (begun.length === 0) return;
  decode ??= decoderOf(encoding, begun);
  if (decode.isWide) throw new UndecodableError(line, `not ${encoding}: it ends in the middle of a character`);
  yield Buffer.from(decode.text(begun));
}

interface Decode {
  /** Characters have two bytes, or four. */
  readonly isWide: boolean;
  /** Where the higher of two bytes is. */
  readonly high: 0 | 1;
  /** What no text of the encoding holds. */
  readonly wrong: RegExp;
  text(bytes: Buffer): string;
}

/** Half of a pair of UTF-16 that stands alone. */
const LONE_HALF = /\p{Surrogate}/u;
/** The characters of the bytes 0x80 to 0x9f in Windows-1252, or the byte itself where it has none. Node 20's own decoder takes them for those of ISO-8859-1. */
const HIGH_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';
const UNDEFINED_1252 = /[\x81\x8d\x8f\x90\x9d]/;
const NOTHING = /$^/;

/** `head` is how the file begins: for UTF-16 its mark says the order of bytes. */
function decoderOf(encoding: Encoding, head: Buffer): Decode {
  if (encoding === 'ISO-8859-1') return { isWide: false, high: 0, wrong: NOTHING, text: (bytes) => bytes.toString('latin1') };
  if (encoding === 'Windows-1252') {
    const text = (bytes: Buffer): string =>
      bytes.toString('latin1').replace(/[\x80-\x9f]/g, (byte) => HIGH_1252[byte.charCodeAt(0) - 0x80] ?? byte);
    return { isWide: false, high: 0, wrong: UNDEFINED_1252, text };
  }
  const marked = markedEncoding(head);
  const order = encoding === 'UTF-16' ? marked : encoding;
  if (order === undefined)
    throw new UndecodableError(1, 'it has no byte order mark that says which UTF-16 it is: name the encoding UTF-16LE or UTF-16BE');
  if (marked !== undefined && marked !== order) throw new UndecodableError(1, `not ${order}: its byte order mark is that of ${marked}`);
  const isLittle = order === 'UTF-16LE';
  // swap16 changes the bytes that it is given.
  const text = (bytes: Buffer): string => (isLittle ? bytes : Buffer.from(bytes).swap16()).toString('utf16le');
  return { isWide: true, high: isLittle ? 1 : 0, wrong: LONE_HALF, text };
}

/** How many of the bytes are whole characters, where the last may be the first half of a pair. */
function wholeUnits(bytes: Buffer, high: 0 | 1): number {
  const even = bytes.length & ~1;
  const last = even === 0 ? 0 : (bytes[even - 2 + high] ?? 0);
  return last >= 0xd8 && last < 0xdc ? even - 2 : even;
}

function lineFeeds(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
