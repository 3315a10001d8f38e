// Reads the timestamps that log events carry: ISO 8601, or seconds, milliseconds, microseconds, nanoseconds since 1970.

import { isDay, readTimestamp as readInstant } from '../base/instant.ts';
import type { Json } from '../engine/lossless-json.ts';

/** Most logs are in UTC: making the text of the parts takes less time than making an instant of them. */
const IN_UTC = /^(\d{4})-(\d\d)-(\d\d)[T ]([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d{1,9}))?Z$/;

/** What the store's partitions by day can hold. */
const YEARS = [1970, 2149] as const;
const LAST = '2149-06-06';

/**
 * The instant as ClickHouse's text in UTC, `2026-01-02 03:04:05.678901`; undefined when it cannot be read or lies outside 1970 to 2149.
 * A text without offset is UTC. Numbers count by their size: below 10^11 seconds, below 10^14 milliseconds, below 10^17 microseconds, else
 * nanoseconds. Digits beyond microseconds are cut off.
 */
export function readTimestamp(value: Json | undefined): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') return undefined;
  const text = String(value);
  const read = readInUtc(text) ?? readInstant(text, YEARS, 1);
  return read !== undefined && read >= String(YEARS[0]) && read < LAST ? read : undefined;
}

function readInUtc(text: string): string | undefined {
  const [, year = '', month = '', day = '', hour, minute, second, fraction = ''] = IN_UTC.exec(text) ?? [];
  if (!isDay(Number(year), Number(month), Number(day))) return undefined;
  return `${year}-${month}-${day} ${hour}:${minute}:${second}.${fraction.slice(0, 6).padEnd(6, '0')}`;
}

/** ClickHouse's text as ISO 8601 with a Z. */
export function toIso(text: string): string {
  return `${text.replace(' ', 'T')}Z`;
}
