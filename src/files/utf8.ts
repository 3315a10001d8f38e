// Whether a file is UTF-8, looked at piece by piece.
import { isUtf8 } from 'node:buffer';

const CONTINUATION = 0b1000_0000;
const isContinuation = (byte: number): boolean => (byte & 0b1100_0000) === CONTINUATION;

export type Utf8Check = (piece: Buffer, more: boolean) => boolean;

/** A function to be given each piece of a file in its order, and whether more may follow: whether what it has seen is UTF-8. */
export function createUtf8Check(): Utf8Check {
  /** What the last piece has begun and not ended. */
  let begun: Buffer = Buffer.alloc(0);
  return (piece, more) => {
    const bytes = begun.length === 0 ? piece : Buffer.concat([begun, piece]);
    const end = more ? wholeCharacters(bytes) : bytes.length;
    begun = Buffer.from(bytes.subarray(end));
    return isUtf8(bytes.subarray(0, end));
  };
}

/** Where the last character begins if it is not all there, else the length. */
function wholeCharacters(bytes: Buffer): number {
  const { length } = bytes;
  let at = length - 1;
  while (at >= 0 && length - at < 4 && isContinuation(bytes[at] ?? 0)) at--;
  const first = bytes[at] ?? 0;
  const wanted = 1 + [0xc0, 0xe0, 0xf0].filter((least) => first >= least).length;
  return at >= 0 && at + wanted > length ? at : length;
}
