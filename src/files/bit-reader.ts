// Bits of data that come in pieces, the highest of each byte first.

/** Thrown where there are fewer bits than are wanted. */
export class EndOfData extends Error {}

const PIECE_BYTES = 1 << 18;

/** `read` fills a buffer, and returns with how many bytes; 0 at the end. */
export function createBitReader(read: (into: Uint8Array) => number) {
  const piece = new Uint8Array(PIECE_BYTES);
  let [at, end] = [0, 0];
  /** The lowest `left` bits of it are not taken yet. */
  let [held, left] = [0, 0];
  const fill = (): boolean => {
    end = read(piece);
    at = 0;
    return end > 0;
  };
  return {
    /** The next `count` bits, at most 24, which are left where they are; 0 for those behind the end. */
    peek(count: number): number {
      while (left < count) {
        if (at === end && !fill()) return (held << (count - left)) & ((1 << count) - 1);
        held = ((held << 8) | (piece[at++] as number)) & 0x7fffffff;
        left += 8;
      }
      return (held >>> (left - count)) & ((1 << count) - 1);
    },
    /** The next `count` bits, at most 24, as a number. */
    take(count: number): number {
      while (left < count) {
        if (at === end && !fill()) throw new EndOfData();
        held = ((held << 8) | (piece[at++] as number)) & 0x7fffffff;
        left += 8;
      }
      left -= count;
      return (held >>> left) & ((1 << count) - 1);
    },
    /** Leaves out what is left of a byte that was begun. */
    toByte(): void {
      left -= left % 8;
    },
    /** Whether no byte follows. To be called between bytes. */
    atEnd: (): boolean => left === 0 && at === end && !fill(),
  };
}
