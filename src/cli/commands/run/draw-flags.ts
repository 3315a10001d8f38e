// The flags for drawings: which chart, of which columns, and small charts in a table.
import { extname } from 'node:path';
import type { Command } from 'commander';
import { Option } from 'commander';
import { QuernError } from '../../../base/errors.ts';
import { CHART_FORMATS, drawsCharts, formatOfExtension } from '../../../base/formats.ts';
import type { DrawOptions } from '../../../output/format.ts';
import { splitNames } from '../../arguments/names.ts';

export interface DrawFlags {
  readonly chart?: 'line' | 'bar' | undefined;
  readonly chartX?: string | undefined;
  readonly chartY?: string | undefined;
  readonly chartSeries?: string | undefined;
  readonly sparkline?: true | undefined;
}

interface Drawing extends Pick<DrawOptions, 'chart' | 'sparklines'> {
  /** The format that the flags imply. */
  readonly format?: string;
}

export function addDrawFlags(command: Command): Command {
  return command
    .addOption(new Option('--chart <kind>', 'draw a chart').choices(['line', 'bar']))
    .option('--chart-x <column>', 'the column with the times or labels of the x axis')
    .option('--chart-y <columns>', 'the columns with the numbers to draw: names separated by commas')
    .option('--chart-series <column>', 'the column that splits the rows into series')
    .option('--sparkline', 'print a table that shows arrays of numbers as small charts');
}

/** Throws `usage` for flags that contradict the format or each other. */
export function readDrawFlags(flags: DrawFlags & { readonly format?: string | undefined; readonly output?: string | undefined }): Drawing {
  const { chart: kind, chartX: x, chartY, chartSeries: series } = flags;
  const given = (
    [
      ['--chart', kind],
      ['--chart-x', x],
      ['--chart-y', chartY],
      ['--chart-series', series],
    ] as const
  ).find(([, value]) => value !== undefined)?.[0];
  if (given === undefined && flags.sparkline !== true) return {};
  const { format } = flags;
  if (given === undefined) {
    if (format !== undefined && format !== 'table') throw misplaced('--sparkline', 'table', format);
    return { format: 'table', sparklines: true };
  }
  if (flags.sparkline === true) throw misplaced('--sparkline', 'table', 'chart');
  if (format !== undefined && !CHART_FORMATS.some((one) => one === format)) throw misplaced(given, 'chart', format);
  const ofFile = formatOfExtension(extname(flags.output ?? ''));
  const chart = { kind, x, series, y: chartY === undefined ? undefined : splitNames(chartY, '--chart-y') };
  return { format: format ?? (ofFile !== undefined && drawsCharts(ofFile) ? ofFile : 'chart'), chart };
}

function misplaced(flag: string, wanted: 'table' | 'chart', format: string): QuernError {
  const instead = wanted === 'chart' ? `, or use --format ${CHART_FORMATS.join(', ')}` : '';
  return new QuernError('usage', `${flag} is for a ${wanted}, but the format is ${format}`, { hint: `leave one of them out${instead}` });
}
