// The limits of queries as the settings have them.
import type { Settings } from '../config/load.ts';
import type { ExecutionLimits } from '../engine/engine.ts';
import type { LimitRules } from '../execution/limits.ts';

const ROWS = {
  maxExecutionSeconds: 'timeout',
  maxMemoryBytes: 'max_memory',
  maxRowsToRead: 'max_scan',
  maxResultBytes: 'max_result_bytes',
} as const satisfies Partial<Record<keyof ExecutionLimits, keyof Settings['values']>>;

/** For rows in memory, where nothing is set. */
const HELD_BYTES = 256 * 1024 ** 2;
/** Returns the limits of this run, from flags and the environment, apart from those of files for all runs. */
export function limitsFrom({ values, origins }: Settings): LimitRules {
  const chosen = (wanted: (from: string) => boolean): ExecutionLimits =>
    Object.fromEntries(
      Object.entries(ROWS).flatMap(([limit, name]) => {
        const value = values[name];
        return value !== undefined && wanted(origins[name].from) ? [[limit, value]] : [];
      }),
    );
  const given = (from: string) => from === 'flag' || from === 'environment';
  return { held: { maxResultBytes: HELD_BYTES }, usual: chosen((from) => !given(from)), given: chosen(given) };
}
