// The argument that says what becomes of numbers beyond FLOAT64.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/json_functions#parse_json
import { fail } from '../../base/fail.ts';
import type { LowerCall } from '../define.ts';

export const WIDE_NUMBER_MODES = "wide_number_mode must be 'exact' or 'round'";

/** Whether the argument is a constant, and one of those that may be: another constant is refused. */
export function isWideNumberMode(c: LowerCall, position: number): boolean {
  const mode = c.constant(position);
  if (mode === undefined) return false;
  if (mode === 'exact' || mode === 'round') return true;
  return fail('type', c.args[position]?.span ?? { start: 0, end: 0 }, WIDE_NUMBER_MODES);
}
