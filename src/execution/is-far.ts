// Finds dates and times outside of 1900 to 2299, which must be bound with care: see far-dates.ts.
import type { Binding, BoundValue } from '../engine/engine.ts';

export const isFar = ({ type, value }: Binding): boolean => /Date/i.test(type) && holdsFar(value);

function holdsFar(value: BoundValue): boolean {
  if (typeof value === 'string') return /^\d{4}-\d\d-\d\d(?: |$)/.test(value) && (value < '1900' || value >= '2300');
  if (typeof value !== 'object' || value === null || 'digits' in value || 'bytes' in value) return false;
  return ('tuple' in value ? value.tuple : value).some(holdsFar);
}
