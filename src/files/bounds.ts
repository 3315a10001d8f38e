// How much compressed files may unpack to: logs come to a tenth of their size, or a hundredth; a bomb to a millionth.
import { DamagedError } from './damaged.ts';

/** Whatever its size, a file may unpack to so much. */
const ALWAYS_BYTES = 64 * 2 ** 20;
const MOST_TIMES = 1000;

/** Bytes that a file of `size` bytes may unpack to. */
export const mostUnpacked = (size: number): number => Math.max(ALWAYS_BYTES, MOST_TIMES * size);

export const tooLarge = (maxBytes: number): DamagedError =>
  new DamagedError(
    `it unpacks to more than ${Math.round(maxBytes / 1e6)} MB, far more than a file of its size should: unpack it yourself if it is right`,
  );
