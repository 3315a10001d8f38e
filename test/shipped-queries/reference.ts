// What the three saved queries must return, computed from the loaded events in plain TypeScript: no SQL, no translator, no engine.
import type { Row, Value } from '../../src/base/result.ts';

/** An event as it is loaded. */
export interface LogEvent {
  readonly id: string;
  /** ISO 8601 in UTC, with up to six digits of a second. */
  readonly timestamp: string;
  readonly project?: string;
  readonly event_message?: string;
  readonly metadata?: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

const SECOND = 1_000_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Microseconds since 1970; every instant of the tests is well below 2^53. */
export function micros(text: string): number {
  const [, seconds = '', fraction = ''] = /^(.{19})(?:\.(\d+))?Z$/.exec(text) ?? [];
  return Date.parse(`${seconds}Z`) * 1000 + Number(fraction.padEnd(6, '0'));
}

/** As results show a TIMESTAMP; without the Z a DATETIME. */
export function isoText(instant: number): string {
  const fraction = String(instant % SECOND).padStart(6, '0');
  return `${new Date((instant - (instant % SECOND)) / 1000).toISOString().slice(0, 19)}${fraction === '000000' ? '' : `.${fraction}`}`;
}

const truncated = (instant: number, unit: number): number => instant - (instant % unit);

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What UNNEST of a nested record gives: a record stands for an array of one. */
function elements(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isRecord) : isRecord(value) ? [value] : [];
}

/** An event always has its one top record at least. */
function topRecords({ metadata }: LogEvent): readonly Fields[] {
  const records = elements(metadata);
  return records.length === 0 ? [{}] : records;
}

function byBucket<T extends { readonly bucket: number }>(records: readonly T[]): readonly (readonly [number, readonly T[]])[] {
  const groups = new Map<number, T[]>();
  for (const record of records) groups.set(record.bucket, [...(groups.get(record.bucket) ?? []), record]);
  return [...groups].sort(([a], [b]) => a - b);
}

// ---- functions.invocation-stats -----------------------------------------------------------------------------------------------------

const STATS_INTERVALS: Readonly<Record<string, { readonly lookBack: number; readonly unit: number }>> = {
  '5min': { lookBack: 5 * MINUTE, unit: SECOND },
  '15min': { lookBack: 15 * MINUTE, unit: MINUTE },
  '1hr': { lookBack: HOUR, unit: MINUTE },
  '1day': { lookBack: DAY, unit: HOUR },
  '7day': { lookBack: 7 * DAY, unit: DAY },
};
const DEFAULT_INTERVAL = { lookBack: DAY, unit: HOUR };

/** The start of the first bucket of an interval. */
export function firstBucket(interval: string, now: number): number {
  const { lookBack, unit } = STATS_INTERVALS[interval] ?? DEFAULT_INTERVAL;
  return truncated(now - lookBack, unit);
}

export interface StatsArguments {
  readonly project: string;
  readonly function_id?: string;
  readonly interval?: string;
}

export function invocationStats(events: readonly LogEvent[], given: StatsArguments, now: number): readonly Row[] {
  const { lookBack, unit } = STATS_INTERVALS[given.interval ?? ''] ?? DEFAULT_INTERVAL;
  const records = events.flatMap((event) => {
    const instant = micros(event.timestamp);
    const bucket = truncated(instant, unit);
    if (instant < truncated(now - lookBack, unit) || bucket > truncated(now, unit)) return [];
    return topRecords(event).flatMap((m) => {
      if (m['project_ref'] !== given.project) return [];
      if ((given.function_id ?? '') !== '' && m['function_id'] !== given.function_id) return [];
      const responses = elements(m['response']);
      return (responses.length === 0 ? [{}] : responses).map((response: Fields) => ({
        bucket,
        time: m['execution_time_ms'],
        status: response['status_code'],
      }));
    });
  });
  return byBucket(records).map(([bucket, group]): Row => {
    const times = group.map((r) => r.time).filter((t): t is number => typeof t === 'number');
    times.sort((a, b) => a - b);
    return [
      `${isoText(bucket)}Z`,
      times[0] ?? null,
      times.at(-1) ?? null,
      times.length === 0 ? null : times.reduce((sum, t) => sum + t, 0) / times.length,
      quantile(times, 95),
      quantile(times, 99),
      group.length,
      group.filter((r) => typeof r.status === 'number' && r.status >= 400).length,
    ];
  });
}

