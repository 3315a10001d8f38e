// Times that a table does not hold as DateTime64(6, 'UTC') are cast where they are read. What is said here of each such column of a plan's scans is
// how the table holds it, for rules that compare or order by the stored time instead.
import type { Column, LogicalPlan } from '../logical/nodes.ts';
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
export function storedTimes(plan: LogicalPlan, { scanColumn }: RuleContext): ReadonlyMap<number, StoredTime> {
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
      ...(secondsColumn === undefined ? {} : { seconds: () => scanColumn(scan, secondsFrom(secondsColumn), { kind: 'whole' }, TIMESTAMP) }),
      keyOfSeconds,
    });
  }
  return times;
}

const secondsFrom = (column: string): SourceColumn => ({
  name: column,
  type: TIMESTAMP,
  read: { layout: 'column', column, clickhouseType: 'DateTime' },
});
