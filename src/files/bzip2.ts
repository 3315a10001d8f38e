// Reads bzip2 data: the engine is built without it, and so is Node. A block at a time, each checked against its checksum, and each stream against its own.
// https://en.wikipedia.org/wiki/Bzip2#File_format names the parts in the order in which they stand here.
import { createBitReader, EndOfData } from './bit-reader.ts';
import { DamagedError } from './damaged.ts';

const BLOCK = 0x314159265359;
const STREAM_END = 0x177245385090;
const BLOCK_UNIT = 100_000;
const GROUP_SYMBOLS = 50;
const LONGEST_CODE = 20;
const MOST_TABLES = 6;
/** Longer codes are rare. */
const QUICK_BITS = 10;
const SYMBOL_BITS = 9;
const MOST_SYMBOLS = 258;
/** So many equal bytes are followed by how many more there are. */
const RUN = 4;

const CRC_TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 24;
  for (let bit = 0; bit < 8; bit++) crc = crc < 0 ? (crc << 1) ^ 0x04c11db7 : crc << 1;
  return crc;
});

/**
 * Unpacks what `read` fills a buffer with (0 at the end) and hands the bytes to `write`, in pieces of a buffer that is used again. Throws DamagedError for data
 * that are cut off, damaged, or followed by anything that is not bzip2, and what the two functions throw.
 */
export function unpackBzip2Data(read: (into: Uint8Array) => number, write: (bytes: Uint8Array) => void): void {
  try {
    unpackStreams(createBitReader(read), createRunWriter(write));
  } catch (error) {
    throw error instanceof EndOfData ? new DamagedError('the bzip2 data is cut off') : error;
  }
}

type Bits = ReturnType<typeof createBitReader>;
type RunWriter = ReturnType<typeof createRunWriter>;

function unpackStreams(bits: Bits, out: RunWriter): void {
  let links = new Uint32Array(0);
  for (let stream = 0; stream === 0 || !bits.atEnd(); stream++) {
    const isStart = bits.take(8) === 0x42 && bits.take(8) === 0x5a && bits.take(8) === 0x68;
    const level = isStart ? bits.take(8) - 0x30 : 0;
    if (level < 1 || level > 9)
      throw new DamagedError(stream === 0 ? 'it is not bzip2 data' : 'the bzip2 data is followed by something else');
    if (links.length < level * BLOCK_UNIT) links = new Uint32Array(level * BLOCK_UNIT);
    let streamCrc = 0;
    for (;;) {
      const magic = bits.take(24) * 2 ** 24 + bits.take(24);
      const crc = bits.take(16) * 2 ** 16 + bits.take(16);
      if (magic === STREAM_END) {
        if (crc !== streamCrc) throw damaged();
        bits.toByte();
        break;
      }
      if (magic !== BLOCK) throw damaged();
      const blockCrc = unpackBlock(bits, links.subarray(0, level * BLOCK_UNIT), out);
      if (blockCrc !== crc) throw damaged();
      streamCrc = (((streamCrc << 1) | (streamCrc >>> 31)) ^ blockCrc) >>> 0;
    }
  }
}

const damaged = (): DamagedError => new DamagedError('the bzip2 data is damaged');

/** The checksum of the block's bytes. */
function unpackBlock(bits: Bits, links: Uint32Array, out: RunWriter): number {
  if (bits.take(1) === 1) throw new DamagedError('the bzip2 data is in an obsolete form, which bzip2 before 1.0 wrote');
  const origin = bits.take(24);
  const counts = new Uint32Array(256);
  const length = readSymbols(bits, links, counts);
  if (origin >= length) throw damaged();
  // The links lead from each byte of the sorted block to the one that follows it: the byte is in the low eight bits, the way in the others.
  for (let byte = 0, before = 0; byte < 256; byte++) {
    const count = counts[byte] ?? 0;
    counts[byte] = before;
    before += count;
  }
  for (let i = 0; i < length; i++) {
    const byte = (links[i] as number) & 0xff;
    const at = counts[byte] as number;
    counts[byte] = at + 1;
    links[at] = (links[at] as number) | (i << 8);
  }
  return out(links, length, origin);
}

/** Puts the block's bytes, as they were sorted, into `links`, and how often each occurs into `counts`. Returns how many there are. */
function readSymbols(bits: Bits, links: Uint32Array, counts: Uint32Array): number {
  const recent = readUsedBytes(bits);
  const end = recent.length + 1;
  const { selectors, tables } = readTables(bits, end + 1);
  let length = 0;
  let [run, weight] = [0, 1];
  for (const selector of selectors) {
    const table = tables[selector];
    if (table === undefined) throw damaged();
    for (let i = 0; i < GROUP_SYMBOLS; i++) {
      const symbol = readSymbol(bits, table);
      if (symbol < 2) {
        // The digits of a number to the base of two whose digits are one and two: how often the most recent byte is repeated.
        run += weight << symbol;
        weight *= 2;
        if (run > links.length) throw damaged();
        continue;
      }
      if (run > 0) {
        const byte = recent[0] as number;
        if (length + run > links.length) throw damaged();
        links.fill(byte, length, length + run);
        counts[byte] = (counts[byte] as number) + run;
        length += run;
        [run, weight] = [0, 1];
      }
      if (symbol === end) return length;
      if (length === links.length) throw damaged();
      const byte = recent[symbol - 1] as number;
      recent.copyWithin(1, 0, symbol - 1);
      recent[0] = byte;
      links[length++] = byte;
      counts[byte] = (counts[byte] as number) + 1;
    }
  }
  throw damaged();
}

