// Which values rows can be ordered and grouped by.
import { fail } from '../../base/fail.ts';
import { holdsRecord, type Type } from '../../base/types.ts';
import type { Expr } from '../../logical/nodes.ts';

export const holdsJson = (type: Type): boolean => {
  if (type.kind === 'ARRAY') return holdsJson(type.element);
  return type.kind === 'STRUCT' ? type.fields.some((field) => holdsJson(field.type)) : type.kind === 'JSON';
};

/** Refuses values that are to be compared where BigQuery knows no equality. */
export function refuseUncompared(args: readonly (Expr | null)[]): void {
  const json = args.find((arg) => arg != null && holdsJson(arg.type));
  if (json != null) fail('type', json.span, 'values of type JSON are not compared', "compare what they hold: JSON_VALUE(json, '$.field')");
}

const AS_TEXT = "use what they hold, JSON_VALUE(json, '$.field'), or their text, TO_JSON_STRING(json)";

export function orderable(value: Expr): Expr {
  const kind = value.type.kind;
  if (kind === 'ARRAY' || kind === 'STRUCT' || kind === 'RECORD' || kind === 'JSON')
    fail('type', value.span, `values of type ${kind} have no order`, kind === 'JSON' ? AS_TEXT : undefined);
  return value;
}

/** A value that can be a key of GROUP BY, PARTITION BY and DISTINCT. */
export function groupable(value: Expr, clause: string): Expr {
  const { kind } = value.type;
  if (kind === 'JSON' || kind === 'RECORD' || (kind === 'ARRAY' && clause === 'PARTITION BY'))
    fail('type', value.span, `${clause} can’t use values of type ${kind}`, holdsJson(value.type) ? AS_TEXT : undefined);
  if (holdsJson(value.type)) fail('type', value.span, `${clause} can’t use values that hold JSON`, AS_TEXT);
  if (holdsRecord(value.type)) fail('unsupported', value.span, `${clause} can’t use records`, 'name their fields');
  // Equal intervals (a month, 30 days) are different tuples in ClickHouse.
  if (kind === 'INTERVAL') fail('unsupported', value.span, `${clause} with values of type INTERVAL is not supported`);
  return value;
}
