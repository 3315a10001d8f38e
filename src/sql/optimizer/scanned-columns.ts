// The columns that the scans of a plan read, by their ids: most rules begin here.
import type { LogicalPlan, ScanColumn, SourceScan } from '../logical/nodes.ts';
import { relationsOf } from '../logical/walk.ts';

export interface ScannedColumn extends ScanColumn {
  readonly scan: SourceScan;
}

/** Plans never change, and most rules leave a plan as it is. */
const known = new WeakMap<LogicalPlan, readonly ScannedColumn[]>();

export function scannedColumns(plan: LogicalPlan, wanted: (column: ScannedColumn) => boolean): ReadonlyMap<number, ScannedColumn> {
  const all = known.get(plan) ?? allColumns(plan);
  known.set(plan, all);
  return new Map(all.filter(wanted).map((column) => [column.column.id, column]));
}

function allColumns(plan: LogicalPlan): readonly ScannedColumn[] {
  const found: ScannedColumn[] = [];
  relationsOf(plan).forEach((scan) => {
    if (scan.kind === 'source_scan') for (const column of scan.columns) found.push({ ...column, scan });
  });
  return found;
}
