// Whether files of zstd and lz4 are whole: they are frames, one after the other, and where one is cut off the engine takes what there is for all. Only the
// headers are read, which say how long what follows them is.
// https://www.rfc-editor.org/rfc/rfc8878 and https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { createYield, type YieldToEventLoop } from '../base/yield.ts';
import { DamagedError } from './damaged.ts';

type Framed = 'zstd' | 'lz4';

const MAGIC = { zstd: 0xfd2fb528, lz4: 0x184d2204 } as const;
/** Frames that hold something else than data, in both formats. */
const SKIPPABLE = { first: 0x184d2a50, last: 0x184d2a5f } as const;

/** Throws DamagedError for a file that does not end where a frame ends, and the system's errors. A file of no bytes has no frame that could be cut off. */
export async function checkFrames(path: string, compression: Framed): Promise<void> {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const numberAt = numbersOf(file, size, compression);
    const yieldToEventLoop = createYield();
    const endOf = compression === 'zstd' ? endOfZstd : endOfLz4;
    let at = 0;
    while (at < size) {
      const magic = numberAt(at, 4);
      if (magic >= SKIPPABLE.first && magic <= SKIPPABLE.last) at += 8 + numberAt(at + 4, 4);
      else if (magic === MAGIC[compression]) at = await endOf(numberAt, at + 4, yieldToEventLoop);
      else throw new DamagedError(at === 0 ? `it is not ${compression} data` : `the ${compression} data is followed by something else`);
      await yieldToEventLoop();
    }
    if (at > size) throw cutOff(compression);
  } finally {
    closeSync(file);
  }
}

const cutOff = (compression: Framed): DamagedError => new DamagedError(`the ${compression} data is cut off`);

/** The number in `count` bytes, the lowest first. Throws DamagedError where the file has fewer. */
type NumberAt = (at: number, count: number) => number;

const WINDOW_BYTES = 4096;

function numbersOf(file: number, size: number, compression: Framed): NumberAt {
  const window = Buffer.alloc(WINDOW_BYTES);
  let [start, end] = [0, 0];
  return (at, count) => {
    if (at + count > size) throw cutOff(compression);
    if (at < start || at + count > end) {
      start = at;
      end = at + readSync(file, window, 0, WINDOW_BYTES, at);
      if (at + count > end) throw cutOff(compression);
    }
    return window.readUIntLE(at - start, count);
  };
}

/** How many bytes a field has, by two bits that say so. */
const CONTENT_SIZE_BYTES = [0, 2, 4, 8];
const DICTIONARY_BYTES = [0, 1, 2, 4];
const RUN_BLOCK = 1;
const RESERVED_BLOCK = 3;

/** Where the frame ends whose descriptor is at `at`. */
async function endOfZstd(numberAt: NumberAt, at: number, yieldToEventLoop: YieldToEventLoop): Promise<number> {
  const descriptor = numberAt(at, 1);
  const isSingle = (descriptor & 0x20) !== 0;
  const hasChecksum = (descriptor & 0x04) !== 0;
  const contentSize = CONTENT_SIZE_BYTES[descriptor >> 6] ?? 0;
  // A single segment has no descriptor of a window, and always says its size.
  let next = at + 1 + (isSingle ? Math.max(contentSize, 1) : contentSize + 1) + (DICTIONARY_BYTES[descriptor & 0x03] ?? 0);
  for (;;) {
    const header = numberAt(next, 3);
    const kind = (header >> 1) & 0x03;
    if (kind === RESERVED_BLOCK) throw new DamagedError('the zstd data is damaged');
    next += 3 + (kind === RUN_BLOCK ? 1 : header >> 3);
    if ((header & 1) === 1) return next + (hasChecksum ? 4 : 0);
    await yieldToEventLoop();
  }
}

async function endOfLz4(numberAt: NumberAt, at: number, yieldToEventLoop: YieldToEventLoop): Promise<number> {
  const flags = numberAt(at, 1);
  if (flags >> 6 !== 1) throw new DamagedError('the lz4 data is damaged');
  const has = (bit: number, bytes: number): number => ((flags & bit) === 0 ? 0 : bytes);
  // Two bytes of flags, the size of the content, the number of a dictionary, and a checksum of these.
  let next = at + 2 + has(0x08, 8) + has(0x01, 4) + 1;
  for (;;) {
    const size = numberAt(next, 4);
    next += 4;
    if (size === 0) return next + has(0x04, 4);
    // The highest bit says that the block is stored as it is.
    next += (size % 2 ** 31) + has(0x10, 4);
    await yieldToEventLoop();
  }
}
