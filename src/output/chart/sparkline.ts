// Draws an array of numbers in one line of a table.
import type { Value } from '../../base/result.ts';
import { glyphsFor } from './glyphs.ts';

const widest = 24;

/** Columns of eight heights from the lowest to the highest number; a gap is a space. More than 24 share columns, the highest is shown. */
export function sparkline(values: readonly Value[]): string {
  const numbers = values.map((value) => (value === null || typeof value === 'object' ? Number.NaN : Number(value)));
  const perColumn = Math.ceil(numbers.length / widest);
  const columns = Array.from({ length: perColumn === 0 ? 0 : Math.ceil(numbers.length / perColumn) }, (_, i) => {
    const shared = numbers.slice(i * perColumn, (i + 1) * perColumn).filter(Number.isFinite);
    return shared.length === 0 ? Number.NaN : shared.reduce((a, b) => Math.max(a, b));
  });
  const present = columns.filter(Number.isFinite);
  const [low, high] = [Math.min(...present), Math.max(...present)];
  const { up } = glyphsFor(false);
  const level = (value: number) => (low === high ? 0 : Math.round(((value / 2 - low / 2) / (high / 2 - low / 2)) * (up.length - 1)));
  return columns.map((value) => (Number.isNaN(value) ? ' ' : (up[level(value)] ?? ' '))).join('');
}
