// Values of YAML as they stand in the file: its numbers are floats, which hold 15 digits.
import { isMapping, type ValueAt } from '../../fields/value-at.ts';

/** The digits of a whole number that no float holds, and of any other the number. */
function exactNumber({ value, text }: ValueAt): unknown {
  if (!Number.isInteger(value) || Number.isSafeInteger(value)) return value;
  return /^[+-]?\d+$/.test(text) ? BigInt(text) : value;
}

/** True of a value that JSON cannot hold as it is. */
export const isBeyondJson = (value: unknown): boolean =>
  typeof value === 'bigint' || (typeof value === 'object' && value !== null && Object.values(value).some(isBeyondJson));

/** A mapping or a list with all that is in it. */
export function nested(given: ValueAt): unknown {
  if (Array.isArray(given.value)) return given.items.map(nested);
  if (isMapping(given.value)) return Object.fromEntries(given.names.map((name) => [name, nested(given.at(name))]));
  return exactNumber(given);
}
