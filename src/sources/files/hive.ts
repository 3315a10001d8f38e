// Folders named key=value, as Hive and Spark write them: each key is a column.
import { NULL_FOLDER, type TableColumn } from '../../sql/layouts/index.ts';

const PART = /^([^=]+)=(.*)$/;

/**
 * The keys that the paths have, outermost first, with types as BigQuery finds them: INT64 where all values are whole numbers, DATE where all are
 * dates, else STRING. Files in other folders have NULL there.
 */
export function partitionsOf(paths: readonly string[]): readonly TableColumn[] {
  const keys = new Map<string, { readonly name: string; readonly values: Set<string> }>();
  for (const path of paths) {
    for (const folder of path.split('/').slice(0, -1)) {
      const [, name, value] = PART.exec(folder) ?? [];
      if (name === undefined || value === undefined) continue;
      const known = keys.get(name.toLowerCase()) ?? { name, values: new Set() };
      keys.set(name.toLowerCase(), known);
      if (value !== NULL_FOLDER) known.values.add(value);
    }
  }
  return [...keys.values()].map(({ name, values }) => ({ name, type: `Nullable(${typeOf([...values])})` }));
}

function typeOf(values: readonly string[]): string {
  if (values.length === 0) return 'String';
  if (values.every((value) => /^-?(0|[1-9]\d{0,17})$/.test(value))) return 'Int64';
  if (values.every((value) => /^(19|20|21|22)\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/.test(value))) return 'Date32';
  return 'String';
}
