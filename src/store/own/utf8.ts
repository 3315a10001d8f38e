// Whether a file is UTF-8, looked at piece by piece.
import { isUtf8 } from 'node:buffer';

const CONTINUATION = 0b1000_0000;
const isContinuation = (byte: number): boolean => (byte & 0b1100_0000) === CONTINUATION;

export type Utf8Check = (piece: Buffer, more: boolean) => boolean;

/**
 * A function to be given each piece of a file in its order, and whether more may follow: whether what it has seen is UTF-8. In JSON, `escapes` stand for
 * characters too: one for half of a character counts as none, since the other half may be missing.
 */
export function createUtf8Check(escapes: boolean): Utf8Check {
  /** What the last piece has begun and not ended. */
  let begun: Buffer = Buffer.alloc(0);
  return (piece, more) => {
    const bytes = begun.length === 0 ? piece : Buffer.concat([begun, piece]);
    const end = more ? wholeCharacters(bytes) : bytes.length;
    begun = Buffer.from(bytes.subarray(end));
    const whole = bytes.subarray(0, end);
    return isUtf8(whole) && !(escapes && HALVES.some((half) => whole.includes(half)));
  };
}

const HALVES = ['\\ud', '\\uD'].map((text) => Buffer.from(text));
const BACKSLASH = 0x5c;
const U = 0x75;

/** Where the last character or escape begins if it is not all there, else the length. */
function wholeCharacters(bytes: Buffer): number {
  const { length } = bytes;
  if (bytes[length - 1] === BACKSLASH) return length - 1;
  if (bytes[length - 1] === U && bytes[length - 2] === BACKSLASH) return length - 2;
  let at = length - 1;
  while (at >= 0 && length - at < 4 && isContinuation(bytes[at] ?? 0)) at--;
  const first = bytes[at] ?? 0;
  const wanted = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
  return at >= 0 && at + wanted > length ? at : length;
}
