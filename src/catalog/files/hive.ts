// Folders named key=value, as Hive and Spark write them: each key is a column.
import type { TableColumn } from '../../sql/layouts/index.ts';

const PART = /^([^=]+)=(.*)$/;

/**
 * The keys that the paths have, outermost first, with types as BigQuery finds them: INT64 where all values are whole numbers, DATE where all are
 * dates, else STRING.
 */
export function partitionsOf(paths: readonly string[]): readonly TableColumn[] {
  const values = new Map<string, Set<string>>();
  for (const path of paths) {
    for (const folder of path.split('/').slice(0, -1)) {
      const [, key, value] = PART.exec(folder) ?? [];
      if (key === undefined || value === undefined) continue;
      const known = values.get(key) ?? new Set();
      values.set(key, known.add(value));
    }
  }
  return [...values].map(([name, found]) => ({ name, type: typeOf([...found]) }));
}

function typeOf(values: readonly string[]): string {
  if (values.every((value) => /^-?(0|[1-9]\d{0,17})$/.test(value))) return 'Int64';
  if (values.every((value) => /^(19|20|21|22)\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/.test(value))) return 'Date32';
  return 'String';
}
