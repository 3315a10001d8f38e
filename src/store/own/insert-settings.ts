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

/** How the lines of CSV and TSV are read. */
export interface TextForm {
  /** Between the cells. */
  readonly delimiter: string;
  /** Lines in front of the rows, that of the names among them. */
  readonly skip: number;
  /** Whether the last of these lines holds the names of the columns. */
  readonly header: boolean;
  /** The user has said so. */
  readonly surely: boolean;
}

export const csvSettings = ({ delimiter, skip }: TextForm): Readonly<Record<string, string | number>> => ({
  format_csv_delimiter: delimiter,
  input_format_csv_skip_first_lines: skip,
  input_format_csv_detect_header: 0,
  ...(/\s/.test(delimiter) ? { input_format_csv_allow_whitespace_or_tab_as_delimiter: 1 } : {}),
});
