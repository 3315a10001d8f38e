// Which row of one side is which of the other: equal rows first, then those that have most in common.
import type { NormalRow } from './compare.ts';

export interface Pairing {
  /** Columns. */
  readonly width: number;
  readonly same: (got: NormalRow, expected: NormalRow, column: number) => boolean;
  /** Equal rows have equal keys. */
  readonly key: (row: NormalRow) => string;
}

export interface Paired {
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
  const groups = new Map<string, { readonly rows: NormalRow[]; readonly taken: Set<number>; start: number }>();
  // In one order on both sides: then a row's twin is the next one, or near it.
  for (const row of [...expected].sort(byValues)) {
    const group = groups.get(key(row));
    if (group === undefined) groups.set(key(row), { rows: [row], taken: new Set(), start: 0 });
    else group.rows.push(row);
  }
  const left: NormalRow[] = [];
  for (const row of [...got].sort(byValues)) {
    const group = groups.get(key(row)) ?? { rows: [], taken: new Set<number>(), start: 0 };
    while (group.taken.has(group.start)) group.start++;
    const isTwin = (candidate: NormalRow, at: number) =>
      at >= group.start && !group.taken.has(at) && columns.every((column) => same(row, candidate, column));
    const at = isTwin(group.rows[group.start] ?? row, group.start) ? group.start : group.rows.findIndex(isTwin);
    if (group.rows[at] === undefined) left.push(row);
    else group.taken.add(at);
  }
  const missing = [...groups.values()].flatMap(({ rows, taken }) => rows.filter((_, at) => !taken.has(at)));
  return pairAlike(left.sort(byPlace), missing.sort(byPlace), pairing, columns);
}

const byPlace = (a: NormalRow, b: NormalRow): number => a.at - b.at;

/** Any order will do that does not depend on where rows stood. */
function byValues(a: NormalRow, b: NormalRow): number {
  for (const [i, x] of a.values.entries()) {
    const y = b.values[i] ?? null;
    if (x === y || x === null || y === null || typeof x !== typeof y || typeof x === 'object') continue;
    if (x !== y) return x < y ? -1 : 1;
  }
  return 0;
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
