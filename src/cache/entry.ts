// A cache entry as text: a checksum line, a header line that can be read alone, and the result.
import { createHash } from 'node:crypto';
import type { QueryResult, Row, Value } from '../base/result.ts';
import { createYield, joined, mapYielding } from '../base/yield.ts';
import { decodeValue, type Encoded, encodeValue } from './codec.ts';
import { digest } from './json-memory.ts';
import { ENTRY_VERSION } from './key.ts';

/** The part of an entry that a list of the cache shows without reading results. */
export interface EntryHeader {
  readonly key: string;
  /** Milliseconds since 1970. */
  readonly storedAtMs: number;
  readonly ttlSeconds: number;
  /** Name of the saved query. */
  readonly query: string;
  readonly arguments: Readonly<Record<string, Value>>;
  /** The instant given for CURRENT_TIMESTAMP(), if one was. */
  readonly asOf?: string | undefined;
  /** The place of the data and the build of quern, see `place` of Version; absent: not known. */
  readonly madeBy?: string | undefined;
  readonly rowCount: number;
}

export interface CacheEntry extends EntryHeader {
  readonly result: QueryResult;
}

interface StoredHeader extends Omit<EntryHeader, 'arguments'> {
  readonly arguments: Encoded;
  /** True when the rows are plain JSON, so that decoding can skip them. */
  readonly plain: boolean;
}

const MAGIC = `quern-cache ${ENTRY_VERSION} `;
const ANY_MAGIC = /^quern-cache \d+ /;

/** Returns whether the text is an entry of another version of quern, which this one leaves alone. */
export const ofOtherVersion = (text: string): boolean => ANY_MAGIC.test(text) && !text.startsWith(MAGIC);

/** The text of an entry, as bytes; parseEntry gives back an equal one. A large result is printed in pieces. */
export async function printEntry({ result, ...header }: CacheEntry): Promise<Buffer> {
  const yieldToEventLoop = createYield();
  let plain = true;
  const print = (some: QueryResult['rows']): readonly Buffer[] => {
    const encoded = encodeValue(some);
    if (encoded !== some) plain = false;
    return [Buffer.from(JSON.stringify(encoded).slice(1, -1))];
  };
  const pieces = await mapYielding(result.rows, print, yieldToEventLoop);
  const stored: StoredHeader = { ...header, arguments: encodeValue(header.arguments), plain };
  // In no other place is this text without a backslash before its quotes.
  const [before = '', after = ''] = JSON.stringify({ ...result, rows: [] }).split('"rows":[]');
  const content: Buffer[] = [Buffer.from(`${JSON.stringify(stored)}\n${before}"rows":[`)];
  for (const piece of pieces) content.push(piece, COMMA);
  content.pop();
  content.push(Buffer.from(`]${after}\n`));
  const hash = createHash('sha256');
  for (const piece of content) {
    hash.update(piece);
    await yieldToEventLoop();
  }
  return joined([Buffer.from(`${MAGIC}${hash.digest('hex')}\n`), ...content], yieldToEventLoop);
}

const COMMA = Buffer.from(',');

/** The entry in `text`, or undefined when it is damaged, cut off, or not the entry of `key`. */
export function parseEntry(text: string, key: string): CacheEntry | undefined {
  const headerStart = text.indexOf('\n') + 1;
  const bodyStart = text.indexOf('\n', headerStart) + 1;
  if (!text.startsWith(MAGIC) || headerStart === 0 || bodyStart === 0) return undefined;
  if (text.slice(MAGIC.length, headerStart - 1) !== digest(text.slice(headerStart))) return undefined;
  // The checksum holds, so printEntry wrote this.
  const stored = JSON.parse(text.slice(headerStart, bodyStart)) as StoredHeader;
  if (stored.key !== key) return undefined;
  const result = JSON.parse(text.slice(bodyStart)) as QueryResult & { readonly rows: Encoded };
  const rows = stored.plain ? result.rows : (decodeValue(result.rows) as readonly Row[]); // rows in, rows out
  return { ...headerOf(stored), result: { ...result, rows } };
}

/** The header in the beginning of an entry's text, or undefined when there is none. The checksum is not looked at. */
export function parseHeader(text: string): EntryHeader | undefined {
  const headerStart = text.indexOf('\n') + 1;
  const bodyStart = text.indexOf('\n', headerStart) + 1;
  if (!text.startsWith(MAGIC) || headerStart === 0 || bodyStart === 0) return undefined;
  try {
    return headerOf(JSON.parse(text.slice(headerStart, bodyStart)) as StoredHeader); // what printEntry writes there
  } catch {
    return undefined;
  }
}

function headerOf({ plain: _, ...stored }: StoredHeader): EntryHeader {
  return { ...stored, arguments: decodeValue(stored.arguments) as Readonly<Record<string, Value>> }; // a record went in
}