/** The bytes that occur in the block, in their order. */
function readUsedBytes(bits: Bits): Uint8Array {
  const ranges = bits.take(16);
  const used: number[] = [];
  for (let range = 0; range < 16; range++) {
    if (((ranges >> (15 - range)) & 1) === 0) continue;
    const bytes = bits.take(16);
    for (let i = 0; i < 16; i++) if (((bytes >> (15 - i)) & 1) === 1) used.push(range * 16 + i);
  }
  if (used.length === 0) throw damaged();
  return Uint8Array.from(used);
}

function readTables(bits: Bits, symbols: number): { readonly selectors: Uint8Array; readonly tables: readonly CodeTable[] } {
  const count = bits.take(3);
  if (count < 2 || count > MOST_TABLES) throw damaged();
  const selectors = new Uint8Array(bits.take(15));
  const order = Array.from({ length: count }, (_, i) => i);
  for (let i = 0; i < selectors.length; i++) {
    let at = 0;
    while (bits.take(1) === 1) at++;
    const [table] = order.splice(at, 1);
    if (table === undefined) throw damaged();
    order.unshift(table);
    selectors[i] = table;
  }
  const tables = Array.from({ length: count }, () => {
    const lengths = new Uint8Array(symbols);
    let length = bits.take(5);
    for (let symbol = 0; symbol < symbols; symbol++) {
      for (;;) {
        if (length < 1 || length > LONGEST_CODE) throw damaged();
        if (bits.take(1) === 0) break;
        length += bits.take(1) === 0 ? 1 : -1;
      }
      lengths[symbol] = length;
    }
    return codeTable(lengths);
  });
  return { selectors, tables };
}

/** Codes of equal length follow each other, the short ones first, so that the lengths say it all. */
interface CodeTable {
  /** By the bits that follow: the symbol of a short code and above it how long the code is; 0 for a long one. */
  readonly quick: Uint16Array;
  readonly shortest: number;
  /** By length: the last code of it, or less than any where there is none. */
  readonly last: Int32Array;
  /** By length: what to add to a code for the place of its symbol. */
  readonly offset: Int32Array;
  readonly symbols: Uint16Array;
}

function codeTable(lengths: Uint8Array): CodeTable {
  const last = new Int32Array(LONGEST_CODE + 1).fill(-1);
  const offset = new Int32Array(LONGEST_CODE + 1);
  const symbols = new Uint16Array(MOST_SYMBOLS);
  const quick = new Uint16Array(2 ** QUICK_BITS);
  let [code, at, shortest] = [0, 0, 0];
  for (let length = 1; length <= LONGEST_CODE; length++) {
    const first = at;
    for (let symbol = 0; symbol < lengths.length; symbol++) {
      if (lengths[symbol] !== length) continue;
      const start = (code + at - first) * 2 ** (QUICK_BITS - length);
      if (length <= QUICK_BITS) quick.fill((length << SYMBOL_BITS) | symbol, start, start + 2 ** (QUICK_BITS - length));
      symbols[at++] = symbol;
    }
    offset[length] = first - code;
    code += at - first;
    if (at > first) {
      last[length] = code - 1;
      shortest ||= length;
    }
    code *= 2;
  }
  return { quick, shortest, last, offset, symbols };
}

function readSymbol(bits: Bits, { quick, shortest, last, offset, symbols }: CodeTable): number {
  const known = quick[bits.peek(QUICK_BITS)] as number;
  if (known !== 0) {
    bits.take(known >> SYMBOL_BITS);
    return known & (2 ** SYMBOL_BITS - 1);
  }
  let length = shortest;
  let code = bits.take(length);
  while (code > (last[length] as number)) {
    if (length === LONGEST_CODE) throw damaged();
    code = code * 2 + bits.take(1);
    length++;
  }
  return symbols[code + (offset[length] as number)] ?? 0;
}

const OUT_BYTES = 1 << 18;
/** A count makes so many of a byte. */
const LONGEST_RUN = 255;

/** Returns a function that follows the links of a block, writes what its bytes stand for, and returns the checksum of that. */
function createRunWriter(write: (bytes: Uint8Array) => void) {
  const buffer = new Uint8Array(OUT_BYTES);
  return (links: Uint32Array, length: number, origin: number): number => {
    let [used, crc, last, same] = [0, -1, -1, 0];
    let at = (links[origin] as number) >>> 8;
    for (let i = 0; i < length; i++) {
      const link = links[at] as number;
      at = link >>> 8;
      const byte = link & 0xff;
      const isCount = same === RUN;
      const times = isCount ? byte : 1;
      if (!isCount) {
        same = byte === last ? same + 1 : 1;
        last = byte;
      }
      for (let n = 0; n < times; n++) {
        buffer[used++] = last;
        crc = (crc << 8) ^ (CRC_TABLE[((crc >>> 24) ^ last) & 0xff] as number);
      }
      if (isCount) [last, same] = [-1, 0];
      if (used > OUT_BYTES - LONGEST_RUN) {
        write(buffer.subarray(0, used));
        used = 0;
      }
    }
    write(buffer.subarray(0, used));
    return ~crc >>> 0;
  };
}
