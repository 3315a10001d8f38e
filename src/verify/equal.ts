// Compares two values, within a tolerance.
import { isDecimal, isFields, type Normal } from './normal.ts';

/** The largest difference that two numbers, or two instants (in microseconds), may have. */
export interface Tolerance {
  readonly relative: number;
  readonly absolute: number;
}

/** Floats are sums in another order. */
const FLOATS: Tolerance = { relative: 1e-9, absolute: 0 };
/** Estimates of BigQuery's APPROX_ functions. */
export const ESTIMATES: Tolerance = { relative: 0.02, absolute: 0 };

/** Integers, decimals and instants are the same to the digit unless `given` says otherwise; floats within FLOATS. */
export function equal(a: Normal, b: Normal, given?: Tolerance): boolean {
  if (a === b) return true;
  if (a === null || b === null) return false;
  if (isDecimal(a) && isDecimal(b)) {
    if (a.decimal === b.decimal) return true;
    const tolerance = given ?? (a.rounded || b.rounded ? { relative: 1e-15, absolute: 0 } : undefined);
    return tolerance !== undefined && near(Number(a.decimal), Number(b.decimal), tolerance);
  }
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((one: Normal, i) => equal(one, b[i] ?? null, given));
  if (isFields(a))
    return isFields(b) && [...new Set([...Object.keys(a), ...Object.keys(b)])].every((key) => equal(field(a, key), field(b, key), given));
  if (typeof a === 'bigint' && typeof b === 'bigint') return given !== undefined && nearIntegers(a, b, given);
  if (isNumber(a) && isNumber(b)) return near(Number(a), Number(b), given ?? FLOATS);
  return false;
}

const field = (fields: { readonly [name: string]: Normal }, name: string): Normal =>
  Object.hasOwn(fields, name) ? (fields[name] ?? null) : null;
const isNumber = (value: Normal): value is number | bigint => typeof value === 'number' || typeof value === 'bigint';

/** The difference first: instants have more digits than a double. */
function nearIntegers(a: bigint, b: bigint, { relative, absolute }: Tolerance): boolean {
  const distance = Number(a > b ? a - b : b - a);
  return distance <= Math.max(absolute, relative * Math.max(Math.abs(Number(a)), Math.abs(Number(b))));
}

function near(a: number, b: number, { relative, absolute }: Tolerance): boolean {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) && Number.isNaN(b);
  if (!Number.isFinite(a) || !Number.isFinite(b)) return a === b;
  return Math.abs(a - b) <= Math.max(absolute, relative * Math.max(Math.abs(a), Math.abs(b)));
}
