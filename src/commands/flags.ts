// Flags that several commands share.
import { Option } from 'commander';

const FORMATS = ['table', 'chart', 'json', 'ndjson', 'csv', 'tsv', 'markdown'];

/** `more`: formats that the command has besides. */
export const formatOption = (more: readonly string[] = []): Option =>
  new Option('--format <format>', `${[...FORMATS, ...more].join(', ')}; a table on a terminal and ndjson elsewhere by default`);
