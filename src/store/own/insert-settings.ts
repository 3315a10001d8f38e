// The settings of every insert into a table of the user's own.
import { quoteString } from '../../clickhouse/quote.ts';

export const INSERT_SETTINGS = {
  max_partitions_per_insert_block: 0, // a small file may cover years
  parts_to_throw_insert: 0,
  parts_to_delay_insert: 0,
} as const;

export const settingsText = (settings: Readonly<Record<string, string | number>>): string =>
  Object.entries(settings)
    .map(([name, value]) => `${name} = ${typeof value === 'string' ? quoteString(value) : value}`)
    .join(', ');
