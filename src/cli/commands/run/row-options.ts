// The flags of `run` and `query` that say where rows go and how they look.
import type { Command } from 'commander';
import { ENGINE_FORMATS } from '../../../base/formats.ts';
import { csvFormulasOption, formatOption } from '../../arguments/flags.ts';
import { wholeNumber } from '../../arguments/whole-number.ts';

export const AS_OF = ['--as-of <time>', 'the time that current_timestamp() returns, such as 2026-01-15T12:00:00Z'] as const;
export const PARAMETER = [
  '-p, --parameter <name:type:value>',
  'a parameter of the SQL, such as least:INT64:5, or name::Ada for a STRING; without a name, the next ?; may be repeated',
] as const;

/** Adds flags that readRowFlags reads by the same names. */
export function addRowOptions(command: Command, maxRows: string): Command {
  return command
    .option(
      '-o, --output <file>',
      'write to a file; its extension picks the format, and .gz or .zst after it compresses; - is standard output',
    )
    .addOption(formatOption(ENGINE_FORMATS))
    .addOption(csvFormulasOption())
    .option('--columns <names>', 'only these columns, in this order: names separated by commas')
    .option('--max-rows <number|all>', maxRows)
    .option('--fail-on-truncate', 'write no file if rows are cut off, and exit with 1 on a terminal too')
    .option('--scalar', 'print only the single value of the result; NULL is an empty line')
    .option('--stats', 'print rows, time, memory and the state of the cache to standard error')
    .option('--no-pager', 'do not show a long table in QUERN_PAGER or PAGER');
}

/** Reads the value of `--max-rows`: a number, or `all`. */
export function readMaxRows(text: string | undefined): number | 'all' | undefined {
  return text === undefined || text === 'all'
    ? text
    : wholeNumber('--max-rows', text, { what: 'a number of rows', hint: 'write a whole number above 0, or all' });
}
