// The flags that say how rows are drawn: which chart, of which columns, and small charts in a table.
import type { Command } from 'commander';
import { Option } from 'commander';
import { QuernError } from '../../errors.ts';
import type { DrawOptions } from '../../output/format.ts';
import { splitNames } from './names.ts';

export interface DrawFlags {
  readonly chart?: 'line' | 'bar' | undefined;
  readonly chartX?: string | undefined;
  readonly chartY?: string | undefined;
  readonly chartSeries?: string | undefined;
  readonly sparkline?: true | undefined;
}

interface Drawing extends Pick<DrawOptions, 'chart' | 'sparklines'> {
  /** The format, where the flags stand for one. */
  readonly format?: string;
}

export function addDrawFlags(command: Command): Command {
  return command
    .addOption(new Option('--chart <kind>', 'draw a chart').choices(['line', 'bar']))
    .option('--chart-x <column>', 'the column of times or labels along the chart')
    .option('--chart-y <columns>', 'the columns of numbers to draw: names separated by commas')
    .option('--chart-series <column>', 'the column whose values are series of their own')
    .option('--sparkline', 'a table in which arrays of numbers are small charts');
}

/** Throws `usage` for flags that do not go with the format or with each other. */
export function readDrawFlags(flags: DrawFlags & { readonly format?: string | undefined }): Drawing {
  const { format, chart: kind, chartX: x, chartY, chartSeries: series } = flags;
  const given = (
    [
      ['--chart', kind],
      ['--chart-x', x],
      ['--chart-y', chartY],
      ['--chart-series', series],
    ] as const
  ).find(([, value]) => value !== undefined)?.[0];
  if (given !== undefined) mustBe('chart', format, given);
  if (flags.sparkline === true) mustBe('table', given === undefined ? format : 'chart', '--sparkline');
  if (given === undefined) return flags.sparkline === true ? { format: 'table', sparklines: true } : {};
  return { format: 'chart', chart: { kind, x, series, y: chartY === undefined ? undefined : splitNames(chartY, '--chart-y') } };
}

function mustBe(wanted: string, format: string | undefined, flag: string): void {
  if (format === undefined || format === wanted) return;
  throw new QuernError('usage', `${flag} is for a ${wanted}, but the format is ${format}`, { hint: 'leave one of them out' });
}
