// The limits of queries as the settings have them.
import type { Settings } from '../config/load.ts';
import type { ExecutionLimits } from '../engine/engine.ts';
import type { Snapshot } from './connection.ts';

export type Limits = Pick<Snapshot, 'limits' | 'givenLimits'>;

const ROWS = {
  maxExecutionSeconds: 'timeout',
  maxMemoryBytes: 'max_memory',
  maxRowsToRead: 'max_scan',
  maxResultBytes: 'max_result_bytes',
} as const satisfies Partial<Record<keyof ExecutionLimits, keyof Settings['values']>>;

/** What was said for this run, by flag or in the environment, is apart from what files say for all. */
export function limitsFrom({ values, origins }: Settings): Limits {
  const chosen = (wanted: (from: string) => boolean): ExecutionLimits =>
    Object.fromEntries(
      Object.entries(ROWS).flatMap(([limit, name]) => {
        const value = values[name];
        return value !== undefined && wanted(origins[name].from) ? [[limit, value]] : [];
      }),
    );
  const given = (from: string) => from === 'flag' || from === 'environment';
  return { limits: chosen((from) => !given(from)), givenLimits: chosen(given) };
}
