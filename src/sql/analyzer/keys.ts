// Which values rows can be ordered and grouped by.
import { fail } from '../fail.ts';
import type { Expr } from '../logical/resolved.ts';
import { holdsRecord } from '../types.ts';

export function orderable(value: Expr): Expr {
  const kind = value.type.kind;
  if (kind === 'ARRAY' || kind === 'STRUCT' || kind === 'RECORD' || kind === 'JSON')
    fail('type', value.span, `values of type ${kind} have no order`);
  return value;
}

/** A value that can be a key of GROUP BY, PARTITION BY and DISTINCT. */
export function groupable(value: Expr, clause: string): Expr {
  const { kind } = value.type;
  if (kind === 'JSON' || kind === 'RECORD' || (kind === 'ARRAY' && clause === 'PARTITION BY'))
    fail('type', value.span, `${clause} can’t use values of type ${kind}`);
  if (holdsRecord(value.type)) fail('unsupported', value.span, `${clause} can’t use records`, 'name their fields');
  // Equal intervals (a month, 30 days) are different tuples in ClickHouse.
  if (kind === 'INTERVAL') fail('unsupported', value.span, `${clause} with values of type INTERVAL is not supported`);
  return value;
}
