// Keys that cut a source's time to a unit, as of `GROUP BY timestamp_trunc(t.timestamp, day)`, in the forms in which people write it.

import { STRING, TIMESTAMP } from '../../base/types.ts';
import { branchesOf } from '../../logical/build.ts';
import type { Column, Expr } from '../../logical/nodes.ts';
import { contains } from '../../logical/walk.ts';
import { call } from '../build.ts';

interface TimeKey {
  /** The time that is cut. */
  readonly time: Column;
  /** The unit as a STRING that is the same for all rows; NULL where the key is NULL for all of them. */
  readonly unit: Expr;
}

/** The units whose ends quern computes, in UTC. */
const UNITS = new Set(['SECOND', 'MINUTE', 'HOUR', 'DAY', 'WEEK', 'WEEK(MONDAY)', 'ISOWEEK', 'MONTH', 'QUARTER', 'YEAR']);

const WITHIN_A_DAY = new Set(['SECOND', 'MINUTE', 'HOUR']);

/** The types of times, and the functions that convert one to another of them. */
const TIMES = new Set(['TIMESTAMP', 'DATETIME', 'DATE']);

/**
 * Reads the key, a value of rows that is written in columns of their source alone; undefined where rows of one unit could have different
 * keys, or rows of different units one key.
 */
export function timeKey(key: Expr): TimeKey | undefined {
  if (key.kind === 'case') return caseKey(key);
  const shown = converted(key);
  if (shown !== undefined)
    return key.type.kind === 'DATE' && momentOf(shown) !== undefined ? cutTo('DAY', shown, key) : shownKey(shown, key);
  if (key.kind !== 'call' || key.safe || key.fn.cutsTime !== true) return undefined;
  const [value, part, zone] = key.args;
  return value != null && part?.kind === 'date_part' && isUtc(zone) ? cutTo(part.part, value, key) : undefined;
}

/** Reads the key of a value that is cut already and is only converted to another type; a DATE no longer tells the hours of a day apart. */
function shownKey(shown: Expr, { type }: Expr): TimeKey | undefined {
  return type.kind === 'DATE' ? undefined : timeKey(shown);
}

function cutTo(part: string, value: Expr, { span }: Expr): TimeKey | undefined {
  if (!UNITS.has(part)) return undefined;
  const moment = momentOf(value);
  if (moment === undefined || (moment.day && WITHIN_A_DAY.has(part))) return undefined;
  return { time: moment.time, unit: { kind: 'literal', value: part, type: STRING, span } };
}

interface Moment {
  readonly time: Column;
  /** True if only its day is left. */
  readonly day: boolean;
}

/** Reads a source's time, as any of the three types. */
function momentOf(value: Expr): Moment | undefined {
  if (value.kind === 'column') return value.type.kind === 'TIMESTAMP' ? { time: value.column, day: false } : undefined;
  const inner = converted(value);
  const moment = inner === undefined ? undefined : momentOf(inner);
  return moment === undefined || value.type.kind !== 'DATE' ? moment : { ...moment, day: true };
}

/** Returns the value that a call or a cast converts to another type of time. */
function converted(value: Expr): Expr | undefined {
  if (value.kind === 'cast') {
    const plain = value.format === null && !value.safe && isUtc(value.timeZone);
    return plain && TIMES.has(value.operand.type.kind) && TIMES.has(value.type.kind) ? value.operand : undefined;
  }
  if (value.kind !== 'call' || value.safe || !TIMES.has(value.fn.name)) return undefined;
  const [first, ...more] = value.args;
  return first != null && TIMES.has(first.type.kind) && more.every(isUtc) ? first : undefined;
}

/** The branches from which the arguments of the run choose. */
function caseKey(key: Extract<Expr, { kind: 'case' }>): TimeKey | undefined {
  const { whens, otherwise } = key;
  const keys = branchesOf(key).map((branch) => (branch.kind === 'literal' && branch.value === null ? null : timeKey(branch)));
  const times = new Map(keys.flatMap((one) => (one == null ? [] : [[one.time.id, one.time] as const])));
  const [time, other] = [...times.values()];
  if (time === undefined || other !== undefined || keys.includes(undefined)) return undefined;
  const none: Expr = { kind: 'literal', value: null, type: STRING, span: key.span };
  const unitAt = (i: number): Expr => keys[i]?.unit ?? none;
  return {
    time,
    unit: {
      ...key,
      type: STRING,
      whens: whens.map(({ when }, i) => ({ when, then: unitAt(i) })),
      otherwise: otherwise === null ? null : unitAt(whens.length),
    },
  };
}

/** True of UTC, which no zone means as well: https://cloud.google.com/bigquery/docs/reference/standard-sql/data-types#time_zones */
const isUtc = (zone: Expr | null | undefined): boolean =>
  zone == null || (zone.kind === 'literal' && (zone.value === 'UTC' || zone.value === 'Etc/UTC' || zone.value === '+00:00'));

/** Says why the key is none of a unit of time, where a zone is the reason: its days begin when rules that change say so. */
export function whyNotUtc(key: Expr): string | undefined {
  let why: string | undefined;
  contains(key, (e) => {
    for (const zone of zonesOf(e))
      if (!isUtc(zone))
        why ??= `it groups by a unit of time in ${zone.kind === 'literal' ? `the zone ${String(zone.value)}` : 'a zone'}, and buckets are those of UTC`;
    return why !== undefined;
  });
  return why;
}

/** Returns the zone of a function of times or a cast: it comes behind the value and the unit. */
function zonesOf(expr: Expr): readonly Expr[] {
  if (expr.kind === 'cast') return expr.timeZone === null ? [] : [expr.timeZone];
  if (expr.kind !== 'call' || !(expr.fn.cutsTime === true || TIMES.has(expr.fn.name))) return [];
  return expr.args.slice(1).flatMap((arg) => (arg != null && arg.kind !== 'date_part' && arg.type.kind === 'STRING' ? [arg] : []));
}

/** Returns the beginning of a bucket as a TIMESTAMP, from its key. */
export const bucketStart = (key: Expr): Expr => (key.type.kind === 'TIMESTAMP' ? key : call('TIMESTAMP', [key], key, TIMESTAMP));
