// Finds values that ClickHouse does not read as they are written, and which must be bound with care: see far-values.ts.
import type { Binding, BoundValue } from '../engine/engine.ts';

export const isFar = (binding: Binding): boolean => isFarDate(binding) || isWide(binding);

/** Dates and times outside of 1900 to 2299. */
export const isFarDate = ({ type, value }: Binding): boolean => /Date/i.test(type) && holdsFar(value);

/** BIGNUMERICs with 39 digits before the point. */
const isWide = ({ type, value }: Binding): boolean => type.includes('Decimal(76, 38)') && holdsWide(value);

function holdsWide(value: BoundValue): boolean {
  if (typeof value !== 'object' || value === null || 'bytes' in value) return false;
  if ('digits' in value) return /^-?\d{39}/.test(value.digits);
  return ('tuple' in value ? value.tuple : value).some(holdsWide);
}

function holdsFar(value: BoundValue): boolean {
  if (typeof value === 'string') return /^\d{4}-\d\d-\d\d(?: |$)/.test(value) && (value < '1900' || value >= '2300');
  if (typeof value !== 'object' || value === null || 'digits' in value || 'bytes' in value) return false;
  return ('tuple' in value ? value.tuple : value).some(holdsFar);
}
