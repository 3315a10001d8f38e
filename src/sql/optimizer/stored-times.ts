// Times that a table does not hold as DateTime64(6, 'UTC') are cast where they are read. What is said here of each such column of a plan's scans is
// how the table holds it, for rules that compare or order by the stored time instead.
import type { Column, ResolvedQuery } from '../logical/resolved.ts';
import type { SourceColumn } from '../source.ts';
import { TIMESTAMP } from '../types.ts';
import type { RuleContext } from './rule.ts';
import { scannedColumns } from './scanned-columns.ts';

export interface StoredTime {
  readonly shown: Column;
  /** From here on the scan reads the time as it is stored too. */
  readonly stored: () => Column;
  /** Digits after the second. */
  readonly digits: number;
  /** The same time cut to the second, which the scan then reads: a column that the table's key is made of. */
  readonly seconds?: () => Column;
  /** The table's key is made of toDateTime(stored). */
  readonly keyOfSeconds: boolean;
}

/** All of a plan's, by the id of the column that is shown. */
export function storedTimes(plan: ResolvedQuery, { scanColumn }: RuleContext): ReadonlyMap<number, StoredTime> {
  const times = new Map<number, StoredTime>();
  for (const [id, { scan, column, from }] of scannedColumns(
    plan,
    ({ part, column: { type } }) => part.kind === 'whole' && type.kind === 'TIMESTAMP',
  )) {
    if (from.read.layout !== 'column' || from.read.castTo === undefined) continue;
    const time = /\bDateTime(?:64\((\d+))?/.exec(from.read.clickhouseType);
    if (time === null) continue;
    const { secondsColumn, keyOfSeconds = false } = from.read;
    times.set(id, {
      shown: column,
      stored: () => scanColumn(scan, from, { kind: 'stored' }, TIMESTAMP),
      digits: Number(time[1] ?? 0),
      ...(secondsColumn === undefined
        ? {}
        : { seconds: () => scanColumn(scan, secondsOf(from, secondsColumn), { kind: 'whole' }, TIMESTAMP) }),
      keyOfSeconds,
    });
  }
  return times;
}

/** One for each column: a scan that reads it already does not read it twice. */
const knownSeconds = new WeakMap<SourceColumn, SourceColumn>();

function secondsOf(time: SourceColumn, name: string): SourceColumn {
  const made = knownSeconds.get(time) ?? { name, type: TIMESTAMP, read: { layout: 'column', column: name, clickhouseType: 'DateTime' } };
  knownSeconds.set(time, made);
  return made;
}