/** Element `percent` of 100 quantiles: the value of rank ceil(percent · n / 100). */
function quantile(sorted: readonly number[], percent: number): number | null {
  return sorted[Math.ceil((percent * sorted.length) / 100) - 1] ?? null;
}

// ---- usage.api-counts ---------------------------------------------------------------------------------------------------------------

export const COUNT_INTERVALS = {
  minutely: { lookBack: 60 * MINUTE, unit: MINUTE },
  hourly: { lookBack: HOUR, unit: HOUR },
  daily: { lookBack: 7 * DAY, unit: DAY },
} as const;

export interface CountArguments {
  readonly project: string;
  readonly interval: keyof typeof COUNT_INTERVALS;
}

const AREAS = ['/rest', '/storage', '/auth', '/realtime'] as const;

export function apiCounts(events: readonly LogEvent[], given: CountArguments, now: number): readonly Row[] {
  const { lookBack, unit } = COUNT_INTERVALS[given.interval];
  const pattern = new RegExp(given.project, 'u');
  const requests = events.flatMap((event) => {
    const instant = micros(event.timestamp);
    if (instant < now - lookBack || instant > now) return [];
    return topRecords(event)
      .flatMap((m) => elements(m['request']))
      .filter((request) => typeof request['url'] === 'string' && pattern.test(request['url']))
      .map((request) => ({ bucket: truncated(instant, unit), path: request['path'] }));
  });
  return byBucket(requests).map(([bucket, group]): Row => {
    const count = (area: string): number => group.filter(({ path }) => typeof path === 'string' && path.includes(area)).length;
    return [isoText(bucket), ...AREAS.map(count)];
  });
}

// ---- logs.all -----------------------------------------------------------------------------------------------------------------------

export interface LogsArguments {
  readonly project: string;
  readonly project_tier?: string;
  readonly iso_timestamp_start?: string;
  readonly iso_timestamp_end?: string;
}

const RETENTION_DAYS: Readonly<Record<string, number>> = { FREE: 1, PRO: 7, PAYG: 90, ENTERPRISE: 90 };

/** Records are kept that are later than this. */
export const retentionCutoff = (tier: string, now: number): number => now - (RETENTION_DAYS[tier] ?? 1) * DAY;

/** `bounds`: the instants that the two ISO texts stand for, since reading them is not this module's business. */
export function logsAll(
  events: readonly LogEvent[],
  given: LogsArguments,
  now: number,
  bounds: { readonly after?: string; readonly until?: string } = {},
): readonly Row[] {
  const cutoff = retentionCutoff(given.project_tier ?? '', now);
  const { after, until } = bounds;
  return events
    .map((event) => ({ event, instant: micros(event.timestamp) }))
    .filter(({ event, instant }) => {
      if (event.project !== given.project || instant <= cutoff) return false;
      return (after === undefined || instant > micros(after)) && (until === undefined || instant <= micros(until));
    })
    .sort((a, b) => b.instant - a.instant)
    .slice(0, 100)
    .map(({ event, instant }): Row => [event.id, `${isoText(instant)}Z`, event.event_message ?? '', shownMetadata(event.metadata)]);
}

/** Nested records are shown as arrays of records; NULLs and arrays of nothing are not shown, nor is a top record without anything in it. */
function shownMetadata(value: unknown): readonly Value[] {
  const records = elements(value).map(shownRecord);
  return records.length === 1 && Object.keys(records[0] ?? {}).length === 0 ? [] : records;
}

function shownRecord(record: Fields): { readonly [field: string]: Value } {
  const shown = Object.entries(record).filter(([, field]) => field !== null && !(Array.isArray(field) && field.length === 0));
  return Object.fromEntries(shown.map(([key, field]) => [key, shownField(field)]));
}

function shownField(field: unknown): Value {
  if (isRecord(field) || (Array.isArray(field) && field.some(isRecord))) return elements(field).map(shownRecord);
  return field as Value; // a scalar or an array of scalars
}
