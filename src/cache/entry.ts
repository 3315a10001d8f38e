// A cache entry as text: a checksum line, a header line that can be read alone, and the result.
import { createHash } from 'node:crypto';
import type { QueryResult, Row, Value } from '../result.ts';
import { decodeValue, type Encoded, encodeValue } from './codec.ts';
import { ENTRY_VERSION } from './key.ts';

/** What a list of the cache shows without reading results. */
export interface EntryHeader {
  readonly key: string;
  /** Milliseconds since 1970. */
  readonly storedAtMs: number;
  readonly ttlSeconds: number;
  /** Name of the saved query. */
  readonly query: string;
  readonly arguments: Readonly<Record<string, Value>>;
  /** The instant given for CURRENT_TIMESTAMP(), if one was. */
  readonly asOf?: string;
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

/** Whether the text is an entry of another version of quern, which is none of this one's business. */
export const ofOtherVersion = (text: string): boolean => ANY_MAGIC.test(text) && !text.startsWith(MAGIC);

/** The text of an entry; parseEntry gives back an equal one. */
export function printEntry({ result, ...header }: CacheEntry): string {
  const rows = encodeValue(result.rows);
  const plain = rows === result.rows;
  const stored: StoredHeader = { ...header, arguments: encodeValue(header.arguments), plain };
  const content = `${JSON.stringify(stored)}\n${JSON.stringify({ ...result, rows })}\n`;
  return `${MAGIC}${checksum(content)}\n${content}`;
}

/** The entry in `text`, or undefined when it is damaged, cut off, or not the entry of `key`. */
export function parseEntry(text: string, key: string): CacheEntry | undefined {
  const headerStart = text.indexOf('\n') + 1;
  const bodyStart = text.indexOf('\n', headerStart) + 1;
  if (!text.startsWith(MAGIC) || headerStart === 0 || bodyStart === 0) return undefined;
  if (text.slice(MAGIC.length, headerStart - 1) !== checksum(text.slice(headerStart))) return undefined;
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

function checksum(content: string): string {
  return createHash('sha256').update(content).digest('hex');
}
