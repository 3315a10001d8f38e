// Pairs the rows of two sides: equal rows first, then those that have most in common.
import type { Normal, NormalRow } from './normal.ts';

interface Pairing {
  /** Columns. */
  readonly width: number;
  readonly same: (got: NormalRow, expected: NormalRow, column: number) => boolean;
  /** Equal rows have equal keys. */
  readonly key: (row: NormalRow) => string;
}

interface Paired {
  /** Rows that are not the same, but meant to be. */
  readonly pairs: readonly (readonly [got: NormalRow, expected: NormalRow])[];
  readonly onlyGot: readonly NormalRow[];
  readonly onlyExpected: readonly NormalRow[];
}

/** Among more rows than that nobody looks for the most alike. */
const MOST_LOOKED_AT = 500;

export function pairUp(got: readonly NormalRow[], expected: readonly NormalRow[], pairing: Pairing): Paired {
  const { width, same, key } = pairing;
  const columns = Array.from({ length: width }, (_, i) => i);
  /** The recorded rows of each key that have no twin yet, in order; of equal ones the first is taken first. */
  const groups = new Map<string, Sortable[]>();
  for (const row of expected.map(sortable).sort((a, b) => byOrder(a, b) || b.at - a.at)) {
    const group = groups.get(key(row));
    if (group === undefined) groups.set(key(row), [row]);
    else group.push(row);
  }
  let looks = MOST_LOOKS;
  const left: NormalRow[] = [];
  // From the last to the first: what is taken from the end of a list leaves the others where they are.
  for (const row of got.map(sortable).sort((a, b) => byOrder(b, a))) {
    const group = groups.get(key(row)) ?? [];
    const isTwin = (candidate: NormalRow): boolean => columns.every((column) => same(row, candidate, column));
    const place = firstBehind(group, row);
    const start = Math.max(0, place - NEAR);
    const near = group.slice(start, place + NEAR).findLastIndex(isTwin);
    let twin = near === -1 ? -1 : start + near;
    if (near === -1 && group.length > 2 * NEAR && looks > 0) {
      looks -= group.length;
      twin = group.findLastIndex(isTwin);
    }
    if (twin === -1) left.push(row);
    else group.splice(twin, 1);
  }
  return pairAlike(left.sort(byPlace), [...groups.values()].flat().sort(byPlace), pairing, columns);
}

/** Values as they are put in order: floats that differ in their last digits are mostly one. */
interface Sortable extends NormalRow {
  readonly order: readonly Normal[];
}

/** A row's twin is looked for among so many before and behind its place, and then among all until so many have been looked at. */
const NEAR = 50;
const MOST_LOOKS = 20_000_000;

const sortable = (row: NormalRow): Sortable => ({
  ...row,
  order: row.values.map((value) => (typeof value === 'number' ? Number(value.toPrecision(6)) : value)),
});

function firstBehind(rows: readonly Sortable[], row: Sortable): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const at = rows[middle];
    if (at !== undefined && byOrder(at, row) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

const byPlace = (a: NormalRow, b: NormalRow): number => a.at - b.at;

/** Any order will do that does not depend on where rows stood. */
function byOrder(a: Sortable, b: Sortable): number {
  for (const [i, x] of a.order.entries()) {
    const y = b.order[i] ?? null;
    if (x === y) continue;
    const [first, second] = [rank(x), rank(y)];
    if (first !== second) return first - second;
    if (typeof x !== 'object' && typeof y === typeof x && y !== null && x !== y) {
      if (x < y) return -1;
      if (x > y) return 1;
    }
  }
  return 0;
}

/** Values of different kinds are not compared; NaN, which is in no order, comes last. */
function rank(value: Normal): number {
  if (value === null) return 0;
  if (typeof value === 'number') return Number.isNaN(value) ? 5 : 1;
  if (typeof value === 'object') return 4;
  return typeof value === 'string' ? 3 : 2;
}

/** A row that has changed is shown as such, not as one that went and one that came. */
function pairAlike(got: readonly NormalRow[], expected: readonly NormalRow[], { same }: Pairing, columns: readonly number[]): Paired {
  const rest = [...expected];
  const pairs: (readonly [NormalRow, NormalRow])[] = [];
  const onlyGot: NormalRow[] = [];
  const single = got.length === 1 && expected.length === 1;
  for (const [i, row] of got.entries()) {
    let best = -1;
    let most = single ? -1 : 0;
    if (i < MOST_LOOKED_AT)
      for (const [at, candidate] of rest.slice(0, MOST_LOOKED_AT).entries()) {
        const alike = columns.filter((column) => same(row, candidate, column)).length;
        if (alike > most) [best, most] = [at, alike];
      }
    const partner = rest[best];
    if (partner === undefined) onlyGot.push(row);
    else {
      pairs.push([row, partner]);
      rest.splice(best, 1);
    }
  }
  return { pairs, onlyGot, onlyExpected: rest };
}
