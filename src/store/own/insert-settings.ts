/** The settings of every insert into a table of the user's own. */
export const INSERT_SETTINGS = {
  max_partitions_per_insert_block: 0, // a small file may cover years
  parts_to_throw_insert: 0,
  parts_to_delay_insert: 0,
} as const;
