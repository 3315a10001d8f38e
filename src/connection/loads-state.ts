// The state of a table of the embedded store: its loads, each with its time. They change by loads and undone loads alone, whatever the engine merges.

import { STORE_DATABASE } from '../sources/log/log-catalog.ts';
import type { TableState } from '../sources/version.ts';
import type { ReadTable } from '../sql/translation.ts';
import type { LoadRecord, Manifest } from '../store/manifest.ts';

/** Undefined for tables of the user's own: loads of theirs have no times, and their parts say more. */
export function loadsState({ id, schema, loads }: Manifest, { database, name }: ReadTable): TableState | undefined {
  if (id === '' || database !== STORE_DATABASE) return undefined;
  return {
    definition: `store ${schema}`,
    parts: loads.flatMap((load) => (load.source === name ? [{ content: load.id, times: timesOf(load), rows: load.rows }] : [])),
  };
}

function timesOf({ times }: LoadRecord): TableState['parts'][number]['times'] {
  if (times === undefined) return undefined;
  const [start, end] = [Date.parse(times[0]), Date.parse(times[1])];
  // Milliseconds: what is finer lies within the last.
  return start <= end ? { start: start * 1000, end: (end + 1) * 1000 } : undefined;
}
