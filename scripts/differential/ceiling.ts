// The faults that are known to be open, by run, in differential-ceiling.json: their number may only get smaller.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

type Faults = Readonly<Record<string, number>>;

/** What there are more of than `recorded` allows. */
export function aboveCeiling(recorded: Faults, faults: Faults): readonly string[] {
  return Object.entries(faults)
    .filter(([name, times]) => times > (recorded[name] ?? 0))
    .map(([name, times]) => `${name}: ${times}, and ${recorded[name] ?? 0} are known`);
}

/** The smaller of both numbers; what is not recorded yet is taken as it is. */
export const lowered = (recorded: Faults | undefined, faults: Faults): Faults =>
  Object.fromEntries(Object.entries(faults).map(([name, times]) => [name, Math.min(recorded?.[name] ?? times, times)]));

/** Compares with the ceiling of the run, which its seed names, and on a cluster its form; `lower` writes it where there is less. Returns what is above it. */
export function holdCeiling(run: string, faults: Faults, how: 'hold' | 'lower'): readonly string[] {
  const file = join(process.cwd(), 'differential-ceiling.json');
  const ceilings: Readonly<Record<string, Faults>> = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const recorded = ceilings[run];
  const above = recorded === undefined && how === 'lower' ? [] : aboveCeiling(recorded ?? {}, faults);
  if (how === 'lower' && above.length === 0)
    writeFileSync(file, `${JSON.stringify({ ...ceilings, [run]: lowered(recorded, faults) }, null, 2)}\n`);
  return above;
}
