// Flags that several commands share.
import { Option } from 'commander';

export const formatOption = (): Option =>
  new Option('--format <format>', 'table, chart, json, ndjson, csv, tsv, markdown; a table on a terminal and ndjson elsewhere by default');
