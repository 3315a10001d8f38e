// What the suites of the net have in common.
import type { Line } from './line.ts';

/** A part of a suite, which one process works through: a file, a group, a seed's batch. */
export interface Suite {
  units(): readonly string[];
  lines(unit: string): Promise<readonly Line[]>;
}

export const root = process.cwd();

/** One after the other. */
export async function inTurn<T>(items: readonly T[], lineFor: (item: T) => Promise<Line>): Promise<readonly Line[]> {
  const lines: Line[] = [];
  for (const item of items) lines.push(await lineFor(item));
  return lines;
}

/** The unit of a suite that a line's id begins with: the longest, since a file may have the name of a folder. */
export const unitOf = (id: string, units: readonly string[]): string | undefined =>
  units.filter((unit) => id.startsWith(`${unit}/`)).sort((a, b) => b.length - a.length)[0];
