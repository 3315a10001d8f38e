// Which values rows can be ordered and grouped by.
import { fail } from '../../base/fail.ts';
import { holdsKind } from '../../base/types.ts';
import type { Expr } from '../../logical/nodes.ts';

/** Refuses to compare values for which BigQuery knows no equality. */
export function refuseUncompared(args: readonly (Expr | null)[]): void {
  const json = args.find((arg) => arg != null && holdsKind(arg.type, 'JSON'));
  if (json != null) fail('type', json.span, 'values of type JSON are not compared', "compare what they hold: JSON_VALUE(json, '$.field')");
}

const COORDINATES = 'use its text, ST_ASTEXT(point), or ST_X(point) and ST_Y(point)';
const AS_TEXT = "use what they hold, JSON_VALUE(json, '$.field'), or their text, TO_JSON_STRING(json)";

export function orderable(value: Expr): Expr {
  const kind = value.type.kind;
  if (kind === 'GEOGRAPHY') fail('type', value.span, 'values of type GEOGRAPHY have no order', COORDINATES);
  if (kind === 'ARRAY' || kind === 'STRUCT' || kind === 'RECORD' || kind === 'JSON')
    fail('type', value.span, `values of type ${kind} have no order`, kind === 'JSON' ? AS_TEXT : undefined);
  return value;
}

/** Returns the value if it can be a key of GROUP BY, PARTITION BY or DISTINCT, else refuses it. */
export function groupable(value: Expr, clause: string): Expr {
  const { kind } = value.type;
  if (kind === 'JSON' || kind === 'RECORD' || (kind === 'ARRAY' && clause === 'PARTITION BY'))
    fail('type', value.span, `${clause} can’t use values of type ${kind}`, holdsKind(value.type, 'JSON') ? AS_TEXT : undefined);
  if (holdsKind(value.type, 'GEOGRAPHY')) fail('type', value.span, `${clause} can’t use values of type GEOGRAPHY`, COORDINATES);
  if (holdsKind(value.type, 'JSON')) fail('type', value.span, `${clause} can’t use values that hold JSON`, AS_TEXT);
  if (holdsKind(value.type, 'RECORD')) fail('unsupported', value.span, `${clause} can’t use records`, 'name their fields');
  // Equal intervals (a month, 30 days) are different tuples in ClickHouse.
  if (kind === 'INTERVAL') fail('unsupported', value.span, `${clause} with values of type INTERVAL is not supported`);
  return value;
}
